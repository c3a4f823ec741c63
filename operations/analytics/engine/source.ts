/** Where the engine finds the days of a site and its texts. Sealed days will come from another place than open ones. */
import type { Day } from './day.ts'
import type { Cut } from './spans.ts'
import type { Texts } from './texts.ts'

export interface Source {
  readonly texts: Texts
  /** The days numbered `fromDay` to `toDay` that have hits and are wanted, in order, a few in memory at a time. */
  days(fromDay: number, toDay: number, wanted: (day: Cut) => boolean): AsyncIterable<Day>
}
