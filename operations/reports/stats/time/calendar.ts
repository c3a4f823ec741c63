/** Arithmetic of weeks, months, quarters and years on day numbers, independent of time zones. */
import { DAY_MS } from '../../../../storage/values/durations.ts'

export type CalendarUnit = 'day' | 'week' | 'month' | 'quarter' | 'year'

export const MONDAY = 1

const MONTHS = Object.freeze({ month: 1, quarter: 3, year: 12 })

const modulo = (n: number, by: number): number => ((n % by) + by) % by

/** Returns the ISO weekday: 1 is Monday, 7 is Sunday. */
export const weekday = (day: number): number => modulo(day + 3, 7) + 1 // 1970-01-01 was a Thursday

/** Returns the days since the last `ofWeekday` on or before a day: 0 to 6. */
export const daysSince = (ofWeekday: number, day: number): number => modulo(weekday(day) - ofWeekday, 7)

interface StartOf {
  readonly unit: CalendarUnit
  readonly day: number
  readonly by?: number | undefined
  readonly weekStart?: number | undefined
}

/** Returns the first day of the unit that contains a day, or of the unit `by` units later. `weekStart` is an ISO weekday. */
export const startOf = ({ unit, day, by = 0, weekStart = MONDAY }: StartOf): number => {
  if (unit === 'day') return day + by
  if (unit === 'week') return day - daysSince(weekStart, day) + 7 * by
  const date = new Date(day * DAY_MS)
  const months = (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth()
  const size = MONTHS[unit]
  return Date.UTC(1970, (Math.floor(months / size) + by) * size) / DAY_MS
}

/** Returns the same date one year earlier; 29 February becomes 28 February. */
export const yearBefore = (day: number): number => {
  const month = startOf({ unit: 'month', day })
  const lastYears = startOf({ unit: 'month', day: month, by: -12 })
  return Math.min(lastYears + day - month, startOf({ unit: 'month', day: lastYears, by: 1 }) - 1)
}
