/** Days of a site's present time zone, for times in which its hits were stored under another one. */
import { dayStart, localDay } from '../../../storage/calendar/zones.ts'
import { type Calendar, ZONE_CHANGE_DAYS } from '../../../storage/engine/vocabulary/scope.ts'
import { firstVisit } from '../../../storage/hits/first-and-last-visit.ts'
import type { Db } from '../../../storage/store.ts'
import { yieldWhereDue } from '../../../storage/system/event-loop.ts'
import type { LiveSite } from '../../sites/sites/records.ts'

type Days = { readonly fromDay: number; readonly toDay: number }

/**
 * Returns the days of the present zone if some of those from the first to the last day were stored under another one; undefined if
 * none was. (A stored day may begin up to two days earlier or later than the day of its number.) A range may begin decades before the
 * first visit, so the calendar begins at the later of the two, or the first day that is not cut again yet.
 */
export async function presentDays(
  db: Db,
  {
    number,
    timezone,
    old_days_before: before,
    old_days_from: from,
  }: Pick<LiveSite, 'number' | 'timezone' | 'old_days_before' | 'old_days_from'>,
  { fromDay, toDay }: Days,
): Promise<Calendar | undefined> {
  if (before === null || before === undefined || dayStart(timezone, fromDay) >= before) return undefined
  if (from !== null && dayStart(timezone, toDay + 1) <= from) return undefined
  const first = await firstVisit(db, number)
  if (!first) return undefined
  const cut = from === null ? -Infinity : localDay(timezone, from).day
  const firstDay = Math.max(fromDay - 2 * ZONE_CHANGE_DAYS, first.day - 2 * ZONE_CHANGE_DAYS, cut)
  const last = Math.min(localDay(timezone, before).day + 1, toDay + 2 * ZONE_CHANGE_DAYS)
  const starts: number[] = []
  for (let day = firstDay; day <= last; day++) {
    await yieldWhereDue()
    starts.push(dayStart(timezone, day))
  }
  return { firstDay, starts }
}
