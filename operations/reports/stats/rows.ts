/** The top values of a dimension: the query, and the conversion to rows. */
import { type Applied, spanOf } from './applied.ts'
import { type Dimension, labelOf } from '../../../storage/engine/vocabulary/dimensions.ts'
import type { Sort } from '../../../storage/engine/vocabulary/scope.ts'
import type { Sums } from '../../../storage/engine/vocabulary/sums.ts'
import type { Breakdown, BreakdownAsked } from '../../../storage/engine/index.ts'
import { isConverting } from '../../../storage/engine/vocabulary/conditions.ts'
import { type RateBases, changes, figures, type MetricName, ofRows } from '../../../storage/engine/vocabulary/metrics.ts'
import type { Range } from './time/range.ts'

export interface PageOfRows {
  readonly limit: number
  /** Counts from 1. */
  readonly page: number
  readonly sort: Sort
}

export function rowsAsked(
  { range, comparison, site: { timezone } }: Applied,
  dimension: Dimension,
  { limit, page, sort }: PageOfRows,
): BreakdownAsked {
  const spanIn = (one: Range) => spanOf(timezone, one, one)
  return {
    report: 'breakdown',
    dimension: dimension.name,
    span: spanIn(range),
    compared: comparison && spanIn(comparison),
    sort,
    offset: (page - 1) * limit,
    limit,
  }
}

export function rowsShown({ where, goals }: Applied, dimension: Dimension, found: Breakdown) {
  const { rows, all, comparedAll } = found
  const converting: MetricName[] = isConverting(dimension.name, where) ? ['conversion_rate'] : []
  const names = [...new Set([...ofRows, ...dimension.metrics, ...converting])]
  const figuresOf = (sums: Sums, bases: RateBases) => figures(names, sums, bases)
  const labels = new Map(goals.map(({ id, name }) => [id, name]))
  return rows.map(({ value, sums, compared, base, comparedBase }) => {
    const now = figuresOf(sums, { allVisitors: all.visitors, convertible: base })
    const before = compared && figuresOf(compared, { allVisitors: comparedAll?.visitors ?? 0, convertible: comparedBase })
    const label = (dimension.level === 'goal' ? labels.get(value) : undefined) ?? labelOf(dimension, value)
    return { value, label, ...now, ...(before ? { comparison: { ...before, change: changes(now, before) } } : {}) }
  })
}
