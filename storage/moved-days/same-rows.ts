/** Compares the rows of a day in two places, in any order. */
import type { DayRows, Rows } from '../cluster/day-rows.ts'

/** Columns that identify a row of a day, by table. */
const keys = {
  visits: ['visit_id'],
  hits: ['visit_id', 'seq'],
  props: ['visit_id', 'seq', 'event', 'key'],
  vitals: ['visit_id', 'seq', 'page', 'metric'],
  clicks: ['visit_id', 'seq', 'page'],
} as const satisfies { readonly [Table in keyof DayRows]: readonly (keyof DayRows[Table])[] }
const tables = Object.keys(keys) as (keyof DayRows)[] // a literal's own keys

export const areSameRows = (a: DayRows, b: DayRows): boolean => tables.every(table => differentRow(a, b, table) === null)

/** The first difference between two lists of rows, for a message; null if they are the same. */
export function differentRow(a: DayRows, b: DayRows, table: keyof DayRows): string | null {
  const [ofA, ofB]: readonly Rows<string>[] = [a[table], b[table]]
  if (!ofA || !ofB) return 'no rows'
  const names = Object.keys(ofA)
  const [placesOfA, placesOfB] = [sorted(ofA, keys[table]), sorted(ofB, keys[table])]
  if (placesOfA.length !== placesOfB.length) return `${placesOfA.length} rows and ${placesOfB.length}`
  for (const [i, placeOfA] of placesOfA.entries()) {
    const placeOfB = placesOfB[i] ?? 0
    for (const name of names) {
      const [x, y] = [ofA[name]?.[placeOfA], ofB[name]?.[placeOfB]]
      if (!Object.is(x, y)) return `${name} ${x} and ${y}`
    }
  }
  return null
}

function sorted(rows: Rows<string>, by: readonly string[]): Uint32Array {
  const columns = by.map(name => rows[name] ?? [])
  return Uint32Array.from(columns[0] ?? [], (_, i) => i).sort((a, b) => {
    for (const column of columns) {
      const difference = (column[a] ?? 0) - (column[b] ?? 0)
      if (difference !== 0) return difference
    }
    return 0
  })
}
