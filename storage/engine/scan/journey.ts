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

/** The id of a first step that is a goal or an event instead of a page. Ids of pages are greater by 1 than in the columns. */
const MARKED = 1

/**
 * Adds the path of each visit from its first marked hit: the page of that hit, and the next pages. A repeated page is one step.
 * @param isMarked whether the first step is the marked goal or event instead of its page
 */
export function goForward(walk: Walk, isMarked: boolean, paths: Paths): void {
  const { event, page } = walk.day.hits
  const { mark } = walk
  const path = new Uint32Array(paths.steps.length)
  eachVisit(walk, (from, to) => {
    let h = from
    if (isMarked) while (h < to && !mark!(h)) h++
    else while (h < to && (event[h] !== 0 || (mark !== null && !mark(h)))) h++
    if (h === to) return
    path[0] = isMarked ? MARKED : page[h]! + 1
    let length = 1
    let last = isMarked ? -1 : page[h]!
    for (h++; h < to; h++) {
      if (event[h] !== 0 || page[h] === last) continue
      if (length === path.length) return paths.add(path, length, true)
      last = page[h]!
      path[length++] = last + 1
    }
    paths.add(path, length, false)
  })
}

/**
 * Adds the path of each visit back from its first marked hit: the page of that hit, and the pages before.
 * @param isMarked whether the first step is the marked goal or event instead of its page
 */
export function goBack(walk: Walk, isMarked: boolean, paths: Paths): void {
  const { event, page } = walk.day.hits
  const { mark } = walk
  const max = paths.steps.length
  const path = new Uint32Array(max)
  /** The last pages, the latest at `seen - 1`; one more than there are steps. */
  const before = new Uint32Array(max)
  eachVisit(walk, (from, to) => {
    let seen = 0
    for (let h = from; h < to; h++) {
      if (mark !== null && mark(h)) {
        const length = Math.min(seen, max - 1)
        path[0] = isMarked ? MARKED : page[h]! + 1
        for (let i = 1; i <= length; i++) path[i] = before[(seen - i) % max]!
        paths.add(path, length + 1, seen > length)
        return
      }
      if (event[h] !== 0) continue
      const step = page[h]! + 1
      if (seen > 0 && before[(seen - 1) % max] === step) continue
      before[seen++ % max] = step
    }
  })
}
