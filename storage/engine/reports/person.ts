/**
 * The sums of one person, and the place in the order of their visits where a page of them begins. The visits themselves are read
 * with `visit_log`. Ids and traits are not here, but in `persons`. (Every `!` is inside bounds.)
 */
import type { Day } from '../days/day.ts'
import { columnsRead } from '../days/reads.ts'
import { windowOn } from '../days/spans.ts'
import { readsOver } from '../scan/day-counter.ts'
import { idOfVisit, startOfVisit } from '../scan/visit-details.ts'
import type { Span } from '../vocabulary/scope.ts'
import type { Report } from './report.ts'
import { later, type VisitPlace } from './visit-log.ts'

export interface PersonQuestion {
  readonly report: 'person'
  readonly person: number
  readonly span: Span
  /** How many of the newest visits to leave out before a page of them; 0 for none. */
  readonly skip: number
  /** Maximum number of sources. */
  readonly sources: number
}
export interface PersonSums {
  readonly report: 'person'
  readonly visits: number
  readonly pageviews: number
  /** Without hits of deleted events. */
  readonly events: number
  readonly revenue: number
  readonly purchases: number
  /** Epoch ms; null without visits. */
  readonly firstAt: number | null
  readonly lastAt: number | null
  /** The most frequent ones. */
  readonly sources: readonly { readonly source: string; readonly visits: number }[]
  /** The last of the visits that are left out; null if none are, or if there are not so many. */
  readonly place: VisitPlace | null
}

const read = columnsRead(
  ...(['visits.person', 'visits.visitor', 'visits.number', 'visits.firstHit', 'visits.pageviews'] as const),
  ...(['visits.revenue', 'visits.purchases', 'visits.source', 'hits.at', 'hits.event'] as const),
)

export const personReport: Report<PersonQuestion, PersonSums> = async (_, { person, span, skip, sources: max }, { texts }) => {
  const [events, sources] = [await texts.of('event'), await texts.of('source')]
  const sums = { visits: 0, pageviews: 0, events: 0, revenue: 0, purchases: 0 }
  const bySource = new Map<number, number>()
  /** Starts and ids in turn, if a page is wanted: 16 bytes a visit. */
  const places: number[] = []
  let [firstAt, lastAt] = [Infinity, -Infinity]

  function add(day: Day): void {
    if (windowOn(span, day) === undefined) return
    const { visits, hits, cut } = day
    for (let v = 0; v < visits.count; v++) {
      if (visits.person[v] !== person) continue
      const startedAt = startOfVisit(day, v)
      if (cut && (startedAt < cut.from || startedAt >= cut.to)) continue // a view of another day has it
      sums.visits++
      sums.pageviews += visits.pageviews[v]!
      sums.revenue += visits.revenue[v]!
      sums.purchases += visits.purchases[v]!
      for (let h = visits.firstHit[v]!; h < visits.firstHit[v + 1]!; h++) {
        if (hits.event[h]! !== 0 && (events[hits.event[h]!] ?? '') !== '') sums.events++
      }
      bySource.set(visits.source[v]!, (bySource.get(visits.source[v]!) ?? 0) + 1)
      firstAt = Math.min(firstAt, startedAt)
      lastAt = Math.max(lastAt, startedAt)
      if (skip > 0) places.push(startedAt, idOfVisit(day, v))
    }
  }

  return {
    spans: [span],
    reads: readsOver(span, { whole: read, part: read }),
    scans: true,
    add,
    answer: () => ({
      report: 'person',
      ...sums,
      firstAt: sums.visits === 0 ? null : firstAt,
      lastAt: sums.visits === 0 ? null : lastAt,
      sources: [...bySource]
        .map(([source, visits]) => ({ source: sources[source] ?? '', visits }))
        .sort((a, b) => b.visits - a.visits || (a.source < b.source ? -1 : 1))
        .slice(0, max),
      place: skip > 0 && skip <= sums.visits ? placeAt(places, skip - 1) : null,
    }),
  }
}

/** The place of a visit, counted from the newest, which is 0. */
function placeAt(places: readonly number[], n: number): VisitPlace {
  const placeOf = (i: number): VisitPlace => ({ startedAt: places[i * 2]!, id: places[i * 2 + 1]! })
  const order = Uint32Array.from({ length: places.length / 2 }, (_, i) => i).sort((a, b) => later(placeOf(a), placeOf(b)))
  return placeOf(order[n]!)
}
