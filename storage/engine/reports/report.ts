/** What a report is to the engine: it declares what it reads, is shown those days one after another, and answers. */
import type { Day } from '../days/day.ts'
import type { ReadsOfDay } from '../scan/day-counter.ts'
import type { Context } from '../scan/resolve.ts'
import type { Scope, Span } from '../vocabulary/scope.ts'

/** One report on its way. */
export interface Pass<Found> {
  /** It sees no day that none of them touches. */
  readonly spans: readonly Span[]
  /**
   * What it reads of a day; null where it is not to be shown the day. To read a column of a sealed day that is not
   * declared here is an error of the report, and throws.
   */
  readonly reads: ReadsOfDay
  /** Whether it goes through the columns of days that it counts as a whole, rather than add up their sums. */
  readonly scans: boolean
  /** Is called with every day it reads something of, in order. */
  add(day: Day): void | Promise<void>
  /** Is called once, after the last day. */
  answer(): Found
}

/**
 * Prepares for the days: turns texts into ids, declares what is read, and has counters for what will be counted.
 * @throws Error for a dimension there is not
 */
export type Report<Asked, Found> = (scope: Scope, asked: Asked, context: Context) => Promise<Pass<Found>>
