/**
 * The properties of a day by their keys: reports ask for one key of many, again and again. (Every `!` is inside
 * bounds.)
 */
import { type Column, columnOf, type DayColumns } from './day.ts'

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
