import { Temporal } from 'temporal-polyfill'
import { dateOf, dayStart, localDay } from '../../../../storage/calendar/zones.ts'
import { daysSince, startOf, weekday, yearBefore } from './calendar.ts'
import { customDays, strayDates } from './custom.ts'
import { refused, resolved, type Resolved } from './faults.ts'
import { daysUntilNow, type Days, type Range, type SiteClock } from './range.ts'

/** Every value of `compare`. */
export const COMPARISONS = Object.freeze(['none', 'previous_period', 'previous_year', 'custom'] as const)

export interface ComparisonInput {
  readonly compare?: (typeof COMPARISONS)[number] | undefined
  /** YYYY-MM-DD, with compare=custom. */
  readonly compare_from?: string | undefined
  /** YYYY-MM-DD, inclusive. */
  readonly compare_to?: string | undefined
  /** Whether to shift the comparison so that it begins on the same weekday as the range. */
  readonly match_weekday?: boolean | undefined
}

/** Returns the end of a range for another last day: the end of that day, or the same local time. */
const endOn = (toDay: number, range: Range, zone: string): number => {
  const [begins, ends] = [dayStart(zone, toDay), dayStart(zone, toDay + 1)]
  if (range.to === dayStart(zone, range.toDay + 1)) return ends
  const plainTime = Temporal.Instant.fromEpochMilliseconds(range.to).toZonedDateTimeISO(zone).toPlainTime()
  const end = Temporal.PlainDate.from(dateOf(toDay)).toZonedDateTime({ timeZone: zone, plainTime })
  return Math.min(Math.max(end.epochMilliseconds, begins), ends)
}

/** Returns a range that ends at `to` and has the same number of hours. */
const hoursUntil = (to: number, range: Range, zone: string): Range => {
  const from = to - (range.to - range.from)
  const [fromDay, toDay] = [localDay(zone, from).day, localDay(zone, to - 1).day]
  return { ...range, from, to, fromDay, toDay, elapsed: false }
}

/** Days to compare with. `entire`: the last day counts in full, even if the range has only a part of its last day. */
interface ComparedDays extends Days {
  readonly entire?: boolean
}

/** Returns the same number of days directly before the range, the same days of the week before, or the calendar months before. */
const previousPeriod = (range: Range, zone: string): ComparedDays => {
  const { from, fromDay, toDay, span, months, elapsed } = range
  if (span === 'weeks') return { fromDay: fromDay - 7, toDay: toDay - 7 }
  if (span !== 'months') {
    const before = localDay(zone, from - 1).day // not the previous number, because that day may not exist
    return { fromDay: before - (toDay - fromDay), toDay: before }
  }
  const begins = startOf({ unit: 'month', day: fromDay, by: -months })
  if (!elapsed) return { fromDay: begins, toDay: fromDay - 1 }
  // The same date, that many months before; if a month is too short, all of it, but no further.
  const month = startOf({ unit: 'month', day: toDay })
  const [monthBefore, monthAfter] = [
    startOf({ unit: 'month', day: month, by: -months }),
    startOf({ unit: 'month', day: month, by: 1 - months }),
  ]
  const sameDate = monthBefore + toDay - month
  return sameDate < monthAfter ? { fromDay: begins, toDay: sameDate } : { fromDay: begins, toDay: monthAfter - 1, entire: true }
}

/** Returns the same dates one year earlier. Whole months stay whole: February is compared with February, including a leap day. */
const previousYear = ({ fromDay, toDay, elapsed }: Range): ComparedDays => {
  const wholeMonths =
    !elapsed && startOf({ unit: 'month', day: fromDay }) === fromDay && startOf({ unit: 'month', day: toDay + 1 }) === toDay + 1
  return { fromDay: yearBefore(fromDay), toDay: wholeMonths ? yearBefore(toDay + 1) - 1 : yearBefore(toDay) }
}

const shifted = <D extends Days>(days: D, by: number): D => ({ ...days, fromDay: days.fromDay + by, toDay: days.toDay + by })

/**
 * Shifts days so that they begin on the same weekday as the range: to the nearest such days that end before the range. Requested
 * days after the range stay after it if possible.
 */
const onSameWeekday = <D extends Days>(days: D, range: Range, today: number): D => {
  const back = daysSince(weekday(range.fromDay), days.fromDay)
  const isAfter = days.fromDay > range.toDay
  const fits = ({ fromDay, toDay }: Days) => toDay < range.fromDay || (isAfter && fromDay > range.toDay && toDay <= today)
  for (let weeks = 0; ; weeks++) {
    const near = [-back - 7 * weeks, 7 - back + 7 * weeks].sort((a, b) => Math.abs(a) - Math.abs(b))
    const found = near.map(by => shifted(days, by)).find(fits)
    if (found) return found
  }
}

/**
 * Cuts compared days like the range: if the range has not ended, the last day ends at the same time of day. Days that
 * reach the present end with it.
 */
const cutLike = (range: Range, days: ComparedDays, clock: Pick<SiteClock, 'zone' | 'now'>): Range => {
  const { zone } = clock
  const { fromDay, toDay, entire = false } = days
  const { span, months } = range
  const known = { ...daysUntilNow(clock, { fromDay, toDay }), span, months }
  if (!range.elapsed || entire || known.elapsed || span === 'hours') return known
  return { ...known, to: endOn(toDay, range, zone) }
}

/** Returns the range to compare with; null for none. Its faults depend only on its own dates, not on the range. */
export const resolveComparison = (asked: ComparisonInput, range: Range, clock: Pick<SiteClock, 'zone' | 'now'>): Resolved<Range | null> => {
  const { zone, now } = clock
  const { compare = 'none', match_weekday: matchWeekday = false } = asked
  const align = <D extends Days>(days: D): D => (matchWeekday ? onSameWeekday(days, range, localDay(zone, now).day) : days)
  if (compare === 'custom') {
    const days = customDays('compare', asked, clock)
    return days.ok ? resolved(cutLike(range, align(days.value), clock)) : days
  }
  const strays = strayDates('compare', compare, asked)
  if (strays.length > 0) return refused(...strays)
  if (compare === 'none') return resolved(null)

  if (range.span !== 'hours') {
    return resolved(cutLike(range, align(compare === 'previous_period' ? previousPeriod(range, zone) : previousYear(range)), clock))
  }
  const to = compare === 'previous_period' ? range.from : endOn(yearBefore(range.toDay), range, zone)
  const hours = hoursUntil(to, range, zone)
  const { toDay } = align(hours)
  return resolved(toDay === hours.toDay ? hours : hoursUntil(endOn(toDay, hours, zone), range, zone))
}
