/**
 * The interface between the engine and a report: the report declares what it reads, gets those days one by one, and
 * returns its result.
 */
import type { Day } from '../days/day.ts'
import type { Elsewhere } from '../days/remote-scan.ts'
import type { ReadsOfDay } from '../scan/day-counter.ts'
import type { Context } from '../scan/resolve.ts'
import type { Scope, Span } from '../vocabulary/scope.ts'

/** Days that are read and counted; `Pass` describes the fields. */
export type Look = Pick<Pass<unknown>, 'spans' | 'reads' | 'elsewhere' | 'add'>

/** One run of a report. */
export interface Pass<Found> {
  /** Only days that touch these spans are read. */
  readonly spans: readonly Span[]
  /** Columns that it reads of a day; null to skip the day. Reading an undeclared column of a sealed day throws, as it is a bug. */
  readonly reads: ReadsOfDay
  /** Whether it scans columns of days that it counts completely, instead of adding up their sums. */
  readonly scans: boolean
  /** Parts of it that may be counted elsewhere before the first `reads`. */
  readonly elsewhere?: readonly Elsewhere[]
  /** A look at days that ends before the pass begins. */
  readonly before?: Look | null
  /** Called with every day of which it reads something, in order. */
  add(day: Day): void | Promise<void>
  /** Called once, after the last day. */
  answer(): Found
}

/**
 * Prepares a run: resolves texts to ids, declares what is read, and allocates counters.
 * @throws Error for an unknown dimension
 */
export type Report<AnyQuestion, Found> = (scope: Scope, asked: AnyQuestion, context: Context) => Promise<Pass<Found>>
