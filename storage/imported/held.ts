/** The dimensions by which the totals of an import can be divided. */
import { sql } from 'kysely'
import type { Db } from '../store.ts'
import { dimensions } from '../engine/vocabulary/dimensions.ts'
import { type FamilyName, familyNames, type ImportedRow } from '../tables/imported-families.ts'

/** The dimension of the totals of all visits. */
export const ALL = ''

/** The family and the column of each dimension. */
export const placesOfDimensions = Object.freeze({
  [ALL]: { family: 'visitors', column: null },
  source: { family: 'sources', column: 'source' },
  channel: { family: 'sources', column: 'channel' },
  referrer: { family: 'sources', column: 'referrer' },
  utm_source: { family: 'sources', column: 'utm_source' },
  utm_medium: { family: 'sources', column: 'utm_medium' },
  utm_campaign: { family: 'sources', column: 'utm_campaign' },
  utm_content: { family: 'sources', column: 'utm_content' },
  utm_term: { family: 'sources', column: 'utm_term' },
  page: { family: 'pages', column: 'page' },
  entry_page: { family: 'entry_pages', column: 'entry_page' },
  exit_page: { family: 'exit_pages', column: 'exit_page' },
  country: { family: 'locations', column: 'country' },
  region: { family: 'locations', column: 'region' },
  city: { family: 'locations', column: 'city' },
  device: { family: 'devices', column: 'device' },
  browser: { family: 'browsers', column: 'browser' },
  browser_version: { family: 'browsers', column: 'browser_version' },
  os: { family: 'operating_systems', column: 'operating_system' },
  os_version: { family: 'operating_systems', column: 'operating_system_version' },
  event: { family: 'custom_events', column: 'name' },
} as const satisfies Readonly<Record<string, { readonly family: FamilyName; readonly column: string | null }>>)

export type PlacedDimension = keyof typeof placesOfDimensions
export const isPlaced = (dimension: string): dimension is PlacedDimension => Object.hasOwn(placesOfDimensions, dimension)

/** Dimensions by where their totals are; `values` takes precedence. */
export interface Held {
  readonly families: ReadonlySet<string>
  readonly values: ReadonlySet<string>
}

/** Days have a weekday, so all totals can be divided by it. */
const isOfDays = (dimension: string): boolean => dimensions.get(dimension)?.derived?.of === 'day'

/** Every total belongs to the site that it was imported into, whatever site the file names. */
export const SITE = 'site'

export const holds = ({ families, values }: Held, dimension: string): boolean =>
  dimension === SITE
    ? holds({ families, values }, ALL)
    : values.has(dimension) || families.has(dimension) || (isOfDays(dimension) && holds({ families, values }, ALL))

/** Whether totals of two imports can be read together for the same days: they share neither rows nor dimensions. */
export function areApart(a: Held, b: Held): boolean {
  const parts = partsOf(a)
  return partsOf(b).every(part => !parts.includes(part))
}

/** Whether the one has no totals that the other lacks. */
export function isWithin(held: Held, other: Held): boolean {
  const parts = partsOf(other)
  return partsOf(held).every(part => parts.includes(part))
}

function partsOf({ families, values }: Held): readonly string[] {
  const named = [...families].filter(isPlaced)
  return [...[...named, ...values].map(name => `by ${name}`), ...named.map(name => placesOfDimensions[name].family)]
}

const byFamily = new Map(
  familyNames.map(family => [family, Object.entries(placesOfDimensions).filter(([, place]) => place.family === family)] as const),
)

/**
 * Collects the dimensions of rows. A dimension whose value is blank in every row is not held: the file says nothing about it.
 * Names that are not dimensions are not held either, so a file cannot make the list long.
 */
export function holdings(): { add(row: ImportedRow): void; written(): string } {
  const [families, values] = [new Set<string>(), new Set<string>()]
  return {
    add({ family, texts }) {
      if (family === 'values') {
        const { dimension = ALL } = texts
        if (dimension === ALL || (dimension !== SITE && dimensions.has(dimension))) values.add(dimension)
      }
      for (const [dimension, { column }] of byFamily.get(family) ?? [])
        if (column === null || (texts[column] ?? '') !== '') families.add(dimension)
    },
    written: () => JSON.stringify({ families: [...families], values: [...values] }),
  }
}

/** @param written the column `imports.holds`; null for totals of before it, which had only families, without channel and city */
export async function heldBy(db: Db, { id, written }: { id: string; written: string | null }): Promise<Held> {
  if (written !== null) {
    const { families, values }: Record<keyof Held, string[]> = JSON.parse(written) // from `holdings`
    return { families: new Set(families), values: new Set(values) }
  }
  const families = new Set<string>()
  for (const family of familyNames) {
    const places = (byFamily.get(family) ?? []).filter(([dimension]) => dimension !== 'channel' && dimension !== 'city')
    if (places.length === 0) continue
    const { rows } = await sql`select 1 from ${sql.table(`imported_${family}`)} where import_id = ${id} limit 1`.execute(db)
    if (rows.length > 0) for (const [dimension] of places) families.add(dimension)
  }
  return { families, values: new Set() }
}
