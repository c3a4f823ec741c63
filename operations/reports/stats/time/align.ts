/** Divides a comparison into as many points as its series. */
import { dayStart, localDay } from '../../../../storage/calendar/zones.ts'
import { cut, eachBucket, type Bucket } from './buckets.ts'
import { MONDAY, startOf } from './calendar.ts'
import type { Interval } from './interval.ts'
import { localTime } from './label.ts'
import type { Range } from './range.ts'

const zip = (count: number, source: Generator<Bucket>): (Bucket | null)[] =>
  Array.from({ length: count }, () => source.next().value ?? null)

/** Returns the part of a comparison with the same distance from its start as the bucket has from the start of its series. */
function elapsedAlike(
  { from, to, partial }: Bucket,
  { start, comparison, zone }: { start: number; comparison: Range; zone: string },
): Bucket | null {
  const [begins, ends] = [from, to].map(at => Math.min(comparison.from + at - start, comparison.to)) as [number, number]
  if (begins === ends) return null
  const [fromDay, toDay] = [localDay(zone, begins).day, localDay(zone, ends - 1).day]
  return { from: begins, to: ends, fromDay, toDay, label: localTime(zone, begins), partial: partial || ends - begins < to - from }
}

/** Returns the number of buckets that begin on each day, in order. */
const byDay = (series: readonly Bucket[]): { day: number; count: number }[] => {
  const counts = new Map<number, number>()
  for (const { fromDay } of series) counts.set(fromDay, (counts.get(fromDay) ?? 0) + 1)
  return [...counts].map(([day, count]) => ({ day, count }))
}

interface AlignBuckets {
  readonly main: readonly Bucket[]
  readonly comparison: Range
  readonly interval: Interval
  readonly zone: string
  readonly weekStart?: number | undefined
}

/**
 * Returns, for each bucket of a series, the matching bucket of the comparison, or null if there is none (30 February). Surplus
 * buckets of the comparison (the leap day, compared with a February of 28 days) are left out.
 *
 * - Hours and minutes are matched day by day, so that a clock change in one range does not shift the days after it; in the
 *   last 24 hours, they are matched by the time since the range began.
 * - Days are matched with days.
 * - Weeks and longer units follow the calendar if both ranges begin with such a unit; otherwise, each point is compared with the
 *   same number of days: the 31 days of October with 31 days, whatever their months.
 */
export const alignBuckets = ({ main, comparison, interval, zone, weekStart = MONDAY }: AlignBuckets): (Bucket | null)[] => {
  const [first] = main
  if (!first) return []
  const shift = comparison.fromDay - first.fromDay
  const each = (range: Range) => eachBucket({ range, interval, zone, weekStart })

  if (interval === 'minute' || interval === 'hour') {
    if (comparison.span === 'hours') return main.map(bucket => elapsedAlike(bucket, { start: first.from, comparison, zone }))
    return byDay(main).flatMap(({ day, count }) => zip(count, each({ ...comparison, fromDay: day + shift, toDay: day + shift })))
  }

  const begins = (day: number) => startOf({ unit: interval, day, by: 0, weekStart }) === day
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
