/**
 * Web vitals of spans: percentiles and ratings of each metric, in total and by device. Percentiles are exact: values
 * are counted in histograms by ms, or thousandth of a score. (Every `!` is inside bounds.)
 */
import { type VitalName, vitalNames, webVitals as table } from '../../values/web-vitals.ts'
import { idOf } from '../scan/goals.ts'
import { type Histogram, openHistogram, mergedHistogram } from '../columns/histogram.ts'
import { allReads, columnsRead } from '../days/reads.ts'
import { readsOfConditions } from '../scan/condition.ts'
import { readsOfAll, readsOver } from '../scan/day-counter.ts'
import { countsWith, measurementsCounted } from '../scan/measurements.ts'
import { withReads } from '../scan/scan.ts'
import { groupsOf } from '../days/measures.ts'
import type { Span } from '../vocabulary/scope.ts'
import type { Report } from './report.ts'
import { resolveAll } from '../scan/resolve.ts'
import { windowOn } from '../days/spans.ts'

export interface VitalsQuestion {
  readonly report: 'vitals'
  readonly spans: readonly Span[]
  /** Path of one page; null for all. */
  readonly page: string | null
  /** The percentile of `value`; default 75. */
  readonly percentile?: number
}
/** The figures of one metric, by one device or all. */
export interface Measured {
  /** Page loads with a value. */
  readonly samples: number
  /** The percentile (nearest rank) in the unit of the metric; null without samples. */
  readonly value: number | null
  readonly good: number
  readonly poor: number
}
export interface VitalFound extends Measured {
  readonly metric: VitalName
  /** Most samples first. */
  readonly devices: readonly (Measured & { readonly device: string })[]
}
export interface Vitals {
  readonly report: 'vitals'
  /** Every metric, for each of the spans. */
  readonly spans: readonly (readonly VitalFound[])[]
}

export const vitalsReport: Report<VitalsQuestion, Vitals> = async ({ where }, { spans, page: path, percentile = 75 }, context) => {
  const { texts, measures, workspace } = context
  const conditions = await resolveAll(where, context)
  const page = path === null ? null : idOf(await texts.of('page'), path)
  const devices = await texts.of('device')
  // By span, metric and device.
  const found = spans.map(() => vitalNames.map(() => new Map<number, Histogram>()))
  const ofVitals = columnsRead(
    ...(page === null ? [] : (['vitals.page'] as const)),
    'vitals.metric',
    'vitals.device',
    'vitals.first',
    'vitals.value',
  )
  const filtered = conditions.length > 0
  const { whole, part } = withReads(measurementsCounted(filtered), allReads([readsOfConditions(conditions), ofVitals]))
  const ofVisits = columnsRead('vitals.visit')
  const reads = { whole: filtered ? allReads([whole, ofVisits]) : whole, part: allReads([part, ofVisits]) }

  return {
    spans: page === 0 ? [] : spans,
    reads: readsOfAll(spans.map(span => readsOver(span, reads))),
    scans: true,
    async add(day) {
      const vitals = await measures.vitals(day, page)
      if (vitals.count === 0) return
      const { first, metric, device, value } = vitals
      const groups = groupsOf(vitals, page)
      const mask = workspace.masks.of(day, conditions)
      for (const [i, span] of spans.entries()) {
        const window = windowOn(span, day)
        const byMetric = found[i]
        if (window === undefined || !byMetric) continue
        const counts = countsWith(day, mask, window)
        for (let g = groups.from; g < groups.to; g++) {
          const byDevice = byMetric[metric[g]!]!
          const histogram = byDevice.get(device[g]!) ?? openHistogram()
          if (counts === null) histogram.addAll(value, first[g]!, first[g + 1]!)
          else for (let m = first[g]!; m < first[g + 1]!; m++) if (counts(vitals.visit[m]!)) histogram.add(value[m]!)
          if (histogram.count > 0) byDevice.set(device[g]!, histogram)
        }
      }
    },
    answer: () => ({
      report: 'vitals',
      spans: found.map(byMetric =>
        byMetric.map((byDevice, i) => {
          const metric = vitalNames[i]!
          return {
            metric,
            ...measured(metric, mergedHistogram(byDevice.values()), percentile),
            devices: [...byDevice]
              .map(([id, one]) => ({ device: devices[id] ?? '', ...measured(metric, one, percentile) }))
              .sort((a, b) => b.samples - a.samples || (a.device < b.device ? -1 : 1)),
          }
        }),
      ),
    }),
  }
}

function measured(metric: VitalName, all: Histogram, percentile: number): Measured {
  const { good, poor, scale } = table[metric]
  const samples = all.count
  return {
    samples,
    value: samples === 0 ? null : all.at(Math.ceil((percentile / 100) * samples)) / scale,
    good: all.upTo(good * scale),
    poor: samples - all.upTo(poor * scale),
  }
}
