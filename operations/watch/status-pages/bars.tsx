/** Availability of a check by the day, and its response times, as pictures without a script. */
import type { Day } from './status.ts'
import { uptimeOf } from './render.ts'
import type { PageWords } from './words.ts'

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
 * A bar for each day. Good days are one path and unknown ones another, which keeps a page with a hundred checks small;
 * days with downtime say how much.
 */
export function Bars({ name, days, words }: { name: string; days: readonly DatedDay[]; words: PageWords }) {
  const { say, utcDay, duration } = words
  const pathOf = (fits: (day: DatedDay) => boolean) => days.map((day, i) => (fits(day) ? bar(i) : '')).join('')
  const bad = days.filter(({ times }) => times !== null && times.down_ms > 0).length
  const known = days.filter(({ times }) => times !== null).length
  const says =
    known === 0
      ? say('{name}: nothing is known yet', { name })
      : say(bad === 0 ? '{name}: no downtime, days looked at: {known}' : '{name}: days with downtime: {bad} of {known}', {
          name,
          bad,
          known,
        })
  return (
    <svg class="days" viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={says}>
      <path class="is-up" d={pathOf(isGood)} />
      <path class="is-unknown" d={pathOf(({ times }) => times === null)} />
      {days.map(({ day, times }, i) =>
        times !== null && times.down_ms > 0 ? (
          <rect class={(uptimeOf([times]) ?? 0) < 95 ? 'is-down' : 'is-partly'} x={i * STEP} y={0} width={WIDTH} height={HEIGHT}>
            <title>{say('{day}: down for {time}', { day: utcDay(day), time: duration(times.down_ms) })}</title>
          </rect>
        ) : null,
      )}
    </svg>
  )
}

/** Days with downtime as text, latest first: for those who cannot see the bars, or have no pointer to ask them with. */
export function BadDays({ days, words: { say, utcDay, duration } }: { days: readonly DatedDay[]; words: PageWords }) {
  const bad = days.filter(({ times }) => times !== null && times.down_ms > 0).toReversed()
  if (bad.length === 0) return null
  return (
    <details class="bad-days">
      <summary>{bad.length === 1 ? say('1 day with downtime') : say('{count} days with downtime', { count: bad.length })}</summary>
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

/** Response times by the hour as a line; it stops where nothing answered. */
export function ResponseLine({ name, points, average, words: { say } }: ResponseProps) {
  const most = Math.max(1, ...points.map(point => point ?? 0))
  let isDrawing = false
  const line = points
    .map((point, i) => {
      const command = point === null ? '' : `${isDrawing ? 'L' : 'M'}${i * 10} ${Math.round((1 - point / most) * 26) + 2}`
      isDrawing = point !== null
      return command
    })
    .join('')
  return (
    <p class="responses">
      <svg
        viewBox="0 0 230 30"
        preserveAspectRatio="none"
        role="img"
        aria-label={say('{name}: response times of the last 24 hours', { name })}
      >
        <path d={line} />
      </svg>
      <span>{say('{average} ms on average in 24 hours', { average })}</span>
    </p>
  )
}
