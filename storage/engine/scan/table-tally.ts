/**
 * Counts visitors, visits and pageviews of many groups in little memory. A table of two dimensions may have hundreds of thousands of
 * groups, of which a visit touches any: what decides is how many of them the processor's caches hold. (Every `!` is inside bounds.)
 */
import type { Column } from '../columns/column.ts'
import type { Counts } from '../days/tally.ts'
import { hasRow, type Sums } from '../vocabulary/sums.ts'

/**
 * Numbers of a group, adjacent. The last visit is one of the day's; with it, the visitor is known. Reports end long before a group has
 * 2^31 of anything.
 */
const WIDTH = 4
const [VISITS, VISITORS, PAGEVIEWS, LAST_VISIT] = [0, 1, 2, 3]
const MAX_ORDINAL = 2 ** 31 - 1

interface Money {
  revenue: number
  purchases: number
}

/** Two columns of ids, of visits or of hits. The group of a pair is `first · size + second`. */
interface Pairs {
  readonly first: Column
  readonly second: Column
  readonly size: number
}

/** Sums of the pairs of a day, which take less memory than its visits: a column for each, and no row without visits. */
export interface PairSums {
  readonly firsts: Uint32Array
  readonly seconds: Uint32Array
  readonly visits: Uint32Array
  readonly visitors: Uint32Array
  /** Null: not counted. */
  readonly pageviews: Uint32Array | null
}
/** By day, and the names of two dimensions. */
export type PairSumsCache = WeakMap<object, Map<string, PairSums>>
/** Sums of adjacent days, by the sums of the first, with the sums of each day. */
export type PairRunsCache = WeakMap<PairSums, { readonly parts: readonly PairSums[]; readonly sums: PairSums }>

export class TableTally {
  groups = 0
  #numbers = new Int32Array(0)
  /** Revenue and purchases of the few groups that have any. */
  readonly #money = new Map<number, Money>()
  // Ordinals continue from day to day, because yesterday's visit is another one today. 0 means no visit.
  #visitBase = 1
  #nextVisitBase = 1
  #day: Counts | null = null
  #visitor: Column = new Uint8Array(0)
  #revenue: Column | null = null
  /** The columns of a pass, copied: a loop over arrays of several kinds takes three times as long. */
  #wide = Array.from({ length: 5 }, () => new Int32Array(0))

  /** Makes room for groups that were unknown at first. */
  grow(groups: number): void {
    if (groups <= this.groups) return
    this.groups = groups
    if (groups * WIDTH <= this.#numbers.length) return
    const numbers = new Int32Array(Math.max(groups * WIDTH, this.#numbers.length * 2))
    numbers.set(this.#numbers)
    this.#numbers = numbers
  }

  /** Begins a day. @param revenue counted for each of its hits, if it is not their whole revenue */
  begin(day: Counts, revenue: Column | null = null): void {
    this.#day = day
    this.#visitor = day.visits.visitor
    this.#revenue = revenue
    this.#visitBase = this.#nextVisitBase
    if (this.#visitBase + day.visits.count > MAX_ORDINAL) {
      for (let at = LAST_VISIT; at < this.#numbers.length; at += WIDTH) this.#numbers[at] = 0
      this.#visitBase = 1
    }
    this.#nextVisitBase = this.#visitBase + day.visits.count
  }

  #copied(column: Column, place: number): Int32Array {
    if (this.#wide[place]!.length < column.length) this.#wide[place] = new Int32Array(Math.ceil(column.length * 1.5))
    this.#wide[place]!.set(column)
    return this.#wide[place]!
  }

  /** These visits of a day, or all, each in its group. @param pageviews null: not counted */
  visitsBy(groups: Column, some: Uint32Array | null, { pageviews }: { readonly pageviews: Column | null }): void {
    for (let i = 0, all = some === null ? groups.length : some.length; i < all; i++) {
      const v = some === null ? i : some[i]!
      if (groups[v]! < this.groups) this.visit(groups[v]!, v, pageviews === null ? 0 : pageviews[v]!)
    }
  }

  /** These visits of a day, or all, in one group. */
  visits(group: number, some: Uint32Array | null, pageviews: Column): void {
    for (let i = 0, all = some === null ? pageviews.length : some.length; i < all; i++) {
      const v = some === null ? i : some[i]!
      this.visit(group, v, pageviews[v]!)
    }
  }

  visit(group: number, visit: number, pageviews: number): void {
    this.#numbers[group * WIDTH + PAGEVIEWS]! += pageviews
    this.#enter(group, visit)
  }

  /** These visits of a day, or all, each in the group of a pair of ids. */
  visitPairs({ first, second, size }: Pairs, some: Uint32Array | null, pageviews: Column): void {
    const numbers = this.#numbers
    const base = this.#visitBase
    const [one, other] = [this.#copied(first, 0), this.#copied(second, 1)]
    const [visitor, views] = [this.#copied(this.#visitor, 2), this.#copied(pageviews, 3)]
    const all = some === null ? first.length : some.length
    for (let i = 0; i < all; i++) {
      const v = some === null ? i : some[i]!
      const at = (Math.imul(one[v]!, size) + other[v]!) * WIDTH
      const last = numbers[at + LAST_VISIT]! - base
      numbers[at + LAST_VISIT] = base + v
      numbers[at + VISITS]!++
      numbers[at + PAGEVIEWS]! += views[v]!
      if (last < 0 || visitor[last] !== visitor[v]) numbers[at + VISITORS]!++
    }
  }

  /** Adds the sums of a day. @param size of the second dimension */
  addPairs({ firsts, seconds, visits, visitors, pageviews }: PairSums, size: number): void {
    const numbers = this.#numbers
    for (let i = 0; i < firsts.length; i++) {
      const at = (firsts[i]! * size + seconds[i]!) * WIDTH
      numbers[at + VISITS]! += visits[i]!
      numbers[at + VISITORS]! += visitors[i]!
      if (pageviews !== null) numbers[at + PAGEVIEWS]! += pageviews[i]!
    }
  }

  /** The sums counted since the last call, of groups that are pairs. */
  takePairs(size: number, hasPageviews: boolean): PairSums {
    const groups = Uint32Array.from(this.rows())
    const numbers = this.#numbers
    const column = (place: number) => groups.map(group => numbers[group * WIDTH + place]!)
    const taken = {
      firsts: groups.map(group => Math.floor(group / size)),
      seconds: groups.map(group => group % size),
      visits: column(VISITS),
      visitors: column(VISITORS),
      pageviews: hasPageviews ? column(PAGEVIEWS) : null,
    }
    numbers.fill(0)
    return taken
  }

  /**
   * The pageviews of these visits of a day, or of all: each in the group of the page and of an id of its visit. Events bring only
   * money.
   */
  pagePairs(
    { page, of, isPageFirst, size }: { readonly page: Column; readonly of: Column; readonly isPageFirst: boolean; readonly size: number },
    { firstHit, some }: { readonly firstHit: Column; readonly some: Uint32Array | null },
  ): void {
    const numbers = this.#numbers
    const base = this.#visitBase
    const [ids, pages, visitor] = [this.#copied(of, 0), this.#copied(page, 1), this.#copied(this.#visitor, 2)]
    const [events, first] = [this.#copied(this.#day!.hits.event, 3), this.#copied(firstHit, 4)]
    const [perPage, perId] = isPageFirst ? [size, 1] : [1, size]
    const all = some === null ? of.length : some.length
    for (let i = 0; i < all; i++) {
      const v = some === null ? i : some[i]!
      const from = Math.imul(ids[v]!, perId)
      for (let h = first[v]!, end = first[v + 1]!; h < end; h++) {
        const group = Math.imul(pages[h]!, perPage) + from
        if (events[h] !== 0) {
          this.money(group, h)
          continue
        }
        const at = group * WIDTH
        numbers[at + PAGEVIEWS]!++
        const last = numbers[at + LAST_VISIT]! - base
        if (last === v) continue
        numbers[at + LAST_VISIT] = base + v
        numbers[at + VISITS]!++
        if (last < 0 || visitor[last] !== visitor[v]) numbers[at + VISITORS]!++
      }
    }
  }

  /** Counts a hit of a visit; its visit is counted with the first one. */
  hit(group: number, visit: number, hit: number, worth?: number): void {
    if (this.#day!.hits.event[hit] === 0) this.#numbers[group * WIDTH + PAGEVIEWS]!++
    this.#pay(group, worth ?? this.#revenueOf(hit))
    this.#enter(group, visit)
  }

  /** Counts a part of a visit, with what it brought; the visit is counted with the first one. */
  part(group: number, visit: number, pageviews: number, revenue: number): void {
    this.#numbers[group * WIDTH + PAGEVIEWS]! += pageviews
    this.#pay(group, revenue)
    this.#enter(group, visit)
  }

  /** Counts only the revenue of a hit: what was bought on a page by an event. */
  money(group: number, hit: number): void {
    this.#pay(group, this.#revenueOf(hit))
  }

  #revenueOf(hit: number): number {
    this.#revenue ??= this.#day!.hits.revenue
    return this.#revenue[hit]!
  }

  #pay(group: number, amount: number): void {
    if (amount === 0) return
    let money = this.#money.get(group)
    if (!money) this.#money.set(group, (money = { revenue: 0, purchases: 0 }))
    money.revenue += amount
    if (amount > 0) money.purchases++
  }

  /** Counts a visit, once. */
  #enter(group: number, visit: number): void {
    const numbers = this.#numbers
    const at = group * WIDTH
    const last = numbers[at + LAST_VISIT]! - this.#visitBase
    if (last === visit) return
    numbers[at + LAST_VISIT] = this.#visitBase + visit
    numbers[at + VISITS]!++
    if (last < 0 || this.#visitor[last] !== this.#visitor[visit]) numbers[at + VISITORS]!++
  }

  /** One figure of a group; 0 if there is no such group, or the figure is not counted. */
  figure(group: number, name: keyof Sums): number {
    const at = group * WIDTH
    if (name === 'visitors') return this.#numbers[at + VISITORS] ?? 0
    if (name === 'visits') return this.#numbers[at + VISITS] ?? 0
    if (name === 'pageviews') return this.#numbers[at + PAGEVIEWS] ?? 0
    return name === 'revenue' || name === 'purchases' ? (this.#money.get(group)?.[name] ?? 0) : 0
  }

  /** Whether the group has a row. */
  hasRow(group: number): boolean {
    return this.#numbers[group * WIDTH + VISITS] !== 0 || (this.#money.size > 0 && hasRow({ visits: 0, ...this.#moneyOf(group) }))
  }

  /** The groups that have a row, ascending. */
  rows(): number[] {
    const rows: number[] = []
    const isPaid = this.#money.size > 0
    for (let group = 0, at = 0; group < this.groups; group++, at += WIDTH)
      if (this.#numbers[at] !== 0 || (isPaid && this.hasRow(group))) rows.push(group)
    return rows
  }

  #moneyOf(group: number): Readonly<Money> {
    return this.#money.get(group) ?? { revenue: 0, purchases: 0 }
  }

  of(group: number): Sums {
    const [visitors, visits, pageviews] = [this.figure(group, 'visitors'), this.figure(group, 'visits'), this.figure(group, 'pageviews')]
    return {
      ...{ visitors, visits, pageviews, ...this.#moneyOf(group) },
      ...{ events: 0, bounceBase: 0, bounces: 0, duration: 0, exits: 0, engaged: 0 },
    }
  }
}
