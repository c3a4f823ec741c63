/**
 * The properties of a day by their keys: reports ask for one key of many, again and again. (Every `!` is inside
 * bounds.)
 */
import { type Column, columnOf, type DayColumns } from './day.ts'
import type { Counts } from './tally.ts'

/** Properties of one key, in the order of their hits. */
export interface OfKey {
  readonly count: number
  /** Places among all properties of the day. */
  readonly places: Column
  /** The visits they belong to. */
  readonly visits: Column
}

/** Those of key k are from `from[k]` to before `from[k + 1]`. */
interface ByKey extends Omit<OfKey, 'count'> {
  readonly from: Uint32Array
}

const known = new WeakMap<Column, ByKey>()

/** What is worked out for it goes from memory with the column. */
export function propsOfKey(day: DayColumns, key: number): OfKey {
  const column = day.props.key
  let byKey = known.get(column)
  if (!byKey) known.set(column, byKey = keysOf(day))
  const [from, to] = [byKey.from[key] ?? 0, byKey.from[key + 1] ?? 0]
  const { places, visits } = byKey
  return { count: Math.max(0, to - from), places: places.subarray(from, to), visits: visits.subarray(from, to) }
}

function keysOf({ visits: { firstHit }, props: { count, key, hit } }: DayColumns): ByKey {
  let most = 0
  for (let p = 0; p < count; p++) most = Math.max(most, key[p]!)
  const from = new Uint32Array(most + 2)
  for (let p = 0; p < count; p++) from[key[p]! + 1]!++
  for (let k = 0; k <= most; k++) from[k + 1]! += from[k]!
  const next = from.slice()
  const [places, visits] = [new Uint32Array(count), new Uint32Array(count)]
  for (let p = 0, v = 0; p < count; p++) {
    while (firstHit[v + 1]! <= hit[p]!) v++
    const at = next[key[p]!]!++
    places[at] = p
    visits[at] = v
  }
  return { from, places: columnOf(places), visits: columnOf(visits) }
}

/** What a day has of one key, close together: a pass over it touches little memory. */
export interface PartOfKey extends Counts {
  /** Of each visit its place among all of the day. */
  readonly places: Column
  /** The hits of visit v are those from `firstHit[v]` to before `firstHit[v + 1]`. */
  readonly firstHit: Uint32Array
  readonly hits: Counts['hits'] & Pick<DayColumns['hits'], 'at'>
  /** Of each hit the value it has. */
  readonly values: Column
}

/** The last one of each day: a report asks for the same key of all of them. */
const parts = new WeakMap<Column, { readonly key: number; readonly part: PartOfKey }>()

export function partOfKey(day: DayColumns, key: number): PartOfKey {
  const before = parts.get(day.props.key)
  if (before?.key === key) return before.part
  const part = partOf(day, propsOfKey(day, key))
  parts.set(day.props.key, { key, part })
  return part
}

function partOf({ visits, hits, props }: DayColumns, { count, places, visits: visitOf }: OfKey): PartOfKey {
  const ofVisits = new Uint32Array(count)
  const firstHit = new Uint32Array(count + 1)
  let last = -1
  for (let i = 0; i < count; i++) {
    if (last === -1 || ofVisits[last] !== visitOf[i]) {
      ofVisits[++last] = visitOf[i]!
      firstHit[last] = i
    }
  }
  const all = last + 1
  firstHit[all] = count
  const ofHits = Uint32Array.from(places, place => props.hit[place]!)
  const atVisits = ofVisits.subarray(0, all)
  return {
    places: columnOf(atVisits),
    firstHit: firstHit.slice(0, all + 1),
    values: taken(props.value, places),
    visits: {
      count: all,
      visitors: visits.visitors,
      visitor: taken(visits.visitor, atVisits),
      bounce: taken(visits.bounce, atVisits),
      duration: taken(visits.duration, atVisits),
      get entry_page() { return taken(visits.entry_page, atVisits) },
      get exit_page() { return taken(visits.exit_page, atVisits) },
    },
    hits: {
      event: taken(hits.event, ofHits),
      revenue: taken(hits.revenue, ofHits),
      engaged: taken(hits.engaged, ofHits),
      get at() { return taken(hits.at, ofHits) },
    },
  }
}

const taken = (column: Column, places: Column): Column => columnOf(Float64Array.from(places, place => column[place]!))
