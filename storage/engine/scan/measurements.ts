/** Which vitals and clicks of a day count: those of visits that do. (Every `!` is inside bounds.) */
import type { Day } from '../days/day.ts'
import type { Mask, Window } from './scan.ts'

const VISITS_A_VISITOR = 256

/**
 * Without conditions and over a whole day everything counts, also what no visit has. Otherwise a measurement counts
 * with its visit; as it has no time of its own, in a part of a day those count whose visits were active in it.
 * @returns asked with what a measurement calls its visit by; null where everything counts
 */
export function countsWith(day: Day, mask: Mask, window: Window | null): ((visit: number) => boolean) | null {
  if (mask === null && window === null) return null
  const { firstHit, duration } = day.visits
  const { at } = day.hits
  const find = visitFinder(day)
  return id => {
    const v = find(id)
    if (v === undefined || (mask !== null && mask[v] === 0)) return false
    if (window === null) return true
    const began = at[firstHit[v]!]!
    return began < window.to && began + duration[v]! >= window.from
  }
}

/** The place of a visit among those of its day: those of a visitor stand together. */
function visitFinder({ visits: { count, visitor, visitors, number } }: Day): (id: number) => number | undefined {
  const first = new Uint32Array(visitors + 1).fill(count)
  for (let v = count - 1; v >= 0; v--) first[visitor[v]!] = v
  return id => {
    const who = Math.floor(id / VISITS_A_VISITOR)
    const which = id % VISITS_A_VISITOR
    for (let v = first[who] ?? count; v < count && visitor[v] === who; v++) if (number[v] === which) return v
    return undefined
  }
}
