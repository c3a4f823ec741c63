/**
 * Lists the visits and hits of each event of a day. Events are few among the hits, and searched repeatedly.
 * (Every `!` is inside bounds.)
 */
import type { Column } from '../columns/column.ts'
import type { DayColumns } from '../days/day.ts'

/** Fewest hits for each event. With fewer, this list would take more memory than the column. */
const MIN_HITS_PER_EVENT = 8

/** Visits and hits by event: the entries of event `e` begin at `from[e]`, and end before `from[e + 1]`. */
export interface EventVisits {
  readonly from: Uint32Array
  readonly visits: Uint32Array
  readonly hits: Uint32Array
}

/** By the event column of a day; null if it has many events. Entries are dropped with their columns. */
export type EventVisitsCache = WeakMap<Column, EventVisits | null>

/** Null if there are many events. */
export function visitsByEvent({ visits: { firstHit }, hits: { event } }: DayColumns, cache: EventVisitsCache): EventVisits | null {
  const before = cache.get(event)
  if (before !== undefined) return before
  const places = eventPlaces(event)
  const found = places && byEvent(places, firstHit, event)
  cache.set(event, found)
  return found
}

function eventPlaces(event: Column): Uint32Array | null {
  const places = new Uint32Array(Math.floor(event.length / MIN_HITS_PER_EVENT))
  let count = 0
  for (let hit = 0; hit < event.length; hit++) {
    if (event[hit] === 0) continue
    if (count === places.length) return null
    places[count++] = hit
  }
  return places.subarray(0, count)
}

function byEvent(places: Uint32Array, firstHit: Column, event: Column): EventVisits {
  let max = 0
  for (const hit of places) max = Math.max(max, event[hit]!)
  const from = new Uint32Array(max + 2)
  for (const hit of places) from[event[hit]! + 1]!++
  for (let e = 0; e <= max; e++) from[e + 1]! += from[e]!
  const next = from.slice()
  const visits = new Uint32Array(places.length)
  const hits = new Uint32Array(places.length)
  let v = 0
  for (const hit of places) {
    while (firstHit[v + 1]! <= hit) v++
    const place = next[event[hit]!]!++
    visits[place] = v
    hits[place] = hit
  }
  return { from, visits, hits }
}
