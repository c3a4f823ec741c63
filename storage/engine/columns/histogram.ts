/**
 * Counts integers by value, so that values need not be stored and percentiles are exact. Numbers up to 2^17 (two
 * minutes in ms) are counted in a typed array that grows as needed, others in a map. (Every `!` is inside bounds.)
 */
import type { Column } from './column.ts'

const PLACES = 2 ** 17
const FIRST_PLACES = 2 ** 10

export interface Histogram {
  readonly count: number
  /** @param value an integer from 0 */
  add(value: number, times?: number): void
  /** Adds the values of a column, `to` exclusive. */
  addAll(values: Column, from: number, to: number): void
  /** Calls with every distinct value, in any order. */
  each(use: (value: number, times: number) => void): void
  /** The count of values up to this one, inclusive. */
  upTo(limit: number): number
  /** The value at a rank, from 1. */
  at(rank: number): number
}

export function openHistogram(): Histogram {
  let counts = new Uint32Array(FIRST_PLACES)
  const beyond = new Map<number, number>()
  let count = 0

  function put(value: number, times: number): void {
    if (value >= PLACES) {
      beyond.set(value, (beyond.get(value) ?? 0) + times)
      return
    }
    if (value >= counts.length) {
      const wider = new Uint32Array(2 ** (Math.floor(Math.log2(value)) + 1))
      wider.set(counts)
      counts = wider
    }
    counts[value]! += times
  }

  return {
    get count() {
      return count
    },
    add(value, times = 1) {
      put(value, times)
      count += times
    },
    addAll(values, from, to) {
      for (let i = from; i < to; i++) {
        const value = values[i]!
        if (value < counts.length) counts[value]!++
        else put(value, 1)
      }
      count += to - from
    },
    each(use) {
      for (let value = 0; value < counts.length; value++) if (counts[value] !== 0) use(value, counts[value]!)
      for (const [value, times] of beyond) use(value, times)
    },
    upTo(limit) {
      let many = 0
      for (let value = 0; value < counts.length && value <= limit; value++) many += counts[value]!
      for (const [value, times] of beyond) if (value <= limit) many += times
      return many
    },
    at(rank) {
      let seen = 0
      for (let value = 0; value < counts.length; value++) if ((seen += counts[value]!) >= rank) return value
      for (const [value, times] of [...beyond].sort(([a], [b]) => a - b)) if ((seen += times) >= rank) return value
      return Number.NaN
    },
  }
}

/** Merges histograms. */
export function mergedHistogram(parts: Iterable<Histogram>): Histogram {
  const all = openHistogram()
  for (const part of parts) part.each(all.add)
  return all
}
