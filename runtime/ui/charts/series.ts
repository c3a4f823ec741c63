/** Points of a report over time as points of a chart. */
import { type PointInterval, pointLabel, type Viewer } from '../format.ts'
import type { ChartPoint } from './line.tsx'

interface Dated {
  /** ISO 8601 with the offset of the site; null for a compared point that does not exist. */
  readonly at: string | null
  /** Whether the point is not over yet, or cut by the period. */
  readonly partial: boolean
}

interface Series<P, B> {
  readonly interval: PointInterval
  readonly series: readonly P[]
  /** The same number of points of the range compared with. */
  readonly before?: readonly B[] | undefined
}

/** @param valueOf undefined counts as 0, null as not measured */
export const chartPoints = <P extends Dated, B extends Dated = P>(
  { interval, series, before = [] }: Series<P, B>,
  valueOf: (point: P | B) => number | null | undefined,
  viewer: Viewer,
): ChartPoint[] =>
  series.map((point, i) => {
    const value = valueOf(point)
    const other = before[i]?.at == null ? undefined : before[i] // there is no 31 September
    return {
      label: pointLabel(point.at ?? '', interval, viewer),
      value: value === undefined ? 0 : value,
      before: (other && valueOf(other)) ?? null,
      beforeLabel: other && pointLabel(other.at ?? '', interval, viewer),
      isPartial: point.partial,
    }
  })
