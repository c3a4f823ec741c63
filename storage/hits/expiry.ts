/** Deletes the rows of a day after the retention period: ranges of visits with their hits, in short transactions. */
import { type RawBuilder, sql } from 'kysely'
import { forgetMoved } from '../moved-days/moving.ts'
import type { Store, Trx } from '../store.ts'
import { raiseRevision } from './days.ts'
import { deleteFirst, firstOf, type Timed, untimed } from '../moved-days/ranges.ts'

/** Lists the days before `day` that still have data, oldest first. */
export async function expiredDays(store: Store, site: number, day: number): Promise<number[]> {
  const rows = await store.read
    .selectFrom('site_days')
    .select('day')
    .where('site_id', '=', site)
    .where('day', '<', day)
    .where(sql<boolean>`(moved <> 0 or ${holds('visits')} or ${holds('vitals')} or ${holds('clicks')})`)
    .orderBy('day')
    .execute()
  return rows.map(row => row.day)
}

const holds = (table: 'visits' | 'vitals' | 'clicks') => sql`exists (
  select 1 from ${sql.table(table)} as t where t.site_id = site_days.site_id and t.day = site_days.day)`

interface ExpireVisits {
  readonly site: number
  readonly day: number
  readonly limit: number
  readonly timed?: Timed | undefined
  /** Runs first in the transaction, once the site is locked. False: the day is left as it is. */
  readonly isAllowed?: ((trx: Trx) => Promise<boolean>) | undefined
}

/**
 * Deletes about `limit` rows of a day, and increases the day's `rev` by 1, so that caches of the day end. Vitals and clicks
 * are deleted first, then whole visits, except a visit with more hits than the limit. Call it until it returns true.
 * @returns whether the day is empty, or may not be deleted
 */
export function expireVisits(store: Store, { site, day, limit, timed = untimed, isAllowed }: ExpireVisits): Promise<boolean> {
  return store.transaction(async trx => {
    await store.dialect.lockSites(trx, [site])
    if (isAllowed && !(await isAllowed(trx))) return true
    await forgetMoved(trx, { site, day }) // all of them are deleted
    return timed(() => expireFirst(trx, { site, day, limit }))
  })
}

async function expireFirst(trx: Trx, { site, day, limit }: { site: number; day: number; limit: number }): Promise<boolean> {
  const ofDay = sql`site_id = ${site} and day = ${day}`
  const rev = await raiseRevision(trx, { site, day })
  if (rev === undefined) return true // the site was purged meanwhile
  let left = limit
  for (const [table, key] of measured) left -= left > 0 ? await deleteFirst(trx, { table, where: ofDay, key }, left) : 0
  return left > 0 && (await expireFirstVisits(trx, { ofDay, limit: left, rev }))
}

const measured = [
  ['vitals', ['page', 'metric', 'visit_id', 'seq']],
  ['clicks', ['page', 'visit_id', 'seq']],
] as const

async function expireFirstVisits(
  trx: Trx,
  { ofDay, limit, rev }: { ofDay: RawBuilder<unknown>; limit: number; rev: number },
): Promise<boolean> {
  const visits = await firstOf(trx, { table: 'visits', where: ofDay, key: ['visit_id'] }, limit)
  const [firstVisit] = visits.begin ?? []
  if (firstVisit === undefined) return true
  const hits = await firstOf(trx, { table: 'hits', where: ofDay, key: ['visit_id', 'seq'] }, limit)
  const [visitOfHit, seq = 0] = hits.end ?? []
  const ends = [visits.end?.[0], visitOfHit].flatMap(id => (id === undefined ? [] : [Number(id)]))
  const end = ends.length === 0 ? undefined : Math.min(...ends)
  const isPart = end === firstVisit
  // A single visit with more hits than the limit loses some of them, and counts as changed.
  const ofVisits = isPart
    ? sql`and visit_id = ${firstVisit} and seq < ${seq}`
    : sql`and visit_id >= ${firstVisit} ${end === undefined ? sql`` : sql`and visit_id < ${end}`}`
  await deleteProps(trx, ofDay, ofVisits)
  await sql`delete from hits where ${ofDay} ${ofVisits}`.execute(trx)
  if (isPart) await sql`update visits set rev = ${rev} where ${ofDay} and visit_id = ${firstVisit}`.execute(trx)
  else await sql`delete from visits where ${ofDay} ${ofVisits}`.execute(trx)
  return end === undefined
}

/** Deletes the properties of a range of visits by event and key, because the rows are clustered by them. */
async function deleteProps(trx: Trx, ofDay: RawBuilder<unknown>, ofVisits: RawBuilder<unknown>): Promise<void> {
  const { rows: events } = await sql<{ event: number }>`select distinct event from hits where ${ofDay} ${ofVisits}`.execute(trx)
  for (const { event } of events) {
    const ofEvent = sql`${ofDay} and event = ${event}`
    for (let key = await nextKey(trx, ofEvent, sql``); key !== null; key = await nextKey(trx, ofEvent, sql`and key > ${key}`)) {
      await sql`delete from hit_props where ${ofEvent} and key = ${key} ${ofVisits}`.execute(trx)
    }
  }
}

async function nextKey(trx: Trx, ofEvent: RawBuilder<unknown>, after: RawBuilder<unknown>): Promise<number | null> {
  const { rows } = await sql<{ key: number }>`
    select key from hit_props where ${ofEvent} ${after} order by key limit 1`.execute(trx)
  return rows[0]?.key ?? null
}
