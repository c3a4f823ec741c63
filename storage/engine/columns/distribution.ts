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

/**
 * Percentiles are interpolated (R's type 7, PERCENTILE.INC of spreadsheets).
 * @param counted each distinct number and its count; not empty
 */
export function distributionOf(counted: readonly (readonly [value: number, times: number])[]): Distribution {
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
