/** The three basic reports: what is asked of the reader, and the answer in the words of the API. */
import { iso, type Static } from '../../runtime/schema.ts'
import { type Applied, spanOf } from './applied.ts'
import { type Dimension, labelOf } from './dimensions.ts'
import type { Note, Query, Sort, Span, Sums } from './engine/query.ts'
import { isConverting } from './engine/resolve.ts'
import { type Around, changes, figures, headline, type MetricName, ofRows } from './metrics.ts'
import type { Reader } from './reader/reader.ts'
import type { Aggregate, Breakdown, ReportMeta, Timeseries } from './records.ts'
import { alignBuckets } from './time/align.ts'
import { buckets } from './time/buckets.ts'
import type { Range } from './time/range.ts'

type Report<Data> = { data: Data; meta: Static<typeof ReportMeta> }

const periodOf = ({ from, to }: Range) => ({ from: iso(from), to: iso(to) })

const withNotes = (meta: Applied['meta'], notes: readonly Note[]) => ({ ...meta, notes: [...meta.notes, ...notes] })

const queryOf = ({ site, where, goals }: Applied): Omit<Query, 'asked'> => ({ site: site.number, where, goals })

export async function aggregate(applied: Applied, reader: Reader): Promise<Report<Static<typeof Aggregate>>> {
  const { range, comparison, site: { timezone }, meta } = applied
  const series = [range, ...(comparison ? [comparison] : [])].map(one => [spanOf(timezone, one, one)])
  const answer = await reader.query({ ...queryOf(applied), asked: { report: 'totals', series } })
  const [metrics, compared] = answer.series.flat().map(sums => figures(headline, sums))
  if (!metrics) throw new Error('a span was not counted')
  const beside = comparison && compared
    ? { comparison: { period: periodOf(comparison), metrics: compared, change: changes(metrics, compared) } }
    : {}
  return {
    data: { period: periodOf(range), metrics, ...beside },
    meta: withNotes(meta, answer.notes),
  }
}

export async function timeseries(applied: Applied, reader: Reader): Promise<Report<Static<typeof Timeseries>>> {
  const { range, comparison, interval, site: { timezone, week_start }, meta } = applied
  const points = buckets(range, interval, timezone, week_start)
  const beside = comparison ? alignBuckets(points, comparison, interval, timezone, week_start) : []
  const spans = points.map(point => spanOf(timezone, point, range))
  const besideSpans = beside.flatMap(point => (point && comparison ? [spanOf(timezone, point, comparison)] : []))
  const answer = await reader.query({ ...queryOf(applied), asked: { report: 'totals', series: [spans, besideSpans] } })

  const [now = [], before = []] = answer.series
  const left = before.values()
  const pointOf = (sums: Sums) => figures(headline, sums)
  return {
    data: {
      period: periodOf(range),
      interval,
      series: points.map(({ label, partial }, i) => ({ at: label, partial, ...pointOf(now[i] ?? nothing) })),
      ...(comparison ? {
        comparison: {
          period: periodOf(comparison),
          series: beside.map(point => ({
            at: point?.label ?? null,
            partial: point?.partial ?? false,
            ...pointOf((point && left.next().value) ?? nothing),
          })),
        },
      } : {}),
    },
    meta: withNotes(meta, answer.notes),
  }
}

export async function breakdown(
  applied: Applied,
  dimension: Dimension,
  { limit, page, sort }: { limit: number; page: number; sort: Sort },
  reader: Reader,
): Promise<Report<Static<typeof Breakdown>>> {
  const { range, comparison, where, goals, site: { timezone }, meta } = applied
  const spanIn = (one: Range): Span => spanOf(timezone, one, one)
  const answer = await reader.query({
    ...queryOf(applied),
    asked: {
      report: 'breakdown', dimension: dimension.name, span: spanIn(range), compared: comparison && spanIn(comparison),
      sort, offset: (page - 1) * limit, limit,
    },
  })

  const converting: MetricName[] = isConverting(dimension.name, where) ? ['conversion_rate'] : []
  const names = [...new Set([...ofRows, ...dimension.metrics, ...converting])]
  const figuresOf = (sums: Sums, around: Around) => figures(names, sums, around)
  const labels = new Map(goals.map(({ id, name }) => [id, name]))
  return {
    data: {
      period: periodOf(range),
      dimension: dimension.name,
      rows: answer.rows.map(({ value, sums, compared, base, comparedBase }) => {
        const now = figuresOf(sums, { all: answer.all.visitors, base })
        const before = compared && figuresOf(compared, { all: answer.comparedAll?.visitors ?? 0, base: comparedBase })
        const label = (dimension.level === 'goal' ? labels.get(value) : undefined) ?? labelOf(dimension, value)
        return { value, label, ...now, ...(before ? { comparison: { ...before, change: changes(now, before) } } : {}) }
      }),
      ...(comparison ? { comparison: { period: periodOf(comparison) } } : {}),
    },
    meta: withNotes(meta, answer.notes),
  }
}

const nothing: Sums = {
  visitors: 0, visits: 0, pageviews: 0, events: 0, revenue: 0,
  counted: 0, bounces: 0, duration: 0, exits: 0, engaged: 0,
}
