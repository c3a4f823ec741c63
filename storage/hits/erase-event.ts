/**
 * Takes an event and its hits away. First it loses its name, in one short transaction: the name moves on to a new id,
 * so that hits which come from then on are others, whatever time they carry. Then the hits with the old id go, some
 * visits at a time, each with its day's `rev`, so that at any time the visits are those of the hits that are left.
 */
import type { Kysely } from 'kysely'
import type { Store, Trx } from '../store.ts'
import type { Tables } from '../tables/index.ts'
import { dictionaryOf } from './dictionaries.ts'
import { type HitCounts, repairedVisit, type VisitCounts } from './repair-visit.ts'
import { assign, bigint, type Columns, int, matching, statement } from './statements.ts'

/**
 * Run under `lockSites`.
 * @returns the id that nothing is called by any more; null where the site never had the event
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

/** The event in up to `limit` visits of its day, from the visit `from` on. @returns hits that went; 0: there were none */
export type EraseSome = (trx: Trx, of: EventOfDay, limit: number, from?: number) => Promise<number>

export function eventEraser(store: Store): EraseSome {
  const update = visitUpdate(store)
  return async (trx, of, limit, from = 0) => {
    const { site, day, event } = of
    await store.dialect.lockSites(trx, [site])
    const ids = await visitsWith(trx, of, limit, from)
    if (ids.length === 0) return 0
    const visits = await trx
      .selectFrom('visits')
      .select(['visit_id', 'next_seq', ...counts])
      .where('site_id', '=', site)
      .where('day', '=', day)
      .where('visit_id', 'in', ids)
      .execute()
    const hits = await trx
      .selectFrom('hits')
      .select(['visit_id', 'at', 'event', 'interactive', 'revenue', 'engaged_ms'])
      .where('site_id', '=', site)
      .where('day', '=', day)
      .where('visit_id', 'in', ids)
      .execute()
    const byVisit = new Map(ids.map(id => [id, { left: [] as HitCounts[], gone: [] as HitCounts[] }]))
    for (const hit of hits) byVisit.get(hit.visit_id)?.[hit.event === event ? 'gone' : 'left'].push(hit)

    for (const table of ['hit_props', 'hits'] as const) {
      await trx
        .deleteFrom(table)
        .where('site_id', '=', site)
        .where('day', '=', day)
        .where('event', '=', event)
        .where('visit_id', 'in', ids)
        .execute()
    }
    const { rev } = await trx
      .updateTable('site_days')
      .set(({ eb }) => ({ rev: eb('rev', '+', 1) }))
      .where('site_id', '=', site)
      .where('day', '=', day)
      .returning('rev')
      .executeTakeFirstOrThrow()
    const changed: RepairedVisit[] = []
    const empty: typeof visits = []
    for (const visit of visits) {
      const { left = [], gone = [] } = byVisit.get(visit.visit_id) ?? {}
      const what = repairedVisit(visit, left, gone)
      if (what) changed.push({ ...of, ...what, visit_id: visit.visit_id, rev })
      else empty.push(visit)
    }
    await update(changed)(trx)
    if (empty.length > 0) await removeVisits(trx, of, empty)
    return hits.filter(hit => hit.event === event).length
  }
}

async function visitsWith(db: Kysely<Tables>, { site, day, event }: EventOfDay, limit: number, from: number): Promise<number[]> {
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
 * The first visit of the day that has it, from one on. From 0 on: once there is none, there never is again; otherwise a
 * late hit may have put two visits together under the lower of their ids.
 */
export const visitWith = async (db: Kysely<Tables>, of: EventOfDay, from: number): Promise<number | undefined> =>
  (await visitsWith(db, of, 1, from))[0]

/** Visits without hits go. What was measured on their pages stays, as it does of visitors without a visit. */
async function removeVisits(trx: Trx, { site, day }: EventOfDay, visits: readonly { visit_id: number; next_seq: number }[]): Promise<void> {
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
  await trx.deleteFrom('visits').where('site_id', '=', site).where('day', '=', day).where('visit_id', 'in', ids).execute()
}

interface RepairedVisit extends VisitCounts {
  readonly site: number
  readonly day: number
  readonly visit_id: number
  readonly rev: number
}

const key: Columns<RepairedVisit> = {
  site_id: int(visit => visit.site),
  day: int(visit => visit.day),
  visit_id: bigint(visit => visit.visit_id),
}
const figures: Columns<RepairedVisit, keyof VisitCounts> = {
  started_at: bigint(visit => visit.started_at),
  duration: int(visit => visit.duration),
  pageviews: int(visit => visit.pageviews),
  events: int(visit => visit.events),
  bounce: int(visit => visit.bounce),
  revenue: bigint(visit => visit.revenue),
  entry_after: int(visit => visit.entry_after),
  exit_after: int(visit => visit.exit_after),
}
const stamp = { rev: int<RepairedVisit>(visit => visit.rev) }
const counts = Object.keys(figures) as (keyof VisitCounts)[] // its keys are those

const visitUpdate = (store: Store) =>
  statement<RepairedVisit>(
    store,
    { ...key, ...figures, ...stamp },
    `update visits set ${assign([...counts, 'rev'], 'given')} from given
   where ${matching(Object.keys(key), 'visits', 'given')}`,
  )
