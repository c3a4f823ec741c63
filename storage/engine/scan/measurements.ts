/** Selects the vitals and clicks of a day whose visits are selected. (Every `!` is inside bounds.) */
import type { Day } from '../days/day.ts'
import { columnsRead, NO_COLUMNS, type Reads } from '../days/reads.ts'
import type { Mask } from './mask.ts'
import type { PassReads } from './scan.ts'
import type { TimeWindow } from '../days/spans.ts'

const VISITS_A_VISITOR = 256

/**
 * Without conditions and over a whole day all count, including those without a visit. Otherwise they count with their
 * visits; since they have no time of their own, in a part of a day the measurements of visits active in it count.
 * @returns a test of a visit's identifier; null if all count
 */
export function countsWith(day: Day, mask: Mask, window: TimeWindow | null): ((visit: number) => boolean) | null {
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

/** Columns that `visitFinder` reads, and the times of visits. */
export const visitsFound: Reads = columnsRead('visits.visitor', 'visits.number', 'visits.firstHit', 'visits.duration', 'hits.at')

/** Columns that `countsWith` reads in addition to the mask. @param filtered whether there is a mask */
export const measurementsCounted = (filtered: boolean): PassReads => ({ whole: filtered ? visitsFound : NO_COLUMNS, part: visitsFound })

/** Finds a visit's index from its identifier: the visits of a visitor are adjacent. */
export function visitFinder({ visits: { count, visitor, visitors, number } }: Day): (id: number) => number | undefined {
  const first = new Uint32Array(visitors + 1).fill(count)
  for (let v = count - 1; v >= 0; v--) first[visitor[v]!] = v
  return id => {
    const who = Math.floor(id / VISITS_A_VISITOR)
    const which = id % VISITS_A_VISITOR
    for (let v = first[who] ?? count; v < count && visitor[v] === who; v++) if (number[v] === which) return v
    return undefined
  }
}
