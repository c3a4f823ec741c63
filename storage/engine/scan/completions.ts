/**
 * The hits of a day that complete a goal, and the visits in which they do. Hits are marked by bits, which are small enough to be kept for
 * all days of a report. (Every `!` is inside bounds.)
 */
import { reusedBuffer } from '../columns/buffers.ts'
import type { Day } from '../days/day.ts'
import type { TimeWindow } from '../days/spans.ts'
import { type EventVisitsCache, visitsByEvent } from './event-visits.ts'
import { bitsOfHits, type GoalBits } from './goals.ts'
import type { Mask } from './mask.ts'
import { timesIn } from './scan.ts'

/** Hits that may complete a goal. */
export interface Completing {
  /** Null for hits with revenue. */
  readonly goal: GoalBits | null
  /** As `onlyEvent` says. */
  readonly event: number | null
  readonly mask: Mask
  readonly window: TimeWindow | null
  /** 1 for the hits that count; null for all. */
  readonly met: Uint8Array | null
  readonly eventVisits: EventVisitsCache
}

/** Returns a bit for each hit of a day: those that complete the goal. */
export function completingHits(day: Day, { goal, event, mask, window, met, eventVisits }: Completing): Uint32Array {
  const { firstHit } = day.visits
  const { count } = day.hits
  const { at, from, to } = timesIn(window, day)
  const words = new Uint32Array((count + 31) >>> 5)
  const mark = (h: number, v: number): void => {
    if ((met === null || met[h] === 1) && (mask === null || mask[v] === 1) && at[h]! >= from && at[h]! < to)
      words[h >>> 5]! |= 1 << (h & 31)
  }
  const known = event === null ? null : visitsByEvent(day, eventVisits)
  if (event !== null && known !== null) {
    const { from: first, visits, hits } = known
    for (let i = first[event] ?? 0, end = first[event + 1] ?? 0; i < end; i++) mark(hits[i]!, visits[i]!)
    return words
  }
  const completes = goal ? bitsOfHits(goal, day) : day.hits.revenue
  for (let h = 0, v = 0; h < count; h++) {
    if (completes[h] === 0) continue
    while (firstHit[v + 1]! <= h) v++
    mark(h, v)
  }
  return words
}

/** Visits in their order, and at the same places their completions and what these earned. */
export interface CompletedVisits {
  readonly count: number
  readonly visits: Uint32Array
  readonly times: Uint32Array
  readonly money: Float64Array
}

/** Worth of a hit, as in `WorthOf`; null: its revenue. */
type Worth = ((hit: number) => number | undefined) | null

/**
 * Lists visits in memory of its own, which is valid until another day is listed.
 * @param isRevenue whether only revenue completes the goal, of which a refund is none
 */
export function openCompletedVisits(isRevenue: boolean): (day: Day, words: Uint32Array, worth: Worth) => CompletedVisits {
  const ofVisits = reusedBuffer(Uint32Array)
  const ofTimes = reusedBuffer(Uint32Array)
  const ofMoney = reusedBuffer(Float64Array)
  return (day, words, worth) => {
    const { count: all, firstHit } = day.visits
    const { revenue } = day.hits
    const [visits, times, money] = [ofVisits(all), ofTimes(all), ofMoney(all)]
    let count = 0
    for (let w = 0, v = 0, last = -1; w < words.length; w++) {
      for (let rest = words[w]!; rest !== 0; rest = (rest & (rest - 1)) >>> 0) {
        const h = w * 32 + 31 - Math.clz32(rest & -rest)
        while (firstHit[v + 1]! <= h) v++
        if (v !== last) {
          last = visits[count] = v
          times[count] = money[count] = 0
          count++
        }
        const earned = worth?.(h) ?? revenue[h]!
        if (!isRevenue || earned > 0) times[count - 1]!++
        money[count - 1]! += earned
      }
    }
    return { count, visits, times, money }
  }
}
