/** A source of a site's days and texts, all from one snapshot. */
import type { Day, DayBounds } from './day.ts'
import type { Measures } from './measures.ts'
import type { Reads } from './reads.ts'
import type { Elsewhere } from './remote-scan.ts'
import type { Texts } from './texts.ts'

export interface Source {
  readonly texts: Texts
  readonly measures: Measures
  /**
   * The days from `fromDay` to `toDay` that have hits and of which something is read, in order, a few at a time. Of a
   * sealed day only what is read is loaded: reading another column throws.
   */
  days(fromDay: number, toDay: number, request: DayRequest): Promise<Iterable<readonly Day[]> | AsyncIterable<readonly Day[]>>
  /**
   * Has days counted where their columns are, if those are in a cluster and it is much that would have to be fetched. Ask
   * for the other days as `days`. Undefined: there is no cluster.
   */
  readonly count?: ((fromDay: number, toDay: number, counts: Elsewhere) => Promise<void>) | undefined
}

/** The reads of a query, day by day. */
export interface DayRequest {
  /** Null to read nothing of the day. */
  of(day: DayBounds): Reads | null
  /**
   * Whether the sums of all days from the first to the last may be returned as those of one day, since the same is read
   * of all.
   * @param reads what is read of the first
   */
  together(reads: Reads, first: DayBounds, last: DayBounds): boolean
}
