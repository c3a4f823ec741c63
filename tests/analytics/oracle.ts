/**
 * The reports once more, straight from the raw hits and the words of the documentation: no columns, no dictionaries,
 * no code of the engine. Slow and plain, so that it can be checked by reading.
 */
import type { NewHit } from '../../storage/hits/new-hit.ts'

export interface OracleGoal {
  id: string; name: string; path?: string; event?: string; property?: string; value?: string,
}
export type OracleFilter = readonly [
  dimension: string, operator: string, value: unknown,
] | { any: readonly OracleFilter[] }
export interface Instants { from: number; to: number }

export interface Visit {
  visitor: string
  hits: NewHit[]
  engagements: NewHit[]
  day: string
}

const GAP = 30 * 60_000

/** Visits: hits of one visitor with gaps under 30 minutes, cut at the midnight of the site. */
function visitsOf(hits: readonly NewHit[], zone: string): Visit[] {
  const calendar = new Intl.DateTimeFormat(
    'en-CA',
    { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' },
  )
  const activity = new Map<string, { day: string; hits: NewHit[] }>()
  for (const one of hits) {
    const day = calendar.format(one.at)
    const key = `${day} ${one.identity.ip}`
    const of = activity.get(key) ?? { day, hits: [] }
    of.hits.push(one)
    activity.set(key, of)
  }
  const visits: Visit[] = []
  for (const [visitor, { day, hits: all }] of activity) {
    let last = -Infinity
    for (const one of all.toSorted((a, b) => a.at - b.at)) {
      if (one.at - last >= GAP) visits.push({ visitor, hits: [], engagements: [], day })
      last = one.at
      const visit = visits.at(-1)
      if (one.kind === 'engagement') visit?.engagements.push(one)
      else visit?.hits.push(one)
    }
  }
  return visits.filter(visit => visit.hits.length > 0)
}

const pages = (visit: Visit) => visit.hits.filter(one => one.kind === 'pageview')
const isBounce = (visit: Visit) => pages(visit).length < 2 && !visit.hits.some(
  one => one.kind === 'event' && one.interactive,
)
function duration(visit: Visit): number {
  const times = [...visit.hits, ...visit.engagements].map(one => one.at)
  return isBounce(visit) ? 0 : Math.max(...times) - Math.min(...times)
}
/** Attention, on the last pageview of its page before it. */
function attention(visit: Visit, view: NewHit): number {
  return visit.engagements
    .filter(one => pages(visit).filter(({ page, at }) => page === one.page && at <= one.at).at(-1) === view)
    .reduce((sum, one) => sum + one.engagedMs, 0)
}

/** `*` within a segment, `**` anything. No other character of the patterns here means something in a RegExp. */
const wildcard = (pattern: string) => new RegExp(`^${pattern.replace(/\*\*|\*/g, p => (p === '**' ? '.*' : '[^/]*'))}$`)

export function completes(one: NewHit, { path, event, property, value }: OracleGoal): boolean {
  if (path !== undefined && !(one.kind === 'pageview' && wildcard(path).test(one.page))) return false
  if (path === undefined && !(one.kind === 'event' && one.event === event)) return false
  return property === undefined || one.props.some(([key, text]) => key === property && (value ?? text) === text)
}

const blanks: Record<string, string> = { channel: 'Direct / None', source: 'Direct / None', referrer: 'Direct / None' }

/** The values of a dimension that a hit, or else its visit, has. */
function valuesOf(dimension: string, visit: Visit, one: NewHit, goals: readonly OracleGoal[]): string[] {
  if (dimension === 'page') return one.kind === 'pageview' ? [one.page] : []
  if (dimension === 'event') return one.kind === 'event' ? [one.event] : []
  if (dimension === 'goal') return goals.filter(goal => completes(one, goal)).map(goal => goal.id)
  if (dimension.startsWith('property:')) {
    return one.props.filter(([key]) => `property:${key}` === dimension).map(([, value]) => value)
  }
  if (dimension === 'entry_page') return [pages(visit)[0]?.page ?? '']
  if (dimension === 'exit_page') return [pages(visit).at(-1)?.page ?? '']
  return [visit.hits[0]?.visit[dimension as 'country'] ?? '']
}

const onHits = (dimension: string) => ['page', 'event', 'goal'].includes(dimension) || dimension.startsWith('property:')
const positiveOf: Record<string, string> = {
  is_not: 'is', none_of: 'any_of', not_contains: 'contains', not_regex: 'regex',
}

export function passes(
  operator: string, wanted: unknown, value: string, dimension: string, goals: readonly OracleGoal[],
): boolean {
  const name = dimension === 'goal' ? (goals.find(goal => goal.id === value)?.name ?? '') : value
  const blank = blanks[dimension] ?? '(not set)'
  const exact = (one: unknown) => one === value || one === name || (value === '' && one === blank)
  const number = /^[+-]?\d+(\.\d+)?$/.test(name) ? Number(name) : Number.NaN
  switch (operator) {
    case 'is': return exact(wanted)
    case 'any_of': return (wanted as string[]).some(exact)
    case 'contains': return name.toLowerCase().includes(String(wanted).toLowerCase())
    case 'starts_with': return name.toLowerCase().startsWith(String(wanted).toLowerCase())
    case 'regex': return new RegExp(String(wanted)).test(name)
    case 'gt': return number > Number(wanted)
    case 'lt': return number < Number(wanted)
    case 'between': return number >= (wanted as number[])[0]! && number <= (wanted as number[])[1]!
    default: throw new Error(operator)
  }
}

function keeps(filter: OracleFilter, visit: Visit, goals: readonly OracleGoal[]): boolean {
  if ('any' in filter) return filter.any.some(one => keeps(one, visit, goals))
  const [dimension, operator, wanted] = filter
  const positive = positiveOf[operator]
  if (positive) return !keeps([dimension, positive, wanted], visit, goals)
  return visit.hits.some(one => valuesOf(dimension, visit, one, goals).some(value => passes(
    operator, wanted, value, dimension, goals,
  )))
}

export const rows = (filters: readonly OracleFilter[], dimension: string) =>
  filters.filter(
    (f): f is Exclude<OracleFilter,
    { any: unknown }> => !('any' in f) && f[0] === dimension && !positiveOf[f[1]],
  )

const round = (value: number, decimals: number) => Number(`${Math.round(Number(`${value}e${decimals}`))}e-${decimals}`)
const per = (part: number, whole: number) => (whole === 0 ? 0 : part / whole)

export class Oracle {
  readonly visits: Visit[]
  readonly goals: readonly OracleGoal[]
  constructor(hits: readonly NewHit[], zone: string, goals: readonly OracleGoal[]) {
    this.visits = visitsOf(hits, zone)
    this.goals = goals
  }

  kept(filters: readonly OracleFilter[]): Visit[] {
    return this.visits.filter(visit => filters.every(filter => keeps(filter, visit, this.goals)))
  }

  private figures(counted: readonly { visit: Visit; hits: NewHit[] }[], entered: (visit: Visit) => boolean) {
    const visits = counted.map(({ visit }) => visit)
    const hits = counted.flatMap(one => one.hits)
    const basis = visits.filter(entered)
    const pageviews = hits.filter(one => one.kind === 'pageview').length
    return {
      visitors: new Set(visits.map(visit => visit.visitor)).size,
      visits: visits.length,
      pageviews,
      views_per_visit: round(per(pageviews, visits.length), 2),
      bounce_rate: round(per(100 * basis.filter(isBounce).length, basis.length), 1),
      visit_duration: Math.round(per(basis.reduce((sum, visit) => sum + duration(visit), 0), basis.length)),
      revenue: hits.reduce((sum, one) => sum + one.revenue, 0),
    }
  }

  /** Whether the visit entered on a page that the filters on pages ask for. */
  private entered(filters: readonly OracleFilter[]) {
    const wanted = rows(filters, 'page')
    return (visit: Visit) => wanted.every(([, operator, value]) => pages(visit).length > 0 && passes(
      operator, value, pages(visit)[0]!.page, 'page', this.goals,
    ))
  }

  totals(range: Instants, filters: readonly OracleFilter[]) {
    const within = (one: NewHit) => one.at >= range.from && one.at < range.to
    const counted = this.kept(filters).map(visit => ({
      visit, hits: visit.hits.filter(within),
    })).filter(({ hits }) => hits.length > 0)
    return this.figures(counted, this.entered(filters))
  }

  breakdown(dimension: string, range: Instants, filters: readonly OracleFilter[]) {
    const own = onHits(dimension) ? rows(filters, dimension) : []
    const groups = new Map<string, Map<Visit, NewHit[]>>()
    for (const visit of this.kept(filters)) {
      for (const one of visit.hits) {
        if (one.at < range.from || one.at >= range.to) continue
        for (const value of valuesOf(dimension, visit, one, this.goals)) {
          if (!own.every(([, operator, wanted]) => passes(operator, wanted, value, dimension, this.goals))) continue
          const group = groups.get(value) ?? new Map<Visit, NewHit[]>()
          group.set(visit, [...(group.get(visit) ?? []), one])
          groups.set(value, group)
        }
      }
    }
    const all = this.totals(range, filters).visitors
    const reduced = filters.filter(filter => !touches(filter, ['goal', 'property:']))
    const converting = dimension === 'goal' || rows(filters, 'goal').length > 0
    const ofGroups = converting && dimension !== 'goal'
    const base = new Map(ofGroups ? this.breakdownVisitors(dimension, range, reduced, own) : [])
    return new Map([...groups].map(([value, group]) => {
      const counted = [...group].map(([visit, hits]) => ({ visit, hits }))
      const entered = dimension === 'page' ? (visit: Visit) => pages(visit)[0]?.page === value : this.entered(filters)
      const { views_per_visit: _, ...figures } = this.figures(counted, entered)
      const entries = counted.filter(({ visit }) => pages(visit)[0]?.page === value).length
      const exits = counted.filter(({ visit }) => pages(visit).at(-1)?.page === value).length
      const engaged = counted.reduce(
        (sum, { visit, hits }) => sum + hits.reduce((ms, one) => ms + attention(visit, one), 0),
        0,
      )
      const events = counted.flatMap(({ hits }) => hits).filter(one => one.kind === 'event').length
      const possible = dimension === 'goal' ? this.totals(range, reduced).visitors : (base.get(value) ?? 0)
      return [value, {
        ...figures,
        share: round(per(100 * figures.visitors, all), 1),
        ...(dimension === 'page' ? {
          entries,
          exits,
          exit_rate: round(per(100 * exits, figures.pageviews), 1),
          time_on_page: Math.round(per(engaged, figures.visits)),
        } : {}),
        ...(dimension === 'event' || dimension.startsWith('property:') ? { events } : {}),
        ...(dimension === 'goal' ? { conversions: figures.pageviews + events } : {}),
        ...(converting ? { conversion_rate: round(per(100 * figures.visitors, possible), 1) } : {}),
      }]
    }))
  }

  /** Visitors by value, the rows narrowed by the dimension's own filters. */
  private breakdownVisitors(
    dimension: string, range: Instants, filters: readonly OracleFilter[], own: ReturnType<typeof rows>,
  ): [string, number][] {
    const seen = new Map<string, Set<string>>()
    for (const visit of this.kept(filters)) {
      for (const one of visit.hits) {
        if (one.at < range.from || one.at >= range.to) continue
        for (const value of valuesOf(dimension, visit, one, this.goals)) {
          if (!own.every(([, operator, wanted]) => passes(operator, wanted, value, dimension, this.goals))) continue
          seen.set(value, (seen.get(value) ?? new Set()).add(visit.visitor))
        }
      }
    }
    return [...seen].map(([value, visitors]) => [value, visitors.size])
  }
}

export function touches(filter: OracleFilter, dimensions: readonly string[]): boolean {
  if ('any' in filter) return filter.any.some(one => touches(one, dimensions))
  return dimensions.some(name => filter[0].startsWith(name))
}
