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
   * The days numbered `fromDay` to `toDay` that have hits and of which something is wanted, in order, a few at a time.
   * Days that are sealed hold what is wanted of them, and throw `Missing` for the rest.
   */
  days(fromDay: number, toDay: number, wish: Wish): Promise<Iterable<readonly Day[]> | AsyncIterable<readonly Day[]>>
}

/** What is wanted of days. */
export interface Wish {
  /** Null: nothing of that day. */
  of(day: Cut): Wanted | null
  /** Whether the sums of all days from one to another may come as those of one day: they are asked of alike. */
  together(first: Cut, last: Cut): boolean
}
