/** Exact statistics of numbers, computed from the count of each distinct number. */

export interface Distribution {
  readonly count: number
  readonly sum: number
  readonly mean: number
  readonly median: number
  readonly p90: number
  readonly min: number
  readonly max: number
}

/** From here on sums and differences may leave what a number can hold: a power of two takes them back, exactly. */
const HUGE = 2 ** 900
const SCALE = 2 ** -100

/**
 * Percentiles are interpolated (R's type 7, PERCENTILE.INC of spreadsheets). A sum beyond the largest number is that.
 * @param counted each distinct number and its count; finite, not empty
 */
export function distributionOf(counted: readonly (readonly [value: number, times: number])[]): Distribution {
  if (!counted.some(([value]) => Math.abs(value) > HUGE)) return ofNumbers(counted)
  const { count, ...small } = ofNumbers(counted.map(([value, times]) => [value * SCALE, times]))
  const large = (value: number) => Math.min(Math.max(value / SCALE, -Number.MAX_VALUE), Number.MAX_VALUE)
  const { sum, mean, median, p90, min, max } = small
  return { count, sum: large(sum), mean: large(mean), median: large(median), p90: large(p90), min: large(min), max: large(max) }
}

function ofNumbers(counted: readonly (readonly [value: number, times: number])[]): Distribution {
  const sorted = counted.toSorted(([a], [b]) => a - b)
  const count = sorted.reduce((sum, [, times]) => sum + times, 0)
  const sum = sorted.reduce((total, [value, times]) => total + value * times, 0)

  /** The number at an index of the sorted list, from 0. */
  function at(place: number): number {
    let seen = 0
    for (const [value, times] of sorted) if ((seen += times) > place) return value
    return sorted.at(-1)?.[0] ?? 0
  }
  function percentile(share: number): number {
    const place = (count - 1) * share
    const [below, above] = [at(Math.floor(place)), at(Math.ceil(place))]
    return below + (above - below) * (place - Math.floor(place))
  }
  return {
    count,
    sum,
    mean: sum / count,
    median: percentile(0.5),
    p90: percentile(0.9),
    min: at(0),
    max: at(count - 1),
  }
}
