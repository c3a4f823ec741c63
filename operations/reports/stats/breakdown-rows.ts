/** The top values of a dimension: the query, and the conversion to rows. */
import { type Applied, spanOf } from './applied.ts'
import { type Dimension, labelOf } from '../../../storage/engine/vocabulary/dimensions.ts'
import type { Order, Rank, Sort } from '../../../storage/engine/vocabulary/scope.ts'
import type { Breakdown, BreakdownQuestion } from '../../../storage/engine/index.ts'
import type { MetricName } from '../../../storage/engine/vocabulary/metrics.ts'
import { metricsOf } from './chosen.ts'
import { changesOf, figuresOf as figures } from './with-imported.ts'
import type { Range } from './time/range.ts'

export interface PageOfRows {
  readonly limit: number
  /** Counts from 1. */
  readonly page: number
  readonly sort: Sort
  readonly order?: Order
  readonly rank?: Rank
}

export function rowsAsked(
  { range, comparison, site: { timezone } }: Applied,
  dimension: Dimension,
  { limit, page, ...ranking }: PageOfRows,
): BreakdownQuestion {
  const spanIn = (one: Range) => spanOf(timezone, one, one)
  return {
    report: 'breakdown',
    dimension: dimension.name,
    span: spanIn(range),
    compared: comparison && spanIn(comparison),
    ...ranking,
    offset: (page - 1) * limit,
    limit,
  }
}

interface RowsShown {
  readonly applied: Applied
  readonly dimension: Dimension
  readonly found: Breakdown
  readonly names?: readonly MetricName[] | undefined
}

/** @param names metrics of the rows; defaults to all metrics of the dimension */
export function rowsShown({
  applied,
  dimension,
  found: { rows, all, comparedAll },
  names = metricsOf(dimension, applied.where),
}: RowsShown) {
  return rows.map(({ value, sums, compared, base, comparedBase }) => {
    const [now, then] = [
      { sums, bases: { allVisitors: all.visitors, convertible: base } },
      compared && { sums: compared, bases: { allVisitors: comparedAll?.visitors ?? 0, convertible: comparedBase } },
    ]
    const shown = figures(names, now.sums, now.bases)
    const before = then && figures(names, then.sums, then.bases)
    const comparison = before && then && { comparison: { ...before, change: changesOf(shown, before, [now, then]) } }
    return { value, label: labelIn(applied, dimension, value), ...shown, ...comparison }
  })
}

/** Returns the display form of a value: for a goal or a site, its name. */
export function labelIn({ goals, site }: Pick<Applied, 'goals' | 'site'>, dimension: Dimension, value: string): string {
  const named = dimension.level === 'goal' ? goals : dimension.name === 'site' ? (site.members ?? [site]) : []
  return named.find(({ id }) => id === value)?.name ?? labelOf(dimension, value)
}
