/**
 * Notes of the database on the copies of days. The note of a copy in ClickHouse (docs/clickhouse.md §2) is written before the
 * copy, with a time to drop it. The transaction that seals a day with the copy removes that time. So the database knows of
 * every copy in the cluster, whenever a process is killed. A packed copy is written in the transaction that notes it.
 */
import { sql } from 'kysely'
import type { Db, Store, Trx } from '../store.ts'
import type { Cluster, Copy } from '../cluster/cluster.ts'
import { yieldWhereDue } from '../system/event-loop.ts'
import type { DayRows } from '../cluster/day-rows.ts'
import { type Block, openBlock } from '../packed/block.ts'
import { joinedRows } from '../packed/day-blocks.ts'
import { clusterOf } from './cluster-days.ts'
import { type Copied, putNote, unusedNote } from './copy-notes.ts'
import { packedCopy } from './day-store.ts'
import { dayStoreOf } from './day-stores.ts'
import { blocksOf, packedDays } from './packed-days.ts'
import type { SiteDay } from '../values/site-day.ts'
import { HOUR_MS } from '../values/durations.ts'

/** A copy with which no day was sealed is dropped after this time, ms. */
const UNUSED_MS = 24 * HOUR_MS
/** For this time, ms, reports that began before a day was sealed again may read its previous copy. */
export const REPLACED_MS = HOUR_MS

/**
 * Number of the copy in the note of a day without one whose rows must stay. A copy that is made meanwhile takes over this note.
 */
const NO_COPY = 0

const unused = { ...unusedNote, emptied: 0 }

/** A note that this process wrote, and the server that has it. */
interface WrittenNote {
  readonly note: { readonly site_id: number; readonly day: number; readonly copy: number; readonly drop_at: number }
  epoch: string
  /** When it was written, ms, by the clock of `performance`. */
  readonly at: number
}
/** The notes that this process wrote, oldest first. */
const writtenNotes = new WeakMap<Cluster, WrittenNote[]>()
/** A failover loses the last seconds, so notes are remembered for this time, ms. */
const REMEMBERED_MS = HOUR_MS

function recentNotes(cluster: Cluster): WrittenNote[] {
  const all = writtenNotes.get(cluster) ?? []
  writtenNotes.set(cluster, all)
  while (all[0] && all[0].at < performance.now() - REMEMBERED_MS) all.shift()
  return all
}

/** Notes a copy in ClickHouse. Call it before the copy is written. */
export async function noteCopy(
  { write, cluster, dialect }: Store,
  { dayOf: { site, day }, copy, now }: { dayOf: SiteDay; copy: number; now: number },
): Promise<void> {
  const note = { site_id: site, day, copy, drop_at: now + UNUSED_MS }
  const epoch = await dialect.epoch(write)
  recentNotes(clusterOf(cluster)).push({ note, epoch, at: performance.now() })
  await write
    .insertInto('clickhouse_copies')
    .values({ ...note, ...unused })
    .execute()
}

/**
 * After a failover, repeats the notes of the copies that this process wrote recently, because the new server may not have them.
 * If a copy was deleted meanwhile, `dropCopies` deletes its note later.
 */
export async function repeatNotes({ write, cluster, dialect }: Store): Promise<void> {
  if (!cluster) return
  const epoch = await dialect.epoch(write)
  for (const one of recentNotes(cluster)) {
    if (one.epoch === epoch) continue
    await write
      .insertInto('clickhouse_copies')
      .values({ ...one.note, ...unused })
      .onConflict(conflict => conflict.doNothing())
      .execute()
    one.epoch = epoch
  }
}

/**
 * Makes a day use a copy: for its columns and, if the tables no longer have them, for its rows. The other copies of the day are
 * dropped later.
 * @param copied null if the day has no segment: then only the copy with its rows stays
 * @returns false if the copy is being dropped
 */
export async function useCopy(
  trx: Trx,
  { dayOf, copied, now, cluster }: { dayOf: SiteDay; copied: Copied | null; now: number; cluster: Cluster | undefined },
): Promise<boolean> {
  const { site, day } = dayOf
  if (copied) {
    const note = { ...copied, drop_at: null, keep_until: keptUntil(site, day) }
    if (!(await dayStoreOf(copied.copy, cluster).use(trx, dayOf, note, now))) return false
    await trx
      .updateTable('site_days')
      .set({ moved: copied.copy })
      .where('site_id', '=', site)
      .where('day', '=', day)
      .where('moved', '<>', 0)
      .execute()
  }
  await trx
    .updateTable('clickhouse_copies')
    .set({ drop_at: now + REPLACED_MS })
    .where('site_id', '=', site)
    .where('day', '=', day)
    .where('drop_at', 'is', null)
    .where('copy', '<>', copied?.copy ?? 0)
    .where('copy', 'not in', usedBy(site, day))
    .execute()
  return true
}

/** The copy that has the rows of a day. */
const usedBy = (site: number, day: number) => sql<number>`(select moved from site_days where site_id = ${site} and day = ${day})`

/** A day that was changed, or could not be packed, is packed after this time, ms, at the earliest. */
const PACKING_DELAY_MS = 6 * HOUR_MS

/** Postpones the packing of a day at its `rev` by some hours. */
export const postponePacking = (trx: Trx, of: SiteDay, { rev, now }: { rev: number; now: number }): Promise<void> =>
  putNote(trx, of, { ...unusedNote, copy: packedCopy(rev), drop_at: now + PACKING_DELAY_MS })

/** Keeps the rows of a day until an instant, whether they have a copy or get one meanwhile. Call it with the site locked. */
export async function keepRows(trx: Trx, { site, day }: SiteDay, until: number): Promise<void> {
  const copies = trx.updateTable('clickhouse_copies').set({ keep_until: until }).where('site_id', '=', site).where('day', '=', day)
  const { numUpdatedRows } = await copies.where('drop_at', 'is', null).executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) await putNote(trx, { site, day }, { ...unusedNote, copy: NO_COPY, keep_until: until, drop_at: until })
}

/** Replaces the blocks of a day. */
export async function writeBlocks(trx: Trx, { site, day }: SiteDay, blocks: readonly Uint8Array[]): Promise<void> {
  await trx.deleteFrom('day_blocks').where('site_id', '=', site).where('day', '=', day).execute()
  for (const [block, data] of blocks.entries()) {
    await trx.insertInto('day_blocks').values({ site_id: site, day, block, data }).execute()
    await yieldWhereDue()
  }
}

/**
 * Deletes the blocks of a day whose rows have changed or will be deleted, unless only the blocks have its rows. Call it with the
 * day locked.
 * @returns whether blocks were deleted
 */
export async function forgetPacked(trx: Trx, { site, day }: SiteDay): Promise<boolean> {
  const dayOfBlocks = trx.selectFrom('site_days').select('moved').where('site_id', '=', site).where('day', '=', day)
  if ((await dayOfBlocks.where('moved', '<', 0).executeTakeFirst()) !== undefined) return false
  const ofDay = trx.deleteFrom('clickhouse_copies').where('site_id', '=', site).where('day', '=', day)
  const { numDeletedRows } = await ofDay.where('copy', '<', 0).executeTakeFirstOrThrow()
  if (numDeletedRows > 0n) await writeBlocks(trx, { site, day }, [])
  return numDeletedRows > 0n
}

/** The instant until which readers need the rows of a day. The note of its next copy takes it over. */
const keptUntil = (site: number, day: number) =>
  sql<number>`(select coalesce(max(keep_until), 0) from clickhouse_copies where site_id = ${site} and day = ${day})`

/** Lets the next `dropCopies` drop all copies of a deleted site. The caller deletes its blocks. */
export async function dropCopiesOf(trx: Trx, site: number): Promise<void> {
  await trx.deleteFrom('clickhouse_copies').where('site_id', '=', site).where('copy', '<=', NO_COPY).execute()
  await trx.updateTable('clickhouse_copies').set({ drop_at: 0 }).where('site_id', '=', site).execute()
}

/**
 * Reads the rows of a day that are no longer in the tables, in parts of whole visits, in the order of their ids.
 * @throws StorageUnavailable `cluster`, also after some parts if the server that answers does not have all rows yet
 */
export async function* movedParts(
  db: Db,
  { cluster, site }: { cluster: Cluster | undefined; site: number },
  { day, copy }: Copy,
): AsyncGenerator<DayRows> {
  const expected = await notedSize(db, { site, day, copy })
  const store = dayStoreOf(copy, cluster)
  let [visits, hits] = [0, 0]
  for await (const part of store.parts(db, site, { day, copy })) {
    visits += part.visits.visit_id.length
    hits += part.hits.visit_id.length
    yield part
  }
  if (expected?.visits !== visits || expected.hits !== hits) throw store.incomplete(day)
}

/** The numbers of visits and hits that a copy must have. */
const notedSize = (db: Db, { site, day, copy }: SiteDay & { readonly copy: number }) =>
  db
    .selectFrom('clickhouse_copies')
    .select(['visits', 'hits'])
    .where('site_id', '=', site)
    .where('day', '=', day)
    .where('copy', '=', copy)
    .executeTakeFirst()

/** Reads the blocks of a packed copy, in order. @throws Error if they do not have all rows */
export async function packedBlocks(db: Db, of: SiteDay & { readonly copy: number }): Promise<Block[]> {
  const expected = await notedSize(db, of)
  const blocks: Block[] = []
  for (const data of await blocksOf(db, of.site, of.day)) {
    blocks.push(openBlock(data))
    await yieldWhereDue()
  }
  const sumOf = (table: 'visits' | 'hits') => blocks.reduce((sum, { counts }) => sum + counts[table], 0)
  if (expected?.visits !== sumOf('visits') || expected.hits !== sumOf('hits')) throw packedDays.incomplete(of.day)
  return blocks
}

/** Reads all rows of a day that are no longer in the tables. @throws StorageUnavailable like `movedParts` */
export async function movedRows(db: Db, where: { cluster: Cluster | undefined; site: number }, copy: Copy): Promise<DayRows> {
  const parts: DayRows[] = []
  for await (const part of movedParts(db, where, copy)) parts.push(part)
  return joinedRows(parts)
}

/** Deletes the notes of packed copies that no day uses. */
export async function deleteUnusedNotes({ write }: Store): Promise<void> {
  const isUsed = sql<boolean>`exists (select 1 from site_days d where d.site_id = clickhouse_copies.site_id and d.day = clickhouse_copies.day and d.moved < 0)`
  await write
    .deleteFrom('clickhouse_copies')
    .where('copy', '<=', NO_COPY)
    .where(({ not }) => not(isUsed))
    .execute()
}

/** @throws Error if days are in ClickHouse, but the service was started without it */
export async function checkMoved({ read, cluster }: Store): Promise<void> {
  if (cluster) return
  const { rows } = await sql`select 1 from clickhouse_copies where drop_at is null and copy > 0 limit 1`.execute(read)
  if (rows.length === 0) return
  throw new Error('days of this database are in ClickHouse: set CLICKHOUSE_URL, or move them back with `npm run clickhouse -- leave` first')
}

/** Deletes copies whose time has come. The note of a copy is deleted once no server has rows of it. @returns how many copies are left */
export async function dropCopies({ write, read, cluster }: Store, now: number, limit = 1_000): Promise<number> {
  await write.deleteFrom('clickhouse_copies').where('copy', '<=', NO_COPY).where('drop_at', '<=', now).execute()
  if (!cluster) return 0
  const due = await read
    .selectFrom('clickhouse_copies')
    .select(['site_id', 'day', 'copy'])
    .where('drop_at', '<=', now)
    .orderBy('drop_at')
    .limit(limit)
    .execute()
  if (due.length === 0) return 0
  const copies: { site: number; day: number; copy: number }[] = []
  for (const { site_id: site, day, copy } of due) {
    // From now on no day can be sealed with the copy, because `useCopy` requires a time in the future.
    const ofCopy = write.updateTable('clickhouse_copies').set({ drop_at: 0 }).where('site_id', '=', site).where('day', '=', day)
    const { numUpdatedRows } = await ofCopy.where('copy', '=', copy).where('drop_at', '<=', now).executeTakeFirstOrThrow()
    if (numUpdatedRows > 0n) copies.push({ site, day, copy })
  }
  const left = await cluster.left(copies)
  for (const { site, day, copy } of copies) {
    if (left.has(copy)) continue
    const ofCopy = write.deleteFrom('clickhouse_copies').where('site_id', '=', site).where('day', '=', day).where('copy', '=', copy)
    await ofCopy.where('drop_at', '<=', now).execute()
  }
  const present = copies.filter(({ copy }) => left.has(copy))
  await cluster.remove(present)
  return present.length
}
