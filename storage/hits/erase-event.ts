/**
 * Deletes an event and its hits. First the event's name gets a new id, in a short transaction: later hits have that id,
 * whatever their time. Then the hits with the old id are deleted, a few visits at a time, and each day's `rev` is
 * increased, so that visits always match the remaining hits.
 */
import { type Kysely, sql } from 'kysely'
import { among, type Cluster } from '../cluster/cluster.ts'
import { clusterOf } from '../moved-days/cluster-days.ts'
import { storeNameOf, type StoreName } from '../moved-days/day-store.ts'
import { rowReturner } from '../moved-days/moving.ts'
import { blocksOf } from '../moved-days/packed-days.ts'
import { openBlock } from '../packed/block.ts'
import { visitIdsOf } from '../packed/day-blocks.ts'
import { inSnapshot } from '../snapshots/snapshots.ts'
import type { Db, Store, Trx } from '../store.ts'
import { yieldWhereDue } from '../system/event-loop.ts'
import type { Tables } from '../tables/index.ts'
import { raiseRevision } from './days.ts'
import { dictionaryOf } from './dictionaries.ts'
import { deleteNoting, type GoneTexts, goneTexts } from './gone-texts.ts'
import { counts, type HitCounts, type RepairedVisit, repairedVisit, visitUpdate } from './repair-visit.ts'

/**
 * Gives the event's name a new id. Call with the sites locked (`lockSites`).
 * @returns the old id, which no longer has a name; null if the site never had the event
 */
export async function takeName(trx: Kysely<Tables>, site: number, name: string): Promise<number | null> {
  const events = trx.selectFrom('dict').where('site_id', '=', site).where('dim', '=', dictionaryOf.event)
  const named = await events.select('id').where('value', '=', name).executeTakeFirst()
  if (!named) return null
  const { last } = await events.select(({ fn }) => fn.max('id').as('last')).executeTakeFirstOrThrow()
  await trx
    .updateTable('dict')
    .set({ id: last + 1 })
    .where('site_id', '=', site)
    .where('dim', '=', dictionaryOf.event)
    .where('id', '=', named.id)
    .execute()
  return named.id
}

/** An event of one day, by its id. */
export interface EventOfDay {
  readonly site: number
  readonly day: number
  readonly event: number
}

/**
 * Deletes the event from up to `limit` visits of its day, starting at the visit `from`. @returns deleted hits; 0 if
 * none are left
 */
export type EraseSome = (trx: Trx, of: EventOfDay, visits: { readonly limit: number; readonly from?: number }) => Promise<number>

export function eventEraser(store: Store): EraseSome {
  const update = visitUpdate(store)
  const bringBack = rowReturner(store)
  return async (trx, of, { limit, from = 0 }) => {
    const { site, day, event } = of
    await store.dialect.lockSites(trx, [site])
    await bringBack(trx, of)
    const ids = await visitsWith(trx, { of, limit, from })
    if (ids.length === 0) return 0
    const visits = await trx
      .selectFrom('visits')
      .select(['visit_id', 'next_seq', 'attended_at', ...counts])
      .where('site_id', '=', site)
      .where('day', '=', day)
      .where('visit_id', 'in', ids)
      .execute()
    const hits = await trx
      .selectFrom('hits')
      .select(['visit_id', 'seq', 'at', 'page', 'event', 'interactive', 'revenue', 'engaged_ms'])
      .where('site_id', '=', site)
      .where('day', '=', day)
      .where('visit_id', 'in', ids)
      .execute()
    const byVisit = new Map(ids.map(id => [id, { left: [] as HitCounts[], gone: [] as HitCounts[] }]))
    for (const hit of hits) byVisit.get(hit.visit_id)?.[hit.event === event ? 'gone' : 'left'].push(hit)

    const texts = goneTexts()
    const ofDay = sql`site_id = ${site} and day = ${day}`
    for (const table of ['hit_props', 'hits'] as const)
      await deleteNoting(trx, texts, table, sql`${ofDay} and event = ${event} and visit_id in (${sql.join(ids)})`)
    const rev = await raiseRevision(trx, { site, day })
    if (rev === undefined) throw new Error(`site ${site} has visits of day ${day}, which has no row in site_days`)
    const changed: RepairedVisit[] = []
    const empty: typeof visits = []
    for (const visit of visits) {
      const { left = [], gone = [] } = byVisit.get(visit.visit_id) ?? {}
      const what = repairedVisit(visit, left, gone)
      if (what) changed.push({ ...of, ...what, visit_id: visit.visit_id, rev })
      else empty.push(visit)
    }
    await update(changed)(trx)
    if (empty.length > 0) await removeVisits(trx, of, empty, texts)
    await texts.note(trx, site)
    return hits.filter(hit => hit.event === event).length
  }
}

async function visitsWith(
  db: Kysely<Tables>,
  { of: { site, day, event }, limit, from }: { of: EventOfDay; limit: number; from: number },
): Promise<number[]> {
  const rows = await db
    .selectFrom('hits')
    .select('visit_id')
    .distinct()
    .where('site_id', '=', site)
    .where('day', '=', day)
    .where('visit_id', '>=', from)
    .where('event', '=', event)
    .orderBy('visit_id')
    .limit(limit)
    .execute()
  return rows.map(({ visit_id }) => visit_id)
}

/**
 * Finds the first visit of the day with the event, from a visit on. If there is none from 0 on, there never will be. From a
 * later visit on there may be one, since a late hit can join two visits under the lower id.
 */
export function visitWith({ read, cluster }: Store, of: EventOfDay, from: number): Promise<number | undefined> {
  // In one snapshot, because the rows may be moved meanwhile.
  return inSnapshot(read, [of.site], db => visitIn(db, cluster, of, from))
}

async function visitIn(db: Db, cluster: Cluster | undefined, of: EventOfDay, from: number): Promise<number | undefined> {
  const { site, day } = of
  const ofDay = db.selectFrom('site_days').select('moved').where('site_id', '=', site).where('day', '=', day)
  const copy = (await ofDay.executeTakeFirst())?.moved ?? 0
  if (copy === 0) return (await visitsWith(db, { of, limit: 1, from }))[0]
  return findersOf[storeNameOf(copy)](db, { of, copy, from, cluster })
}

interface FindVisit {
  readonly of: EventOfDay
  readonly copy: number
  readonly from: number
  readonly cluster: Cluster | undefined
}

const findersOf: Readonly<Record<StoreName, (db: Db, find: FindVisit) => Promise<number | undefined>>> = {
  async packed(db, { of: { site, day, event }, from }) {
    for (const data of await blocksOf(db, site, day)) {
      const block = openBlock(data)
      const events = block.get('event')
      const ids = visitIdsOf(block)
      for (let h = 0; h < events.length; h++) {
        const visit = ids[block.known.visitOfHit[h] ?? 0] ?? 0
        if (events[h] === event && visit >= from) return visit
      }
      await yieldWhereDue()
    }
    return undefined
  },
  async clickhouse(_, { of: { site, day, event }, copy, from, cluster }) {
    const found = await clusterOf(cluster).read(
      `select toUInt64(visitor) * 256 + number as visit from footfall_visits
       where ${among(site, [{ day, copy }])} and has(h_event, ${event}) and visit >= ${from} order by visit limit 1`,
    )
    return found.rows === 0 ? undefined : found.column('visit').values[0]
  },
}

/** Deletes visits without hits. Vitals of their pages stay, as they do for visitors without a visit. */
async function removeVisits(
  trx: Trx,
  { site, day }: EventOfDay,
  visits: readonly { visit_id: number; next_seq: number }[],
  texts: GoneTexts,
): Promise<void> {
  const ids = visits.map(({ visit_id }) => visit_id)
  for (const table of ['vitals', 'clicks'] as const) {
    const rows = await trx
      .selectFrom(table)
      .select('visit_id')
      .distinct()
      .where('site_id', '=', site)
      .where('day', '=', day)
      .where('visit_id', 'in', ids)
      .execute()
    for (const { visit_id } of rows) {
      const rowsOfVisit = visits.find(visit => visit.visit_id === visit_id)?.next_seq ?? 0
      const { next_loose } = await trx
        .updateTable('site_days')
        .set(({ eb }) => ({ next_loose: eb('next_loose', '+', rowsOfVisit) }))
        .where('site_id', '=', site)
        .where('day', '=', day)
        .returning('next_loose')
        .executeTakeFirstOrThrow()
      await trx
        .updateTable(table)
        .set(({ eb }) => ({ visit_id: 0, seq: eb('seq', '+', next_loose - rowsOfVisit) }))
        .where('site_id', '=', site)
        .where('day', '=', day)
        .where('visit_id', '=', visit_id)
        .execute()
    }
  }
  await deleteNoting(trx, texts, 'visits', sql`site_id = ${site} and day = ${day} and visit_id in (${sql.join(ids)})`)
}
