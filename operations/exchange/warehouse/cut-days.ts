/**
 * Days of the present time zone of a site whose time zone was changed, as in exports: such a day may consist of parts of stored days
 * (docs/analytics.md §5).
 */
import { createHash } from 'node:crypto'
import type { Db } from '../../../storage/store.ts'
import { localDay } from '../../../storage/calendar/zones.ts'
import { ZONE_CHANGE_DAYS } from '../../../storage/engine/vocabulary/scope.ts'
import type { LiveSite } from '../../sites/sites/records.ts'
import { type StoredPart, type TableName, type WrittenDay, writtenDays } from '../exports/index.ts'

export interface Found {
  readonly day: number
  readonly rev: number
  readonly sent_rev: number | null
  readonly sent_at: number | null
}

export interface SiteDays {
  readonly sync: string
  readonly site: LiveSite
  readonly table: TableName
  readonly from: number
  readonly endedBy: number
}

/** The state of a day, and the stored days that have its rows. */
export interface DayState {
  readonly rev: number
  readonly stored: readonly Pick<StoredPart, 'day' | 'part'>[]
}

/** Finds ended days that differ from what was sent, the newest first. A day that has no part of a stored day any more is sent again, empty. */
export async function cutDays(db: Db, { sync, site, table, from, endedBy }: SiteDays): Promise<Found[]> {
  const written = await writtenDays(db, site, { fromDay: from, toDay: localDay(site.timezone, endedBy).day })
  const rows = await db
    .selectFrom('warehouse_sync_days')
    .select(['day', 'rev', 'sent_at'])
    .where('sync_id', '=', sync)
    .where('table_name', '=', table)
    .where('site_id', '=', site.id)
    .where('day', '>=', from)
    .execute()
  const sent = new Map(rows.map(row => [row.day, row]))
  const stored = written.map(day => ({ day: day.day, isEnded: isEnded(day, endedBy), rev: revOfCutDay(day.day, day.stored) }))
  const known = new Set(stored.map(({ day }) => day))
  // Retention deletes earlier days, which stay at the destination.
  const emptied = rows
    .filter(({ day }) => !known.has(day) && day >= from + ZONE_CHANGE_DAYS)
    .map(({ day }) => ({ day, isEnded: true, rev: EMPTY }))
  return [...stored, ...emptied]
    .filter(day => day.isEnded && day.rev !== (sent.get(day.day)?.rev ?? EMPTY))
    .sort((a, b) => b.day - a.day)
    .map(({ day, rev }) => ({ day, rev, sent_rev: sent.get(day)?.rev ?? null, sent_at: sent.get(day)?.sent_at ?? null }))
}

/** The state of a day without hits. */
const EMPTY = 0

const isEnded = ({ stored }: WrittenDay, endedBy: number): boolean => stored.every(({ endsAt }) => endsAt <= endedBy)

/** The current state of a day. */
export async function stateOfCutDay(db: Db, site: LiveSite, day: number): Promise<DayState> {
  const [written] = await writtenDays(db, site, { fromDay: day, toDay: day })
  if (written) return { rev: revOfCutDay(day, written.stored), stored: written.stored }
  return { rev: EMPTY, stored: [] }
}

/** The `rev` of a day that is stored as it is; otherwise a number that differs with the parts and their `rev`. */
function revOfCutDay(day: number, stored: readonly StoredPart[]): number {
  const [only, ...others] = stored
  if (!only) return EMPTY
  if (others.length === 0 && only.part === null && only.day === day) return only.rev
  const parts = stored.map(({ day, rev, part }) => [day, rev, part?.from ?? null, part?.to ?? null])
  return createHash('sha256').update(JSON.stringify(parts)).digest().readUIntBE(0, 6)
}
