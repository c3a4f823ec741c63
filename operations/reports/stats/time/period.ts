import { dayTerm, fieldTerm, type Message } from '../../../../runtime/texts/message.ts'
import { dateOf, dayStart, localDay } from '../../../../storage/calendar/zones.ts'
import { DAY_MS } from '../../../../storage/values/durations.ts'
import { m } from '../messages.ts'
import { startOf } from './calendar.ts'
import { customDays, strayDates } from './custom.ts'
import { type Fault, refused, resolved, type Resolved } from './faults.ts'
import { daysUntilNow, type Days, nextMinute, type Range, type SiteClock } from './range.ts'

/** Every value of `period`, in the order of the API. */
export const PERIODS = Object.freeze([
  'today',
  'yesterday',
  '24h',
  '7d',
  '14d',
  '28d',
  '30d',
  '90d',
  'this_week',
  'last_week',
  'mtd',
  'this_month',
  'last_month',
  'qtd',
  'last_quarter',
  'ytd',
  'this_year',
  '12mo',
  'last_year',
  'all',
  'custom',
] as const)

export type Period = (typeof PERIODS)[number]

/** A year, month, ISO week or quarter of the calendar: `2026`, `2026-10`, `2026-W47`, `2026-Q4`. */
export const CALENDAR_PERIOD = /^\d{4}(-(0[1-9]|1[0-2]|W(0[1-9]|[1-4]\d|5[0-3])|Q[1-4]))?$/
export const CALENDAR_PERIODS = Object.freeze(['2026', '2026-10', '2026-W47', '2026-Q4'] as const)

export const isPeriod = (text: string): boolean => PERIODS.some(period => period === text) || CALENDAR_PERIOD.test(text)

export interface PeriodInput {
  /** One of `PERIODS`, or a calendar period. */
  readonly period?: string | undefined
  /** YYYY-MM-DD, with period=custom. */
  readonly from?: string | undefined
  /** YYYY-MM-DD, inclusive. */
  readonly to?: string | undefined
}

type Rule = (today: number, site: SiteClock) => Days
type LongUnit = 'week' | 'month' | 'quarter' | 'year'

const last =
  (count: number): Rule =>
  today => ({ fromDay: today - count + 1, toDay: today })

const toDate =
  (unit: LongUnit): Rule =>
  (today, { weekStart }) => ({ fromDay: startOf({ unit, day: today, weekStart }), toDay: today })

const lastWhole =
  (unit: LongUnit): Rule =>
  (today, { weekStart }) => ({
    fromDay: startOf({ unit, day: today, by: -1, weekStart }),
    toDay: startOf({ unit, day: today, weekStart }) - 1,
  })

type Named = Exclude<Period, '24h' | 'custom'>

const RULES: Readonly<Record<Named, Rule>> = Object.freeze({
  today: last(1),
  // The preceding day, whose number may differ by more than one.
  yesterday: (today, { zone }) => {
    const { day } = localDay(zone, dayStart(zone, today) - 1)
    return { fromDay: day, toDay: day }
  },
  '7d': last(7),
  '14d': last(14),
  '28d': last(28),
  '30d': last(30),
  '90d': last(90),
  this_week: toDate('week'),
  last_week: lastWhole('week'),
  mtd: toDate('month'),
  this_month: toDate('month'),
  last_month: lastWhole('month'),
  qtd: toDate('quarter'),
  last_quarter: lastWhole('quarter'),
  ytd: toDate('year'),
  this_year: toDate('year'),
  '12mo': today => ({ fromDay: startOf({ unit: 'month', day: today, by: -11 }), toDay: today }),
  last_year: lastWhole('year'),
  all: (today, { zone, now, firstHitAt }) => ({
    fromDay: localDay(zone, Math.min(firstHitAt ?? now, now)).day,
    toDay: today,
  }),
})

type CalendarSpan = Pick<Range, 'span' | 'months'>
const WEEK: CalendarSpan = Object.freeze({ span: 'weeks', months: 0 })
const MONTH: CalendarSpan = Object.freeze({ span: 'months', months: 1 })
const QUARTER: CalendarSpan = Object.freeze({ span: 'months', months: 3 })
const YEAR: CalendarSpan = Object.freeze({ span: 'months', months: 12 })

/** Periods in calendar weeks and months. */
const SPANS: Readonly<Partial<Record<Period, CalendarSpan>>> = Object.freeze({
  this_week: WEEK,
  last_week: WEEK,
  mtd: MONTH,
  this_month: MONTH,
  last_month: MONTH,
  qtd: QUARTER,
  last_quarter: QUARTER,
  ytd: YEAR,
  this_year: YEAR,
  last_year: YEAR,
  '12mo': YEAR,
})

/**
 * Returns the range of a period, in the site's calendar. A range up to the present, or a custom range that ends today,
 * ends with the current minute (see `Range`).
 */
export const resolvePeriod = (asked: PeriodInput, site: SiteClock): Resolved<Range> => {
  const { period = '30d' } = asked
  const { zone, now } = site
  if (period === 'custom') {
    const days = customDays('period', asked, site)
    return days.ok ? resolved(daysUntilNow(site, days.value)) : days
  }
  const strays = strayDates('period', period, asked)
  if (strays.length > 0) return refused(...strays)

  const today = localDay(zone, now)
  if (period === '24h') {
    const to = Math.min(nextMinute(now), today.endsAt)
    const from = to - DAY_MS
    return resolved({ from, to, fromDay: localDay(zone, from).day, toDay: today.day, elapsed: true, span: 'hours', months: 0 })
  }
  if (CALENDAR_PERIOD.test(period)) return calendarPeriod(period, today.day, site)
  const named = period as Named // validated: one of the other periods
  return resolved({ ...daysUntilNow(site, RULES[named](today.day, site)), ...SPANS[named] })
}

/** Years from 1970 on, as for dates. */
function calendarPeriod(period: string, today: number, site: SiteClock): Resolved<Range> {
  const [year = '', part = ''] = period.split('-')
  const { unit, by, span } = partOfYear(part)
  const january4 = Date.UTC(Number(year), 0, 4) / DAY_MS
  // ISO 8601: the first week of a year is the one with 4 January.
  const first = startOf({ unit: unit === 'week' ? 'week' : 'year', day: january4 })
  const fromDay = startOf({ unit, day: first, by })
  const toDay = startOf({ unit, day: fromDay, by: 1 }) - 1
  const fault = (code: Fault['code'], message: Message) => refused({ field: 'period', code, message })
  const params = { field: fieldTerm('period'), received: period }
  if (Number(year) < 1970 || fromDay < 0) return fault('too_small', m.date_too_early({ ...params, earliest: dayTerm(dateOf(0)) }))
  // A year without a 53rd week: it is the first of the next.
  if (unit === 'week' && startOf({ unit: 'year', day: fromDay + 3 }) !== startOf({ unit: 'year', day: january4 }))
    return fault('invalid_format', m.no_such_week(params))
  if (fromDay > today) return fault('too_large', m.date_in_future({ ...params, today: dayTerm(dateOf(today)), zone: site.zone }))
  return resolved({ ...daysUntilNow(site, { fromDay, toDay: Math.min(toDay, today) }), ...span })
}

/** @param part of a calendar period: nothing, `10`, `W47` or `Q4` */
function partOfYear(part: string): { readonly unit: LongUnit; readonly by: number; readonly span: CalendarSpan } {
  if (part === '') return { unit: 'year', by: 0, span: YEAR }
  if (part.startsWith('W')) return { unit: 'week', by: Number(part.slice(1)) - 1, span: WEEK }
  if (part.startsWith('Q')) return { unit: 'quarter', by: Number(part.slice(1)) - 1, span: QUARTER }
  return { unit: 'month', by: Number(part) - 1, span: MONTH }
}
