/** The detail of a page, and web vitals, by brute force. */
import type { NewHit } from '../../../../../storage/hits/new-hit.ts'
import type { VitalName } from '../../../../../storage/values/web-vitals.ts'
import { type Instants, lies, type Oracle, type OracleFilter } from '../oracle.ts'

/** On days that the range covers in part, those of visits active in the range count. */
export function measuredIn(oracle: Oracle, part: Instants, filters: readonly OracleFilter[]): NewHit[] {
  const { from, to, whole } = part
  const loose = oracle.loose.map(({ hit, day }) => ({ day, measured: [hit], from: hit.at, to: -Infinity }))
  const kept = filters.length === 0 ? [...oracle.visits, ...loose] : oracle.kept(filters)
  return kept.flatMap(visit => {
    const { startsAt, endsAt } = oracle.calendar.timeOf(visit.day)
    const isAll = from <= startsAt && endsAt <= to
    const isCounted = whole
      ? lies(part, visit, startsAt)
      : startsAt < to && endsAt > from && (isAll || (visit.from < to && visit.to >= from))
    return isCounted ? visit.measured : []
  })
}

const limits: Record<VitalName, readonly [good: number, poor: number]> = {
  lcp: [2500, 4000],
  inp: [200, 500],
  cls: [0.1, 0.25],
  fcp: [1800, 3000],
  ttfb: [800, 1800],
}
const percent = (part: number, whole: number) => (whole === 0 ? 0 : Math.round((1000 * part) / whole) / 10)

export function ratedBy(metric: VitalName, values: readonly number[]) {
  const [good, poor] = limits[metric]
  const p75 = values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.75) - 1] ?? null
  return {
    samples: values.length,
    p75,
    rating: p75 === null ? null : p75 <= good ? 'good' : p75 <= poor ? 'needs_improvement' : 'poor',
    good: percent(values.filter(value => value <= good).length, values.length),
    needs_improvement: percent(values.filter(value => value > good && value <= poor).length, values.length),
    poor: percent(values.filter(value => value > poor).length, values.length),
  }
}

const isView = ({ kind }: NewHit) => kind === 'pageview'
const count = (values: readonly string[]) => {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

/** Fields that the breakdown by page lacks: neighbours (null: none), scroll depth, sources and events. */
export function pageOf(oracle: Oracle, path: string, part: Instants, filters: readonly OracleFilter[]) {
  const previous: string[] = []
  const next: string[] = []
  const scroll: number[] = []
  const sources = new Map<string, { visitors: Set<string>; visits: number; pageviews: number }>()
  const events = new Map<string, { visitors: Set<string>; visits: number; events: number; revenue: number }>()
  const meets = oracle.meeting(filters)
  for (const visit of oracle.kept(filters)) {
    const hits = visit.hits.filter(one => lies(part, visit, one.at))
    const views = hits.filter(isView)
    const stays = views.filter((one, i) => one.page !== views[i - 1]?.page)
    for (const [i, stay] of stays.entries()) {
      if (stay.page !== path) continue
      previous.push(stays[i - 1]?.page ?? '(none)')
      next.push(stays[i + 1]?.page ?? '(none)')
    }
    const named = hits.filter(
      one => meets(visit, one) && one.page === path && oracle.names(one).length > 0 && !oracle.naming.get(one.event)?.hidden,
    )
    for (const name of new Set(named.map(one => oracle.shown(one.event)))) {
      const own = named.filter(one => oracle.shown(one.event) === name)
      const row = events.get(name) ?? { visitors: new Set(), visits: 0, events: 0, revenue: 0 }
      events.set(name, row)
      row.visitors.add(visit.visitor)
      row.visits++
      row.events += own.length
      row.revenue += own.reduce((sum, one) => sum + one.revenue, 0)
    }
    const own = views.filter(one => one.page === path)
    if (own.length === 0) continue
    const { source } = visit.first
    const row = sources.get(source) ?? { visitors: new Set(), visits: 0, pageviews: 0 }
    sources.set(source, row)
    row.visitors.add(visit.visitor)
    row.visits++
    row.pageviews += own.length
    scroll.push(Math.max(...own.map(one => oracle.attention.get(one)?.scroll ?? 0)))
  }
  return { previous: count(previous), next: count(next), scroll: scroll.filter(one => one > 0), sources, events }
}
