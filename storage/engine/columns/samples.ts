/**
 * Numbers of many groups, kept as they are: a histogram of each group would take more memory than its few numbers.
 * (Every `!` is inside bounds.)
 */
export interface Samples {
  readonly count: number
  /** @param value an integer from 0 to 2^32 */
  add(value: number): void
  /** The value at a rank, from 1. */
  at(rank: number): number
}

const FIRST_PLACES = 8

export function openSamples(): Samples {
  let values = new Uint32Array(FIRST_PLACES)
  let count = 0
  let sorted = true
  return {
    get count() {
      return count
    },
    add(value) {
      if (count === values.length) {
        const wider = new Uint32Array(count * 2)
        wider.set(values)
        values = wider
      }
      values[count++] = value
      sorted = false
    },
    at(rank) {
      if (!sorted) values.subarray(0, count).sort()
      sorted = true
      return values[rank - 1]!
    },
  }
}
