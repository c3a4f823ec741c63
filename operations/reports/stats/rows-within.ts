/** Rows within the rows of a breakdown: the top values of a second dimension, counted for all rows together. */
import { failWith } from '../../../runtime/table/errors.ts'
import type { Engine } from '../../../storage/engine/index.ts'
import type { Dimension } from '../../../storage/engine/vocabulary/dimensions.ts'
import { comparedFigures, type MetricName } from '../../../storage/engine/vocabulary/metrics.ts'
import { type Applied, spanOf } from './applied.ts'
import { labelIn, type PageOfRows } from './breakdown-rows.ts'
import { m } from './messages.ts'
import { possibleMetrics } from './query/input.ts'
import { queryOf } from './scope-of.ts'
import type { Range } from './time/range.ts'
import { addTo } from '../../../storage/values/grouped.ts'

interface RowsWithin {
  readonly of: Dimension
  readonly rows: readonly { readonly value: string }[]
  /** Metrics of the rows. */
  readonly names: readonly MetricName[]
  readonly sorted: Pick<PageOfRows, 'sort' | 'order'>
  readonly within: { readonly dimension: Dimension; readonly limit: number }
  readonly engine: Engine
}

/** Returns the inner rows by the value of their row, in the order of the rows or, if they lack its metric, by visitors. */
export async function rowsWithin(applied: Applied, { of, rows, names, sorted, within: { dimension, limit }, engine }: RowsWithin) {
  const { range, comparison, site, where } = applied
  const possible = possibleMetrics([of, dimension], where)
  const shown = names.filter(name => possible.includes(name))
  const spanIn = (one: Range) => spanOf(site.timezone, one, one)
  const found = await engine.query({
    ...queryOf(applied),
    asked: {
      report: 'table',
      dimensions: [of.name, dimension.name],
      span: spanIn(range),
      compared: comparison && spanIn(comparison),
      points: null,
      comparedPoints: null,
      metrics: shown,
      sort: possible.includes(sorted.sort) ? sorted.sort : 'visitors',
      order: sorted.order,
      within: rows.map(({ value }) => value),
      offset: 0,
      limit,
    },
  })
  if (found.isTooLarge) failWith([{ pointer: '/by', code: 'too_large', message: m.too_many_rows() }])
  const inner = new Map<string, ReturnType<typeof rowOf>[]>()
  for (const row of found.rows) {
    const [value = ''] = row.values
    addTo(inner, value, rowOf(row))
  }
  return inner

  function rowOf({ values, sums, compared, base, comparedBase }: (typeof found)['rows'][number]) {
    const value = values[1] ?? ''
    const now = { sums, bases: { allVisitors: found.all.visitors, convertible: base } }
    const then = compared && { sums: compared, bases: { allVisitors: found.comparedAll?.visitors ?? 0, convertible: comparedBase } }
    return { value, label: labelIn(applied, dimension, value), ...comparedFigures(shown, now, then) }
  }
}
