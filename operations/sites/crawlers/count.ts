/** Counts requests of crawlers by day, crawler and path. Checks addresses without storing them. */
import { countOf } from '../../../storage/sql/page.ts'
import type { Db, Store } from '../../../storage/store.ts'
import type { CrawlerDayRow, CrawlerPageRow } from '../../../storage/tables/crawlers.ts'
import { localDay } from '../../../storage/calendar/zones.ts'
import type { Verdict } from './addresses.ts'
import type { Known } from './crawler-list.ts'

/** Largest number of paths per site and day, of all crawlers; further paths count as `(other)`, as for hits. */
const MAX_PATHS = 5_000
const OTHER = '(other)'
/** Largest number of bytes per crawler and day, so that the sums over all days and crawlers of a site fit into 64 bits. */
const MAX_BYTES = 1e14

export interface Seen {
  readonly siteId: string
  readonly zone: string
  /** Epoch ms. */
  readonly at: number
  readonly crawler: Known
  readonly verdict: Verdict
  readonly path: string
  /** Status and size of the response. Null for a hit of our script. */
  readonly answer: { readonly status: number; readonly bytes: number } | null
}

interface Counts {
  readonly days: Map<string, CrawlerDayRow>
  readonly pages: Map<string, CrawlerPageRow>
}

const nothing = (): Counts => ({ days: new Map(), pages: new Map() })

function add({ days, pages }: Counts, { siteId, zone, at, crawler, verdict, path, answer }: Seen): void {
  const { day } = localDay(zone, at)
  const { name, operator, category } = crawler
  const key = `${siteId} ${day} ${name}`
  const row = days.get(key)
  const is = (so: boolean) => Number(so)
  days.set(key, {
    site_id: siteId,
    day,
    name,
    operator,
    category,
    requests: (row?.requests ?? 0) + is(answer !== null),
    script_hits: (row?.script_hits ?? 0) + is(answer === null),
    status_4xx: (row?.status_4xx ?? 0) + is(answer !== null && answer.status >= 400 && answer.status < 500),
    status_5xx: (row?.status_5xx ?? 0) + is(answer !== null && answer.status >= 500),
    bytes: Math.min(MAX_BYTES, (row?.bytes ?? 0) + (answer?.bytes ?? 0)),
    verified: (row?.verified ?? 0) + is(verdict === 'verified'),
    spoofed: (row?.spoofed ?? 0) + is(verdict === 'spoofed'),
    first_at: Math.min(row?.first_at ?? at, at),
    last_at: Math.max(row?.last_at ?? at, at),
  })
  const pageKey = `${key} ${path}`
  const page = pages.get(pageKey)
  const last_at = Math.max(page?.last_at ?? at, at)
  pages.set(pageKey, { site_id: siteId, day, name, category, path, requests: (page?.requests ?? 0) + 1, last_at })
}

/** Writes the counts in the caller's transaction, with rows in a fixed order, so that processes cannot deadlock. */
export async function countSeen(db: Db, seen: readonly Seen[]): Promise<void> {
  const counts = nothing()
  for (const each of seen) add(counts, each)
  await write(db, counts)
}

const inOrder = (rows: ReadonlyMap<string, unknown>): string[] => [...rows.keys()].sort()

async function write(db: Db, { days, pages }: Counts): Promise<void> {
  for (const key of inOrder(days)) {
    const row = days.get(key)
    if (row) await putDay(db, row)
  }
  const left = new Map<string, number>()
  for (const key of inOrder(pages)) {
    const row = pages.get(key)
    if (!row) continue
    const ofDay = `${row.site_id} ${row.day}`
    if (!left.has(ofDay)) left.set(ofDay, MAX_PATHS - (await pathsOf(db, row)))
    const free = left.get(ofDay) ?? 0
    const isNew = await putPage(db, free > 0 ? row : { ...row, path: (await isKept(db, row)) ? row.path : OTHER })
    if (isNew) left.set(ofDay, free - 1)
  }
}

async function putDay(db: Db, row: CrawlerDayRow): Promise<void> {
  const sums = ['requests', 'script_hits', 'status_4xx', 'status_5xx', 'verified', 'spoofed'] as const
  await db
    .insertInto('crawler_days')
    .values(row)
    .onConflict(conflict =>
      conflict.columns(['site_id', 'day', 'name']).doUpdateSet(({ eb, ref }) => ({
        ...Object.fromEntries(sums.map(name => [name, eb(`crawler_days.${name}`, '+', ref(`excluded.${name}`))])),
        bytes: eb
          .case()
          .when(eb('crawler_days.bytes', '+', ref('excluded.bytes')), '<', MAX_BYTES)
          .then(eb('crawler_days.bytes', '+', ref('excluded.bytes')))
          .else(MAX_BYTES)
          .end(),
        first_at: eb
          .case()
          .when('crawler_days.first_at', '<', ref('excluded.first_at'))
          .then(ref('crawler_days.first_at'))
          .else(ref('excluded.first_at'))
          .end(),
        last_at: eb
          .case()
          .when('crawler_days.last_at', '>', ref('excluded.last_at'))
          .then(ref('crawler_days.last_at'))
          .else(ref('excluded.last_at'))
          .end(),
      })),
    )
    .execute()
}

/** @returns whether the path is new; only a new path counts towards the limit */
async function putPage(db: Db, row: CrawlerPageRow): Promise<boolean> {
  const put = await db
    .insertInto('crawler_pages')
    .values(row)
    .onConflict(conflict =>
      conflict.columns(['site_id', 'day', 'name', 'path']).doUpdateSet(({ eb, ref }) => ({
        requests: eb('crawler_pages.requests', '+', ref('excluded.requests')),
        last_at: ref('excluded.last_at'),
      })),
    )
    .returning('requests')
    .executeTakeFirst()
  return put?.requests === row.requests
}

const pathsOf = (db: Db, { site_id, day }: CrawlerPageRow): Promise<number> =>
  countOf(db.selectFrom('crawler_pages').where('site_id', '=', site_id).where('day', '=', day))

async function isKept(db: Db, { site_id, day, name, path }: CrawlerPageRow): Promise<boolean> {
  const row = await db
    .selectFrom('crawler_pages')
    .select('path')
    .where('site_id', '=', site_id)
    .where('day', '=', day)
    .where('name', '=', name)
    .where('path', '=', path)
    .executeTakeFirst()
  return row !== undefined
}

export interface CrawlerCounter {
  count(seen: Seen): void
  /** Writes the waiting counts. */
  write(): Promise<void>
}

const WRITTEN_AFTER_MS = 2_000
/** Largest number of crawlers and paths that wait for the next write; beyond it, requests are not counted. */
const MAX_WAITING = 2_000

/** Counts hits in memory, so that a bot causes no write of its own. */
export function crawlerCounter(store: Store, onFault: (error: unknown) => void): CrawlerCounter {
  let counts = nothing()
  let timer: NodeJS.Timeout | undefined

  async function writeAll(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const taken = counts
    counts = nothing()
    if (taken.days.size > 0) await store.transaction(trx => write(trx, taken))
  }
  return {
    count(seen) {
      if (counts.pages.size >= MAX_WAITING) return
      add(counts, seen)
      timer ??= setTimeout(() => void writeAll().catch(onFault), WRITTEN_AFTER_MS).unref()
    },
    write: writeAll,
  }
}
