/** The hits of a day with a property of one key, since a report reads one of many. (Every `!` is inside bounds.) */
import type { DayColumns, Hits, Visits } from '../days/day.ts'
import { type Column, columnOf } from '../columns/column.ts'
import type { ColumnsOf } from '../days/sealed-columns.ts'
import { columnsRead, type Reads } from '../days/reads.ts'
import type { Counts } from '../days/tally.ts'

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
export type KeyHitsCache = WeakMap<Column, { readonly key: number; readonly found: KeyHits }>

export const keyHitsRead: Reads = columnsRead('props.hit', 'props.key', 'props.value', 'visits.firstHit')

/** Other columns of hits and visits are read on demand. */
export function keyHits(day: DayColumns, key: number, cache: KeyHitsCache): KeyHits {
  const before = cache.get(day.props.key)
  if (before?.key === key) return before.found
  const found = hitsOf(day, key)
  cache.set(day.props.key, { key, found })
  return found
}

function hitsOf({ visits, hits, props }: DayColumns, key: number): KeyHits {
  let count = 0
  for (let p = 0; p < props.count; p++) if (props.key[p] === key) count++
  const [ofProps, ofHits, ofVisits] = [new Uint32Array(count), new Uint32Array(count), new Uint32Array(count)]
  const firstHit = new Uint32Array(count + 1)
  let all = 0
  for (let p = 0, v = 0, i = 0; i < count; p++) {
    if (props.key[p] !== key) continue
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
    visits: Object.assign(picked(visits, ['visitor', 'bounce', 'duration', 'entry_page', 'exit_page'], places), {
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
