/** Response times of a check as one series: the mean of its locations, with gaps for times that were not measured. */
import type { Static } from '../../../runtime/table/schema.ts'
import type { UptimeCheckDetail } from './records.ts'

export interface MeanTimes {
  readonly locations: readonly string[]
  /** Locations in the mean. */
  readonly shown: readonly string[]
  readonly points: readonly MeanTime[]
}
interface MeanTime {
  /** Epoch ms. */
  readonly at: number
  /** Milliseconds; null if no probe succeeded. */
  readonly value: number | null
}

/** @param location one of its locations; otherwise the series is the mean of all */
export function meanResponseTimes(check: Static<typeof UptimeCheckDetail>, location = ''): MeanTimes {
  const labels = check.response_times?.labels ?? []
  const series = check.response_times?.series ?? {}
  const locations = Object.keys(series)
  const shown = locations.includes(location) ? [location] : locations
  const measured = labels.map((at, i) => {
    const known = shown.map(name => series[name]?.[i]).filter(value => typeof value === 'number')
    return {
      at: Date.parse(at),
      value: known.length === 0 ? null : Math.round(known.reduce((sum, value) => sum + value, 0) / known.length),
    }
  })
  return { locations, shown, points: withGaps(measured, check.interval_seconds * 1_000) }
}

/** Merges points between which probes are missing into one gap; the normal interval between probes is not a gap. @param every ms between probes */
function withGaps(points: readonly MeanTime[], every: number): MeanTime[] {
  const width = (points[1]?.at ?? 0) - (points[0]?.at ?? 0)
  const longest = 2.5 * Math.max(every, width)
  const known = points.filter(({ value }) => value !== null)
  return known.flatMap((point, i) => {
    const before = known[i - 1]
    return before && point.at - before.at > longest ? [{ at: before.at + width, value: null }, point] : [point]
  })
}
