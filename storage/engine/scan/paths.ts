/**
 * Paths of visits, up to three steps. Steps are counted at once. Paths of two and three steps mostly differ and are only
 * recorded: reports need few of them, and the counts of their steps exclude most others. (Every `!` is inside bounds.)
 */

/** Receives a visit's path of two or three steps, as ids of pages + 1; the third is 0 where the visit ended before it. */
export type SeePath = (first: number, second: number, third: number) => void

/** Visits that reached a step and those that ended there, by its page. */
export interface StepCounts {
  readonly visits: Uint32Array
  readonly ended: Uint32Array
}

export interface Paths {
  readonly steps: readonly [StepCounts, StepCounts, StepCounts]
  /** @param onward the visit continued after the third step */
  add(first: number, second: number, third: number, onward: boolean): void
  /** Calls with every path of more than one step, unless they were not to be kept. */
  each(see: SeePath): void
}

const WIDTH = 3
const CHUNK = WIDTH * 8192

/**
 * @param places upper bound of the steps
 * @param isKept whether paths are needed in addition to the counts of steps
 */
export function openPaths(places: number, isKept: boolean): Paths {
  const countsOfStep = (): StepCounts => ({ visits: new Uint32Array(places), ended: new Uint32Array(places) })
  const [one, two, three] = [countsOfStep(), countsOfStep(), countsOfStep()] as const
  const full: Uint32Array[] = []
  let chunk = new Uint32Array(CHUNK)
  let used = 0

  function keep(first: number, second: number, third: number): void {
    if (used === CHUNK) {
      full.push(chunk)
      chunk = new Uint32Array(CHUNK)
      used = 0
    }
    chunk[used] = first
    chunk[used + 1] = second
    chunk[used + 2] = third
    used += WIDTH
  }

  function eachOf(part: Uint32Array, length: number, see: SeePath): void {
    for (let at = 0; at < length; at += WIDTH) see(part[at]!, part[at + 1]!, part[at + 2]!)
  }

  return {
    steps: [one, two, three],
    add(first, second, third, onward) {
      one.visits[first]!++
      if (second === 0) {
        one.ended[first]!++
        return
      }
      two.visits[second]!++
      if (third === 0) two.ended[second]!++
      else {
        three.visits[third]!++
        if (!onward) three.ended[third]!++
      }
      if (isKept) keep(first, second, third)
    },
    each(see) {
      for (const part of full) eachOf(part, CHUNK, see)
      eachOf(chunk, used, see)
    },
  }
}
