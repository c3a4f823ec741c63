/**
 * Days that an export writes: days of the present time zone, as in reports. Hits that were stored under an earlier zone are in
 * stored days with other boundaries, so such a day consists of parts of these (docs/analytics.md §5).
 */
import type { Db } from '../../../storage/store.ts'
import { type DayBounds, viewsOf } from '../../../storage/engine/index.ts'
import { ZONE_CHANGE_DAYS } from '../../../storage/engine/vocabulary/scope.ts'
import { presentDays } from '../../reports/stats/index.ts'
import type { LiveSite } from '../../sites/sites/records.ts'
import { addTo } from '../../../storage/values/grouped.ts'

/** Epoch ms, `to` exclusive. */
export interface Part {
  readonly from: number
  readonly to: number
}

/** A stored day that has hits of the written day. */
export interface StoredPart {
  readonly day: number
  readonly startsAt: number
  readonly endsAt: number
  readonly rev: number
  /** The part of the stored day that belongs to the written day; null for all of it. */
  readonly part: Part | null
}

export interface WrittenDay {
  readonly day: number
  /** In order of time. */
  readonly stored: readonly StoredPart[]
}

/** Returns the days of the range with data, in order. @param range first and last day, inclusive */
export async function writtenDays(db: Db, site: LiveSite, range: { fromDay: number; toDay: number }): Promise<WrittenDay[]> {
  const { fromDay, toDay } = range
  const calendar = await presentDays(db, site, range)
  const margin = calendar ? ZONE_CHANGE_DAYS : 0
  const rows = await db
    .selectFrom('site_days')
    .select(['day', 'starts_at as startsAt', 'ends_at as endsAt', 'rev'])
    .where('site_id', '=', site.number)
    .where('day', '>=', fromDay - margin)
    .where('day', '<=', toDay + margin)
    .orderBy('starts_at')
    .execute()
  const days = new Map<number, StoredPart[]>()
  for (const row of rows) {
    const views: readonly DayBounds[] = calendar ? viewsOf(row, calendar) : [row]
    for (const { day, cut } of views) {
      if (day < fromDay || day > toDay) continue
      addTo(days, day, { ...row, part: cut ? { from: cut.from, to: cut.to } : null })
    }
  }
  return [...days].map(([day, stored]) => ({ day, stored })).sort((a, b) => a.day - b.day)
}
