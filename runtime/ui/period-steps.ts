/** The period before or after the one that a report shows, as parameters of its address. */
import { dateOf, dayOf as dayNumber } from '../../storage/calendar/zones.ts'
import { DAY_MS } from '../../storage/values/durations.ts'

/** Days of a report, in the time zone of its site: `2026-11-26`. */
export interface ShownDays {
  readonly first: string
  readonly last: string
  readonly today: string
}

/** `from` and `to` only with `custom`. */
export interface PeriodStep {
  readonly period: string
  readonly from?: string
  readonly to?: string
}

/** NaN for a text that is not a day. */
const dayOf = (date: string): number => dayNumber(date) ?? Number.NaN

/** Periods that a step moves by whole weeks, or by whole months; the last week or month may not be over. */
const ofWeeks: ReadonlySet<string> = new Set(['this_week', 'last_week'])
const ofMonths: ReadonlySet<string> = new Set([
  'mtd',
  'this_month',
  'this_year',
  'last_month',
  'qtd',
  'last_quarter',
  'ytd',
  'last_year',
  '12mo',
])
/** Months of a period that may not be over: its days so far would give too few. */
const wholeMonths: Readonly<Record<string, number>> = { mtd: 1, this_month: 1, qtd: 3, ytd: 12, this_year: 12 }
/** Numbers of days until today whose period has a name, such as `7d`. */
const lengths: readonly number[] = [7, 14, 28, 30, 90]

/** The first day of the month that is this many months later. */
function monthStart(day: number, later: number): number {
  const date = new Date(day * DAY_MS)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later) / DAY_MS
}
const monthsBetween = (first: number, last: number): number => {
  const [a, b] = [new Date(first * DAY_MS), new Date(last * DAY_MS)]
  return (b.getUTCFullYear() - a.getUTCFullYear()) * 12 + b.getUTCMonth() - a.getUTCMonth()
}

/**
 * Moves a period by its own length. Whole months move by months. A step forward ends today at the latest.
 *
 * @param by -1 for the period before, 1 for the period after
 * @param begins first day with data; periods that end before it are none
 * @returns undefined if there is no such period
 */
export function periodStep(period: string, shown: ShownDays, by: -1 | 1, begins?: string): PeriodStep | undefined {
  if (period === 'all') return undefined
  const [today, last] = [dayOf(shown.today), dayOf(shown.last)]
  const first = period === '24h' ? last : dayOf(shown.first)
  if (Number.isNaN(today + first + last)) return undefined
  const isOfMonths = ofMonths.has(period) || (first === monthStart(first, 0) && last === monthStart(last, 1) - 1)
  const length = last - first + 1
  const months = wholeMonths[period] ?? monthsBetween(first, last) + 1
  let [from, to] = isOfMonths
    ? [monthStart(first, by * months), monthStart(first, (by + 1) * months) - 1]
    : ofWeeks.has(period)
      ? [first + by * 7, first + by * 7 + 6]
      : [first + by * length, last + by * length]
  if (to > today) [from, to] = isOfMonths || ofWeeks.has(period) ? [from, today] : [today - length + 1, today]
  if (from > today || (by > 0 && to <= last) || (begins !== undefined && to < dayOf(begins))) return undefined
  return named(from, to, today)
}

/** @returns the name of the period with these days if it has one, so that a bookmark of it shows the current days tomorrow */
function named(from: number, to: number, today: number): PeriodStep {
  if (from === to && to === today) return { period: 'today' }
  if (from === to && to === today - 1) return { period: 'yesterday' }
  const days = to === today && lengths.find(each => each === to - from + 1)
  if (days) return { period: `${days}d` }
  const month = monthStart(today, 0)
  const begins = (later: number) => monthStart(month, later)
  const quarter = -(new Date(month * DAY_MS).getUTCMonth() % 3)
  const year = -new Date(month * DAY_MS).getUTCMonth()
  const ranges = {
    mtd: [month, today],
    last_month: [begins(-1), month - 1],
    qtd: [begins(quarter), today],
    last_quarter: [begins(quarter - 3), begins(quarter) - 1],
    ytd: [begins(year), today],
    last_year: [begins(year - 12), begins(year) - 1],
    '12mo': [begins(-11), today],
  } as const
  const [found] = Object.entries(ranges).find(([, [first, last]]) => first === from && last === to) ?? []
  return found === undefined ? { period: 'custom', from: dateOf(from), to: dateOf(to) } : { period: found }
}

/** Intervals with between 2 and a few hundred points in this number of days. */
export function fittingIntervals(intervals: readonly string[], { first, last }: ShownDays): readonly string[] {
  const days = dayOf(last) - dayOf(first) + 1
  const fits = (interval: string): boolean => {
    const [min, max] = daysFor[interval] ?? [0, Infinity]
    return days >= min && days <= max
  }
  return intervals.filter(fits)
}
/** Least and most days of a period for which an interval is offered. */
const daysFor: Readonly<Record<string, readonly [least: number, most: number]>> = {
  minute: [1, 1],
  hour: [1, 62],
  day: [2, 800],
  week: [14, 4_000],
  month: [56, Infinity],
  quarter: [180, Infinity],
  year: [700, Infinity],
}
