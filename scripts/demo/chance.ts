/** Seeded random numbers, the source of everything in the demo. */
export interface Chance {
  /** 0 ≤ n < 1 */
  next(): number
  /** An integer, both ends included. */
  whole(from: number, to: number): number
  hit(probability: number): boolean
  /** Exponentially distributed with this mean: durations and amounts. */
  around(mean: number): number
  one<T>(from: Weighted<T>): T
}

/** Items to draw, with weights. */
export interface Weighted<T> {
  readonly things: readonly T[]
  /** Cumulative weights. */
  readonly sums: readonly number[]
}

export function weighted<T>(pairs: ReadonlyArray<readonly [thing: T, weight: number]>): Weighted<T> {
  let sum = 0
  return { things: pairs.map(([thing]) => thing), sums: pairs.map(([, weight]) => (sum += weight)) }
}

/** Mulberry32: 32 bits of state are enough for traffic. @param seed an integer */
export function chance(seed: number): Chance {
  let state = seed | 0
  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    next,
    whole: (from, to) => from + Math.floor(next() * (to - from + 1)),
    hit: probability => next() < probability,
    around: mean => mean * -Math.log(1 - next()),
    one<T>({ things, sums }: Weighted<T>): T {
      const at = next() * (sums.at(-1) ?? 0)
      const found = things[sums.findIndex(sum => at < sum)]
      if (found === undefined) throw new Error('there is nothing to draw from')
      return found
    },
  }
}
