/**
 * The days that a report covers, and the time at which it is sent. The calendar of its first site decides the days. Each
 * site counts them in its own time zone, so the report is sent when the last site reaches its hour.
 */
import { Temporal } from 'temporal-polyfill'
import { dateOf, dayStart, localDay } from '../../../storage/calendar/zones.ts'
import { startOf } from '../../reports/stats/index.ts'

export const frequencies = ['daily', 'weekly', 'monthly'] as const
export type Frequency = (typeof frequencies)[number]

/** Days since 1970-01-01, both included. */
export interface Period {
  readonly from: number
  readonly to: number
}

export interface Schedule {
  readonly frequency: Frequency
  /** Hour of the day, 0 to 23. */
  readonly hour: number
  /** Its sites in order, at least one. */
  readonly sites: readonly { readonly timezone: string; readonly week_start: number }[]
}

const units = { daily: 'day', weekly: 'week', monthly: 'month' } as const

/** The day, week or month that contains this day, moved by `by` periods. */
export function periodAt({ frequency, sites }: Schedule, day: number, by = 0): Period {
  const [unit, weekStart] = [units[frequency], sites[0]?.week_start]
  return { from: startOf({ unit, day, by, weekStart }), to: startOf({ unit, day, by: by + 1, weekStart }) - 1 }
}

export const after = (schedule: Schedule, { to }: Period): Period => periodAt(schedule, to + 1)
export const before = (schedule: Schedule, { from }: Period): Period => periodAt(schedule, from - 1)

/**
 * The period that was planned with this first day. If the week of the site now begins on another day, the week that
 * contains most of the planned one.
 */
export const plannedPeriod = (schedule: Schedule, firstDay: number): Period =>
  periodAt(schedule, schedule.frequency === 'weekly' ? firstDay + 3 : firstDay)

/** The time at which the report of these days is sent, epoch ms: on the day after them. If the clock skips the hour, the next hour. */
export const dueAt = ({ sites, hour }: Schedule, { to }: Period): number =>
  Math.max(...sites.map(({ timezone }) => atHour(timezone, to + 1, hour)))

function atHour(timeZone: string, day: number, hour: number): number {
  const plainTime = Temporal.PlainTime.from({ hour })
  return Temporal.PlainDate.from(dateOf(day)).toZonedDateTime({ timeZone, plainTime }).epochMilliseconds
}

/** The time at which these days have ended in all sites, epoch ms. */
const overAt = ({ sites }: Schedule, { to }: Period): number => Math.max(...sites.map(({ timezone }) => dayStart(timezone, to + 1)))

/** A day that a calendar leaves out (Pacific/Apia had no 2011-12-30) has no report. */
const exists = ({ sites }: Schedule, { from, to }: Period): boolean =>
  sites.some(({ timezone }) => dayStart(timezone, from) < dayStart(timezone, to + 1))

const today = ({ sites }: Schedule, now: number): number => localDay(sites[0]?.timezone ?? 'UTC', now).day

/** The next period that has any time in it. */
export function nextPeriod(schedule: Schedule, period: Period): Period {
  const next = after(schedule, period)
  return exists(schedule, next) ? next : nextPeriod(schedule, next)
}

/** The first period whose report was not sent yet. @param now epoch ms */
export function upcoming(schedule: Schedule, now: number): Period {
  let period = periodAt(schedule, today(schedule, now), -2)
  while (dueAt(schedule, period) <= now) period = nextPeriod(schedule, period)
  return period
}

/** The latest period that has ended. @param now epoch ms */
export function latestOver(schedule: Schedule, now: number): Period {
  let period = periodAt(schedule, today(schedule, now))
  while (overAt(schedule, period) > now || !exists(schedule, period)) period = before(schedule, period)
  return period
}
