/** Confidence intervals on one scale, so that they can be compared, with a line where nothing changes. */
import { scaleLinear } from 'd3-scale'

export interface Span {
  readonly from: number
  readonly to: number
}
/** @returns a drawing of one span on the scale of all of them */
export function intervalScale(spans: readonly Span[]) {
  const furthest = Math.max(1, ...spans.flatMap(({ from, to }) => [Math.abs(from), Math.abs(to)]))
  const x = scaleLinear([-furthest, furthest], [2, 98]).clamp(true)
  const at = (value: number): string => `${Math.round(x(value) * 10) / 10}%`
  return function Interval({ span, middle, kind }: { span: Span | undefined; middle: number | undefined; kind: 'good' | 'bad' | 'plain' }) {
    return (
      <svg class={`interval ${kind}`} aria-hidden="true" focusable="false">
        <line class="zero" x1={at(0)} x2={at(0)} y1="0" y2="100%" />
        {span && <line class="span" x1={at(span.from)} x2={at(span.to)} y1="50%" y2="50%" />}
        {middle !== undefined && <circle cx={at(middle)} cy="50%" r="5" />}
      </svg>
    )
  }
}
