/** Availability of a check by the day, and its response times, as images without a script. */
import type { Day } from './status.ts'
import { uptimeOf } from './render.ts'
import type { PageWords } from './page-words.ts'
import { m } from './messages.ts'

const STEP = 5
const WIDTH = 3.6
const HEIGHT = 32

export interface DatedDay {
  readonly day: number
  readonly times: Day | null
}

const bar = (i: number): string => `M${i * STEP} 0h${WIDTH}v${HEIGHT}h-${WIDTH}z`
const isGood = ({ times }: DatedDay): boolean => times !== null && times.down_ms === 0

/**
 * Draws a bar for each day. Good days share one path, and unknown days another, which keeps a page with a hundred checks
 * small. Days with downtime have a tooltip with its length.
 */
export function Bars({ name, days, words }: { name: string; days: readonly DatedDay[]; words: PageWords }) {
  const { say, utcDay, duration } = words
  const pathOf = (fits: (day: DatedDay) => boolean) => days.map((day, i) => (fits(day) ? bar(i) : '')).join('')
  const bad = days.filter(({ times }) => times !== null && times.down_ms > 0).length
  const known = days.filter(({ times }) => times !== null).length
  const says =
    known === 0
      ? say(m.name_nothing_is_known_yet, { name })
      : bad === 0
        ? say(m.no_downtime, { name, known })
        : say(m.downtime_days, { name, bad, known })
  return (
    <svg class="days" viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={says}>
      <path class="is-up" d={pathOf(isGood)} />
      <path class="is-unknown" d={pathOf(({ times }) => times === null)} />
      {days.map(({ day, times }, i) =>
        times !== null && times.down_ms > 0 ? (
          <rect class={(uptimeOf([times]) ?? 0) < 95 ? 'is-down' : 'is-partly'} x={i * STEP} y={0} width={WIDTH} height={HEIGHT}>
            <title>{say(m.day_down_for_time, { day: utcDay(day), time: duration(times.down_ms) })}</title>
          </rect>
        ) : null,
      )}
    </svg>
  )
}

/** Days with downtime as text, latest first, for readers who cannot see the bars or have no pointer. */
export function BadDays({ days, words: { say, utcDay, duration } }: { days: readonly DatedDay[]; words: PageWords }) {
  const bad = days.filter(({ times }) => times !== null && times.down_ms > 0).toReversed()
  if (bad.length === 0) return null
  return (
    <details class="bad-days">
      <summary>{bad.length === 1 ? say(m.n1_day_with_downtime) : say(m.count_days_with_downtime, { count: bad.length })}</summary>
      <ul>
        {bad.map(({ day, times }) => (
          <li>
            {utcDay(day)}: {duration(times?.down_ms ?? 0)}
          </li>
        ))}
      </ul>
    </details>
  )
}

interface ResponseProps {
  readonly name: string
  readonly points: readonly (number | null)[]
  readonly average: number
  readonly words: PageWords
}

/** Response times by the hour as a line; the line is interrupted for hours without a response. */
export function ResponseLine({ name, points, average, words: { say } }: ResponseProps) {
  const max = Math.max(1, ...points.map(point => point ?? 0))
  let isDrawing = false
  const line = points
    .map((point, i) => {
      const command = point === null ? '' : `${isDrawing ? 'L' : 'M'}${i * 10} ${Math.round((1 - point / max) * 26) + 2}`
      isDrawing = point !== null
      return command
    })
    .join('')
  return (
    <p class="speed">
      <svg viewBox="0 0 230 30" preserveAspectRatio="none" role="img" aria-label={say(m.response_times_label, { name })}>
        <path d={line} />
      </svg>
      <span>{say(m.average_response_time, { average })}</span>
    </p>
  )
}
