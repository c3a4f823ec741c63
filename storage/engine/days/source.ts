/** Where the engine finds the days of a site and its texts, all of them as they are in one snapshot. */
import type { Day, DayBounds } from './day.ts'
import type { Measures } from './measures.ts'
import type { Reads } from './reads.ts'
import type { Texts } from './texts.ts'

export interface Source {
  readonly texts: Texts
  readonly measures: Measures
  /**
   * The days numbered `fromDay` to `toDay` that have hits and of which something is read, in order, a few at a time.
   * A sealed day has what is read of it and no more: to look at another of its columns throws.
   */
  days(fromDay: number, toDay: number, request: DayRequest): Promise<Iterable<readonly Day[]> | AsyncIterable<readonly Day[]>>
}

/** What a question reads of days. */
export interface DayRequest {
  /** Null: nothing of that day. */
  of(day: DayBounds): Reads | null
  /**
   * Whether the sums of all days from one to another may come as those of one day: the same is read of all of them.
   * @param reads what is read of the first
   */
  together(reads: Reads, first: DayBounds, last: DayBounds): boolean
}
