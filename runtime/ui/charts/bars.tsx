/** Counts of a few dozen intervals as bars. */
import { scaleLinear } from 'd3-scale'
import { ui } from '../messages.ts'
import type { Reader } from '../../texts/reader.ts'
import { say } from '../../texts/say.ts'

export interface Bar {
  readonly label: string
  readonly value: number
  /** Whether the interval is not over yet. */
  readonly isPartial: boolean
}

const tenth = (value: number): number => Math.round(value * 10) / 10

interface BarsProps {
  readonly label: string
  readonly bars: readonly Bar[]
  readonly viewer: Reader
  format(value: number): string
}

export function Bars({ label, bars, viewer, format }: BarsProps) {
  const max = Math.max(1, ...bars.map(({ value }) => value))
  const height = scaleLinear([0, max], [0, 100])
  const width = 100 / Math.max(1, bars.length)
  return (
    <figure class="chart">
      <svg class="columns" role="img" aria-label={label}>
        {bars.map(({ label: at, value, isPartial }, i) => (
          <rect
            class={isPartial ? 'partial' : undefined}
            x={`${tenth(i * width)}%`}
            y={`${tenth(100 - height(value))}%`}
            width={`${tenth(width * 0.8)}%`}
            height={`${tenth(height(value))}%`}
          >
            <title>{`${at}: ${format(value)}`}</title>
          </rect>
        ))}
      </svg>
      <p class="ends-of">
        <span>{bars[0]?.label}</span>
        <span>{bars.at(-1)?.label}</span>
      </p>
      <details>
        <summary>{say(viewer, ui.figures)}</summary>
        <section class="scroll" tabindex={0} aria-label={say(viewer, ui.figures_of, { what: label })}>
          <table>
            <tbody>
              {bars.map(({ label: at, value }) => (
                <tr>
                  <th scope="row">{at}</th>
                  <td class="number">{format(value)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </figure>
  )
}
