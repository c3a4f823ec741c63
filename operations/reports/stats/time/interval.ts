import { refused, resolved, type Resolved } from './faults.ts'
import type { Range } from './range.ts'
import { fieldTerm } from '../../../../runtime/texts/message.ts'
import { m } from '../messages.ts'
import { HOUR_MS, MINUTE_MS } from '../../../../storage/values/durations.ts'

/** Every interval of a series, shortest first. */
export const INTERVALS = Object.freeze(['minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const)

export type Interval = (typeof INTERVALS)[number]

export const MAX_POINTS = 2000

const days = ({ fromDay, toDay }: Range): number => toDay - fromDay + 1

// Upper bounds: a range may cut a unit at both ends, and a day of 24.5 hours has an additional, shorter hour.
const points: Readonly<Record<Interval, (range: Range) => number>> = Object.freeze({
  minute: ({ from, to }) => Math.ceil((to - from) / MINUTE_MS) + 2,
  hour: ({ from, to }) => Math.ceil((to - from) / HOUR_MS) + 2,
  day: days,
  week: range => Math.ceil(days(range) / 7) + 1,
  month: range => Math.ceil(days(range) / 28) + 1,
  quarter: range => Math.ceil(days(range) / 90) + 1,
  year: range => Math.ceil(days(range) / 365) + 1,
})

/** `auto`: the first row whose number of days is enough for the range. 48 hours count as two days, even if one of them has 25. */
const AUTO: readonly (readonly [days: number, interval: Interval])[] = Object.freeze([
  [2, 'hour'],
  [92, 'day'],
  [731, 'month'],
  [3653, 'quarter'],
  [Infinity, 'year'],
])

/** Returns the interval, or a fault with fitting ones if it would result in more than 2,000 points. */
export const resolveInterval = (choice: Interval | 'auto', range: Range): Resolved<Interval> => {
  if (choice === 'auto') return resolved(AUTO.find(([limit]) => days(range) <= limit)?.[1] ?? 'year')
  const count = points[choice](range)
  if (count <= MAX_POINTS) return resolved(choice)
  const fitting = INTERVALS.filter(interval => points[interval](range) <= MAX_POINTS)
  const message = m.too_many_points({ field: fieldTerm('interval'), choice, count, most: MAX_POINTS, fitting })
  return refused({ field: 'interval', code: 'too_large', message })
}
