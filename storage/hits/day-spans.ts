/**
 * Which day an instant belongs to, given the days a site has already. A day keeps its boundaries when the site moves
 * to another time zone: the new calendar counts from the next midnight, and the day before it grows or the day after
 * it begins late, so that days neither overlap nor leave a gap between them.
 */
import { dayStart, type LocalDay, localDay } from '../zones.ts'

/**
 * @param spans days of the site, in order; those within three days of `at` must be among them
 * @returns the span that holds `at`: one of `spans`, one of them with a boundary moved outwards, or a new one
 */
export function daySpan(spans: readonly LocalDay[], zone: string, at: number): LocalDay {
  const holding = spans.find(span => span.startsAt <= at && at < span.endsAt)
  if (holding) return holding

  const before = spans.findLast(span => span.endsAt <= at)
  const after = spans.find(span => span.startsAt > at)
  const earliest = before?.endsAt ?? -Infinity
  const latest = after?.startsAt ?? Infinity
  const { day, startsAt, endsAt } = localDay(zone, at)

  if (before && before.day >= day) return { ...before, endsAt: Math.min(dayStart(zone, before.day + 1), latest) }
  if (after && after.day <= day) return { ...after, startsAt: Math.max(dayStart(zone, after.day), earliest) }
  return { day, startsAt: Math.max(startsAt, earliest), endsAt: Math.min(endsAt, latest) }
}
