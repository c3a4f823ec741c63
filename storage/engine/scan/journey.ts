/** The path of a visit, step by step. (Every `!` is inside bounds.) */
import type { Day } from '../days/day.ts'
import { columnsRead, type Reads } from '../days/reads.ts'
import type { Mask } from './mask.ts'
import type { TimeWindow } from '../days/spans.ts'
import type { Paths } from './paths.ts'

/** Tests whether a journey begins or ends with this pageview or event; null: it begins with the first pageview. */
export type Mark = ((hit: number) => boolean) | null

interface Walk {
  readonly day: Day
  readonly mask: Mask
  readonly window: TimeWindow | null
  readonly mark: Mark
}

export const journeyRead: Reads = columnsRead('visits.firstHit', 'hits.at', 'hits.event', 'hits.page')

/** Calls with the hits of each selected visit, limited to the window. */
function eachVisit({ day, mask, window }: Walk, see: (from: number, to: number) => void): void {
  const { count, firstHit } = day.visits
  const { at } = day.hits
  for (let v = 0; v < count; v++) {
    if (mask !== null && mask[v] === 0) continue
    let from = firstHit[v]!
    let to = firstHit[v + 1]!
    if (window !== null) {
      while (from < to && at[from]! < window.from) from++
      while (from < to && at[to - 1]! >= window.to) to--
    }
    if (from < to) see(from, to)
  }
}

/** Forward from the first marked pageview: that page, and the next two. A repeated page is one step. */
export function goForward(walk: Walk, paths: Paths): void {
  const { event, page } = walk.day.hits
  const { mark } = walk
  eachVisit(walk, (from, to) => {
    let h = from
    while (h < to && (event[h] !== 0 || (mark !== null && !mark(h)))) h++
    if (h === to) return
    const first = page[h]!
    while (h < to && (event[h] !== 0 || page[h] === first)) h++
    if (h === to) return paths.add(first + 1, 0, 0, false)
    const second = page[h]!
    while (h < to && (event[h] !== 0 || page[h] === second)) h++
    if (h === to) return paths.add(first + 1, second + 1, 0, false)
    const third = page[h]!
    while (h < to && (event[h] !== 0 || page[h] === third)) h++
    paths.add(first + 1, second + 1, third + 1, h < to)
  })
}

/**
 * Back from the first marked hit: its page, and the two pages before.
 * @param isGoal the first step is the completed goal instead of its page, with the constant 1
 */
export function goBack(walk: Walk, isGoal: boolean, paths: Paths): void {
  const { event, page } = walk.day.hits
  const { mark } = walk
  eachVisit(walk, (from, to) => {
    let before = 0
    let second = 0
    let third = 0
    for (let h = from; h < to; h++) {
      if (mark !== null && mark(h)) {
        paths.add(isGoal ? 1 : page[h]! + 1, before, second, third !== 0)
        return
      }
      if (event[h] !== 0) continue
      const step = page[h]! + 1
      if (step === before) continue
      third = second
      second = before
      before = step
    }
  })
}
