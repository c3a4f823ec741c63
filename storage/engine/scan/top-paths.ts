/** The paths with most visits. (Every `!` is inside bounds.) */
import { insert } from './best.ts'
import type { Paths } from './paths.ts'

export interface PathFound {
  /** Pages, first step first; null for the sum of the remaining paths. */
  readonly pages: readonly string[] | null
  readonly visits: number
}
interface TopPath extends PathFound {
  readonly pages: readonly string[]
}

const mostVisits = (a: TopPath, b: TopPath) => b.visits - a.visits || (a.pages.join('\n') < b.pages.join('\n') ? -1 : 1)

/** @param nameOf the page of a step */
export function topPaths(paths: Paths, nameOf: (step: number, place: number) => string, limit: number): PathFound[] {
  const { steps } = paths
  const top: TopPath[] = []
  let min = 1
  function see(visits: number, path: readonly number[]): void {
    if (visits < min) return
    insert(top, { pages: path.map((place, step) => nameOf(step, place)), visits }, mostVisits)
    if (top.length > limit) top.pop()
    if (top.length === limit) min = top[limit - 1]!.visits
  }
  const { visits: all, ended } = steps[0]! // visits of one step end there
  for (let first = 0; first < ended.length; first++) if (ended[first] !== 0) see(ended[first]!, [first])
  // No path has more visits than any of its steps: most are not worth counting.
  eachCounted(paths, min, see)
  let rest = 0
  for (let first = 0; first < all.length; first++) rest += all[first]!
  for (const { visits } of top) rest -= visits
  return rest > 0 ? [...top, { pages: null, visits: rest }] : top
}

const FIRST_ROOM = 1024

/**
 * Calls with each path of more than one step and its visits, where all of its steps have `min` visits. A year has too many for a
 * Map: here each takes the place of its first visit and a number, and two slots of a hash table.
 */
function eachCounted(paths: Paths, min: number, see: (visits: number, path: readonly number[]) => void): void {
  const { steps } = paths
  /** The largest number of paths. The table has twice as many slots, so that it is at most half full. */
  let room = FIRST_ROOM
  let places = new Float64Array(room)
  let counts = new Uint32Array(room)
  let hashes = new Int32Array(room)
  /** The number of the path in each slot, counted from 1; 0 in an empty one. */
  let slots = new Uint32Array(room * 2)
  let used = 0

  const isSame = (place: number, ids: Uint32Array, at: number, length: number): boolean => {
    let same = false
    paths.at(place, (others, from, count) => {
      same = count === length
      for (let i = 0; same && i < length; i++) same = others[from + i] === ids[at + i]
    })
    return same
  }

  function widen(): void {
    room *= 4 // each time all paths are placed again
    const longer = <T extends Float64Array | Uint32Array | Int32Array>(before: T, after: T): T => {
      after.set(before)
      return after
    }
    places = longer(places, new Float64Array(room))
    counts = longer(counts, new Uint32Array(room))
    hashes = longer(hashes, new Int32Array(room))
    slots = new Uint32Array(room * 2)
    for (let number = 1; number <= used; number++) {
      let slot = hashes[number - 1]! & (slots.length - 1)
      while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1)
      slots[slot] = number
    }
  }

  paths.each((ids, at, length, place) => {
    let hash = length
    for (let i = 0; i < length; i++) {
      const id = ids[at + i]!
      if (steps[i]!.visits[id]! < min) return
      hash = Math.imul(hash ^ id, 0x9e37_79b1)
      hash ^= hash >>> 15
    }
    if (used === room) widen()
    let slot = hash & (slots.length - 1)
    while (slots[slot] !== 0) {
      const number = slots[slot]! - 1
      if (hashes[number] === hash && isSame(places[number]!, ids, at, length)) break
      slot = (slot + 1) & (slots.length - 1)
    }
    if (slots[slot] === 0) {
      places[used] = place
      hashes[used] = hash
      slots[slot] = ++used
    }
    counts[slots[slot]! - 1]!++
  })
  for (let number = 0; number < used; number++) {
    if (counts[number]! >= min)
      paths.at(places[number]!, (ids, at, length) => see(counts[number]!, Array.from(ids.subarray(at, at + length))))
  }
}
