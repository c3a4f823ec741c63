/** The texts and persons of a workspace's file by their numbers, which rows of days refer to. */
import { dictionaryOf, PERSONS, propertyDictionary } from '../../../../storage/hits/dictionaries.ts'
import { dayFields } from '../../../../storage/transfer/workspace-format.ts'
import type { DayLine } from './day-lines.ts'

/** Numbers of a block, one bit each. Numbers are dense in a file of ours, so blocks are full. */
const BLOCK = 4_096
/** Blocks in memory, of 512 bytes. A file with numbers far from each other is refused. */
const MAX_BLOCKS = 100_000

export interface KnownNumbers {
  /** @returns false if the number is there already, is none, or too far from the others */
  add(site: number, dictionary: number, id: number): boolean
  has(site: number, dictionary: number, id: number): boolean
}

export function knownNumbers(): KnownNumbers {
  const sites = new Map<number, Map<number, Map<number, Uint8Array>>>()
  let blocks = 0
  return {
    add(site, dictionary, id) {
      if (id < 1) return false
      const ofSite = sites.get(site) ?? new Map<number, Map<number, Uint8Array>>()
      sites.set(site, ofSite)
      const own = ofSite.get(dictionary) ?? new Map<number, Uint8Array>()
      ofSite.set(dictionary, own)
      const place = Math.floor(id / BLOCK)
      let block = own.get(place)
      if (!block) {
        if (++blocks > MAX_BLOCKS) return false
        block = new Uint8Array(BLOCK / 8)
        own.set(place, block)
      }
      const [at, bit] = [(id % BLOCK) >> 3, 1 << (id & 7)]
      const before = block[at] ?? 0
      block[at] = before | bit
      return (before & bit) === 0
    },
    has(site, dictionary, id) {
      const block = sites
        .get(site)
        ?.get(dictionary)
        ?.get(Math.floor(id / BLOCK))
      return block !== undefined && ((block[(id % BLOCK) >> 3] ?? 0) & (1 << (id & 7))) !== 0
    },
  }
}

/** The dictionaries of fields that are not named like theirs. */
const named: Readonly<Record<string, number>> = {
  ...dictionaryOf,
  host: dictionaryOf.hostname,
  key: dictionaryOf.prop_key,
  person: PERSONS,
}

/** Whether every text and person that rows of a day refer to is in the file. 0 means no text. */
export function hasItsTexts(line: DayLine, known: KnownNumbers): boolean {
  if (line.begins) return true
  const fields: Readonly<Record<string, readonly number[]>> = line.rows[line.table]
  const isThere = (dictionary: number, id: number) => id === 0 || known.has(line.site, dictionary, id)
  for (const name of dayFields[line.table]) {
    const ids = fields[name] ?? []
    if (line.table === 'props' && name === 'value') {
      const { key } = line.rows.props
      if (!ids.every((id, i) => isThere(propertyDictionary(key[i] ?? 0), id))) return false
      continue
    }
    const dictionary = named[name]
    if (dictionary !== undefined && !ids.every(id => isThere(dictionary, id))) return false
  }
  return true
}
