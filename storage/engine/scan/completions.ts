/** The visits of a day in which a goal was completed, how often, and what that earned. (Every `!` is inside bounds.) */
import { reusedBuffer } from '../columns/buffers.ts'
import type { Day } from '../days/day.ts'
import type { TimeWindow } from '../days/spans.ts'
import type { Mask } from './mask.ts'
import { timesIn } from './scan.ts'

/** Hits that may complete a goal, and what they earn. */
export interface Completing {
  readonly mask: Mask
  readonly window: TimeWindow | null
  /** Not 0 for the hits that complete the goal; null for those with revenue, of which a refund is none. */
  readonly bits: Uint32Array | null
  /** 1 for the hits that count; null for all. */
  readonly met: Uint8Array | null
  /** As in `WorthOf`, of the goal. */
  readonly worth: ((hit: number) => number | undefined) | null
}

/** Visits in their order, and at the same places their completions and revenue. */
export interface Completed {
  readonly count: number
  readonly visits: Uint32Array
  readonly times: Uint32Array
  readonly money: Float64Array
}

/** Finds the visits in memory of its own, which is valid until those of another day are requested. */
export function openCompletions(): (day: Day, completing: Completing) => Completed {
  const ofVisits = reusedBuffer(Uint32Array)
  const ofTimes = reusedBuffer(Uint32Array)
  const ofMoney = reusedBuffer(Float64Array)
  return (day, { mask, window, bits, met, worth }) => {
    const { count: visitCount, firstHit } = day.visits
    const { count: hitCount, revenue } = day.hits
    const { at, from, to } = timesIn(window, day)
    const completed = bits ?? revenue
    const [visits, times, money] = [ofVisits(visitCount), ofTimes(visitCount), ofMoney(visitCount)]
    let count = 0
    for (let h = 0, v = 0, last = -1; h < hitCount; h++) {
      if (completed[h] === 0 || (met !== null && met[h] === 0)) continue
      while (firstHit[v + 1]! <= h) v++
      if ((mask !== null && mask[v] === 0) || at[h]! < from || at[h]! >= to) continue
      if (v !== last) {
        last = visits[count] = v
        times[count] = money[count] = 0
        count++
      }
      const earned = worth?.(h) ?? revenue[h]!
      if (bits !== null || earned > 0) times[count - 1]!++
      money[count - 1]! += earned
    }
    return { count, visits, times, money }
  }
}
