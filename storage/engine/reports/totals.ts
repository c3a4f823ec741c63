/** Sums of spans: the headline figures, and the points of a series. */
import { bounceBasisUnder } from '../scan/bounce-basis.ts'
import { totalsOver } from '../scan/totals.ts'
import type { Span } from '../vocabulary/scope.ts'
import type { CountedSums } from '../vocabulary/sums.ts'
import type { Report } from './report.ts'
import { resolveAll } from '../scan/resolve.ts'

/** Sums of each span of each series. The spans of a series are in order without overlaps. */
export interface TotalsQuestion {
  readonly report: 'totals'
  readonly series: readonly (readonly Span[])[]
  /** Whether distinct persons are counted, which takes a column of every day. */
  readonly isPeopleCounted?: boolean
}
export interface Totals {
  readonly report: 'totals'
  readonly series: CountedSums[][]
}

export const totalsReport: Report<TotalsQuestion, Totals> = async ({ where }, { series, isPeopleCounted }, context) => {
  const conditions = await resolveAll(where, context)
  const narrowing = context.workspace.narrowings.by(conditions)
  const counting = totalsOver(
    series,
    conditions,
    { basis: bounceBasisUnder(narrowing, context), narrowing },
    { ...context, isPeopleCounted },
  )
  return {
    spans: series.flat(),
    reads: counting.reads,
    scans: counting.scans,
    elsewhere: counting.elsewhere,
    add: counting.add,
    answer: () => ({ report: 'totals', series: counting.sums() }),
  }
}
