/**
 * How often each whole number came: the values themselves need not be kept, and percentiles are exact. Numbers up to
 * 2^17 (two minutes in ms) have a place in a typed array that grows with the highest of them, others in a map.
 */
const PLACES = 2 ** 17
const FIRST_PLACES = 2 ** 10

export interface Histogram {
  readonly count: number
  /** @param value a whole number from 0 */
  add(value: number, times?: number): void
  /** Every value and how often it came, lowest first. */
  entries(): Iterable<readonly [value: number, times: number]>
  /** How many were at most this. */
  upTo(limit: number): number
  /** The value at a rank, from 1. */
  at(rank: number): number
}

export function openHistogram(): Histogram {
  let counts = new Uint32Array(FIRST_PLACES)
  const beyond = new Map<number, number>()
  let count = 0

  function* inOrder(): Generator<readonly [value: number, times: number]> {
    for (const [value, times] of counts.entries()) if (times > 0) yield [value, times]
    yield* [...beyond].sort(([a], [b]) => a - b)
  }
  return {
    get count() { return count },
    entries: inOrder,
    add(value, times = 1) {
      count += times
      if (value >= PLACES) {
        beyond.set(value, (beyond.get(value) ?? 0) + times)
        return
      }
      if (value >= counts.length) {
        const wider = new Uint32Array(2 ** (Math.floor(Math.log2(value)) + 1))
        wider.set(counts)
        counts = wider
      }
      counts[value]! += times // inside: widened above
    },
    upTo(limit) {
      let many = 0
      for (const [value, times] of inOrder()) if (value <= limit) many += times
      return many
    },
    at(rank) {
      let seen = 0
      for (const [value, times] of inOrder()) {
        seen += times
        if (seen >= rank) return value
      }
      return Number.NaN
    },
  }
}

/** All of them as one. */
export function together(parts: readonly Histogram[]): Histogram {
  const all = openHistogram()
  for (const part of parts) for (const [value, times] of part.entries()) all.add(value, times)
  return all
}
