/**
 * Deletes the rows of sealed days that have a copy some days after they were sealed, and brings them back before anything
 * changes them. So the same code changes rows of all days (docs/clickhouse.md §3).
 */
import { sql } from 'kysely'
import { vitalNames } from '../values/web-vitals.ts'
import { bigint, insertInto, int, real, text } from '../sql/row-statements.ts'
import type { Store, Trx } from '../store.ts'
import { visitDimensions } from '../tables/index.ts'
import type { DayRows } from '../cluster/day-rows.ts'
import { deleteFirst, inRanges, type Timed } from './ranges.ts'
import { yieldWhereDue } from '../system/event-loop.ts'
import { forgetPacked, keepRows, movedRows } from './copies.ts'
import type { StoreName } from './day-store.ts'
import { dayStoreOf } from './day-stores.ts'
import type { SiteDay } from '../values/site-day.ts'
import { HOUR_MS } from '../values/durations.ts'

/** The tables of rows, with the columns of their keys after site and day. Visits come last: a day without visits has no rows. */
const rowKeys = {
  hit_props: ['event', 'key', 'visit_id', 'seq'],
  vitals: ['page', 'metric', 'visit_id', 'seq'],
  clicks: ['page', 'visit_id', 'seq'],
  hits: ['visit_id', 'seq'],
  visits: ['visit_id'],
} as const
export const rowTables = Object.keys(rowKeys) as readonly (keyof typeof rowKeys)[] // a literal's own keys

/** Rows that a statement inserts: SQLite inserts in the event loop, and Postgres over a network. */
const ROWS_AT_ONCE = { sqlite: 500, postgres: 5_000 } as const

/**
 * Brings the rows of a day back, in the transaction that is about to change or read them. Call with the site locked.
 * @returns whether they had been moved
 * @throws StorageUnavailable `cluster`
 */
export type BringBack = (trx: Trx, of: SiteDay) => Promise<boolean>

export function rowReturner(store: Store): BringBack {
  let put: ReturnType<typeof rowWriter> | undefined
  return async (trx, { site, day }) => {
    const state = await trx
      .selectFrom('site_days')
      .select(['moved', 'rev'])
      .where('site_id', '=', site)
      .where('day', '=', day)
      .where('moved', '<>', 0)
      .executeTakeFirst()
    if (!state) return false
    const rows = await movedRows(trx, { cluster: store.cluster, site }, { day, copy: state.moved })
    // Delete the rows that are still here.
    for (const table of rowTables) await trx.deleteFrom(table).where('site_id', '=', site).where('day', '=', day).execute()
    put ??= rowWriter(store)
    await put(trx, { site, day, rev: state.rev }, rows)
    await trx.updateTable('site_days').set({ moved: 0 }).where('site_id', '=', site).where('day', '=', day).execute()
    await trx
      .updateTable('clickhouse_copies')
      .set({ emptied: 0 })
      .where('site_id', '=', site)
      .where('day', '=', day)
      .where('copy', '=', state.moved)
      .execute()
    return true
  }
}

/** The time for which the rows of a day stay after they are read, ms. */
const KEPT_MS = 6 * HOUR_MS

/** Brings the rows of a day back into the database, and keeps them there for the next reads. */
export async function haveRows(store: Store, { site, day }: SiteDay, now: number): Promise<void> {
  await store.transaction(async trx => {
    await store.dialect.lockSites(trx, [site])
    await rowReturner(store)(trx, { site, day })
    await keepRows(trx, { site, day }, now + KEPT_MS)
  })
}

/**
 * Has the rows of a day stay where they are for some hours, for a reader that takes several queries.
 * @returns the copy that has them; 0 if the tables have them
 */
export function holdRows(store: Store, { site, day }: SiteDay, now: number): Promise<number> {
  return store.transaction(async trx => {
    await store.dialect.lockSites(trx, [site])
    const ofDay = trx.selectFrom('site_days').select('moved').where('site_id', '=', site).where('day', '=', day)
    const state = await ofDay.executeTakeFirst()
    if (state?.moved === 0) await keepRows(trx, { site, day }, now + KEPT_MS)
    return state?.moved ?? 0
  })
}

/** Forgets the copy of a day whose rows are all to be deleted, so that none comes back. Call with the site locked. */
export async function forgetMoved(trx: Trx, { site, day }: SiteDay): Promise<void> {
  await trx.updateTable('site_days').set({ moved: 0 }).where('site_id', '=', site).where('day', '=', day).where('moved', '<>', 0).execute()
  await forgetPacked(trx, { site, day })
}

/** Place in a list of rows. */
interface At extends SiteDay {
  readonly rev: number
  readonly i: number
}

/** Inserts rows of a day; call with the site locked. */
export function rowWriter(store: Store) {
  let rows: DayRows
  const atOnce = ROWS_AT_ONCE[store.dialect.name]
  const key = { site_id: int<At>(({ site }) => site), day: int<At>(({ day }) => day) }
  const visit = (name: keyof DayRows['visits']) => int<At>(({ i }) => rows.visits[name][i] ?? 0)
  const hit = (name: keyof DayRows['hits']) => int<At>(({ i }) => rows.hits[name][i] ?? 0)
  const prop = (name: keyof DayRows['props']) => int<At>(({ i }) => rows.props[name][i] ?? 0)
  const vital = (name: keyof DayRows['vitals']) => int<At>(({ i }) => rows.vitals[name][i] ?? 0)
  const click = (name: keyof DayRows['clicks']) => int<At>(({ i }) => rows.clicks[name][i] ?? 0)
  const dimensions = Object.fromEntries(visitDimensions.map(name => [name, visit(name)])) as Record<
    (typeof visitDimensions)[number],
    ReturnType<typeof visit>
  > // one each
  const visits = insertInto<At, 'visits'>(store, {
    name: 'moving.visits',
    table: 'visits',
    columns: {
      ...key,
      visit_id: bigint(({ i }) => rows.visits.visit_id[i] ?? 0),
      started_at: bigint(({ i }) => rows.visits.started_at[i] ?? 0),
      duration: visit('duration'),
      pageviews: visit('pageviews'),
      events: visit('events'),
      bounce: visit('bounce'),
      revenue: bigint(({ i }) => rows.visits.revenue[i] ?? 0),
      entry_after: visit('entry_after'),
      exit_after: visit('exit_after'),
      next_seq: visit('next_seq'),
      attended_at: bigint(({ i }) => rows.visits.attended_at[i] ?? 0),
      person: visit('person'),
      person_after: visit('person_after'),
      rev: int(({ rev }) => rev), // all may have changed since whatever is cached of the day
      ...dimensions,
    },
  })
  const hits = insertInto<At, 'hits'>(store, {
    name: 'moving.hits',
    table: 'hits',
    columns: {
      ...key,
      visit_id: bigint(({ i }) => rows.hits.visit_id[i] ?? 0),
      seq: hit('seq'),
      at: bigint(({ i }) => rows.hits.at[i] ?? 0),
      page: hit('page'),
      event: hit('event'),
      interactive: hit('interactive'),
      revenue: bigint(({ i }) => rows.hits.revenue[i] ?? 0),
      engaged_ms: hit('engaged_ms'),
      scroll: hit('scroll'),
      host: hit('host'),
    },
  })
  const props = insertInto<At, 'hit_props'>(store, {
    name: 'moving.props',
    table: 'hit_props',
    columns: {
      ...key,
      visit_id: bigint(({ i }) => rows.props.visit_id[i] ?? 0),
      seq: prop('seq'),
      event: prop('event'),
      key: prop('key'),
      value: prop('value'),
      num: real(({ i }) => (Number.isNaN(rows.props.num[i]) ? null : (rows.props.num[i] ?? null))),
    },
  })
  const vitals = insertInto<At, 'vitals'>(store, {
    name: 'moving.vitals',
    table: 'vitals',
    columns: {
      ...key,
      page: vital('page'),
      metric: text(({ i }) => vitalNames[rows.vitals.metric[i] ?? 0] ?? ''),
      visit_id: bigint(({ i }) => rows.vitals.visit_id[i] ?? 0),
      seq: vital('seq'),
      value: vital('value'),
      device: vital('device'),
    },
  })
  const clicks = insertInto<At, 'clicks'>(store, {
    name: 'moving.clicks',
    table: 'clicks',
    columns: {
      ...key,
      page: click('page'),
      visit_id: bigint(({ i }) => rows.clicks.visit_id[i] ?? 0),
      seq: click('seq'),
      selector: click('selector'),
      x: click('x'),
      y: click('y'),
    },
  })

  return async (trx: Trx, of: Omit<At, 'i'>, given: DayRows): Promise<void> => {
    const tables = [
      [visits, given.visits.visit_id.length],
      [hits, given.hits.visit_id.length],
      [props, given.props.visit_id.length],
      [vitals, given.vitals.visit_id.length],
      [clicks, given.clicks.visit_id.length],
    ] as const
    for (const [insert, count] of tables) {
      for (let from = 0; from < count; from += atOnce) {
        rows = given // another transaction may have set it in between
        const write = insert(Array.from({ length: Math.min(atOnce, count - from) }, (_, i) => ({ ...of, i: from + i })))
        await write(trx)
        await yieldWhereDue()
      }
    }
  }
}

export interface Moving {
  now(): number
  /** Age at which days are moved, ms. */
  readonly graceMs: number
  readonly signal: AbortSignal
  /** Copies in this store are meant; those in ClickHouse by default. */
  readonly to?: StoreName
  /** Whether a copy has all rows; by default, whether it has as many as are noted. */
  verify?(of: Movable): Promise<boolean>
  progress?(done: number): void
}

/**
 * Moves rows of days whose copy is complete out of the database. First a short transaction makes the day use the copy, then
 * its rows are deleted in pieces.
 * @returns whether there is more to do
 */
export async function moveOut(
  store: Store,
  {
    now,
    graceMs,
    signal,
    to = 'clickhouse',
    verify = row => dayStoreOf(row.copy, store.cluster).isWhole(store.read, row),
    progress,
  }: Moving,
  limit = 100,
): Promise<boolean> {
  if (to === 'clickhouse' && !store.cluster) return false
  // Copies that are not emptied belong to days to move, or to days whose rows are not all deleted yet.
  const { rows } = await sql<Movable>`
    select d.site_id as site, d.day, d.moved, d.next_visitor as visitors, c.copy, c.visits, c.hits from clickhouse_copies c
    join site_days d on d.site_id = c.site_id and d.day = c.day
    where c.emptied = 0 and c.drop_at is null and c.keep_until <= ${now()} and d.ends_at <= ${now() - graceMs} and d.sealed_rev = d.rev
      and ${movable[to]}
    order by d.ends_at limit ${limit}`.execute(store.read)
  let done = 0
  for (const row of rows) {
    if (row.moved === 0 && !(await verify(row))) {
      await sealAgain(store, row)
      continue
    }
    await countOnCopy(store, row, now())
    if (!(await inRanges(store, (rows, timed) => deleteSome(store, row, { rows, timed }), signal))) return true
    progress?.(++done)
    if (signal.aborted) return true
  }
  return rows.length === limit
}

/** The condition of copies `c`, of days `d`, in a store. */
const movable: Readonly<Record<StoreName, ReturnType<typeof sql>>> = {
  packed: sql`(c.copy = -1 - d.rev or (c.copy < 0 and c.copy = d.moved))`,
  clickhouse: sql`c.copy > 0`,
}

export interface Movable extends SiteDay {
  readonly moved: number
  /** One more than the day has. */
  readonly visitors: number
  readonly copy: number
  readonly visits: number
  readonly hits: number
}

/** Makes a day due for sealing, so that its rows are read until it has another copy. @returns whether its rows are still here */
export async function sealAgain({ write }: Store, { site, day }: SiteDay): Promise<boolean> {
  const ofDay = write.updateTable('site_days').set({ sealed_rev: -1 }).where('site_id', '=', site).where('day', '=', day)
  const { numUpdatedRows } = await ofDay.where('moved', '=', 0).executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Makes the day use the rows of the copy, if the day has not changed since it was sealed with the copy. */
function countOnCopy(store: Store, { site, day, copy }: SiteDay & { copy: number }, now: number): Promise<void> {
  return store.transaction(async trx => {
    await store.dialect.lockSites(trx, [site]) // so that no hits are being stored
    const isCurrent = dayStoreOf(copy, store.cluster).isCurrent(copy)
    await sql`
      update site_days set moved = ${copy}
      where site_id = ${site} and day = ${day} and moved = 0 and sealed_rev = rev and ${isCurrent} and exists (
        select 1 from clickhouse_copies c
        where c.site_id = ${site} and c.day = ${day} and c.copy = ${copy} and c.drop_at is null and c.keep_until <= ${now})`.execute(trx)
  })
}

/** Deletes some rows of a moved day. @returns whether none are left, or the day no longer uses the copy */
async function deleteSome(
  store: Store,
  { site, day, copy }: SiteDay & { copy: number },
  { rows, timed }: { rows: number; timed: Timed },
): Promise<boolean> {
  return store.transaction(async trx => {
    await store.dialect.lockSites(trx, [site])
    const state = await trx.selectFrom('site_days').select('moved').where('site_id', '=', site).where('day', '=', day).executeTakeFirst()
    if (state?.moved !== copy) return true
    const where = sql`site_id = ${site} and day = ${day}`
    const left = await timed(async () => {
      let left = rows
      for (const table of rowTables) if (left > 0) left -= await deleteFirst(trx, { table, where, key: rowKeys[table] }, left)
      return left
    })
    if (left <= 0) return false
    await trx
      .updateTable('clickhouse_copies')
      .set({ emptied: 1 })
      .where('site_id', '=', site)
      .where('day', '=', day)
      .where('copy', '=', copy)
      .execute()
    return true
  })
}
