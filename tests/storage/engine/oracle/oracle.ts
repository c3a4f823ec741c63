/**
 * The reports once more, straight from the raw hits and the documentation: no columns, no dictionaries, no code of the
 * engine. Slow and simple, so that it can be checked by reading. It follows a site's story: late hits, events that are
 * renamed and deleted, visits that expire, a move to another time zone.
 */
import assert from 'node:assert/strict'
import { derivedDimensions } from '../../../../storage/engine/vocabulary/derived.ts'
import type { NewHit } from '../../../../storage/hits/new-hit.ts'
import { Calendar, hourIn, type SiteDay } from './oracle/calendar.ts'
import { isAsked, passes, positiveOf } from './oracle/conditions.ts'

export { passes } from './oracle/conditions.ts'

export interface OracleGoal {
  id: string
  name: string
  path?: string
  event?: string
  property?: string
  value?: string
  regex?: string
  properties?: readonly { readonly property: string; readonly value: string | null }[]
  /** Percent of the page. */
  depth?: number
  /** On the page; without a page, of the visit. */
  seconds?: number
  /** The worth of a completion, or the property with it. */
  amount?: number
  amountIn?: string
}
export type OracleFilter =
  | readonly [dimension: string, operator: string, value: unknown]
  | { any: readonly OracleFilter[] }
  | { all: readonly OracleFilter[] }
/** Instants; or, if `whole`, all hits of these days of the site. */
export interface Instants {
  readonly from: number
  readonly to: number
  readonly whole?: boolean
  readonly fromDay?: number
  readonly toDay?: number
}
export interface Naming {
  display: string | null
  hidden: boolean
}

export interface Visit {
  /** The visitor's identity on this day. */
  readonly visitor: string
  readonly day: number
  /** First and last known activity. */
  from: number
  to: number
  /** First-hit dimensions. */
  first: NewHit['visit']
  /** The person who was identified first in the visit, and when. */
  person: { readonly id: string; readonly at: number } | null
  /** When the last engagement came; 0 for none. */
  attendedAt: number
  /** Pageviews and events, in order. */
  hits: NewHit[]
  /** Vitals and clicks. */
  measured: NewHit[]
}

const GAP = 30 * 60_000

const placeOf = (dimension: string, { visit: { hostname }, page }: NewHit) => (dimension === 'url' ? hostname + page : hostname)
/** Filters on hosts and addresses, which narrow the pageviews. */
export const placesIn = (filters: readonly OracleFilter[]) => [...rows(filters, 'hostname'), ...rows(filters, 'url')]

export const pagesOf = (visit: Visit) => visit.hits.filter(one => one.kind === 'pageview')
const isBounce = (visit: Visit) => pagesOf(visit).length < 2 && !visit.hits.some(one => one.kind === 'event' && one.interactive)
const duration = (visit: Visit) => (isBounce(visit) ? 0 : visit.to - visit.from)

/** Whether a hit of a visit, or a vital or click, lies in the part. */
export function lies(part: Instants, { day }: { day: number }, at: number): boolean {
  const { from, to, whole, fromDay = 0, toDay = 0 } = part
  return whole ? fromDay <= day && day <= toDay : from <= at && at < to
}

const isOfAnyHit = (dimension: string) => ['hostname', 'url'].includes(dimension) || dimension.startsWith('property:')
const onHits = (dimension: string) => ['page', 'event', 'goal'].includes(dimension) || isOfAnyHit(dimension)

type Row = Exclude<OracleFilter, { any: unknown } | { all: unknown }>
/** Conditions of a filter if all of them ask for values of one dimension; otherwise none. */
function asking(filter: OracleFilter): Row[] {
  const each = (one: OracleFilter): (Row | null)[] => ('all' in one ? [null] : 'any' in one ? one.any.flatMap(each) : [one])
  const leaves = each(filter)
  const rows = leaves.filter(one => one !== null)
  const names = new Set(rows.map(([name]) => name))
  return names.size === 1 && rows.length === leaves.length && rows.every(([, operator]) => !positiveOf[operator]) ? rows : []
}
/** Conditions on a dimension that its own rows are narrowed by: of each list one has to hold. */
export const rows = (filters: readonly OracleFilter[], dimension: string): Row[][] =>
  filters.map(asking).filter(([first]) => first?.[0] === dimension)

/** Filters that are met by hits: filters on events and goals, groups for one hit, and filters on properties. */
export function askedOfHits(filters: readonly OracleFilter[]) {
  const on = (one: OracleFilter) => asking(one)[0]?.[0] ?? ''
  return {
    groups: filters.filter(one => 'all' in one),
    events: filters.filter(one => on(one) === 'event'),
    goals: filters.filter(one => on(one) === 'goal'),
    properties: filters.filter(one => isOfAnyHit(on(one))),
  }
}

export function touches(filter: OracleFilter, dimensions: readonly string[]): boolean {
  if ('any' in filter) return filter.any.some(one => touches(one, dimensions))
  if ('all' in filter) return filter.all.some(one => touches(one, dimensions))
  return dimensions.some(name => filter[0].startsWith(name))
}
export const withoutConversions = (filters: readonly OracleFilter[]) => filters.filter(filter => !touches(filter, ['goal', 'property:']))

export const round = (value: number, decimals: number) => Number(`${Math.round(Number(`${value}e${decimals}`))}e-${decimals}`)
const per = (part: number, whole: number) => (whole === 0 ? 0 : part / whole)

/** Purchases are hits that brought money; refunds lower the revenue, and are none. */
export function moneyOf(hits: readonly NewHit[]) {
  const revenue = hits.reduce((sum, one) => sum + one.revenue, 0)
  const purchases = hits.filter(one => one.revenue > 0).length
  return { revenue, purchases, average_order: Math.round(per(revenue, purchases)) }
}

const personOf = ({ user, at }: NewHit): Visit['person'] => (user ? { id: user.hash, at } : null)
const first = (a: Visit['person'], b: Visit['person']) => (a === null || (b !== null && b.at < a.at) ? b : a)

export class Oracle {
  visits: Visit[] = []
  /** Vitals and clicks without a visit. */
  loose: { readonly hit: NewHit; readonly day: number }[] = []
  readonly goals: readonly OracleGoal[]
  /** Id of the site. */
  site = ''
  calendar: Calendar
  readonly naming = new Map<string, Naming>()
  /** Hits of deleted events that still exist; their events have no names any more. */
  deletions: { readonly name: string; hits: Set<NewHit> }[] = []
  /** Names of all events so far. */
  readonly ever = new Set<string>()
  /** Engagement by pageview. */
  readonly attention = new Map<NewHit, { ms: number; scroll: number }>()
  /** How often the visitors of a day were forgotten: later hits count as new visitors. */
  private readonly forgotten = new Map<number, number>()
  /** How often days were cut. Visitors who are divided once are others from then on, even if they meet on one day again. */
  private cuts = 0

  constructor(hits: readonly NewHit[], zone: string, goals: readonly OracleGoal[]) {
    this.goals = goals
    this.calendar = new Calendar(zone)
    for (const one of hits.toSorted((a, b) => a.at - b.at)) this.come(one)
  }

  /**
   * Adds a hit to visits: hits of one visitor with gaps under 30 minutes, cut at the site's midnight.
   * @returns whether it is stored
   */
  come(one: NewHit): boolean {
    const { at, kind } = one
    const { day } = this.calendar.dayOf(at)
    const visitor = `${day} ${one.identity.ip} ${this.forgotten.get(day) ?? 0}`
    const others = this.visits.filter(visit => visit.visitor === visitor)
    if (kind === 'vitals' || kind === 'clicks') {
      const begun = others
        .filter(({ from }) => from <= at)
        .sort((a, b) => a.from - b.from)
        .at(-1)
      if (begun) begun.measured.push(one)
      else this.loose.push({ hit: one, day })
      return true
    }
    if (kind === 'identify') {
      const running = others.find(({ from, to }) => from <= at && at - to < GAP)
      if (running) running.person = first(running.person, personOf(one))
      return running !== undefined
    }
    if (kind === 'engagement' && !others.some(({ from, to }) => from <= at && at - to < GAP)) return false
    if (kind === 'event') this.ever.add(one.event)
    const alone: Visit = {
      visitor,
      day,
      from: at,
      to: at,
      first: this.cameAs(one, day),
      person: personOf(one),
      attendedAt: kind === 'engagement' ? at : 0,
      hits: kind === 'engagement' ? [] : [one],
      measured: [],
    }
    const near = others.filter(({ from, to }) => Math.max(from, at) - Math.min(to, at) < GAP)
    const joined = [...near, alone].sort((a, b) => a.from - b.from)
    const visit: Visit = {
      visitor,
      day,
      from: joined[0]!.from,
      to: Math.max(...joined.map(({ to }) => to)),
      attendedAt: Math.max(...joined.map(({ attendedAt }) => attendedAt)),
      first: joined[0]!.first,
      person: joined.map(({ person }) => person).reduce(first),
      hits: joined.flatMap(({ hits }) => hits).sort((a, b) => a.at - b.at),
      measured: joined.flatMap(({ measured }) => measured),
    }
    this.visits = [...this.visits.filter(other => !near.includes(other)), visit]
    if (kind === 'engagement') this.attend(visit, one)
    return true
  }

  /** Fields that a visit takes from its first hit: the second half of one cut at midnight came as the first did. */
  private cameAs({ at, identity, visit: own }: NewHit, day: number): NewHit['visit'] {
    const halves = this.visits.filter(
      ({ day: earlier, visitor, to }) =>
        earlier < day && visitor === `${earlier} ${identity.ip} ${this.forgotten.get(earlier) ?? 0}` && to < at && at - to < GAP,
    )
    const { channel, custom_channel, source, referrer, utm_source, utm_medium, utm_campaign, utm_content, utm_term } =
      halves.at(-1)?.first ?? own
    return { ...own, channel, custom_channel, source, referrer, utm_source, utm_medium, utm_campaign, utm_content, utm_term }
  }

  /** Engagement goes to the last earlier pageview of its page that is known on arrival, or else to the last event there. */
  private attend(visit: Visit, { page, at, engagedMs, scroll }: NewHit): void {
    const there = visit.hits.filter(one => one.page === page && one.at <= at)
    const view = there.findLast(({ kind }) => kind === 'pageview') ?? there.at(-1)
    const { ms = 0, scroll: before = 0 } = (view && this.attention.get(view)) ?? {}
    if (view) this.attention.set(view, { ms: ms + engagedMs, scroll: Math.max(before, scroll) })
  }

  /** Removes the event's name, and what is found by its hits' properties; the hits are deleted later. */
  delete(name: string): void {
    const gone = new Set<NewHit>()
    for (const visit of this.visits) {
      visit.hits = visit.hits.map(one => {
        if (one.kind !== 'event' || one.event !== name) return one
        const nameless = { ...one, event: '', props: [] }
        gone.add(nameless)
        return nameless
      })
    }
    this.deletions.push({ name, hits: gone })
  }

  /**
   * Removes hits of a deleted event. Visits keep their first-hit dimensions and stay whole; they end with their last
   * remaining hit or engagement.
   */
  erase(hits: Set<NewHit>, of: (visit: Visit) => boolean = () => true): void {
    for (const visit of this.visits.filter(of)) {
      const gone = visit.hits.filter(one => hits.has(one))
      if (gone.length === 0) continue
      visit.hits = visit.hits.filter(one => !hits.has(one))
      for (const one of gone) hits.delete(one)
      if (visit.hits.length === 0) {
        this.loose.push(...visit.measured.map(hit => ({ hit, day: visit.day })))
        continue
      }
      visit.to = Math.max(visit.attendedAt, ...visit.hits.map(one => one.at))
      visit.from = visit.hits[0]!.at
      if (visit.person) visit.person = { id: visit.person.id, at: Math.max(visit.person.at, visit.from) }
    }
    this.visits = this.visits.filter(visit => visit.hits.length > 0)
  }

  /** Removes the visits that meet all filters, with all that was measured in them. */
  eraseVisits(filters: readonly OracleFilter[]): void {
    this.visits = this.visits.filter(visit => !filters.every(filter => this.keeps(filter, visit)))
  }

  /** Removes hits as if they had never come, with measurements of the same visit on their pages. */
  drop(isDropped: (hit: NewHit) => boolean): void {
    for (const visit of this.visits) {
      const gone = visit.hits.filter(isDropped)
      if (gone.length === 0) continue
      const seen = new Set(gone.filter(({ kind }) => kind === 'pageview').map(({ page }) => page))
      visit.hits = visit.hits.filter(one => !gone.includes(one))
      if (visit.hits.length === 0) continue
      visit.measured = visit.measured.filter(({ page }) => !seen.has(page))
      visit.to = Math.max(visit.attendedAt, ...visit.hits.map(one => one.at))
      visit.from = visit.hits[0]!.at
      if (visit.person) visit.person = { id: visit.person.id, at: Math.max(visit.person.at, visit.from) }
    }
    this.visits = this.visits.filter(visit => visit.hits.length > 0)
  }

  /** Removes days before this one. */
  expire(before: number): void {
    this.visits = this.visits.filter(({ day }) => day >= before)
    this.loose = this.loose.filter(({ day }) => day >= before)
  }

  /** Cuts all visits at the midnights of the present zone, in which later hits count as well. Measurements without a visit keep their date. */
  recut(): void {
    const { zone } = this.calendar
    const present = new Calendar(zone)
    this.cuts++
    this.visits = this.visits.flatMap(visit => this.partsOf(visit, present))
    this.calendar = present
  }

  /** Adds the visits of another site, whose visitors are others, divided by the days of this one. The same hash is the same person. */
  merge(other: Oracle): void {
    for (const [hit, attention] of other.attention) this.attention.set(hit, attention)
    for (const visit of other.visits) {
      const visitor = `${visit.visitor} of ${other.site}`
      this.visits.push(...this.partsOf({ ...visit, visitor }, this.calendar))
    }
    for (const { hit, day: before } of other.loose) {
      const { startsAt, endsAt } = other.calendar.dayOf(hit.at)
      assert.equal(before, other.calendar.dayOf(hit.at).day)
      this.loose.push({ hit, day: this.calendar.dayOf(Math.floor((startsAt + endsAt) / 2)).day })
    }
    for (const name of other.ever) this.ever.add(name)
  }

  private partsOf(visit: Visit, calendar: Calendar): Visit[] {
    const days = new Map(visit.hits.map(({ at }) => [calendar.dayOf(at).day, calendar.dayOf(at)]))
    return [...days.values()].map((day, i) =>
      this.partOf(visit, {
        day,
        dayOf: at => calendar.dayOf(at).day,
        isFirst: i === 0,
        isLast: i === days.size - 1,
        isOnly: days.size === 1,
      }),
    )
  }

  private partOf(
    visit: Visit,
    {
      day: { day, startsAt: from, endsAt: to },
      dayOf,
      isFirst,
      isLast,
      isOnly,
    }: { day: SiteDay; dayOf: (at: number) => number; isFirst: boolean; isLast: boolean; isOnly: boolean },
  ): Visit {
    const visitor = day === visit.day ? visit.visitor : `${visit.visitor} on ${day} by cut ${this.cuts}`
    if (isOnly) return { ...visit, day, visitor }
    const hits = visit.hits.filter(({ at }) => from <= at && at < to)
    const attended = hits.flatMap(one => {
      const { ms = 0 } = this.attention.get(one) ?? {}
      return ms > 0 ? [Math.min(one.at + ms, to - 1)] : []
    })
    const known = visit.attendedAt >= from && (isLast || visit.attendedAt < to) ? visit.attendedAt : 0
    const attendedAt = known > 0 || isLast ? known : Math.max(0, ...attended)
    return {
      ...visit,
      day,
      visitor,
      hits,
      attendedAt,
      from: hits[0]!.at,
      to: isLast ? visit.to : Math.max(attendedAt, hits.at(-1)!.at),
      measured: visit.measured.filter(({ page }) => {
        const first = visit.hits.find(one => one.page === page)
        return first ? dayOf(first.at) === day : isFirst
      }),
    }
  }

  forget(days: readonly number[]): void {
    for (const day of days) this.forgotten.set(day, 1 + (this.forgotten.get(day) ?? 0))
  }

  shown(name: string): string {
    return this.naming.get(name)?.display ?? name
  }

  /** The names that filters match an event by. */
  names(one: NewHit): string[] {
    return one.kind === 'event' && one.event !== '' ? [one.event, this.shown(one.event)] : []
  }

  /** The name that reports show. */
  private groupOf(one: NewHit): string[] {
    return this.names(one).length === 0 || this.naming.get(one.event)?.hidden ? [] : [this.shown(one.event)]
  }

  completes(visit: Visit, one: NewHit, goal: OracleGoal): boolean {
    const { path, regex, depth, seconds } = goal
    if (seconds !== undefined && path === undefined && regex === undefined) {
      if (isBounce(visit) || duration(visit) < seconds * 1_000) return false
      const [first] = visit.hits
      const late = visit.hits.find(({ at }) => at >= (first?.at ?? 0) + seconds * 1_000)
      return one === (late ?? visit.hits.at(-1))
    }
    const { ms, scroll } = this.attention.get(one) ?? { ms: 0, scroll: 0 }
    return isAsked(one, goal) && scroll >= (depth ?? 0) && ms >= (seconds ?? 0) * 1_000
  }

  /** The money of hits that complete a goal; null if it is their revenue. */
  worth(id: string, hits: readonly NewHit[]) {
    const { amount, amountIn } = this.goals.find(goal => goal.id === id) ?? {}
    if (amount === undefined && amountIn === undefined) return null
    const numberIn = (one: NewHit) => Number(one.props.find(([key]) => key === amountIn)?.[1])
    return moneyOf(hits.map(one => ({ ...one, revenue: amount ?? Math.round(100 * (numberIn(one) || 0)) })))
  }

  /** The values of a dimension, of a hit or else of its visit. */
  valuesOf(dimension: string, visit: Visit, one: NewHit): string[] {
    if (dimension === 'page') return one.kind === 'pageview' ? [one.page] : []
    if (dimension === 'event') return this.groupOf(one)
    if (dimension === 'goal') return this.goals.filter(goal => this.completes(visit, one, goal)).map(goal => goal.id)
    if (dimension.startsWith('property:')) {
      return one.props.filter(([key]) => `property:${key}` === dimension).map(([, value]) => value)
    }
    if (dimension === 'hour') return [hourIn(this.calendar.zone, visit.hits[0]?.at ?? 0)]
    if (dimension === 'bounce') return [isBounce(visit) ? 'yes' : 'no']
    if (dimension === 'new_person') return [this.isFirst(visit)]
    if (dimension === 'visit_duration') return [String(duration(visit))]
    if (dimension === 'visit_pageviews') return [String(pagesOf(visit).length)]
    if (dimension === 'hostname' || dimension === 'url') return [placeOf(dimension, one)]
    if (dimension === 'entry_page') return [pagesOf(visit)[0]?.page ?? '']
    if (dimension === 'exit_page') return [pagesOf(visit).at(-1)?.page ?? '']
    if (dimension === 'site') return [this.site]
    if (dimension === 'weekday') return [String(((visit.day + 3) % 7) + 1)]
    const from = derivedDimensions[dimension]?.from
    // The oracle has no rule for this dimension: it takes the value from the declared function, and compares how values are counted.
    if (from && from.of !== 'day' && from.of !== 'figure') return [from.value(visit.first[from.of as 'country'] ?? '')]
    return [visit.first[dimension as 'country'] ?? '']
  }

  /** Whether no visit of the same person began earlier; '' without a person. */
  private isFirst({ person, hits }: Visit): '' | 'yes' | 'no' {
    if (person === null) return ''
    const began = this.visits.flatMap(other => (other.person?.id === person.id ? (other.hits[0]?.at ?? []) : []))
    return hits[0]?.at === Math.min(...began) ? 'yes' : 'no'
  }

  passes([dimension, operator, wanted]: Row, value: string, one: NewHit): boolean {
    const values = dimension === 'event' ? this.names(one) : [value]
    return values.some(each => passes(operator, wanted, each, dimension, this.goals))
  }

  private keeps(filter: OracleFilter, visit: Visit): boolean {
    if ('any' in filter) return filter.any.some(one => this.keeps(one, visit))
    if ('all' in filter) return visit.hits.some(one => this.hitPasses(filter, visit, one))
    const [dimension, operator, wanted] = filter
    const positive = positiveOf[operator]
    if (positive) return !this.keeps([dimension, positive, wanted], visit)
    return visit.hits.some(one => {
      const values = dimension === 'event' ? this.names(one) : this.valuesOf(dimension, visit, one)
      return values.some(value => this.passes(filter, value, one))
    })
  }

  /** Whether one hit passes. Its page is also the page that an event was sent from. */
  private hitPasses(filter: OracleFilter, visit: Visit, one: NewHit): boolean {
    if ('any' in filter) return filter.any.some(each => this.hitPasses(each, visit, one))
    if ('all' in filter) return filter.all.every(each => this.hitPasses(each, visit, one))
    const [dimension, operator, wanted] = filter
    const positive = positiveOf[operator]
    if (positive) return !this.hitPasses([dimension, positive, wanted], visit, one)
    const values = dimension === 'event' ? this.names(one) : dimension === 'page' ? [one.page] : this.valuesOf(dimension, visit, one)
    return values.some(value => this.passes(filter, value, one))
  }

  /** Filters on events and goals each want a hit of their own; those on properties want one that also passes such a filter. */
  kept(filters: readonly OracleFilter[]): Visit[] {
    const { groups, events, goals, properties } = askedOfHits(filters)
    const isOne = groups.length === 0 && events.length + goals.length === 1
    const owners = events.length > 0 ? events : goals
    const bound = (visit: Visit) =>
      visit.hits.some(
        one =>
          properties.every(filter => this.hitPasses(filter, visit, one)) &&
          (owners.length === 0 || owners.some(filter => this.hitPasses(filter, visit, one))),
      )
    const isBound = properties.length > 0 && (isOne || owners.length > 0 || properties.length > 1)
    return this.visits.filter(visit => filters.every(filter => this.keeps(filter, visit)) && (!isBound || bound(visit)))
  }

  /** Whether a hit counts: it is one that was asked for. */
  meeting(filters: readonly OracleFilter[]): (visit: Visit, one: NewHit) => boolean {
    const { groups, events, goals, properties } = askedOfHits(filters)
    const own = [...groups, ...events, ...goals]
    if (groups.length === 0 && own.length < 2)
      return (visit, one) => [...own, ...properties].every(filter => this.hitPasses(filter, visit, one))
    return (visit, one) => own.some(filter => this.hitPasses(filter, visit, one))
  }

  readonly isView = (one: NewHit, wanted: readonly Row[][]): boolean =>
    one.kind === 'pageview' &&
    wanted.every(either => either.some(filter => this.passes(filter, filter[0] === 'page' ? one.page : placeOf(filter[0], one), one)))

  /** @param wanted what narrows the pageviews */
  figures(
    counted: readonly { visit: Visit; hits: NewHit[] }[],
    filters: readonly OracleFilter[],
    { entered, wanted }: { entered: (visit: Visit) => boolean; wanted: readonly Row[][] },
  ) {
    const visits = counted.map(({ visit }) => visit)
    const hits = counted.flatMap(one => one.hits)
    const basis = visits.filter(entered)
    const views = hits.filter(one => one.kind === 'pageview').length
    const meets = this.meeting(filters)
    return {
      visitors: new Set(visits.map(visit => visit.visitor)).size,
      people: new Set(visits.flatMap(({ person }) => person?.id ?? [])).size,
      visits: visits.length,
      pageviews: hits.filter(one => this.isView(one, wanted)).length,
      views_per_visit: round(per(views, visits.length), 2),
      bounce_rate: round(per(100 * basis.filter(isBounce).length, basis.length), 1),
      visit_duration: Math.round(
        per(
          basis.reduce((sum, visit) => sum + duration(visit), 0),
          basis.length,
        ),
      ),
      ...moneyOf(counted.flatMap(({ visit, hits: some }) => some.filter(one => meets(visit, one)))),
    }
  }

  /** Whether the visit's entry page passes the filters on pages. */
  entered(filters: readonly OracleFilter[]) {
    const wanted = rows(filters, 'page')
    return (visit: Visit) =>
      wanted.length === 0 ||
      pagesOf(visit)
        .slice(0, 1)
        .some(one => this.isView(one, wanted))
  }

  /** @param kept the visits that pass the filters, if known */
  totals(range: Instants, filters: readonly OracleFilter[], kept: readonly Visit[] = this.kept(filters)) {
    const counted = kept
      .map(visit => ({
        visit,
        hits: visit.hits.filter(one => lies(range, visit, one.at)),
      }))
      .filter(({ hits }) => hits.length > 0)
    return this.figures(counted, filters, { entered: this.entered(filters), wanted: [...rows(filters, 'page'), ...placesIn(filters)] })
  }

  /** Percent of the visits that belong to a person; null without visits. */
  identified(range: Instants, filters: readonly OracleFilter[]): number | null {
    const visits = this.kept(filters).filter(visit => visit.hits.some(one => lies(range, visit, one.at)))
    return visits.length === 0 ? null : round((100 * visits.filter(({ person }) => person).length) / visits.length, 1)
  }

  /** Revenue of pages: of all counted hits there, also events. */
  private boughtOn(isOne: (page: string) => boolean, range: Instants, filters: readonly OracleFilter[], kept: readonly Visit[]) {
    const meets = this.meeting(filters)
    return moneyOf(kept.flatMap(visit => visit.hits.filter(one => lies(range, visit, one.at) && isOne(one.page) && meets(visit, one))))
  }

  /** Pages with money. */
  private boughtPages(range: Instants, filters: readonly OracleFilter[], own: readonly Row[][]): Set<string> {
    const meets = this.meeting(filters)
    const hits = this.kept(filters).flatMap(visit => visit.hits.filter(one => lies(range, visit, one.at) && meets(visit, one)))
    const there = (one: NewHit) => own.every(either => either.some(filter => this.passes(filter, one.page, one)))
    const pages = new Set(hits.filter(one => one.revenue !== 0 && there(one)).map(one => one.page))
    return new Set(
      [...pages].filter(page => {
        const { revenue, purchases } = moneyOf(hits.filter(one => one.page === page))
        return revenue !== 0 || purchases > 0
      }),
    )
  }

  /** Filters that narrow the rows of their own dimension: hits of events and goals are narrowed by `meeting`. */
  own(dimension: string, filters: readonly OracleFilter[]): Row[][] {
    const asked = onHits(dimension) ? rows(filters, dimension) : []
    if (dimension !== 'goal') return dimension === 'event' ? [] : asked
    const { groups, events } = askedOfHits(filters)
    return groups.length + events.length > 0 || asked.length === 0 ? [] : [asked.flat()]
  }

  /** Revenue that counts, and completed goals, of visits that viewed a page. */
  private brought(page: string, range: Instants, filters: readonly OracleFilter[]) {
    const meets = this.meeting(filters)
    const visits = this.kept(filters).filter(visit => pagesOf(visit).some(one => one.page === page && lies(range, visit, one.at)))
    const hits = visits.flatMap(visit => visit.hits.filter(one => lies(range, visit, one.at) && meets(visit, one)))
    const goals = [...this.groups('goal', range, filters, this.own('goal', filters), visits).values()]
    return {
      visit_revenue: moneyOf(hits).revenue,
      conversions: goals.reduce((sum, group) => sum + [...group.values()].flat().length, 0),
    }
  }

  /** @param isWhole whether rows of pages also have the metrics that are counted only on request */
  breakdown(dimension: string, range: Instants, filters: readonly OracleFilter[], isWhole = false) {
    const own = this.own(dimension, filters)
    const groups = this.groups(dimension, range, filters, own)
    if (dimension === 'page') for (const page of this.boughtPages(range, filters, own)) if (!groups.has(page)) groups.set(page, new Map())
    const all = this.totals(range, filters).visitors
    const reduced = withoutConversions(filters)
    const converting = dimension === 'goal' || rows(filters, 'goal').length > 0
    const base = converting && dimension !== 'goal' ? this.groups(dimension, range, reduced, own) : new Map()
    const visitorsOf = (group: Map<Visit, NewHit[]> = new Map()) => new Set([...group.keys()].map(visit => visit.visitor)).size
    const everyone = this.totals(range, reduced).visitors
    return new Map(
      [...groups].map(([value, group]) => {
        const counted = [...group].map(([visit, hits]) => ({ visit, hits }))
        const entered = dimension === 'page' ? (visit: Visit) => pagesOf(visit)[0]?.page === value : this.entered(filters)
        // Rows of hits count those hits; only the visits of the others have pages to choose from.
        const wanted = onHits(dimension) ? [] : [...rows(filters, 'page'), ...placesIn(filters)]
        const { views_per_visit: _, people: __, ...figures } = this.figures(counted, filters, { entered, wanted })
        const entries = counted.filter(({ visit }) => pagesOf(visit)[0]?.page === value).length
        const exits = counted.filter(({ visit }) => pagesOf(visit).at(-1)?.page === value).length
        const engaged = counted.reduce((sum, { hits }) => sum + hits.reduce((ms, one) => ms + (this.attention.get(one)?.ms ?? 0), 0), 0)
        const events = counted.flatMap(({ hits }) => hits).filter(one => one.kind === 'event').length
        const possible = dimension === 'goal' ? everyone : visitorsOf(base.get(value))
        return [
          value,
          {
            ...figures,
            ...(dimension === 'page' ? this.boughtOn(page => page === value, range, filters, this.kept(filters)) : {}),
            share: round(per(100 * figures.visitors, all), 1),
            ...(dimension === 'page'
              ? {
                  entries,
                  exits,
                  exit_rate: round(per(100 * exits, figures.pageviews), 1),
                  time_on_page: Math.round(per(engaged, figures.visits)),
                  ...(isWhole ? this.brought(value, range, filters) : {}),
                }
              : {}),
            ...(dimension === 'event' || isOfAnyHit(dimension) ? { events } : {}),
            ...(dimension === 'hostname' || dimension === 'url' ? { time_on_page: Math.round(per(engaged, figures.visits)) } : {}),
            ...(dimension === 'goal'
              ? {
                  conversions: figures.pageviews + events,
                  ...this.worth(
                    value,
                    counted.flatMap(({ hits }) => hits),
                  ),
                }
              : {}),
            ...(converting ? { conversion_rate: round(per(100 * figures.visitors, possible), 1) } : {}),
          },
        ]
      }),
    )
  }

  /** The distinct persons of each value. */
  people(dimension: string, range: Instants, filters: readonly OracleFilter[]): Map<string, number> {
    const groups = this.groups(dimension, range, filters, this.own(dimension, filters))
    return new Map([...groups].map(([value, group]) => [value, new Set([...group.keys()].flatMap(({ person }) => person?.id ?? [])).size]))
  }

  /** Hits by value and visit, restricted by the dimension's own filters. */
  groups(
    dimension: string,
    range: Instants,
    filters: readonly OracleFilter[],
    own: readonly Row[][],
    kept: readonly Visit[] = this.kept(filters),
  ): Map<string, Map<Visit, NewHit[]>> {
    const groups = new Map<string, Map<Visit, NewHit[]>>()
    const meets = this.meeting(filters)
    const isOfHits = onHits(dimension) && dimension !== 'page'
    for (const visit of kept) {
      for (const one of visit.hits.filter(({ at }) => lies(range, visit, at))) {
        if (isOfHits && !meets(visit, one)) continue
        if (dimension === 'page' && !this.isView(one, placesIn(filters))) continue
        for (const value of this.valuesOf(dimension, visit, one)) {
          if (!own.every(either => either.some(filter => this.passes(filter, value, one)))) continue
          const group = groups.get(value) ?? new Map<Visit, NewHit[]>()
          group.set(visit, [...(group.get(visit) ?? []), one])
          groups.set(value, group)
        }
      }
    }
    return groups
  }

  /** A range in groups of values, the last of them all values that are in none: the figures of each. */
  divided(dimension: string, values: readonly string[], range: Instants, filters: readonly OracleFilter[], kept: readonly Visit[]) {
    const own = this.own(dimension, filters)
    const groups = [...this.groups(dimension, range, filters, own, kept)]
    const rest = groups.map(([value]) => value).filter(value => !values.includes(value))
    return [...values.map(value => [value]), rest].map(together => {
      const hits = new Map<Visit, Set<NewHit>>()
      for (const [value, group] of groups) {
        if (!together.includes(value)) continue
        for (const [visit, some] of group) hits.set(visit, new Set([...(hits.get(visit) ?? []), ...some]))
      }
      const counted = [...hits].map(([visit, some]) => ({ visit, hits: [...some] }))
      const isOwn = (page: string, one: NewHit) => own.every(either => either.some(filter => this.passes(filter, page, one)))
      const isRest = together === rest
      const enteredThere = (visit: Visit) => {
        const [first] = pagesOf(visit)
        const page = first?.page ?? ''
        return first !== undefined && isOwn(page, first) && (isRest ? !values.includes(page) : together.includes(page))
      }
      const events = counted.flatMap(one => one.hits).filter(one => one.kind === 'event').length
      const entered = dimension === 'page' ? enteredThere : this.entered(filters)
      const figures = this.figures(counted, filters, {
        entered,
        wanted: onHits(dimension) ? [] : [...rows(filters, 'page'), ...placesIn(filters)],
      })
      const isHere = (page: string) => (isRest ? !values.includes(page) : together.includes(page))
      const passesOwn = (page: string) =>
        own.every(either => either.some(([, operator, value]) => passes(operator, value, page, 'page', [])))
      const bought = dimension === 'page' ? this.boughtOn(page => isHere(page) && passesOwn(page), range, filters, kept) : {}
      const [only = '', ...others] = dimension === 'goal' && !isRest ? together : []
      const worth =
        others.length === 0
          ? this.worth(
              only,
              counted.flatMap(one => one.hits),
            )
          : null
      return { ...figures, ...bought, ...worth, events, conversions: figures.pageviews + events }
    })
  }

  /** Visitors whose visit was active in the last 5 minutes. */
  live(now: number, filters: readonly OracleFilter[]): number {
    return new Set(
      this.kept(filters)
        .filter(({ to }) => to >= now - 5 * 60_000)
        .map(visit => visit.visitor),
    ).size
  }
}
