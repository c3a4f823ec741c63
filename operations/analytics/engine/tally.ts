/**
 * Counts by group: a value of a dimension, a goal, or a point of a series. Visitors and visits are counted once a
 * group with no set of those seen: visits come in the order of their visitors, so the last one seen tells.
 * (Every `!` below reads a typed array inside its bounds.)
 */
import type { Column, DayColumns, Hits } from './day.ts'
import { addTo, columnOfSums, type GroupSums, idsOf, type SumColumns } from './group-sums.ts'
import { type Sums, sumNames } from './query.ts'

/** Which of a group's visits bounce and duration are taken over. */
export type Counted =
  /** All of them. */
  | 'all'
  /** Those that entered on the page that is the group. */
  | 'entered here'
  /** Those that entered on one of these pages: 1 at their ids. */
  | Uint8Array

const noValues = new Uint8Array(0)

export class Tally {
  readonly groups: number
  private readonly counted: Counted
  private readonly sums: SumColumns
  /** For each group the ordinal of the last visitor and visit counted. */
  private readonly lastVisitor: Uint32Array
  private readonly lastVisit: Uint32Array
  // Ordinals run on from day to day: a visitor of yesterday is another one today. 0 is nobody.
  private visitorBase = 1
  private visitBase = 1
  private nextVisitorBase = 1
  private nextVisitBase = 1
  // The columns of the day at hand.
  private visitor: Column = noValues
  private bounce: Column = noValues
  private duration: Column = noValues
  private entryPage: Column = noValues
  private exitPage: Column = noValues
  private hits: Hits | null = null
  private event: Column = noValues
  private hitRevenue: Column = noValues
  private engaged: Column = noValues

  constructor(groups: number, counted: Counted = 'all') {
    this.groups = groups
    this.counted = counted
    const counts = () => new Uint32Array(groups)
    const amounts = () => new Float64Array(groups)
    this.lastVisitor = counts()
    this.lastVisit = counts()
    this.sums = {
      visitors: counts(), visits: counts(), pageviews: counts(), events: counts(), revenue: amounts(),
      counted: counts(), bounces: counts(), duration: amounts(), exits: counts(), engaged: amounts(),
    }
  }

  /** Before the visits and hits of a day. */
  begin({ visits, hits }: DayColumns): void {
    this.visitorBase = this.nextVisitorBase
    this.visitBase = this.nextVisitBase
    this.nextVisitorBase += visits.visitors
    this.nextVisitBase += visits.count
    this.visitor = visits.visitor
    this.bounce = visits.bounce
    this.duration = visits.duration
    if (this.counted !== 'all') this.entryPage = visits.entry_page
    if (this.counted === 'entered here') this.exitPage = visits.exit_page
    this.hits = hits
  }

  /** With the first hit of a day: who counts visits only needs none of their columns. */
  private beginHits({ event, revenue, engaged }: Hits): void {
    this.event = event
    this.hitRevenue = revenue
    this.engaged = engaged
    this.hits = null
  }

  /** A visit as a whole, at most once a group. */
  visit(group: number, visit: number, pageviews: number, revenue: number): void {
    this.sums.pageviews[group]! += pageviews
    this.sums.revenue[group]! += revenue
    this.enter(group, visit)
  }

  /** A hit of a visit; the visit is counted with its first. */
  hit(group: number, visit: number, hit: number): void {
    const { sums } = this
    if (this.hits !== null) this.beginHits(this.hits)
    if (this.event[hit] === 0) sums.pageviews[group]!++
    else sums.events[group]!++
    sums.revenue[group]! += this.hitRevenue[hit]!
    sums.engaged[group]! += this.engaged[hit]!
    const ordinal = this.visitBase + visit
    if (this.lastVisit[group] === ordinal) return
    this.lastVisit[group] = ordinal
    this.enter(group, visit)
  }

  private enter(group: number, visit: number): void {
    const { sums, counted } = this
    sums.visits[group]!++
    const ordinal = this.visitorBase + this.visitor[visit]!
    if (this.lastVisitor[group] !== ordinal) {
      this.lastVisitor[group] = ordinal
      sums.visitors[group]!++
    }
    if (counted === 'entered here') {
      if (this.exitPage[visit] === group) sums.exits[group]!++
      if (this.entryPage[visit] !== group) return
    } else if (counted !== 'all' && counted[this.entryPage[visit]!] !== 1) return
    sums.counted[group]!++
    if (this.bounce[visit] === 1) sums.bounces[group]!++
    else sums.duration[group]! += this.duration[visit]!
  }

  /** What was counted elsewhere. */
  addSums(group: number, sums: Readonly<Sums>): void {
    for (const name of sumNames) this.sums[name][group]! += sums[name]
  }

  /** What was counted elsewhere of one of its groups. */
  addGroup(group: number, from: GroupSums, id: number): void {
    const place = idsOf(from).indexOf(id)
    if (place === -1) return
    for (const name of sumNames) this.sums[name][group]! += columnOfSums(from, name)[place]!
  }

  /** What was counted elsewhere, but for the groups without a 1 in `kept`. */
  addGroups(from: GroupSums, kept: Uint8Array | null): void {
    addTo(this.sums, from, kept)
  }

  /** One figure of every group, by group. */
  column(name: keyof Sums): ArrayLike<number> {
    return this.sums[name]
  }

  of(group: number): Sums {
    const sums = Object.entries(this.sums).map(([name, column]) => [name, column[group] ?? 0])
    return Object.fromEntries(sums) as Record<keyof Sums, number> // its keys are those of `this.sums`
  }
}
