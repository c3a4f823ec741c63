/** A series in little room, without an axis. */
import { area, curveMonotoneX, line } from 'd3-shape'

interface SparklineProps {
  readonly values: readonly number[]
  /** Whether the last value is not over yet; it is then left out, as it would look like a fall. */
  readonly isPartial?: boolean
}

export function Sparkline({ values, isPartial = false }: SparklineProps) {
  const shown = isPartial && values.length > 2 ? values.slice(0, -1) : values
  if (shown.length < 2 || shown.every(value => value === 0)) return null
  const max = Math.max(1, ...shown)
  const x = (_: number, i: number): number => Math.round((1_000 * i) / (shown.length - 1)) / 10
  const y = (value: number): number => Math.round(950 - (900 * value) / max) / 10
  return (
    <svg class="spark plot" viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true" focusable="false">
      <path class="shade" d={area<number>().curve(curveMonotoneX).x(x).y0(100).y1(y)([...shown]) ?? ''} />
      <path class="now" d={line<number>().curve(curveMonotoneX).x(x).y(y)([...shown]) ?? ''} />
    </svg>
  )
}
