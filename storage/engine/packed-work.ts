/** The work of `npm run packed`: checks packed days, and unpacks all of them. */
import { sql } from 'kysely'
import { summaryOf } from '../moved-days/copy-notes.ts'
import { deleteUnusedNotes, movedRows } from '../moved-days/copies.ts'
import { haveRows, sealAgain } from '../moved-days/moving.ts'
import { areSameRows } from '../moved-days/same-rows.ts'
import { inSnapshot } from '../snapshots/snapshots.ts'
import type { Db, Store } from '../store.ts'
import { buildDay } from './days/build-day.ts'
import { siteDays } from './days/site-days.ts'
import { clicksIn, vitalsIn } from './days/read-measures.ts'
import { readRows } from './days/read-rows.ts'
import { packSums } from './days/packed-sums.ts'
import { FORMAT, PACKED_SUMS, sumsNumbers } from './days/sealed-columns.ts'
import { sealDay } from './days/sealed-day.ts'
import { writeSealed } from './days/segments.ts'
import { readRuns } from './days/sum-runs.ts'
import type { Difference } from './cluster-days.ts'
import { eachListed, type Working } from './listed-days.ts'
import { openLocal } from './local.ts'
import type { SiteDay } from '../values/site-day.ts'

const CACHE_BYTES = 16_000_000

/** Days that count on a packed copy, or have one next to their rows. */
const isPacked = sql`(d.moved < 0 or exists (
  select 1 from clickhouse_copies c where c.site_id = d.site_id and c.day = d.day and c.copy < 0 and c.drop_at is null))`

/**
 * Reads every packed day: its blocks have to be complete and undamaged, its stored sums have to match its rows, and rows that are
 * still in the tables have to be the same. A damaged copy whose rows are in the tables is made again.
 */
export async function checkPacked(store: Store, { signal, progress }: Working): Promise<{ days: number; different: Difference[] }> {
  const different: Difference[] = []
  const days = await eachDay(store, { signal, progress }, async of => {
    try {
      const faults = await inSnapshot(store.read, [of.site], db => faultsOf(db, store, of))
      for (const what of faults) different.push({ ...of, what })
    } catch (error) {
      const isHere = await sealAgain(store, of)
      const what = error instanceof Error ? error.message : String(error)
      different.push({ ...of, what: `${what}${isHere ? '; its rows are in the tables, so it is packed again' : ''}` })
    }
  })
  return { days, different }
}

async function faultsOf(db: Db, { cluster }: Store, { site, day }: SiteDay): Promise<string[]> {
  const [siteDay] = await siteDays(db, site, day, day)
  if (!siteDay) return []
  const note = await db
    .selectFrom('clickhouse_copies')
    .select(['copy', 'visits', 'hits', 'first_at', 'last_at', 'ended_at'])
    .where('site_id', '=', site)
    .where('day', '=', day)
    .where('copy', '<', 0)
    .where('drop_at', 'is', null)
    .executeTakeFirst()
  if (!note) return ['it is packed, and nothing is noted of its copy']
  // A day that has changed since has its own rows, and is packed again.
  if (siteDay.moved === 0 && note.copy !== -1 - siteDay.rev) return []
  const rows = await movedRows(db, { cluster, site }, { day, copy: note.copy })
  const faults: string[] = []
  const { copy: _, ...noted } = note
  const { copy: __, ...found } = summaryOf(note.copy, rows)
  if (Object.keys(found).some(name => found[name as keyof typeof found] !== noted[name as keyof typeof noted]))
    faults.push('other times than noted')
  const sealed = sealDay({ ...buildDay(siteDay, rows), vitals: vitalsIn(rows), clicks: clicksIn(rows) }, { hasColumns: false, packs: true })
  const stored = await db.selectFrom('segment_sums').select(['col', 'data']).where('site_id', '=', site).where('day', '=', day).execute()
  const sums = new Map(stored.map(({ col, data }) => [col, Buffer.from(data)]))
  for (const run of await readRuns(db, { site, numbers: Object.values(sumsNumbers), from: day, to: day, isLacking: of => of === day }))
    sums.set(PACKED_SUMS + run.number, Buffer.from(packSums(run.sums)))
  // A small day has no sums.
  if (sums.size > 0)
    for (const [col, data] of sealed.sums) if (sums.get(col)?.equals(data) !== true) faults.push(`other sums, number ${col}`)
  if (siteDay.moved === 0 && !areSameRows(await readRows(db, { cluster, site, siteDay }), rows)) faults.push('other rows')
  return faults
}

/**
 * Brings the rows of all packed days back, with the columns of earlier versions, which can then read the database.
 * No other process may be packing.
 */
export async function unpackAll(store: Store, { now, signal, progress }: Working): Promise<number> {
  const days = await eachDay(store, { signal, progress }, async of => {
    const { site, day } = of
    await haveRows(store, of, now())
    const [siteDay] = await siteDays(store.read, site, day, day)
    if (!siteDay) return
    const has = await store.read.selectFrom('segments').select('rev').where('site_id', '=', site).where('day', '=', day).executeTakeFirst()
    const built = has && (await openLocal(store, { cacheBytes: CACHE_BYTES }).sealed(site, day, 0))
    const { rev, epoch, sealed = null } = built ?? { rev: siteDay.rev }
    const unsealed = { site, day, rev, visitors: siteDay.visitors }
    // A day that has changed meanwhile has lost its blocks, or loses them when it is sealed.
    await writeSealed(store, { unsealed, format: FORMAT, sealed, epoch, now: now() })
  })
  if (!signal.aborted) await deleteUnusedNotes(store)
  return days
}

async function eachDay(
  store: Store,
  { signal, progress }: Pick<Working, 'signal' | 'progress'>,
  work: (day: SiteDay) => Promise<void>,
): Promise<number> {
  const { rows: counted } = await sql<{ n: number }>`select count(*) as n from site_days d where ${isPacked}`.execute(store.read)
  const listed: Parameters<typeof eachListed<SiteDay>>[0] = async ({ after, inOrder }) => {
    const { rows } = await sql<SiteDay>`
      select d.site_id as site, d.day from site_days d where ${isPacked} and ${after} ${inOrder}`.execute(store.read)
    return rows
  }
  return eachListed(listed, { total: counted[0]?.n ?? 0, signal, progress }, work)
}
