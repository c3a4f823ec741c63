/** Passes over the events of a day and their properties. (Every `!` reads a typed array inside its bounds.) */
import type { Day } from '../days/day.ts'
import { columnsRead, type Reads } from '../days/reads.ts'
import type { Mask } from './mask.ts'
import type { TimeWindow } from '../days/spans.ts'

const wholeDay: TimeWindow = Object.freeze({ from: -Infinity, to: Infinity })

export const eventsRead: Reads = columnsRead('visits.firstHit', 'hits.at', 'hits.event')
export const propsRead: Reads = columnsRead('visits.firstHit', 'props.hit', 'props.key', 'props.value')

/** Which events are handed over. */
interface Wanted {
  /** Counts of the selected visits. */
  readonly mask: Mask
  /** 1 for the hits that count; null for all. */
  readonly met: Uint8Array | null
  readonly window: TimeWindow | null
  /** By id; 0 for those that are left out. */
  readonly groups: Uint8Array | Uint32Array
}

/** Hands over events in their order. */
export function scanEvents(
  { visits: { count, firstHit }, hits: { at, event } }: Day,
  { mask, met, window, groups }: Wanted,
  found: (group: number, visit: number, hit: number) => void,
): void {
  const { from, to } = window ?? wholeDay
  for (let v = 0; v < count; v++) {
    if (mask !== null && mask[v] === 0) continue
    for (let h = firstHit[v]!, end = firstHit[v + 1]!; h < end; h++) {
      const group = groups[event[h]!]!
      if (group !== 0 && at[h]! >= from && at[h]! < to && (met === null || met[h] === 1)) found(group, v, h)
    }
  }
}

/** Calls with the properties of the hits in `picks` (1 at their indexes), with their visits. */
export function scanProps(
  { visits: { firstHit }, props: { count, hit, key, value } }: Day,
  picks: Uint8Array,
  found: (key: number, value: number, visit: number, hit: number) => void,
): void {
  for (let p = 0, v = 0; p < count; p++) {
    const h = hit[p]!
    if (picks[h] === 0) continue
    while (firstHit[v + 1]! <= h) v++
    found(key[p]!, value[p]!, v, h)
  }
}
