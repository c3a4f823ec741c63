/** The three main reports: they query the engine and convert the results to the API's form. */
import { iso, type Static } from '../../../runtime/schema.ts'
import { type Applied, spanOf } from './applied.ts'
import type { Dimension } from '../../../storage/engine/vocabulary/dimensions.ts'
import type { Note, Scope } from '../../../storage/engine/vocabulary/scope.ts'
import { changes, figures, headline } from '../../../storage/engine/vocabulary/metrics.ts'
import type { Engine } from '../../../storage/engine/index.ts'
import type { Aggregate, Breakdown, ReportMeta, Timeseries } from './records.ts'
import { type PageOfRows, rowsAsked, rowsShown } from './rows.ts'
import { seriesOf } from './series.ts'
import type { Range } from './time/range.ts'

export type Report<Data> = { data: Data; meta: Static<typeof ReportMeta> }

export const periodOf = ({ from, to }: Range) => ({ from: iso(from), to: iso(to) })

export const withNotes = (meta: Applied['meta'], notes: readonly Note[]) => ({ ...meta, notes: [...meta.notes, ...notes] })

export const queryOf = ({ site, where, goals }: Applied): Scope => ({ site: site.number, where, goals })

export async function aggregate(applied: Applied, engine: Engine): Promise<Report<Static<typeof Aggregate>>> {
  const {
    range,
    comparison,
    site: { timezone },
    meta,
  } = applied
  const series = [range, ...(comparison ? [comparison] : [])].map(one => [spanOf(timezone, one, one)])
  const answer = await engine.query({ ...queryOf(applied), asked: { report: 'totals', series } })
  const [metrics, compared] = answer.series.flat().map(sums => figures(headline, sums))
  if (!metrics) throw new Error('a span was not counted')
  const beside =
    comparison && compared ? { comparison: { period: periodOf(comparison), metrics: compared, change: changes(metrics, compared) } } : {}
  return {
    data: { period: periodOf(range), metrics, ...beside },
    meta: withNotes(meta, answer.notes),
  }
}

export async function timeseries(applied: Applied, engine: Engine): Promise<Report<Static<typeof Timeseries>>> {
  const { range, comparison, interval, meta } = applied
  const { spans, besideSpans, shown } = seriesOf(applied)
  const answer = await engine.query({ ...queryOf(applied), asked: { report: 'totals', series: [spans, besideSpans] } })
  const { series, beside } = shown(answer.series[0] ?? [], answer.series[1] ?? [])
  return {
    data: {
      period: periodOf(range),
      interval,
      series,
      ...(comparison ? { comparison: { period: periodOf(comparison), series: beside } } : {}),
    },
    meta: withNotes(meta, answer.notes),
  }
}

export async function breakdown(
  applied: Applied,
  dimension: Dimension,
  page: PageOfRows,
  engine: Engine,
): Promise<Report<Static<typeof Breakdown>>> {
  const { range, comparison, meta } = applied
  const answer = await engine.query({ ...queryOf(applied), asked: rowsAsked(applied, dimension, page) })
  return {
    data: {
      period: periodOf(range),
      dimension: dimension.name,
      rows: rowsShown(applied, dimension, answer),
      ...(comparison ? { comparison: { period: periodOf(comparison) } } : {}),
    },
    meta: withNotes(meta, answer.notes),
  }
}
