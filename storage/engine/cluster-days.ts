/** The work of `npm run clickhouse`: moves sealed days to ClickHouse, compares them, and moves them back. */
import { sql } from 'kysely'
import { newCopy } from '../cluster/cluster.ts'
import { movedRows, noteCopy } from '../moved-days/copies.ts'
import { clusterOf } from '../moved-days/cluster-days.ts'
import { mergeSql } from '../cluster/merging.ts'
import { haveRows, sealAgain } from '../moved-days/moving.ts'
import type { Store } from '../store.ts'
import { StorageUnavailable } from '../values/storage-unavailable.ts'
import { buildDay } from './days/build-day.ts'
import { siteDays } from './days/site-days.ts'
import { clicksIn, vitalsIn } from './days/read-measures.ts'
import { readRows } from './days/read-rows.ts'
import { FORMAT, READ_FORMATS } from './days/sealed-columns.ts'
import { sealDay } from './days/sealed-day.ts'
import { readSegments, writeSealed } from './days/segments.ts'
import { eachListed, type Working } from './listed-days.ts'
import { openLocal } from './local.ts'

const CACHE_BYTES = 16_000_000

interface ListedDay {
  readonly site: number
  readonly day: number
  readonly rev: number
  readonly copy: number
  readonly visitors: number
}

/**
 * Copies sealed days to the cluster, oldest first, while the service runs. It skips days that have a copy there. A packed day that has
 * its rows only in blocks counts on the copy from then on, and loses its blocks. Small days, which are not sealed, stay packed.
 */
export async function fillCluster(store: Store, { now, signal, progress }: Working): Promise<number> {
  clusterOf(store.cluster)
  return eachDay(store, sql`s.copy <= 0`, { signal, progress }, async ({ site, day, visitors }) => {
    const copy = newCopy(now())
    await noteCopy(store, { dayOf: { site, day }, copy, now: now() })
    const built = await openLocal(store, { cacheBytes: CACHE_BYTES }).sealed(site, day, copy)
    if (!built) return
    // A day that has changed meanwhile is sealed by the service, into the cluster as well.
    const { rev, epoch, copied } = built
    await writeSealed(store, { unsealed: { site, day, rev, visitors }, format: FORMAT, sealed: built.sealed, copied, epoch, now: now() })
  })
}

/**
 * Merges the parts that `fillCluster` has written. If the user may not do so or the server takes too long, the days are
 * complete nevertheless.
 * @returns advice for an administrator; null if everything is merged
 */
export async function mergeCluster({ cluster }: Store, { signal, progress }: Working): Promise<string | null> {
  const there = clusterOf(cluster)
  try {
    await there.merge({ signal, progress })
    return null
  } catch (error) {
    if (!(error instanceof StorageUnavailable)) throw error
    const reason = error.cause instanceof Error ? error.cause.message : error.message
    return `The parts were not merged, and some reports take a quarter longer until an administrator runs \`${mergeSql(there.settings)}\`: ${reason}`
  }
}

/** Moves the rows and columns of all days back into the database. No other process may be using the cluster. */
export async function leaveCluster(store: Store, { now, signal, progress }: Working): Promise<number> {
  clusterOf(store.cluster)
  // First those that are due for sealing and so are not among the sealed ones.
  const moved = await store.read
    .selectFrom('site_days')
    .select(['site_id', 'day'])
    .where('moved', '>', 0)
    .whereRef('sealed_rev', '<>', 'rev')
    .execute()
  for (const { site_id: site, day } of moved) await haveRows(store, { site, day }, now())
  return eachDay(store, sql`(s.copy > 0 or d.moved > 0)`, { signal, progress }, async ({ site, day, visitors }) => {
    await haveRows(store, { site, day }, now())
    const built = await openLocal(store, { cacheBytes: CACHE_BYTES }).sealed(site, day, 0)
    if (!built) return
    const { rev, epoch } = built
    await writeSealed(store, { unsealed: { site, day, rev, visitors }, format: FORMAT, sealed: built.sealed, epoch, now: now() })
  })
}

export interface Difference {
  readonly site: number
  readonly day: number
  readonly what: string
}

/**
 * Compares the copies with the database: the numbers of visits and hits of all days, and some days completely. For these,
 * it compares all sums of the copy with those that reports read, and its rows with those in the database, if they are there.
 * A day with an incomplete copy is sealed again if its rows are in the database.
 * @param whole number of days to compare completely
 */
export async function checkCluster(
  store: Store,
  whole: number,
  { signal, progress }: Working,
): Promise<{ days: number; different: Difference[] }> {
  const cluster = clusterOf(store.cluster)
  const different: Difference[] = []
  let seen = 0
  const total = await countDays(store, sql`s.copy > 0`)
  const every = Math.max(1, Math.floor(total / Math.max(1, whole)))
  const days = await eachDay(store, sql`s.copy > 0`, { signal, progress }, async ({ site, day, copy }) => {
    const note = (what: string) => different.push({ site, day, what })
    const isWhole = seen++ % every === 0
    try {
      const found = await cluster.select('footfall_visits', site, [{ day, copy }], { n: 'count()', hits: 'sum(length(h_at))' }, 'n', 'day')
      const [segment, [siteDay]] = [
        (await readSegments(store.read, { site, days: [{ day, rev: -1 }], format: READ_FORMATS })).get(day),
        await siteDays(store.read, site, day, day),
      ]
      const noted = await store.read
        .selectFrom('clickhouse_copies')
        .select(['visits', 'hits'])
        .where('site_id', '=', site)
        .where('day', '=', day)
        .where('copy', '=', copy)
        .executeTakeFirst()
      const [visits, hits] = [found.column('n').values[0] ?? 0, found.column('hits').values[0] ?? 0]
      if (noted?.visits !== visits || noted.hits !== hits) {
        const isHere = await sealAgain(store, { site, day })
        note(
          `${visits} visits and ${hits} hits there, ${noted?.visits ?? 0} and ${noted?.hits ?? 0} expected` +
            `${isHere ? '; its rows are in Postgres, so it is copied again' : ''}`,
        )
        return
      }
      if (!isWhole || !siteDay) return
      const rows = await movedRows(store.read, { cluster, site }, { day, copy })
      const sealed = sealDay({ ...buildDay(siteDay, rows), vitals: vitalsIn(rows), clicks: clicksIn(rows) }, { hasColumns: false })
      const stored = await store.read
        .selectFrom('segment_sums')
        .select(['col', 'data'])
        .where('site_id', '=', site)
        .where('day', '=', day)
        .execute()
      const sums = new Map(stored.map(({ col, data }) => [col, Buffer.from(data)]))
      for (const [col, data] of sealed.sums) if (sums.get(col)?.equals(data) !== true) note(`other sums, number ${col}`)
      if (segment && segment.shape !== sealed.shape) note('other totals')
      if (siteDay.moved !== 0) return
      const here = await readRows(store.read, { cluster, site, siteDay })
      for (const table of ['visits', 'hits', 'props', 'vitals', 'clicks'] as const) {
        if (digest(here[table]) !== digest(rows[table])) note(`other rows of ${table}`)
      }
    } catch (error) {
      note(error instanceof Error ? error.message : String(error))
    }
  })
  return { days, different }
}

/** Makes a value that is equal for the same rows in any order. */
function digest(rows: Readonly<Record<string, readonly number[]>>): string {
  const names = Object.keys(rows).sort()
  const length = rows[names[0] ?? '']?.length ?? 0
  return Array.from({ length }, (_, i) => names.map(name => rows[name]?.[i]).join())
    .sort()
    .join(';')
}

type Condition = ReturnType<typeof sql>

async function countDays({ read }: Store, which: Condition): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from site_days d join segments s on s.site_id = d.site_id and s.day = d.day
    where s.rev = d.rev and d.sealed_rev = d.rev and ${which}`.execute(read)
  return rows[0]?.n ?? 0
}

/** Works on sealed days one after another, by site and day. @returns the number of days */
async function eachDay(
  store: Store,
  which: Condition,
  { signal, progress }: Pick<Working, 'signal' | 'progress'>,
  work: (day: ListedDay) => Promise<void>,
): Promise<number> {
  const listed: Parameters<typeof eachListed<ListedDay>>[0] = async ({ after, inOrder }) => {
    const { rows } = await sql<ListedDay>`
      select d.site_id as site, d.day, d.rev, s.copy, d.next_visitor as visitors
      from site_days d join segments s on s.site_id = d.site_id and s.day = d.day
      where s.rev = d.rev and d.sealed_rev = d.rev and ${which} and ${after} ${inOrder}`.execute(store.read)
    return rows
  }
  return eachListed(listed, { total: await countDays(store, which), signal, progress }, work)
}
