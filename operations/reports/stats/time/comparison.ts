import { Temporal } from 'temporal-polyfill'
import { dateOf, dayStart, localDay } from '../../../../storage/zones.ts'
import { daysSince, startOf, weekday, yearBefore } from './calendar.ts'
import { customDays, strayDates } from './custom.ts'
import { refused, resolved, type Resolved } from './faults.ts'
import { wholeDays, type Days, type Range, type SiteClock } from './range.ts'

/** Every value of `compare`. */
export const COMPARISONS = Object.freeze(['none', 'previous_period', 'previous_year', 'custom'] as const)

export interface ComparisonAsked {
  readonly compare?: (typeof COMPARISONS)[number] | undefined
  /** YYYY-MM-DD, with compare=custom. */
  readonly compare_from?: string | undefined
  /** YYYY-MM-DD, inclusive. */
  readonly compare_to?: string | undefined
  /** Shifts the comparison back until it begins on the range's first weekday. */
  readonly match_weekday?: boolean | undefined
}

/** The end of a range on another last day: the end of that day, or the same local time. */
const endOn = (toDay: number, range: Range, zone: string): number => {
  const [begins, ends] = [dayStart(zone, toDay), dayStart(zone, toDay + 1)]
  if (range.to === dayStart(zone, range.toDay + 1)) return ends
  const plainTime = Temporal.Instant.fromEpochMilliseconds(range.to).toZonedDateTimeISO(zone).toPlainTime()
  const end = Temporal.PlainDate.from(dateOf(toDay)).toZonedDateTime({ timeZone: zone, plainTime })
  return Math.min(Math.max(end.epochMilliseconds, begins), ends)
}

/** As many hours as the range has, ending at `to`. */
const hoursUntil = (to: number, range: Range, zone: string): Range => {
  const from = to - (range.to - range.from)
  const [fromDay, toDay] = [localDay(zone, from).day, localDay(zone, to - 1).day]
  return { from, to, fromDay, toDay, elapsed: false, span: 'hours' }
}

/** A range moved to other days: whole days if it is counted in days, else up to the same time of day. */
const placed = (range: Range, { fromDay, toDay }: Days, zone: string): Range => {
  if (range.span === 'days') return wholeDays(zone, { fromDay, toDay })
  const to = endOn(toDay, range, zone)
  if (range.span === 'hours') return hoursUntil(to, range, zone)
  return { from: dayStart(zone, fromDay), to, fromDay, toDay, elapsed: false, span: range.span }
}

/**
 * As many days (or hours) before the start of the range. An incomplete unit is compared with the same part of the
 * previous unit: today until 14:05 with yesterday until 14:05, 20 days of a month with 20 of the last.
 */
const previousPeriod = (range: Range, zone: string): Range => {
  const { from, fromDay, toDay, span } = range
  if (span === 'hours') return hoursUntil(from, range, zone)
  if (span === 'days') return wholeDays(zone, { fromDay: fromDay - (toDay - fromDay + 1), toDay: fromDay - 1 })

  const begins = startOf(span, localDay(zone, from - 1).day)
  const part = placed(range, { fromDay: begins, toDay: begins + toDay - fromDay }, zone)
  return { ...part, to: Math.min(part.to, from), toDay: Math.min(part.toDay, fromDay - 1) }
}

/** The same dates a year earlier. Whole months stay whole: February is compared with February, including a leap day. */
const previousYear = (range: Range, zone: string): Range => {
  const { fromDay, toDay, elapsed } = range
  const wholeMonths = !elapsed && startOf('month', fromDay) === fromDay && startOf('month', toDay + 1) === toDay + 1
  const last = wholeMonths ? yearBefore(toDay + 1) - 1 : yearBefore(toDay)
  return placed(range, { fromDay: yearBefore(fromDay), toDay: last }, zone)
}

/** Back to the weekday on which the range begins, and by further weeks while the two overlap. */
const onSameWeekday = (comparison: Range, range: Range, zone: string): Range => {
  const near = daysSince(weekday(range.fromDay), comparison.fromDay)
  const shared = comparison.fromDay - near <= range.toDay ? comparison.toDay - near - range.fromDay + 1 : 0
  const back = near + Math.max(0, Math.ceil(shared / 7) * 7)
  const days = { fromDay: comparison.fromDay - back, toDay: comparison.toDay - back }
  return back === 0 ? comparison : placed(comparison, days, zone)
}

/** The range to compare with; null for none. Its faults depend only on its own dates, not on the range. */
export const resolveComparison = (asked: ComparisonAsked, range: Range, { zone }: Pick<SiteClock, 'zone'>): Resolved<Range | null> => {
  const { compare = 'none', match_weekday: matchWeekday = false } = asked
  const align = (comparison: Range) => resolved(matchWeekday ? onSameWeekday(comparison, range, zone) : comparison)
  if (compare === 'custom') {
    const days = customDays('compare', asked)
    return days.ok ? align(wholeDays(zone, days.value)) : days
  }
  const strays = strayDates('compare', compare, asked)
  if (strays.length > 0) return refused(...strays)
  if (compare === 'none') return resolved(null)
  return align(compare === 'previous_period' ? previousPeriod(range, zone) : previousYear(range, zone))
}
