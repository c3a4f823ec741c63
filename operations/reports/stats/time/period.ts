import { DAY_MS, dayStart, localDay } from '../../../../storage/calendar/zones.ts'
import { startOf } from './calendar.ts'
import { customDays, strayDates } from './custom.ts'
import { refused, resolved, type Resolved } from './faults.ts'
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
  'mtd',
  'last_month',
  'qtd',
  'last_quarter',
  'ytd',
  '12mo',
  'last_year',
  'all',
  'custom',
] as const)

export type Period = (typeof PERIODS)[number]

export interface PeriodInput {
  readonly period?: Period | undefined
  /** YYYY-MM-DD, with period=custom. */
  readonly from?: string | undefined
  /** YYYY-MM-DD, inclusive. */
  readonly to?: string | undefined
}

type Rule = (today: number, site: SiteClock) => Days
type LongUnit = 'month' | 'quarter' | 'year'

const last =
  (count: number): Rule =>
  today => ({ fromDay: today - count + 1, toDay: today })

const toDate =
  (unit: LongUnit): Rule =>
  today => ({ fromDay: startOf({ unit, day: today }), toDay: today })

const lastWhole =
  (unit: LongUnit): Rule =>
  today => ({
    fromDay: startOf({ unit, day: today, by: -1 }),
    toDay: startOf({ unit, day: today }) - 1,
  })

const RULES: Readonly<Record<Exclude<Period, '24h' | 'custom'>, Rule>> = Object.freeze({
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
  mtd: toDate('month'),
  last_month: lastWhole('month'),
  qtd: toDate('quarter'),
  last_quarter: lastWhole('quarter'),
  ytd: toDate('year'),
  '12mo': today => ({ fromDay: startOf({ unit: 'month', day: today, by: -11 }), toDay: today }),
  last_year: lastWhole('year'),
  all: (today, { zone, now, firstHitAt }) => ({
    fromDay: localDay(zone, Math.min(firstHitAt ?? now, now)).day,
    toDay: today,
  }),
})

/** Periods in calendar months, with their number of months. */
const MONTHS: Readonly<Partial<Record<Period, number>>> = Object.freeze({
  mtd: 1,
  last_month: 1,
  qtd: 3,
  last_quarter: 3,
  ytd: 12,
  last_year: 12,
  '12mo': 12,
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
  const range = daysUntilNow(site, RULES[period](today.day, site))
  const months = MONTHS[period] ?? 0
  return resolved(months === 0 ? range : { ...range, span: 'months', months })
}
