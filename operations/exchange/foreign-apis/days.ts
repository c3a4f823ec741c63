/** Days of the calendar of a site, for periods of other products. */
import { dateOf, dayOf, localDay } from '../../../storage/calendar/zones.ts'
import { DAY_MS } from '../../../storage/values/durations.ts'
import type { NamedSite } from './named-site.ts'
import { refuse } from './format.ts'

export interface Days {
  readonly from: number
  readonly to: number
}

export const todayOf = ({ timezone }: NamedSite, now: number): number => localDay(timezone, now).day

const LATEST = 253_402_300_799_000 // the end of the year 9999

/** The day of a time of a request, which may be beyond the calendar. @param at epoch ms */
export const dayAt = ({ timezone }: NamedSite, at: number): number => localDay(timezone, Math.min(Math.max(at, 0), LATEST)).day

/** @throws Refused */
export function dayNamed(given: unknown): number {
  const day = typeof given === 'string' && /^\d{4}-\d\d-\d\d$/.test(given) ? dayOf(given) : null
  return day ?? refuse(400, `'${String(given).slice(0, 40)}' is not a day of the calendar. Write it as 2026-10-31.`)
}

/** The first day of the month of a day. @param by months after that one */
export function monthOf(day: number, by = 0): number {
  const [year = 0, month = 1] = dateOf(day).split('-').map(Number)
  const first = new Date(0)
  first.setUTCFullYear(year, month - 1 + by, 1)
  return Math.floor(first.getTime() / DAY_MS)
}

/** Cuts off the days after today. Tomorrow becomes today, because a client may be in a time zone that is ahead. @throws Refused */
export function untilToday({ from, to }: Days, today: number): Days {
  if (from > today + 1) refuse(400, 'The period begins after today.')
  if (to < from) refuse(400, 'The period ends before it begins.')
  return { from: Math.min(from, today), to: Math.min(to, today) }
}

/** `period` to `to` of our reports. @throws Refused */
export function periodOfDays(days: Days, today: number): Readonly<Record<string, string>> {
  const { from, to } = untilToday(days, today)
  return { period: 'custom', from: dateOf(from), to: dateOf(to) }
}
