/** Ranges of days in the site's calendar, and what they are as input of a report. */
import { calendar, type PeriodName } from '../../../reports/stats/index.ts'
import { dateOf, localDay } from '../../../../storage/calendar/zones.ts'
import type { Message } from '../../../../runtime/texts/message.ts'
import { m } from '../messages.ts'

export type DayUnit = 'day' | 'week' | 'month' | 'quarter' | 'year'

export interface Days {
  /** Days by number (zones.ts), both included. */
  readonly from: number
  readonly to: number
  /** The calendar unit that it is, or the part of one that has been. */
  readonly unit?: DayUnit
  /** As reports name it. */
  readonly period?: Exclude<PeriodName, 'custom'>
  /** As people say it: `last week`; undefined if the dates say it all. */
  readonly words?: Message
}

/** The calendar that a question is asked in. */
export interface Today {
  readonly zone: string
  readonly weekStart: number
  /** By number. */
  readonly today: number
}

export const todayIn = (site: { readonly timezone: string; readonly week_start: number }, now: number): Today => ({
  zone: site.timezone,
  weekStart: site.week_start,
  today: localDay(site.timezone, now).day,
})

/** The current unit, as people say it. */
export const thisUnit: Readonly<Record<DayUnit, () => Message>> = {
  day: m.today,
  week: m.this_week,
  month: m.this_month,
  quarter: m.this_quarter,
  year: m.this_year,
}
/** The one before. */
export const lastUnit: Readonly<Record<DayUnit, () => Message>> = {
  day: m.yesterday,
  week: m.last_week,
  month: m.last_month,
  quarter: m.last_quarter,
  year: m.last_year,
}

interface UnitAt {
  readonly unit: DayUnit
  readonly today: Today
  readonly by: number
  readonly words?: Message | undefined
}

/** The unit that a day lies in, `by` units away, as far as it has been. */
export function unitAt({ unit, today: { today, weekStart }, by, words }: UnitAt): Days {
  const from = calendar.startOf({ unit, day: today, by, weekStart })
  const to = calendar.startOf({ unit, day: from, by: 1, weekStart }) - 1
  const period = periodOfUnit[`${unit} ${by}`]
  return { from, to: Math.min(to, today), unit, ...(period && { period }), ...(words !== undefined && { words }) }
}
const periodOfUnit: Readonly<Record<string, Days['period']>> = {
  'day 0': 'today',
  'day -1': 'yesterday',
  'month 0': 'mtd',
  'month -1': 'last_month',
  'quarter 0': 'qtd',
  'quarter -1': 'last_quarter',
  'year 0': 'ytd',
  'year -1': 'last_year',
}

/** The unit that begins on this day, named where reports have a name for it. */
export function unitFrom(unit: DayUnit, from: number, today: Today): Days {
  for (const by of [0, -1]) {
    const near = unitAt({ unit, today, by })
    if (near.from === from) return near
  }
  return { from, to: Math.min(calendar.startOf({ unit, day: from, by: 1, weekStart: today.weekStart }) - 1, today.today), unit }
}

const periodOfLength: Readonly<Record<number, Days['period']>> = { 7: '7d', 14: '14d', 28: '28d', 30: '30d', 90: '90d' }

/** The last days, today included. */
export const lastDays = (count: number, { today }: Today): Days => {
  const period = periodOfLength[count]
  return { from: today - count + 1, to: today, words: m.last_days({ count }), ...(period && { period }) }
}

/** The last calendar months, counted back from today's date. */
export function lastMonths(count: number, today: Today): Days {
  if (count === 12)
    return {
      from: calendar.startOf({ unit: 'month', day: today.today, by: -11 }),
      to: today.today,
      period: '12mo',
      words: m.last_months({ count }),
    }
  return { from: monthsBefore(today.today, count) + 1, to: today.today, words: m.last_months({ count }) }
}

/** The same date, or the last of a month that is too short. */
export function monthsBefore(day: number, months: number): number {
  const month = calendar.startOf({ unit: 'month', day })
  const then = calendar.startOf({ unit: 'month', day: month, by: -months })
  return Math.min(then + day - month, calendar.startOf({ unit: 'month', day: then, by: 1 }) - 1)
}

export const inputOf = ({ period, from, to }: Days): Record<string, string> =>
  period === undefined ? { period: 'custom', from: dateOf(from), to: dateOf(to) } : { period }
