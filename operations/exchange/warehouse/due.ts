/** Finds ended days whose current state is not at the destination. */
import type { Config } from '../../../runtime/settings/config.ts'
import type { Db } from '../../../storage/store.ts'
import type { WarehouseSyncRow } from '../../../storage/tables/warehouse.ts'
import { localDay } from '../../../storage/calendar/zones.ts'
import { HOUR_MS } from '../../../storage/values/durations.ts'
import { RETENTION_DAYS } from '../../sites/collection/index.ts'
import { keptDays } from '../../people/plans/index.ts'
import { isLive, type LiveSite } from '../../sites/sites/records.ts'
import type { TableName } from '../exports/index.ts'
import { cutDays, type DayState, type Found, type SiteDays, stateOfCutDay } from './cut-days.ts'
import { tablesOf } from './records.ts'

/** Hits of the last minutes of a day are on their way when it ends. */
const SETTLES_AFTER = 15 * 60_000
/** A day that keeps changing is sent again this often. */
const AGAIN_AFTER = HOUR_MS
/** Days of one table and site that are checked at once, the newest first. */
const MAX_DAYS = 2_000
/** Counters of crawlers are deleted after 400 days. */
const CRAWLERS_KEPT = 398

export interface DueDay {
  readonly table: TableName
  readonly site: LiveSite
  readonly day: number
  readonly rev: number
  /** False if it was sent recently. */
  readonly isDue: boolean
}

interface PendingContext {
  readonly now: number
  readonly config: Config
}

/** Returns pending days, the newest first. Days that the retention period has deleted stay at the destination. */
export async function pendingDays(db: Db, sync: WarehouseSyncRow, { now, config }: PendingContext): Promise<DueDay[]> {
  const sites = await db
    .selectFrom('sites')
    .innerJoin('warehouse_sync_sites as link', 'link.site_id', 'sites.id')
    .selectAll('sites')
    .where('link.sync_id', '=', sync.id)
    .where('sites.workspace_id', '=', sync.workspace_id)
    .orderBy('sites.id')
    .execute()
  const keptOf = await keptDays(db, { config, now, ofInstallation: config.of(RETENTION_DAYS) })
  const retention = keptOf(sync.workspace_id)
  const pending: DueDay[] = []
  for (const site of sites) {
    if (!isLive(site)) continue
    const today = localDay(site.timezone, now).day
    for (const table of tablesOf(sync)) {
      const kept = table === 'crawlers' ? CRAWLERS_KEPT : retention
      const first = Math.max(sync.backfill_from ?? -Infinity, kept === 0 ? -Infinity : today - kept)
      const from = Number.isFinite(first) ? first : -1_000_000
      const found =
        table === 'crawlers'
          ? await crawlerDays(db, { sync: sync.id, site, from, before: localDay(site.timezone, now - SETTLES_AFTER).day })
          : await (site.old_days_before ? cutDays : siteDays)(db, { sync: sync.id, site, table, from, endedBy: now - SETTLES_AFTER })
      for (const { day, rev, sent_rev, sent_at } of found.slice(0, MAX_DAYS)) {
        if (sent_rev === rev) continue
        const isDue = sync.requested === 1 || sent_at === null || sent_at <= now - AGAIN_AFTER
        pending.push({ table, site, day, rev, isDue })
      }
    }
  }
  return pending.sort((a, b) => b.day - a.day)
}

function siteDays(db: Db, { sync, site, table, from, endedBy }: SiteDays): Promise<Found[]> {
  return db
    .selectFrom('site_days')
    .leftJoin('warehouse_sync_days as sent', join =>
      join
        .on('sent.sync_id', '=', sync)
        .on('sent.table_name', '=', table)
        .on('sent.site_id', '=', site.id)
        .onRef('sent.day', '=', 'site_days.day'),
    )
    .select(['site_days.day', 'site_days.rev', 'sent.rev as sent_rev', 'sent.sent_at'])
    .where('site_days.site_id', '=', site.number)
    .where('site_days.day', '>=', from)
    .where('site_days.ends_at', '<=', endedBy)
    .where('site_days.rev', '>', 0)
    .where(({ eb, or, ref }) => or([eb('sent.rev', 'is', null), eb('sent.rev', '<>', ref('site_days.rev'))]))
    .orderBy('site_days.day', 'desc')
    .limit(MAX_DAYS)
    .execute()
}

interface CrawlerDays {
  readonly sync: string
  readonly site: LiveSite
  readonly from: number
  readonly before: number
}

/** Counters of crawlers only grow, so their sum identifies the state of a day. */
async function crawlerDays(db: Db, { sync, site, from, before }: CrawlerDays): Promise<Found[]> {
  const days = await db
    .selectFrom('crawler_days')
    .select(({ fn, eb }) => ['day', fn.sum<number>(eb('requests', '+', eb.ref('script_hits'))).as('rev')])
    .where('site_id', '=', site.id)
    .where('day', '>=', from)
    .where('day', '<', before)
    .groupBy('day')
    .orderBy('day', 'desc')
    .limit(MAX_DAYS)
    .execute()
  const sent = await db
    .selectFrom('warehouse_sync_days')
    .select(['day', 'rev', 'sent_at'])
    .where('sync_id', '=', sync)
    .where('table_name', '=', 'crawlers')
    .where('site_id', '=', site.id)
    .where('day', '>=', from)
    .execute()
  const known = new Map(sent.map(row => [row.day, row]))
  return days.map(({ day, rev }) => ({
    day,
    rev: Number(rev),
    sent_rev: known.get(day)?.rev ?? null,
    sent_at: known.get(day)?.sent_at ?? null,
  }))
}

/** The current state of a day; undefined if the day was deleted. */
export async function stateOf(db: Db, { table, site, day }: Pick<DueDay, 'table' | 'site' | 'day'>): Promise<DayState | undefined> {
  const whole = { day, part: null }
  if (table === 'crawlers') {
    const row = await db
      .selectFrom('crawler_days')
      .select(({ fn, eb }) => fn.sum<number | null>(eb('requests', '+', eb.ref('script_hits'))).as('rev'))
      .where('site_id', '=', site.id)
      .where('day', '=', day)
      .executeTakeFirst()
    return row?.rev === null || row === undefined ? undefined : { rev: Number(row.rev), stored: [whole] }
  }
  if (site.old_days_before) return stateOfCutDay(db, site, day)
  const row = await db.selectFrom('site_days').select('rev').where('site_id', '=', site.number).where('day', '=', day).executeTakeFirst()
  return row && { rev: row.rev, stored: [whole] }
}
