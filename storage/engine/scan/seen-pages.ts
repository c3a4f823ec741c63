/** How often each visit of a day saw one of some pages. (Every `!` is inside bounds.) */
import { type ReusedBuffer, reusedBuffer } from '../columns/buffers.ts'
import type { DayColumns } from '../days/day.ts'

/** 1 for a pageview, 0 for an event, without a branch. @param event id of its name, 0 for none */
export const isPageview = (event: number): number => (event - 1) >>> 31

interface Cached {
  readonly day: DayColumns
  readonly views: Uint32Array
  readonly buffer: ReusedBuffer<Uint32Array>
}

export class SeenPages {
  /** The last result of each set of pages, because the mask and the narrowing of its visits use the same sets. */
  readonly #last = new WeakMap<Uint8Array, Cached>()
  readonly #before = reusedBuffer(Uint32Array)

  /** The views of all visits. Valid until those of another day are requested. @param pages 1 at their ids */
  of(day: DayColumns, pages: Uint8Array): Uint32Array {
    const known = this.#last.get(pages)
    if (known?.day === day) return known.views
    const { count, firstHit } = day.visits
    const { count: hits, event, page } = day.hits
    // First a running sum over all hits. A loop over the few hits of each visit would cost a mispredicted branch per visit.
    const before = this.#before(hits + 1)
    let sum = 0
    for (let h = 0; h < hits; h++) {
      before[h] = sum
      sum = (sum + (pages[page[h]!]! & isPageview(event[h]!))) | 0 // a small integer, without a check
    }
    before[hits] = sum
    const buffer = known?.buffer ?? reusedBuffer(Uint32Array)
    const views = buffer(count)
    for (let v = 0, seen = 0; v < count; v++) {
      const after = before[firstHit[v + 1]!]!
      views[v] = after - seen
      seen = after
    }
    this.#last.set(pages, { day, views, buffer })
    return views
  }

  /** Returns these views if they are known. */
  known(day: DayColumns, pages: Uint8Array): Uint32Array | undefined {
    const last = this.#last.get(pages)
    return last?.day === day ? last.views : undefined
  }
}
