/**
 * Memory that is reused from day to day and report to report. Allocating arrays for each day would create up to 100 MB
 * of garbage a second, and the collector's threads would delay hits. Nothing here is shared between threads: each has
 * its own.
 */

/** An array of this length with arbitrary contents, valid until the next call. */
export type ReusedBuffer<List> = (length: number) => List
type List = Uint8Array | Uint32Array | Float64Array

export function reusedBuffer(kind: Uint8ArrayConstructor): ReusedBuffer<Uint8Array>
export function reusedBuffer(kind: Uint32ArrayConstructor): ReusedBuffer<Uint32Array>
export function reusedBuffer(kind: Float64ArrayConstructor): ReusedBuffer<Float64Array>
export function reusedBuffer(kind: new (length: number) => List): ReusedBuffer<List> {
  let buffer = new kind(0)
  return length => {
    if (buffer.length < length) buffer = new kind(Math.ceil(length * 1.5))
    return buffer.subarray(0, length)
  }
}

/** The column, copied if it has another kind: a loop over arrays of several kinds takes three times as long. */
export function asUint32(column: ArrayLike<number>, copies: ReusedBuffer<Uint32Array>): Uint32Array {
  if (column instanceof Uint32Array) return column
  const copy = copies(column.length)
  copy.set(column)
  return copy
}

/** Zeros of this length, for counting. */
export type Zeros = (length: number) => Float64Array

/** The counters of one query, taken from a pool. */
export interface Counters {
  readonly zeros: Zeros
  /** Returns all of them to the pool; they must not be read afterwards. */
  release(): void
}

export interface CounterPool {
  take(): Counters
}

/** Shorter arrays are not worth pooling. */
const SHORT = 500
/** Numbers kept in the pool: 8 MB. */
const MAX_FREE = 1_000_000

export function openCounterPool(): CounterPool {
  const free: Float64Array[] = []
  return {
    take() {
      const taken: Float64Array[] = []
      return {
        zeros(length) {
          if (length < SHORT) return new Float64Array(length)
          const place = free.findIndex(array => array.length >= length && array.length < length * 3)
          const [array = new Float64Array(Math.ceil(length * 1.5))] = place === -1 ? [] : free.splice(place, 1)
          taken.push(array)
          return array.subarray(0, length).fill(0)
        },
        release() {
          if (taken.length === 0) return
          free.unshift(...taken.splice(0))
          let left = MAX_FREE
          const beyond = free.findIndex(array => (left -= array.length) < 0)
          if (beyond !== -1) free.length = beyond
        },
      }
    },
  }
}
