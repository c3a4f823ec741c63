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
  let least = 1
  function see(visits: number, ...path: number[]): void {
    if (visits < least) return
    const pages = path.filter(place => place !== 0).map((place, step) => nameOf(step, place))
    insert(top, { pages, visits }, mostVisits)
    if (top.length > limit) top.pop()
    if (top.length === limit) least = top[limit - 1]!.visits
  }
  const { ended } = steps[0] // visits of one step
  for (let first = 0; first < ended.length; first++) if (ended[first] !== 0) see(ended[first]!, first)
  // No path has more visits than any of its steps: most are not worth counting.
  eachCounted(paths, least, (first, second, third, visits) => see(visits, first, second, third))
  let rest = 0
  for (let first = 0; first < ended.length; first++) rest += steps[0].visits[first]!
  for (const { visits } of top) rest -= visits
  return rest > 0 ? [...top, { pages: null, visits: rest }] : top
}

const FIRST_ROOM = 1024
const WIDTH = 4 // first, second, third, visits

/**
 * Calls with each path of two or three steps and its visits, where all of its steps have `least` visits. A year has too
 * many for a Map: here each takes 16 bytes, in the order in which they were found, and two slots of a hash table.
 */
function eachCounted(
  { steps: [one, two, three], each }: Paths,
  least: number,
  see: (first: number, second: number, third: number, visits: number) => void,
): void {
  /** Room for so many paths; the table has twice as many slots, so that it is at most half full. */
  let room = FIRST_ROOM
  let paths = new Uint32Array(room * WIDTH)
  /** The number of the path in each slot, counted from 1; 0 in an empty one. */
  let slots = new Uint32Array(room * 2)
  let used = 0

  /** The slot of the path: its own, or the empty one that it would take. */
  function slotOf(first: number, second: number, third: number): number {
    const last = slots.length - 1
    let hash = Math.imul(first, 0x9e37_79b1) ^ Math.imul(second, 0x85eb_ca6b) ^ Math.imul(third, 0xc2b2_ae35)
    hash ^= hash >>> 15
    hash = Math.imul(hash, 0x2c1b_3c6d)
    for (let slot = (hash ^ (hash >>> 13)) & last; ; slot = (slot + 1) & last) {
      const number = slots[slot]!
      if (number === 0) return slot
      const at = (number - 1) * WIDTH
      if (paths[at] === first && paths[at + 1] === second && paths[at + 2] === third) return slot
    }
  }

  function widen(): void {
    room *= 4 // each time all paths are rehashed
    const before = paths
    paths = new Uint32Array(room * WIDTH)
    paths.set(before)
    slots = new Uint32Array(room * 2)
    for (let number = 1, at = 0; number <= used; number++, at += WIDTH) {
      slots[slotOf(paths[at]!, paths[at + 1]!, paths[at + 2]!)] = number
    }
  }

  each((first, second, third) => {
    if (two.visits[second]! < least || one.visits[first]! < least || (third !== 0 && three.visits[third]! < least)) return
    if (used === room) widen()
    const slot = slotOf(first, second, third)
    let number = slots[slot]!
    if (number === 0) {
      number = ++used
      slots[slot] = number
      paths.set([first, second, third], (number - 1) * WIDTH)
    }
    paths[(number - 1) * WIDTH + 3]!++
  })
  for (let at = 0; at < used * WIDTH; at += WIDTH) see(paths[at]!, paths[at + 1]!, paths[at + 2]!, paths[at + 3]!)
}
