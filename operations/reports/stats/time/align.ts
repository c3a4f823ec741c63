/** Divides a comparison into as many points as the series beside it. */
import { dayStart } from '../../../../storage/zones.ts'
import { cut, eachBucket, type Bucket } from './buckets.ts'
import { MONDAY, startOf } from './calendar.ts'
import type { Interval } from './interval.ts'
import type { Range } from './range.ts'

const zip = (count: number, source: Generator<Bucket>): (Bucket | null)[] =>
  Array.from({ length: count }, () => source.next().value ?? null)

/** The number of buckets that begin on each day, in order. */
const byDay = (series: readonly Bucket[]): { day: number; count: number }[] => {
  const counts = new Map<number, number>()
  for (const { fromDay } of series) counts.set(fromDay, (counts.get(fromDay) ?? 0) + 1)
  return [...counts].map(([day, count]) => ({ day, count }))
}

/**
 * For each bucket of a series the matching one of the comparison, or null if there is none (30 February). Surplus
 * buckets of the comparison (the leap day beside a February of 28 days) are left out.
 *
 * - Hours and minutes are matched day by day, so that a clock change does not shift later days.
 * - Days are matched in order.
 * - Weeks and longer units follow the calendar if both ranges begin with such a unit; otherwise each point is compared
 * with an equal number of days: the 31 days of October with 31 days, wherever these lie.
 */
export const alignBuckets = (
  main: readonly Bucket[],
  comparison: Range,
  interval: Interval,
  zone: string,
  weekStart = MONDAY,
): (Bucket | null)[] => {
  const [first] = main
  if (!first) return []
  const shift = comparison.fromDay - first.fromDay
  const each = (range: Range) => eachBucket(range, interval, zone, weekStart)

  if (interval === 'minute' || interval === 'hour') {
    if (comparison.span === 'hours') return zip(main.length, each(comparison))
    return byDay(main).flatMap(({ day, count }) => zip(count, each({ ...comparison, fromDay: day + shift, toDay: day + shift })))
  }

  const begins = (day: number) => startOf(interval, day, 0, weekStart) === day
  if (interval !== 'day' && begins(first.fromDay) && begins(comparison.fromDay)) {
    return zip(main.length, each(comparison))
  }
  return main.map(({ fromDay, toDay, partial }) => {
    const days = { fromDay: fromDay + shift, toDay: toDay + shift }
    const unit = { ...days, from: dayStart(zone, days.fromDay), to: dayStart(zone, days.toDay + 1) }
    const bucket = cut(unit, comparison, zone)
    return bucket && { ...bucket, partial: bucket.partial || partial }
  })
}
