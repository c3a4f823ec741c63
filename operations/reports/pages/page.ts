/** Reports on a page in detail, with a single query of the engine. */
import type { Static } from '../../../runtime/table/schema.ts'
import { type Applied, resultOf, periodOf, queryOf, type Report, spanOf, withNotes } from '../stats/index.ts'
import { dimensionOf, labelOf } from '../../../storage/engine/vocabulary/dimensions.ts'
import type { Neighbours, PageCounted, PageRow, Engine } from '../../../storage/engine/index.ts'
import { change, changes, comparedFigures, figures, type MetricName, percentOf } from '../../../storage/engine/vocabulary/metrics.ts'
import { vitalRows } from '../performance/index.ts'
import { clickMap, clicksAsked } from './clicks.ts'
import { ofEvent, ofPage, ofSource, type PageDetail } from './records.ts'

const ROWS = 10
const OTHER = '(other)'

export async function page(
  applied: Applied,
  { path, hasGrid }: { readonly path: string; readonly hasGrid: boolean },
  engine: Engine,
): Promise<Report<Static<typeof PageDetail>>> {
  const {
    range,
    comparison,
    site: { timezone },
    meta,
  } = applied
  const span = spanOf(timezone, range, range)
  const compared = comparison && spanOf(timezone, comparison, comparison)
  const {
    each: [detail, measured, clicked],
    notes,
  } = await engine.query({
    ...queryOf(applied),
    asked: {
      report: 'several',
      each: [
        { report: 'page', path, span, compared, limit: ROWS },
        { report: 'vitals', page: path, spans: compared ? [span, compared] : [span] },
        clicksAsked(path, span),
      ],
    },
  })

  const found = resultOf('page', detail)
  const { now, compared: then } = found
  const metrics = metricsOf(now)
  const before = then && metricsOf(then)
  const visitors = { now: now.sums.visitors, before: then?.sums.visitors ?? 0 }
  return {
    data: {
      period: periodOf(range),
      path,
      metrics,
      previous: neighbours(found.previous, 'entrance', '(entrance)'),
      next: neighbours(found.next, 'exit', '(exit)'),
      sources: rowsOf({ name: 'source', rows: found.sources, names: ofSource, visitors }),
      events: rowsOf({ name: 'event', rows: found.events, names: ofEvent, visitors }),
      scroll: scrollOf(now),
      vitals: vitalRows(resultOf('vitals', measured).spans),
      clicks: clickMap(resultOf('clicks', clicked), hasGrid),
      ...(comparison && then && before
        ? {
            comparison: { period: periodOf(comparison), metrics: before, change: changesOf(metrics, before, [now, then]) },
          }
        : {}),
    },
    meta: withNotes(meta, notes, 'visitors_of_page'),
  }
}

function metricsOf({ sums, scroll }: PageCounted) {
  const reported = scroll.slice(1)
  const visits = reported.reduce((sum, one) => sum + one, 0)
  const depth = reported.reduce((sum, one, i) => sum + one * (i + 1), 0)
  // `depth` sums percentages, so this is their mean, with one decimal.
  return { ...figures(ofPage, sums), scroll_depth: visits === 0 ? null : percentOf(depth, 100 * visits) }
}

function changesOf(now: ReturnType<typeof metricsOf>, before: ReturnType<typeof metricsOf>, counted: readonly PageCounted[]) {
  const { scroll_depth: to, ...metrics } = now
  const { scroll_depth: from, ...were } = before
  return { ...changes(metrics, were, counted), scroll_depth: to === null || from === null ? null : change(to, from, 'percent') }
}

function scrollOf({ scroll }: PageCounted) {
  const visits = scroll.slice(1).reduce((sum, one) => sum + one, 0)
  const rows = Array.from({ length: 10 }, (_, i) => {
    const some = scroll.slice(10 * i + 1, 10 * i + 11).reduce((sum, one) => sum + one, 0)
    return { from: 10 * i + 1, to: 10 * i + 10, visits: some, share: percentOf(some, visits) }
  })
  return { visits, rows }
}

function neighbours<const None extends string>({ pages, none }: Neighbours, kind: None, label: string) {
  const all = pages.reduce((sum, { times }) => sum + times, none)
  const counted = (times: number) => ({ times, share: percentOf(times, all) })
  const known = pages.flatMap(({ value, times }) =>
    value === null ? [] : [{ kind: 'page' as const, value, label: value, ...counted(times) }],
  )
  const rest = pages.flatMap(({ value, times }) =>
    value === null ? [{ kind: 'other' as const, value: '', label: OTHER, ...counted(times) }] : [],
  )
  const nowhere = none > 0 ? [{ kind, value: '', label, ...counted(none) }] : []
  return [...[...known, ...nowhere].sort((a, b) => b.times - a.times), ...rest]
}

function rowsOf<M extends MetricName>({
  name,
  rows,
  names,
  visitors,
}: {
  name: string
  rows: readonly PageRow[]
  names: readonly M[]
  visitors: { now: number; before: number }
}) {
  const dimension = dimensionOf(name)
  return rows.map(({ value, sums, compared }) => {
    const bases = { allVisitors: visitors.now, convertible: 0 }
    const then = compared && { sums: compared, bases: { allVisitors: visitors.before, convertible: 0 } }
    return { value, label: dimension ? labelOf(dimension, value) : value, ...comparedFigures(names, { sums, bases }, then) }
  })
}
