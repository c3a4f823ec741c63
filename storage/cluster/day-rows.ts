/** All rows of a sealed day, as one list for each field of their tables: what is copied to the cluster, and back. */
import { visitDimensions } from '../tables/index.ts'

export const visitFields = [
  'visit_id',
  'started_at',
  'duration',
  'pageviews',
  'events',
  'bounce',
  'revenue',
  'entry_after',
  'exit_after',
  'next_seq',
  'attended_at',
  'person',
  'person_after',
  ...visitDimensions,
] as const
export const hitFields = ['visit_id', 'seq', 'at', 'page', 'event', 'interactive', 'revenue', 'engaged_ms', 'scroll', 'host'] as const
/** `num` is NaN if a value is not a number. */
export const propFields = ['visit_id', 'seq', 'event', 'key', 'value', 'num'] as const
/** `metric` is its place among `vitalNames`. */
export const vitalFields = ['page', 'metric', 'device', 'visit_id', 'seq', 'value'] as const
export const clickFields = ['page', 'selector', 'visit_id', 'seq', 'x', 'y'] as const

/** Lists of equal length, one for each field. */
export type Rows<Name extends string> = Readonly<Record<Name, readonly number[]>>

export interface DayRows {
  readonly visits: Rows<(typeof visitFields)[number]>
  readonly hits: Rows<(typeof hitFields)[number]>
  readonly props: Rows<(typeof propFields)[number]>
  readonly vitals: Rows<(typeof vitalFields)[number]>
  readonly clicks: Rows<(typeof clickFields)[number]>
}

/** One list for each field. */
export function rowsOf<Name extends string>(names: readonly Name[], of: (name: Name) => readonly number[]): Rows<Name> {
  return Object.fromEntries(names.map(name => [name, of(name)])) as Rows<Name> // one entry for each name
}

/** Places of rows, sorted by some of their fields. */
export function placesBy<Name extends string>(rows: Rows<Name>, by: readonly NoInfer<Name>[]): number[] {
  const keys = by.map(name => rows[name])
  const places = Array.from({ length: keys[0]?.length ?? 0 }, (_, i) => i)
  return places.sort((a, b) => {
    for (const key of keys) {
      const difference = (key[a] ?? 0) - (key[b] ?? 0)
      if (difference !== 0) return difference
    }
    return 0
  })
}
