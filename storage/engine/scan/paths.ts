/**
 * Paths of visits, up to ten steps. Steps are counted at once. Paths of more than one step mostly differ and are only recorded:
 * reports need few of them, and the counts of their steps exclude most others. (Every `!` is inside bounds.)
 */

/**
 * Receives the path of a visit as ids of pages + 1, which are in `ids` from `at` on. @param place of the path, which does not change
 */
export type SeePath = (ids: Uint32Array, at: number, length: number, place: number) => void

/** Visits that reached a step and those that ended there, by its page. */
export interface StepCounts {
  readonly visits: Uint32Array
  readonly ended: Uint32Array
}

export interface Paths {
  readonly steps: readonly StepCounts[]
  /** @param length at most as many as there are steps @param onward the visit continued after the last step */
  add(path: Uint32Array, length: number, onward: boolean): void
  /** Calls with every path of more than one step, unless they were not to be kept. */
  each(see: SeePath): void
  /** Calls with one of them, by its place. */
  at(place: number, see: SeePath): void
}

/** Numbers in a piece of memory: a path is its length and its steps, and lies in one piece. */
const CHUNK = 2 ** 15

/**
 * @param places upper bound of the steps
 * @param isKept whether paths are needed in addition to the counts of steps
 */
export function openPaths(count: number, places: number, isKept: boolean): Paths {
  const steps = Array.from({ length: count }, (): StepCounts => ({ visits: new Uint32Array(places), ended: new Uint32Array(places) }))
  const chunks: Uint32Array[] = [new Uint32Array(CHUNK)]
  let used = 0

  function keep(path: Uint32Array, length: number): void {
    if (used + length >= CHUNK) {
      chunks.push(new Uint32Array(CHUNK)) // the rest of the one before is 0: no path
      used = 0
    }
    const chunk = chunks.at(-1)!
    chunk[used++] = length
    for (let i = 0; i < length; i++) chunk[used++] = path[i]!
  }

  return {
    steps,
    add(path, length, onward) {
      for (let i = 0; i < length; i++) steps[i]!.visits[path[i]!]!++
      if (length < count || !onward) steps[length - 1]!.ended[path[length - 1]!]!++
      if (isKept && length > 1) keep(path, length)
    },
    each(see) {
      for (const [c, chunk] of chunks.entries()) {
        for (let at = 0; at < CHUNK && chunk[at] !== 0; at += chunk[at]! + 1) see(chunk, at + 1, chunk[at]!, c * CHUNK + at)
      }
    },
    at(place, see) {
      const chunk = chunks[Math.floor(place / CHUNK)]!
      const at = place % CHUNK
      see(chunk, at + 1, chunk[at]!, place)
    },
  }
}
