/** Where the engine finds the days of a site and its texts. */
import type { Day } from './day.ts'
import type { Measures } from './measures.ts'
import type { Wanted } from './sealed-day.ts'
import type { Cut } from './spans.ts'
import type { Texts } from './texts.ts'

export interface Source {
  readonly texts: Texts
  readonly measures: Measures
  /**
   * The days numbered `fromDay` to `toDay` that have hits and of which something is wanted (null: nothing), in order, a
   * few at a time. Days that are sealed hold what is wanted of them, and throw `Missing` for the rest.
   */
  days(fromDay: number, toDay: number, wanted: (day: Cut) => Wanted | null): AsyncIterable<readonly Day[]>
}
