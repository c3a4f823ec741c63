/**
 * Names of other products as collected hits have them (docs/import.md §names). Each product has a table, which comes before the
 * shared one: `ios` is a browser in Umami, and a system elsewhere. A name that no table has stays as it is.
 */
import { browserVersionOf, systemVersionOf } from '../../../sites/collection/index.ts'
import { shared } from './shared.ts'
import type { NameRow, NameTable } from './table.ts'

export interface Named {
  readonly name: string
  /** '' if it is unknown. */
  readonly version: string
}

export interface Names {
  /** @param version '' if the product does not have it, or if the name contains it. */
  browser(name: string, version: string): Named
  system(name: string, version: string): Named
  /** Our name of a kind of device; undefined for an unknown one. */
  device(name: string): string | undefined
}

/** Words for "none" and for values that a product removed, in lower case. */
const NONE = new Set(['(not set)', '(none)', '<other>', '(other)', '(data deleted)', 'unknown', 'unk', 'null', '\\n'])
export const isNone = (text: string): boolean => NONE.has(text.toLowerCase())

interface Ours {
  readonly name: string
  /** undefined if the product's version is kept. */
  readonly version: string | undefined
}

/** Reads the names of a product by its table, then by the shared one. */
export function namesBy(table: NameTable): Names {
  const browsers = lookup([...shared.browsers, ...table.browsers])
  const systems = lookup([...shared.systems, ...table.systems])
  const devices = lookup([...shared.devices, ...table.devices])
  return Object.freeze({
    browser: (name: string, version: string) => named(name, version, { ours: browsers, cut: browserVersionOf }),
    system: (name: string, version: string) => named(name, version, { ours: systems, cut: systemVersionOf }),
    device: (name: string) => devices.get(spelled(name))?.name,
  })
}

/** Longest name that is divided from its version: the time of the expression grows with the square of the length. */
const MAX_LENGTH = 200

function named(text: string, version: string, { ours, cut }: { ours: ReadonlyMap<string, Ours>; cut: (version: string) => string }): Named {
  const name = isNone(text) ? '' : text
  const kept = isNone(version) ? '' : cut(bareVersion(version))
  const known = ours.get(spelled(name))
  if (known) return { name: known.name, version: known.version ?? kept }
  const [, bare = '', ownVersion = ''] = name.length > MAX_LENGTH ? [] : (/^(.*\S)[\s/]+v?(\d[\d._]*)$/.exec(name) ?? [])
  const family = ours.get(spelled(bare))
  return family ? { name: family.name, version: family.version ?? (kept || cut(bareVersion(ownVersion))) } : { name, version: kept }
}

/** `Intel 10.15`, `Windows 10` and `10_15` without the words and underscores. */
const bareVersion = (version: string): string =>
  version
    .trim()
    .replace(/^(?!NT )\D*\s(?=\d)/, '')
    .replaceAll('_', '.')

/** Later rows take precedence. A row's own name is a spelling of it. */
function lookup(rows: readonly NameRow[]): ReadonlyMap<string, Ours> {
  const found = new Map<string, Ours>()
  for (const [ours, theirs] of rows) {
    const [name = '', version] = ours.split('@')
    if (version === undefined && !found.has(spelled(name))) found.set(spelled(name), { name, version })
    for (const their of theirs.split(' | ')) if (their !== '') found.set(spelled(their), { name, version })
  }
  return found
}

const spelled = (name: string): string => name.trim().toLowerCase()

/** Reads names that mean the same in every product. */
export const anyNames: Names = namesBy({ browsers: [], systems: [], devices: [] })
