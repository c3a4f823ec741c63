/**
 * Narrowing: the parts of selected visits that count (docs/analytics.md §3). These are the views of the requested pages, and
 * the hits that meet the conditions on events, goals and properties. (Every `!` is inside bounds.)
 */
import { type ReusedBuffer, reusedBuffer } from '../columns/buffers.ts'
import type { Column } from '../columns/column.ts'
import type { DayColumns } from '../days/day.ts'
import { allReads, columnsRead, NO_COLUMNS, type Reads } from '../days/reads.ts'
import { type HitTest, isOnHit, type OnPlace, readsOfConditions, type ResolvedCondition } from './condition.ts'
import { eitherHit } from './either-hit.ts'
import type { Mask } from './mask.ts'
import type { MetHits } from './met-hits.ts'
import type { SeenPages } from './seen-pages.ts'

export interface Narrowing {
  /** 1 at the pages whose views count; null for all. */
  readonly pages: Uint8Array | null
  /** Places of pageviews that count; with none, every place. */
  readonly views: readonly OnPlace[]
  /** Conditions a hit must meet to count, with its revenue; with none, every hit counts. */
  readonly hits: readonly HitTest[]
}

/** The counted figures of each selected visit. */
export interface CountedOfVisits {
  readonly pageviews: Column
  readonly revenue: Column
  readonly purchases: Column
}

interface Cached {
  readonly day: DayColumns
  readonly counted: CountedOfVisits
}

/** Columns read to count a day's visits with this narrowing. */
export function readsOfNarrowing(narrowing: Narrowing | null): Reads {
  if (narrowing === null) return NO_COLUMNS
  const { pages, views, hits } = narrowing
  return allReads([pages ? columnsRead('visits.firstHit', 'hits.event', 'hits.page') : NO_COLUMNS, readsOfViews(views), readsOfHits(hits)])
}

/** Columns read to know which pageviews count by their place. */
export const readsOfViews = (views: readonly OnPlace[]): Reads =>
  views.length === 0 ? NO_COLUMNS : allReads([readsOfConditions(views), columnsRead('visits.firstHit', 'hits.event')])

/** Columns read to know which hits count, and their revenue. */
export const readsOfHits = (hits: readonly HitTest[]): Reads =>
  hits.length === 0 ? NO_COLUMNS : allReads([readsOfConditions(hits), columnsRead('visits.firstHit', 'hits.revenue')])

export class Narrowings {
  readonly #met: MetHits
  readonly #seen: SeenPages
  readonly #known = new WeakMap<readonly ResolvedCondition[], Narrowing | null>()
  /** The last result of each kind, because reports of one query count the same. */
  readonly #last = new WeakMap<Narrowing, Cached>()
  readonly #pageviews = new WeakMap<Narrowing, ReusedBuffer<Uint32Array>>()
  readonly #revenue = new WeakMap<Narrowing, ReusedBuffer<Float64Array>>()
  readonly #purchases = new WeakMap<Narrowing, ReusedBuffer<Uint32Array>>()
  readonly #ofHits = reusedBuffer(Float64Array)

  constructor(met: MetHits, seen: SeenPages) {
    this.#met = met
    this.#seen = seen
  }

  /** Returns null if everything of the visits counts. The same conditions give the same object. */
  by(conditions: readonly ResolvedCondition[]): Narrowing | null {
    if (conditions.length === 0) return null
    const known = this.#known.get(conditions)
    if (known !== undefined) return known
    const narrowing = narrowingOf(conditions)
    this.#known.set(conditions, narrowing)
    return narrowing
  }

  /** 1 for the hits that count; null for all. Valid until those of another day are requested. */
  met(day: DayColumns, hits: readonly HitTest[]): Uint8Array | null {
    return hits.length === 0 ? null : this.#met.of(day, hits)
  }

  /** The counted figures of the visits that the mask selects; valid until the next day's. @param mask of the same conditions */
  visits(day: DayColumns, mask: Mask, narrowing: Narrowing): CountedOfVisits {
    const known = this.#last.get(narrowing)
    if (known?.day === day) return known.counted
    const counted = this.#counted(day, mask, narrowing)
    this.#last.set(narrowing, { day, counted })
    return counted
  }

  /** The revenue of the hits that count, 0 for others. Valid until the next call. */
  revenue(day: DayColumns, hits: readonly HitTest[]): Column {
    const met = this.#met.of(day, hits)
    const { revenue } = day.hits
    const counted = this.#ofHits(met.length)
    for (let h = 0; h < met.length; h++) counted[h] = met[h] === 1 ? revenue[h]! : 0
    return counted
  }

  /** Figures are counted when they are asked for: what a report does not need, it does not declare, so it must not be read. */
  #counted(day: DayColumns, mask: Mask, narrowing: Narrowing): CountedOfVisits {
    const { pages, views, hits } = narrowing
    let seen: Column | undefined
    let money: Pick<CountedOfVisits, 'revenue' | 'purchases'> | undefined
    const pageviews = () => (seen ??= pages || views.length > 0 ? this.#viewsOf(day, mask, narrowing) : day.visits.pageviews)
    const amounts = () => (money ??= hits.length > 0 ? this.#moneyOf(day, mask, narrowing) : day.visits)
    return {
      get pageviews() {
        return pageviews()
      },
      get revenue() {
        return amounts().revenue
      },
      get purchases() {
        return amounts().purchases
      },
    }
  }

  #viewsOf(day: DayColumns, mask: Mask, of: Narrowing): Column {
    const { pages } = of
    const there = this.met(day, of.views)
    const known = pages && there === null ? this.#seen.known(day, pages) : undefined
    if (known) return known
    const { count, firstHit } = day.visits
    const { event } = day.hits
    const page = pages === null ? event : day.hits.page
    const views = bufferOf(this.#pageviews, of, () => reusedBuffer(Uint32Array))(count)
    for (let v = 0; v < count; v++) {
      if (mask !== null && mask[v] === 0) continue
      let seen = 0
      for (let h = firstHit[v]!, end = firstHit[v + 1]!; h < end; h++) {
        if (event[h] === 0 && (there === null || there[h] === 1)) seen += pages === null ? 1 : pages[page[h]!]!
      }
      views[v] = seen
    }
    return views
  }

  #moneyOf(day: DayColumns, mask: Mask, narrowing: Narrowing): Pick<CountedOfVisits, 'revenue' | 'purchases'> {
    const { count, firstHit } = day.visits
    const { revenue } = day.hits
    const met = this.#met.of(day, narrowing.hits)
    const amounts = bufferOf(this.#revenue, narrowing, () => reusedBuffer(Float64Array))(count)
    const purchases = bufferOf(this.#purchases, narrowing, () => reusedBuffer(Uint32Array))(count)
    for (let v = 0; v < count; v++) {
      if (mask !== null && mask[v] === 0) continue
      let amount = 0
      let bought = 0
      for (let h = firstHit[v]!, end = firstHit[v + 1]!; h < end; h++) {
        if (met[h] === 0) continue
        amount += revenue[h]!
        if (revenue[h]! > 0) bought++
      }
      amounts[v] = amount
      purchases[v] = bought
    }
    return { revenue: amounts, purchases }
  }
}

function bufferOf<B>(buffers: WeakMap<Narrowing, B>, narrowing: Narrowing, make: () => B): B {
  const buffer = buffers.get(narrowing) ?? make()
  buffers.set(narrowing, buffer)
  return buffer
}

function narrowingOf(conditions: readonly ResolvedCondition[]): Narrowing | null {
  const hits = countedHits(conditions)
  const pages = bothOf(conditions.flatMap(one => (one.on === 'page' && !one.negated ? [one.set] : [])))
  const views = conditions.flatMap(one => (one.on === 'place' && !one.negated ? [one] : one.on === 'hits' ? (one.views ?? []) : []))
  return pages === null && views.length === 0 && hits.length === 0 ? null : { pages, views, hits }
}

/** Tests that a counted hit passes. Of several conditions that each ask for a hit of their own, it has to meet one. */
function countedHits(conditions: readonly ResolvedCondition[]): readonly HitTest[] {
  const asking = conditions.flatMap((one): (readonly HitTest[])[] => {
    if (one.on === 'hits') return one.narrows ? [one.all] : [] // the same list as the mask's
    return isOnHit(one) ? [[one]] : []
  })
  const [first, ...others] = asking
  if (!first || others.length === 0) return first ?? []
  return [eitherHit(asking.map(tests => (tests.length === 1 && tests[0] ? tests[0] : { on: 'both', tests })))]
}

/** 1 where all of the lists have a 1; null without lists. */
export const bothOf = (sets: readonly Uint8Array[]): Uint8Array | null =>
  sets.reduce<Uint8Array | null>((all, set) => (all === null ? set : all.map((passes, id) => passes & (set[id] ?? 0))), null)
