/** Reports the web vitals of a site over time, and one web vital by a dimension. */
import type { Static } from '../../../runtime/table/schema.ts'
import type { Db } from '../../../storage/store.ts'
import type { Engine, Measured, VitalsSort } from '../../../storage/engine/index.ts'
import { dimensionOf, labelOf } from '../../../storage/engine/vocabulary/dimensions.ts'
import { change, percentOf } from '../../../storage/engine/vocabulary/metrics.ts'
import { ratingOf, type VitalName, webVitals as table } from '../../../storage/values/web-vitals.ts'
import { siteUptime } from '../availability/index.ts'
import { type Applied, periodOf, queryOf, type Report, seriesOf, spanOf, withNotes } from '../stats/index.ts'
import type { breakdownDimensions, Performance, PerformanceBreakdown } from './records.ts'

/** Smallest number of samples for a percentile. With fewer, it depends too much on individual visitors. */
export const MIN_SAMPLES = 20

export async function performance(
  applied: Applied,
  { percentile, series: isSeries }: { readonly percentile: number; readonly series: boolean },
  { db, now, engine }: { db: Db; now: number; engine: Engine },
): Promise<Report<Static<typeof Performance>>> {
  const { range, comparison, interval, site, meta } = applied
  const wholes = [range, ...(comparison ? [comparison] : [])].map(one => spanOf(site.timezone, one, one))
  const { spans, shownBy } = seriesOf(applied)
  const labels = shownBy(() => ({}))([], []).series
  const answer = await engine.query({
    ...queryOf(applied),
    asked: { report: 'vitals', spans: [...wholes, ...(isSeries ? spans : [])], page: null, percentile },
  })
  const [found = [], before] = comparison ? answer.spans : [answer.spans[0]]
  const points = answer.spans.slice(wholes.length)
  const { uptime, checks } = await siteUptime(db, site, now)
  const expiries = checks.flatMap(({ ssl_expires_at }) => ssl_expires_at ?? []).sort()
  return {
    data: {
      period: periodOf(range),
      percentile,
      interval,
      vitals: found.map(({ metric, ...measured }, i) => {
        const compared = before?.[i]
        return {
          metric,
          label: table[metric].name,
          unit: table[metric].unit,
          ...figuresOf(metric, measured),
          ...(isSeries && {
            series: labels.map(({ at, partial }, point) => {
              const { samples = 0, value = null } = points[point]?.[i] ?? {}
              return { at, partial, samples, value: samples < MIN_SAMPLES ? null : value }
            }),
          }),
          ...(compared ? { comparison: comparedWith(metric, measured, compared) } : {}),
        }
      }),
      uptime: { ...uptime, checks: checks.length, certificate_expires_at: expiries[0] ?? null },
      ...(comparison ? { comparison: { period: periodOf(comparison) } } : {}),
    },
    meta: withNotes(meta, answer.notes),
  }
}

interface Rows {
  readonly metric: VitalName
  readonly dimension: (typeof breakdownDimensions)[number]
  readonly percentile: number
  readonly sort: VitalsSort
  readonly limit: number
  readonly page: number
}

export async function performanceBy(
  applied: Applied,
  { metric, dimension, percentile, sort, limit, page }: Rows,
  engine: Engine,
): Promise<Report<Static<typeof PerformanceBreakdown>> & { total: number }> {
  const {
    range,
    comparison,
    site: { timezone },
    meta,
  } = applied
  const { rows, total, notes } = await engine.query({
    ...queryOf(applied),
    asked: {
      report: 'vitals_by',
      metric,
      dimension,
      span: spanOf(timezone, range, range),
      compared: comparison && spanOf(timezone, comparison, comparison),
      percentile,
      sort,
      offset: (page - 1) * limit,
      limit,
      minSamples: MIN_SAMPLES,
    },
  })
  const about = dimensionOf(dimension)
  return {
    data: {
      period: periodOf(range),
      percentile,
      metric,
      unit: table[metric].unit,
      dimension,
      rows: rows.map(({ dimension: value, compared, ...measured }) => {
        const now = rowOf(metric, measured)
        const then = compared && rowOf(metric, compared)
        return {
          value,
          label: about ? labelOf(about, value) : value,
          ...now,
          impact: measured.poor,
          ...(then ? { comparison: { ...then, change: { measured: changeOf(now.measured, then.measured) } } } : {}),
        }
      }),
      ...(comparison ? { comparison: { period: periodOf(comparison) } } : {}),
    },
    meta: withNotes(meta, notes),
    total,
  }
}

function figuresOf(metric: VitalName, { samples, value, good, poor }: Measured) {
  const isKnown = samples >= MIN_SAMPLES
  const share = (some: number) => (isKnown ? percentOf(some, samples) : null)
  return {
    samples,
    value: isKnown ? value : null,
    rating: isKnown && value !== null ? ratingOf(metric, value) : null,
    good: share(good),
    needs_improvement: share(samples - good - poor),
    poor: share(poor),
  }
}

/** Figures of a row, whose `value` is the value of the dimension. */
function rowOf(metric: VitalName, counted: Measured) {
  const { value: measured, ...rest } = figuresOf(metric, counted)
  return { measured, ...rest }
}

function comparedWith(metric: VitalName, measured: Measured, before: Measured) {
  const [now, then] = [figuresOf(metric, measured), figuresOf(metric, before)]
  return { ...then, change: { value: changeOf(now.value, then.value) } }
}

const changeOf = (now: number | null, then: number | null): number | null => (now === null || then === null ? null : change(now, then))
