/** The detail of a page, and web vitals, by brute force over what was sent. */
import type { NewHit, Vital } from '../../../storage/hits/new-hit.ts'
import { localDay } from '../../../storage/zones.ts'
import type { Instants, Oracle, OracleFilter, Visit } from '../oracle.ts'

export interface MeasuredHit {
  readonly hit: NewHit
  readonly visit: Visit | null
}

const began = ({ hits }: Visit) => Math.min(...hits.map(one => one.at))
const lastOf = ({ hits, engagements }: Visit) => Math.max(...[...hits, ...engagements].map(one => one.at))

/** What is measured goes to the visitor's latest visit of that day that had begun. */
export function attached({ visits }: Oracle, measured: readonly NewHit[], zone: string): MeasuredHit[] {
  const calendar = new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' })
  return measured.map(hit => {
    const visitor = `${calendar.format(hit.at)} ${hit.identity.ip}`
    const before = visits.filter(visit => visit.visitor === visitor && began(visit) <= hit.at)
    return { hit, visit: before.sort((a, b) => began(a) - began(b)).at(-1) ?? null }
  })
}

/** Of days that lie in the range in part, those count whose visits were active in it. */
export function measuredIn(
  oracle: Oracle, measured: readonly MeasuredHit[], { from, to, whole }: Instants & { whole: boolean }, filters: readonly OracleFilter[], zone: string,
): NewHit[] {
  const kept = new Set(oracle.kept(filters))
  return measured.filter(({ hit, visit }) => {
    const { startsAt, endsAt } = localDay(zone, hit.at)
    if (filters.length > 0 && !(visit && kept.has(visit))) return false
    if (from <= startsAt && (endsAt <= to || (whole && startsAt < to))) return true
    if (startsAt >= to || endsAt <= from) return false
    return visit !== null && began(visit) < to && lastOf(visit) >= from
  }).map(({ hit }) => hit)
}

const limits: Record<Vital, readonly [good: number, poor: number]> =
  { lcp: [2500, 4000], inp: [200, 500], cls: [0.1, 0.25], fcp: [1800, 3000], ttfb: [800, 1800] }
const percent = (part: number, whole: number) => (whole === 0 ? 0 : Math.round((1000 * part) / whole) / 10)

export function ratedBy(metric: Vital, values: readonly number[]) {
  const [good, poor] = limits[metric]
  const p75 = values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.75) - 1] ?? null
  return {
    samples: values.length, p75,
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

/** What is not in the breakdown by pages: neighbours (null: none), scroll, sources and events. */
export function pageOf(oracle: Oracle, path: string, { from, to }: Instants, filters: readonly OracleFilter[]) {
  const previous: string[] = []
  const next: string[] = []
  const scroll: number[] = []
  const sources = new Map<string, { visitors: Set<string>; visits: number; pageviews: number }>()
  const events = new Map<string, { visitors: Set<string>; visits: number; events: number; revenue: number }>()
  for (const visit of oracle.kept(filters)) {
    const hits = visit.hits.filter(one => one.at >= from && one.at < to).toSorted((a, b) => a.at - b.at)
    const views = hits.filter(isView)
    const stays = views.filter((one, i) => one.page !== views[i - 1]?.page)
    for (const [i, stay] of stays.entries()) {
      if (stay.page !== path) continue
      previous.push(stays[i - 1]?.page ?? '(none)')
      next.push(stays[i + 1]?.page ?? '(none)')
    }
    for (const name of new Set(hits.filter(one => one.kind === 'event' && one.page === path).map(one => one.event))) {
      const own = hits.filter(one => one.event === name && one.page === path)
      const row = events.get(name) ?? { visitors: new Set(), visits: 0, events: 0, revenue: 0 }
      events.set(name, row)
      row.visitors.add(visit.visitor)
      row.visits++
      row.events += own.length
      row.revenue += own.reduce((sum, one) => sum + one.revenue, 0)
    }
    const own = views.filter(one => one.page === path)
    if (own.length === 0) continue
    const source = visit.hits.toSorted((a, b) => a.at - b.at)[0]?.visit.source ?? ''
    const row = sources.get(source) ?? { visitors: new Set(), visits: 0, pageviews: 0 }
    sources.set(source, row)
    row.visitors.add(visit.visitor)
    row.visits++
    row.pageviews += own.length
    // An engagement belongs to the last view of its page before it, in or out of the range.
    const told = visit.engagements.filter(one => {
      const of = visit.hits.filter(view => isView(view) && view.page === one.page && view.at <= one.at).toSorted((a, b) => a.at - b.at).at(-1)
      return of !== undefined && own.includes(of)
    })
    scroll.push(Math.max(0, ...told.map(one => one.scroll)))
  }
  return { previous: count(previous), next: count(next), scroll: scroll.filter(one => one > 0), sources, events }
}
