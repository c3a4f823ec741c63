/**
 * One web vital by the values of a dimension: each value is stored with its page and device, other dimensions are those of
 * its visit. Values without a visit count for pages and devices only. (Every `!` is inside bounds.)
 */
import { openSamples, type Samples } from '../columns/samples.ts'
import { allReads, columnsRead } from '../days/reads.ts'
import { windowOn } from '../days/spans.ts'
import { readsOfConditions } from '../scan/condition.ts'
import { readsOfAll, readsOver } from '../scan/day-counter.ts'
import { countsWith, measurementsCounted, visitFinder, visitsFound } from '../scan/measurements.ts'
import { resolveAll } from '../scan/resolve.ts'
import { withReads } from '../scan/scan.ts'
import { type VitalName, vitalNames, webVitals } from '../../values/web-vitals.ts'
import type { Span } from '../vocabulary/scope.ts'
import type { Report } from './report.ts'
import type { Measured } from './vitals.ts'

export type VitalsSort = 'impact' | 'measured' | 'samples'

export interface VitalsByQuestion {
  readonly report: 'vitals_by'
  readonly metric: VitalName
  readonly dimension: 'page' | 'device' | 'country' | 'browser' | 'os'
  readonly span: Span
  readonly compared: Span | null
  readonly percentile: number
  /** `impact`: most poor samples first. */
  readonly sort: VitalsSort
  readonly offset: number
  readonly limit: number
  /** Values with fewer samples have no percentile, and come last by it. */
  readonly minSamples: number
}
export interface VitalsByRow extends Measured {
  readonly dimension: string
  readonly compared: Measured | null
}
export interface VitalsBy {
  readonly report: 'vitals_by'
  readonly rows: readonly VitalsByRow[]
  /** Number of rows on all pages. */
  readonly total: number
}

interface Group {
  readonly samples: Samples
  good: number
  poor: number
}

export const vitalsByReport: Report<VitalsByQuestion, VitalsBy> = async ({ where }, asked, context) => {
  const { metric, dimension, span, compared, percentile, minSamples } = asked
  const { texts, measures, workspace } = context
  const conditions = await resolveAll(where, context)
  const names = await texts.of(dimension)
  const number = vitalNames.indexOf(metric)
  const { scale, good, poor } = webVitals[metric]
  const isOfVisit = dimension !== 'page' && dimension !== 'device'
  const over = [span, ...(compared ? [compared] : [])].map(part => ({ part, groups: new Map<number, Group>() }))
  const own = isOfVisit
    ? allReads([columnsRead(`visits.${dimension}`, 'vitals.visit'), visitsFound])
    : columnsRead(`vitals.${dimension}`, 'vitals.visit')
  const reads = withReads(
    measurementsCounted(conditions.length > 0),
    allReads([readsOfConditions(conditions), own, columnsRead('vitals.metric', 'vitals.first', 'vitals.value')]),
  )

  const measuredOf = ({ samples, good, poor }: Group): Measured => {
    const { count } = samples
    return { samples: count, good, poor, value: count < minSamples ? null : samples.at(Math.ceil((percentile / 100) * count)) / scale }
  }

  return {
    spans: over.map(({ part }) => part),
    reads: readsOfAll(over.map(({ part }) => readsOver(part, reads))),
    scans: true,
    async add(day) {
      const vitals = await measures.vitals(day, null)
      if (vitals.count === 0) return
      const { first, metric: metricOf, value, visit } = vitals
      const mask = workspace.masks.of(day, conditions)
      const visitAt = isOfVisit ? visitFinder(day) : null
      const valueAt = (g: number, m: number): number | undefined => {
        if (dimension === 'page' || dimension === 'device') return vitals[dimension][g]!
        const place = visitAt?.(visit[m]!)
        return place === undefined ? undefined : day.visits[dimension][place]!
      }
      for (const { part, groups } of over) {
        const window = windowOn(part, day)
        if (window === undefined) continue
        const counts = countsWith(day, mask, window)
        for (let g = 0; g < first.length - 1; g++) {
          if (metricOf[g] !== number) continue
          for (let m = first[g]!; m < first[g + 1]!; m++) {
            if (counts !== null && !counts(visit[m]!)) continue
            const id = valueAt(g, m)
            if (id === undefined) continue
            const group = groups.get(id) ?? { samples: openSamples(), good: 0, poor: 0 }
            if (group.samples.count === 0) groups.set(id, group)
            group.samples.add(value[m]!)
            if (value[m]! <= good * scale) group.good++
            else if (value[m]! > poor * scale) group.poor++
          }
        }
      }
    },
    answer() {
      const [now, then] = over
      const found = [...(now?.groups ?? [])].map(([id, group]) => ({ id, name: names[id] ?? '', ...measuredOf(group) }))
      found.sort((a, b) => rankOf(asked.sort, b) - rankOf(asked.sort, a) || b.samples - a.samples || (a.name < b.name ? -1 : 1))
      const rows = found.slice(asked.offset, asked.offset + asked.limit).map(({ id, name, ...measured }) => {
        const before = then?.groups.get(id)
        return { dimension: name, ...measured, compared: before ? measuredOf(before) : null }
      })
      return { report: 'vitals_by', rows, total: found.length }
    },
  }
}

const rankOf = (sort: VitalsSort, { poor, value, samples }: Measured): number =>
  sort === 'impact' ? poor : sort === 'measured' ? (value ?? -1) : samples
