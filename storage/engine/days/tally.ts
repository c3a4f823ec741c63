/**
 * Counts by group: a value of a dimension, a goal, or a point of a series. Visitors and visits are counted once in each
 * group without a set of those seen: visits are sorted by visitor, so comparing with the last one is enough. (Every `!`
 * below reads a typed array inside its bounds.)
 */
import type { Hits, Visits } from './day.ts'
import type { Column } from '../columns/column.ts'
import { addEachTo, addOneTo, addTo, type GroupSums } from '../columns/group-sums.ts'
import { hasRow, type Sums } from '../vocabulary/sums.ts'
import type { Zeros } from '../columns/buffers.ts'
import { allReads, columnsRead, NO_COLUMNS, type Reads } from './reads.ts'

/** The visits whose bounces and durations are counted in a group. */
export type BounceBasis =
  /** All visits. */
  | 'all'
  /** Visits that entered on the group's page. */
  | 'entered here'
  /** Visits that entered on one of these pages, which have 1 at their ids. */
  | Uint8Array

/** In addition, for groups that are more than a page: visits that entered on the page of the group. */
export type TallyBasis = BounceBasis | { pageOf(group: number): number }

/** Columns that a tally reads of visits and hits. */
export const visitsCounted: Reads = columnsRead('visits.visitor', 'visits.bounce', 'visits.duration')
export const hitsCounted: Reads = allReads([visitsCounted, columnsRead('hits.event', 'hits.revenue', 'hits.engaged')])
/** Read in addition. */
export const basisRead = (basis: TallyBasis): Reads =>
  basis === 'all'
    ? NO_COLUMNS
    : basis instanceof Uint8Array
      ? columnsRead('visits.entry_page')
      : columnsRead('visits.entry_page', 'visits.exit_page')

const noValues = new Uint8Array(0)

/**
 * All numbers of a group are adjacent: most groups are accessed rarely, and loading one cache line for each is faster
 * than ten. The numbers that every hit updates come first.
 */
const WIDTH = 13
const LAST_VISIT = 0
const LAST_VISITOR = 5
const places: Readonly<Record<keyof Sums, number>> = {
  pageviews: 1,
  events: 2,
  revenue: 3,
  engaged: 4,
  visits: 6,
  visitors: 7,
  bounceBase: 8,
  bounces: 9,
  duration: 10,
  exits: 11,
  purchases: 12,
}
const layout = { width: WIDTH, places }
const {
  pageviews: PAGEVIEWS,
  events: EVENTS,
  revenue: REVENUE,
  engaged: ENGAGED,
  visits: VISITS,
  visitors: VISITORS,
  bounceBase: BOUNCE_BASE,
  bounces: BOUNCES,
  duration: DURATION,
  exits: EXITS,
  purchases: PURCHASES,
} = places

/** Columns that a tally reads of a day. */
export interface Counts {
  readonly visits: Pick<Visits, 'count' | 'visitors' | 'visitor' | 'bounce' | 'duration' | 'entry_page' | 'exit_page' | 'person'>
  readonly hits: Pick<Hits, 'event' | 'revenue' | 'engaged'>
}

/** The counters of a pass over a day. */
export type ScanCounter = Pick<Tally, 'begin' | 'visit' | 'visits' | 'hit' | 'money' | 'brought' | 'grow'>

/** Columns of visits whose figures are counted. */
export interface CountedBy {
  readonly pageviews: Column | null
  readonly revenue: Column | null
  readonly purchases: Column | null
  readonly hasBounces: boolean
}

export class Tally {
  /** Number of groups. */
  groups: number
  private readonly basis: 'all' | 'entered here' | Uint8Array
  /** The page of a group; null: the group is a page. */
  private readonly pageOf: ((group: number) => number) | null
  /** Sums of each group, and the ordinals of the last visitor and visit counted. */
  private numbers: Float64Array
  // Ordinals continue from day to day, because yesterday's visitor is another one today. 0 means no visitor.
  private visitorBase = 1
  private visitBase = 1
  private nextVisitorBase = 1
  private nextVisitBase = 1
  // The columns of the current day.
  private visitor: Column = noValues
  private bounce: Column = noValues
  private duration: Column = noValues
  private entryPage: Column = noValues
  private exitPage: Column = noValues
  // Parts of it of which no column is read yet.
  private visitsToRead: Counts['visits'] | null = null
  private hitsToRead: Counts['hits'] | null = null
  private countedRevenue: Column | null = null
  private event: Column = noValues
  private hitRevenue: Column = noValues
  private engaged: Column = noValues

  constructor(groups: number, basis: TallyBasis = 'all', zeros: Zeros = length => new Float64Array(length)) {
    this.groups = groups
    this.basis = typeof basis === 'object' && 'pageOf' in basis ? 'entered here' : basis
    this.pageOf = typeof basis === 'object' && 'pageOf' in basis ? basis.pageOf : null
    this.numbers = zeros(groups * WIDTH)
  }

  /** Makes room for groups that were unknown at first. */
  grow(groups: number): void {
    if (groups <= this.groups) return
    this.groups = groups
    if (groups * WIDTH <= this.numbers.length) return
    const numbers = new Float64Array(Math.max(groups * WIDTH, this.numbers.length * 2))
    numbers.set(this.numbers)
    this.numbers = numbers
  }

  /** Begins a day. @param revenue counted for each of its hits, if it is not their whole revenue */
  begin({ visits, hits }: Counts, revenue: Column | null = null): void {
    this.visitorBase = this.nextVisitorBase
    this.visitBase = this.nextVisitBase
    this.nextVisitorBase += visits.visitors
    this.nextVisitBase += visits.count
    this.visitsToRead = visits
    this.hitsToRead = hits
    this.countedRevenue = revenue
  }

  /** Reads the columns of visits with the first visit of a day. Adding up what visits brought needs none of them. */
  private beginVisits(visits: Counts['visits']): void {
    this.visitor = visits.visitor
    this.bounce = visits.bounce
    this.duration = visits.duration
    if (this.basis !== 'all') this.entryPage = visits.entry_page
    if (this.basis === 'entered here') this.exitPage = visits.exit_page
    this.visitsToRead = null
  }

  /** Reads the columns of hits with the first hit of a day. Counting only visits needs none of them. */
  private beginHits({ event, revenue, engaged }: Counts['hits']): void {
    this.event = event
    this.hitRevenue = this.countedRevenue ?? revenue
    this.engaged = engaged
    this.hitsToRead = null
  }

  /** A visit as a whole, at most once a group. */
  visit(group: number, visit: number, pageviews: number, revenue: number, purchases: number): void {
    const { numbers } = this
    const at = group * WIDTH
    numbers[at + PAGEVIEWS]! += pageviews
    // Most have none of either, and their numbers lie at the far end of the group's.
    if (revenue !== 0) numbers[at + REVENUE]! += revenue
    if (purchases !== 0) numbers[at + PURCHASES]! += purchases
    this.enter(group, at, visit)
  }

  /** These visits of a day, or all, in one group, once a day: summed up before the group's numbers are touched. */
  visits(group: number, some: Uint32Array | null, pageviews: Column, revenue: Column, purchases: Column): void {
    if (this.visitsToRead !== null) this.beginVisits(this.visitsToRead)
    const { basis, visitor, bounce, duration, entryPage } = this
    const count = some?.length ?? visitor.length
    if (basis === 'entered here') {
      for (let i = 0; i < count; i++) {
        const v = some === null ? i : some[i]!
        this.visit(group, v, pageviews[v]!, revenue[v]!, purchases[v]!)
      }
      return
    }
    let [views, amount, bought, visitors, bounceBase, bounces, time] = [0, 0, 0, 0, 0, 0, 0]
    let last = -1
    for (let i = 0; i < count; i++) {
      const v = some === null ? i : some[i]!
      const who = visitor[v]!
      const base = basis === 'all' || basis[entryPage[v]!] === 1 ? 1 : 0
      const bounced = bounce[v]! & base
      visitors += who === last ? 0 : 1
      last = who
      views += pageviews[v]!
      amount += revenue[v]!
      bought += purchases[v]!
      bounceBase += base
      bounces += bounced
      time += (base - bounced) * duration[v]!
    }
    const { numbers } = this
    const at = group * WIDTH
    numbers[at + PAGEVIEWS]! += views
    numbers[at + REVENUE]! += amount
    numbers[at + PURCHASES]! += bought
    numbers[at + VISITS]! += count
    numbers[at + VISITORS]! += visitors
    numbers[at + BOUNCE_BASE]! += bounceBase
    numbers[at + BOUNCES]! += bounces
    numbers[at + DURATION]! += time
  }

  /**
   * These visits of a day, or all, each in its group, once a day.
   * @param groups of every visit; one beyond all groups does not count
   * @param pageviews null: not counted, and so on @param hasBounces whether bounces and durations are counted
   */
  visitsBy(groups: Column, some: Uint32Array | null, { pageviews, revenue, purchases, hasBounces }: CountedBy): void {
    if (this.visitsToRead !== null) this.beginVisits(this.visitsToRead)
    const { numbers, visitor, visitorBase, basis, bounce, duration, entryPage, groups: max } = this
    for (let i = 0, all = some === null ? visitor.length : some.length; i < all; i++) {
      const v = some === null ? i : some[i]!
      const group = groups[v]!
      if (group >= max) continue
      const at = group * WIDTH
      if (pageviews !== null) numbers[at + PAGEVIEWS]! += pageviews[v]!
      if (revenue !== null && purchases !== null && (revenue[v] !== 0 || purchases[v] !== 0)) {
        numbers[at + REVENUE]! += revenue[v]!
        numbers[at + PURCHASES]! += purchases[v]!
      }
      numbers[at + VISITS]!++
      const ordinal = visitorBase + visitor[v]!
      if (numbers[at + LAST_VISITOR] !== ordinal) {
        numbers[at + LAST_VISITOR] = ordinal
        numbers[at + VISITORS]!++
      }
      if (!hasBounces || (typeof basis !== 'string' && basis[entryPage[v]!] !== 1)) continue
      numbers[at + BOUNCE_BASE]!++
      if (bounce[v] === 1) numbers[at + BOUNCES]!++
      else numbers[at + DURATION]! += duration[v]!
    }
  }

  /** Counts a hit of a visit; its visit is counted with the first one. @param worth instead of its revenue */
  hit(group: number, visit: number, hit: number, worth?: number): void {
    const { numbers } = this
    const at = group * WIDTH
    if (this.hitsToRead !== null) this.beginHits(this.hitsToRead)
    numbers[at + (this.event[hit] === 0 ? PAGEVIEWS : EVENTS)]!++
    const amount = worth ?? this.hitRevenue[hit]!
    if (amount !== 0) {
      numbers[at + REVENUE]! += amount
      if (amount > 0) numbers[at + PURCHASES]!++
    }
    numbers[at + ENGAGED]! += this.engaged[hit]!
    const ordinal = this.visitBase + visit
    if (numbers[at + LAST_VISIT] === ordinal) return
    numbers[at + LAST_VISIT] = ordinal
    this.enter(group, at, visit)
  }

  /** Counts a part of a visit, with what it brought; the visit is counted with the first one. */
  part(group: number, visit: number, pageviews: number, revenue: number): void {
    const { numbers } = this
    const at = group * WIDTH
    numbers[at + PAGEVIEWS]! += pageviews
    if (revenue !== 0) {
      numbers[at + REVENUE]! += revenue
      if (revenue > 0) numbers[at + PURCHASES]!++
    }
    const ordinal = this.visitBase + visit
    if (numbers[at + LAST_VISIT] === ordinal) return
    numbers[at + LAST_VISIT] = ordinal
    this.enter(group, at, visit)
  }

  /** Counts only the revenue of a hit: what was bought on a page by an event. */
  money(group: number, hit: number): void {
    if (this.hitsToRead !== null) this.beginHits(this.hitsToRead)
    const amount = this.hitRevenue[hit]!
    if (amount === 0) return
    this.numbers[group * WIDTH + REVENUE]! += amount
    if (amount > 0) this.numbers[group * WIDTH + PURCHASES]!++
  }

  /**
   * Adds what a visit brought to a group, once a visit: its revenue, as events the goals that it completed, and as pageviews its
   * events.
   */
  brought(group: number, visit: number, revenue: number, completions: number, events = 0): void {
    const { numbers } = this
    const at = group * WIDTH
    const ordinal = this.visitBase + visit
    if (numbers[at + LAST_VISIT] === ordinal) return
    numbers[at + LAST_VISIT] = ordinal
    numbers[at + REVENUE]! += revenue
    numbers[at + EVENTS]! += completions
    numbers[at + PAGEVIEWS]! += events
  }

  private enter(group: number, at: number, visit: number): void {
    if (this.visitsToRead !== null) this.beginVisits(this.visitsToRead)
    const { numbers, basis } = this
    numbers[at + VISITS]!++
    const ordinal = this.visitorBase + this.visitor[visit]!
    if (numbers[at + LAST_VISITOR] !== ordinal) {
      numbers[at + LAST_VISITOR] = ordinal
      numbers[at + VISITORS]!++
    }
    if (basis === 'entered here') {
      const page = this.pageOf === null ? group : this.pageOf(group)
      if (this.exitPage[visit] === page) numbers[at + EXITS]!++
      if (this.entryPage[visit] !== page) return
    } else if (basis !== 'all' && basis[this.entryPage[visit]!] !== 1) return
    numbers[at + BOUNCE_BASE]!++
    if (this.bounce[visit] === 1) numbers[at + BOUNCES]!++
    else numbers[at + DURATION]! += this.duration[visit]!
  }

  /** Adds precomputed sums. */
  addSums(group: number, sums: Readonly<Sums>): void {
    const { numbers } = this
    const at = group * WIDTH
    numbers[at + PAGEVIEWS]! += sums.pageviews
    numbers[at + EVENTS]! += sums.events
    numbers[at + REVENUE]! += sums.revenue
    numbers[at + PURCHASES]! += sums.purchases
    numbers[at + ENGAGED]! += sums.engaged
    numbers[at + VISITS]! += sums.visits
    numbers[at + VISITORS]! += sums.visitors
    numbers[at + BOUNCE_BASE]! += sums.bounceBase
    numbers[at + BOUNCES]! += sums.bounces
    numbers[at + DURATION]! += sums.duration
    numbers[at + EXITS]! += sums.exits
  }

  /** Adds the sums of one id to a group. */
  addGroup(group: number, from: GroupSums, id: number): void {
    addOneTo(this.numbers, layout, group, from, id)
  }

  /** Adds the sums of each id to the group that has its place in the list. */
  addGroupsTo(groups: ArrayLike<number>, from: GroupSums): void {
    addEachTo(this.numbers, layout, groups, from)
  }

  /** Adds sums by id, except for ids without a 1 in `kept`. */
  addGroups(from: GroupSums, kept: Uint8Array | null): void {
    addTo(this.numbers, layout, from, kept)
  }

  /** One figure of every group, by group. */
  column(name: keyof Sums): Float64Array {
    const column = new Float64Array(this.groups)
    for (let group = 0; group < column.length; group++) column[group] = this.figure(group, name)
    return column
  }

  /** One figure of a group; 0 if there is no such group. */
  figure(group: number, name: keyof Sums): number {
    return this.numbers[group * WIDTH + places[name]] ?? 0
  }

  /** Whether the group has a row. */
  hasRow(group: number): boolean {
    const { numbers } = this
    const at = group * WIDTH
    return hasRow({ visits: numbers[at + VISITS]!, revenue: numbers[at + REVENUE]!, purchases: numbers[at + PURCHASES]! })
  }

  /** The groups that have a row, ascending. */
  rows(): number[] {
    const rows: number[] = []
    for (let group = 0; group < this.groups; group++) if (this.hasRow(group)) rows.push(group)
    return rows
  }

  of(group: number): Sums {
    const sum = (name: keyof Sums): number => this.figure(group, name)
    return {
      visitors: sum('visitors'),
      visits: sum('visits'),
      pageviews: sum('pageviews'),
      events: sum('events'),
      revenue: sum('revenue'),
      purchases: sum('purchases'),
      bounceBase: sum('bounceBase'),
      bounces: sum('bounces'),
      duration: sum('duration'),
      exits: sum('exits'),
      engaged: sum('engaged'),
    }
  }
}
