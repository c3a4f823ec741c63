/**
 * Assigns instants to days, given the days a site already has. A day keeps its boundaries when the site moves to
 * another time zone: the new calendar applies from the next midnight; the day before it is extended, or the day after
 * begins late, so that days neither overlap nor leave a gap.
 */
import { dayStart, type LocalDay, localDay } from '../calendar/zones.ts'

/**
 * @param spans days of the site, in order, including those within three days of `at`
 * @returns the span that contains `at`: one of `spans`, possibly with a boundary moved outwards, or a new one
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
