/** Days of the calendar of a site, for periods of other products. */
import { dateOf, dayOf, localDay } from '../../../storage/calendar/zones.ts'
import type { NamedSite } from './named-site.ts'
import { refuse } from './format.ts'

export interface Days {
  readonly from: number
  readonly to: number
}

export const todayOf = ({ timezone }: NamedSite, now: number): number => localDay(timezone, now).day

/** @throws Refused */
export function dayNamed(given: unknown): number {
  const day = typeof given === 'string' && /^\d{4}-\d\d-\d\d$/.test(given) ? dayOf(given) : null
  return day ?? refuse(400, `'${String(given).slice(0, 40)}' is no day of the calendar. Write it as 2026-10-31.`)
}

/** The first day of the month of a day. @param by months after that one */
export function monthOf(day: number, by = 0): number {
  const [year = 0, month = 1] = dateOf(day).split('-').map(Number)
  const first = new Date(0)
  first.setUTCFullYear(year, month - 1 + by, 1)
  return Math.floor(first.getTime() / 86_400_000)
}

/** `period` to `to` of our reports: not beyond today, and not before the first year that has days. */
export function periodOfDays({ from, to }: Days, today: number): Readonly<Record<string, string>> {
  if (to < from) refuse(400, 'The period ends before it begins.')
  return { period: 'custom', from: dateOf(Math.min(from, today)), to: dateOf(Math.min(to, today)) }
}
