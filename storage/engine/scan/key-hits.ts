/** The hits of a day with a property of one key, since a report reads one of many. (Every `!` is inside bounds.) */
import type { DayColumns, Hits, Visits } from '../days/day.ts'
import { type Column, columnOf } from '../columns/column.ts'
import type { ColumnsOf } from '../days/sealed-columns.ts'
import { allReads, columnsRead, type Reads } from '../days/reads.ts'
import type { Counts } from '../days/tally.ts'

/** A property whose hits are requested. */
export interface Property {
  /** Id of its key; 0 for an unknown one. */
  readonly key: number
  /** 1 at the ids of events that are being deleted, whose hits do not count; null for none. */
  readonly gone: Uint8Array | null
}

/** A day's hits of one key, adjacent in memory, so that a pass is fast. */
export interface KeyHits extends Counts {
  /** Index of each visit among all of the day. */
  readonly places: Column
  /** The hits of visit v have the indexes `firstHit[v]` to `firstHit[v + 1]`, exclusive. */
  readonly firstHit: Column
  readonly hits: Counts['hits'] & Pick<DayColumns['hits'], 'at'>
  /** For each hit, its place among all hits of the day. */
  readonly hitPlaces: Column
  /** For each hit, the id of its value. */
  readonly values: Column
}

/** By the key column of a day, for the key used last: a report reads the same one of all days. */
export type KeyHitsCache = WeakMap<Column, { readonly property: Property; readonly found: KeyHits }>

const read = columnsRead('props.hit', 'props.key', 'props.value', 'visits.firstHit')
const readWithEvents = allReads([read, columnsRead('hits.event')])
export const keyHitsRead = ({ gone }: Property): Reads => (gone ? readWithEvents : read)

/** Other columns of hits and visits are read on demand. */
export function keyHits(day: DayColumns, property: Property, cache: KeyHitsCache): KeyHits {
  const before = cache.get(day.props.key)
  if (before && isSame(before.property, property)) return before.found
  const found = hitsOf(day, property)
  cache.set(day.props.key, { property, found })
  return found
}

const isSame = (one: Property, other: Property): boolean =>
  one.key === other.key &&
  (one.gone === other.gone || (one.gone !== null && other.gone !== null && Buffer.compare(one.gone, other.gone) === 0))

function hitsOf({ visits, hits, props }: DayColumns, { key, gone }: Property): KeyHits {
  const { event } = gone ? hits : { event: null }
  const isOne = (p: number) => props.key[p] === key && (event === null || gone?.[event[props.hit[p]!]!] !== 1)
  let count = 0
  for (let p = 0; p < props.count; p++) if (isOne(p)) count++
  const [ofProps, ofHits, ofVisits] = [new Uint32Array(count), new Uint32Array(count), new Uint32Array(count)]
  const firstHit = new Uint32Array(count + 1)
  let all = 0
  for (let p = 0, v = 0, i = 0; i < count; p++) {
    if (!isOne(p)) continue
    const hit = props.hit[p]!
    while (visits.firstHit[v + 1]! <= hit) v++
    if (all === 0 || ofVisits[all - 1] !== v) {
      ofVisits[all] = v
      firstHit[all++] = i
    }
    ofProps[i] = p
    ofHits[i++] = hit
  }
  firstHit[all] = count
  const [places, atHits] = [columnOf(ofVisits.subarray(0, all)), columnOf(ofHits)]
  return {
    places,
    firstHit: columnOf(firstHit.subarray(0, all + 1)),
    hitPlaces: atHits,
    values: taken(props.value, ofProps),
    visits: Object.assign(picked(visits, ['visitor', 'bounce', 'duration', 'entry_page', 'exit_page', 'person'], places), {
      count: all,
      visitors: visits.visitors,
    }),
    hits: picked(hits, ['event', 'revenue', 'engaged', 'at'], atHits),
  }
}

/** Lazily selects elements of these columns by index. */
function picked<Of extends Visits | Hits, Name extends ColumnsOf<Of>>(
  columns: Of,
  names: readonly Name[],
  places: Column,
): Readonly<Record<Name, Column>> {
  const properties = names.map(name => {
    let column: Column | undefined
    return [name, { enumerable: true, get: () => (column ??= taken(columns[name] as Column, places)) }] as const
  })
  return Object.defineProperties({}, Object.fromEntries(properties)) as Record<Name, Column> // one entry for each name
}

const taken = (column: Column, places: Column): Column => columnOf(Float64Array.from(places, place => column[place]!))
