/** Seeded random numbers (sfc32), and draws from weighted lists. */
export interface Chance {
  /** 0 ≤ n < 1. */
  next(): number
  /** Draws an index of a list of weights, in constant time (Vose's alias method). */
  weighted(weights: readonly number[]): () => number
  /** Draws an index below n with weights 1 / (i + 1) ** s. */
  zipf(n: number, s: number): () => number
}

export function chance(seed: number): Chance {
  let [a, b, c, counter] = [0x9e3779b9 ^ seed, 0x243f6a88, 0xb7e15162, 1]
  const next = (): number => {
    const t = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + t) | 0
    return (t >>> 0) / 2 ** 32
  }
  for (let i = 0; i < 20; i++) next()

  function weighted(weights: readonly number[]): () => number {
    const sum = weights.reduce((total, weight) => total + weight, 0)
    const share = weights.map(weight => (weight * weights.length) / sum)
    const other = new Int32Array(weights.length)
    const small = [...share.keys()].filter(i => (share[i] ?? 0) < 1)
    const large = [...share.keys()].filter(i => (share[i] ?? 0) >= 1)
    for (let less = small.pop(), more = large.at(-1); less !== undefined && more !== undefined; more = large.at(-1)) {
      other[less] = more
      const left = (share[more] ?? 0) + (share[less] ?? 0) - 1
      share[more] = left
      if (left < 1) small.push(large.pop() ?? more)
      less = small.pop()
    }
    return () => {
      const i = Math.floor(next() * weights.length)
      return next() < (share[i] ?? 1) ? i : (other[i] ?? i)
    }
  }

  return {
    next,
    weighted,
    zipf: (n, s) => weighted(Array.from({ length: n }, (_, i) => (i + 1) ** -s)),
  }
}
