/** Counts one page over one span. (Every `!` reads a typed array inside its bounds.) */
import type { Column } from '../columns/column.ts'
import type { Day } from '../days/day.ts'
import { allReads, columnsRead, type Reads } from '../days/reads.ts'
import type { Mask } from './mask.ts'
import type { Span } from '../vocabulary/scope.ts'
import { windowOn } from '../days/spans.ts'
import { basisRead, hitsCounted, Tally } from '../days/tally.ts'

export interface PageDictionaries {
  /** Number of pages. */
  readonly pages: number
  readonly sources: number
  /** The group of each event; 0 for none. */
  readonly events: Uint32Array
}

/** The hits of a day that count, when not all do. */
export interface CountedHits {
  /** 1 for the events that count. */
  readonly met: Uint8Array
  /** Revenue of each hit; 0 for those that do not count. */
  readonly revenue: Column
}

export interface PageCount {
  /** The page as one group; its `exits` are separate. */
  readonly all: Tally
  /** Revenue and conversions of the visits that viewed it, as one group: see `byViewedPage`. */
  readonly brought: Tally
  exits(): number
  readonly sources: Tally
  readonly events: Tally
  /** Stays on the page by previous and next page: its id + 1, or 0 if the visit entered or ended here. */
  readonly previous: Uint32Array
  readonly next: Uint32Array
  /** Visits by the highest percent of the page they saw; 0 if unknown. */
  readonly scroll: Uint32Array
  add(day: Day, mask: Mask, of: CountedOfDay): void
}

/** The hits of a day that count, and how often they completed a goal. */
export interface CountedOfDay {
  readonly counted: CountedHits | null
  /** How often each hit completed a goal. */
  readonly completed: Column
  /** 1 for the pageviews that count; null for all. */
  readonly there: Uint8Array | null
}

export const pageRead: Reads = allReads([
  hitsCounted,
  columnsRead('visits.firstHit', 'visits.source', 'visits.exit_page', 'hits.at', 'hits.page', 'hits.scroll'),
  basisRead(new Uint8Array(0)),
])

export function countPage(page: number, span: Span, { pages, sources, events: groups }: PageDictionaries): PageCount {
  const entered = new Uint8Array(pages)
  entered[page] = 1
  const count = {
    all: new Tally(1, entered),
    brought: new Tally(1),
    sources: new Tally(sources),
    events: new Tally(groups.length),
    previous: new Uint32Array(pages + 1),
    next: new Uint32Array(pages + 1),
    scroll: new Uint32Array(101),
  }
  const { all, brought, sources: bySource, events: byEvent, previous, next, scroll } = count
  let exits = 0

  function add(day: Day, mask: Mask, { counted, completed, there }: CountedOfDay): void {
    const window = windowOn(span, day)
    if (window === undefined) return
    for (const tally of [all, brought, bySource, byEvent]) tally.begin(day, counted?.revenue)
    const met = counted?.met
    const { from, to } = window ?? { from: -Infinity, to: Infinity }
    const { count: visits, firstHit, source, exit_page } = day.visits
    const { at, page: pageOf, event, scroll: scrollOf } = day.hits
    const revenue = counted?.revenue ?? day.hits.revenue
    for (let v = 0, found = 0; v < visits; v++) {
      // Most visits have no hit on the page, so search the hits for the next visit that has one.
      while (found < pageOf.length && (pageOf[found] !== page || found < firstHit[v]!)) found++
      if (found === pageOf.length) break
      while (firstHit[v + 1]! <= found) v++
      if (mask !== null && mask[v] === 0) continue
      let last = 0
      let seen = -1
      let counts = false
      let [amount, completions] = [0, 0]
      for (let h = firstHit[v]!, end = firstHit[v + 1]!; h < end; h++) {
        if (at[h]! < from || at[h]! >= to) continue
        const here = pageOf[h] === page
        amount += revenue[h]!
        completions += completed[h]!
        if (event[h] !== 0) {
          if (here) all.money(0, h)
          const group = groups[event[h]!]!
          if (here && group !== 0 && (met === undefined || met[h] === 1)) byEvent.hit(group, v, h)
          continue
        }
        const place = pageOf[h]! + 1
        if (here) {
          if (there === null || there[h] === 1) {
            all.hit(0, v, h)
            counts = true
          }
          bySource.hit(source[v]!, v, h)
          seen = Math.max(seen, scrollOf[h]!)
        }
        if (place === last) continue
        if (here) previous[last]!++
        else if (last === page + 1) next[place]!++
        last = place
      }
      if (seen < 0) continue
      brought.brought(0, v, amount, completions)
      if (last === page + 1) next[0]!++
      if (counts && exit_page[v] === page) exits++
      scroll[Math.min(100, seen)]!++
    }
  }
  return { ...count, exits: () => exits, add }
}
