/**
 * Sealed days as columns, in addition to their rows. A segment describes a day at one `rev`. If the day has changed, the
 * segment is ignored and the rows are read. So a missing segment never makes a figure wrong.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Copy } from '../../cluster/cluster.ts'
import type { Copied } from '../../moved-days/copy-notes.ts'
import { forgetPacked, postponePacking, useCopy, writeBlocks } from '../../moved-days/copies.ts'
import { storeNameOf } from '../../moved-days/day-store.ts'
import { runNamed } from '../../sql/named-statements.ts'
import type { Db, Store } from '../../store.ts'
import { leaveRuns } from './sum-runs.ts'

/** A day with its boundaries and the shape of its parts; its columns and sums are stored separately, by number. */
export interface Segment {
  readonly day: number
  readonly startsAt: number
  readonly endsAt: number
  /** JSON, parsed by the reader of the columns. */
  readonly shape: string
  /** The copy that has its columns; 0: `segment_cols` has them. */
  readonly copy: number
  readonly format: number
}

export type Blobs = readonly (readonly [number: number, bytes: Uint8Array])[]

/** A sealed day to write. */
export interface Sealed extends Omit<Segment, 'copy' | 'format'> {
  readonly columns: Blobs
  readonly sums: Blobs
}

/** A day to seal, with its `rev`. */
export interface Unsealed {
  readonly site: number
  readonly day: number
  readonly rev: number
  readonly visitors: number
}

/**
 * Claims days that ended before an instant and were not sealed or have changed, oldest first. No other worker gets them until
 * the day is sealed or given back, or until `until`.
 */
export async function claimUnsealed(
  store: Store,
  { endedBefore, now, until, limit }: { endedBefore: number; now: number; until: number; limit: number },
): Promise<Unsealed[]> {
  const isDue = sql`sealed_rev <> rev and ends_at <= ${endedBefore} and sealing_until <= ${now}`
  // Usually nothing is due, so check that before taking a lock.
  const { rows: any } = await sql`/* segments.any-unsealed */ select 1 from site_days where ${isDue} limit 1`.execute(store.read)
  if (any.length === 0) return []
  const { rows } = await sql<Unsealed & { ends_at: number }>`
    /* segments.claim */ update site_days set sealing_until = ${until} where (site_id, day) in (
      select site_id, day from site_days where ${isDue} order by ends_at, site_id limit ${limit}
      ${sql.raw(store.dialect.rowLock.skipLocked)}
    ) returning site_id as site, day, rev, next_visitor as visitors, ends_at`.execute(store.write)
  return rows.toSorted((a, b) => a.ends_at - b.ends_at || a.site - b.site)
}

/** Releases claimed days that could not be sealed. */
export async function giveBack(store: Store, days: readonly Pick<Unsealed, 'site' | 'day'>[], until: number): Promise<void> {
  for (const { site, day } of days) {
    const claimed = store.write.updateTable('site_days').set({ sealing_until: 0 }).where('sealing_until', '=', until)
    await claimed.where('site_id', '=', site).where('day', '=', day).execute()
  }
}

interface WriteSealed {
  readonly unsealed: Unsealed
  readonly format: number
  readonly sealed: Sealed | null
  readonly copied?: Copied | null | undefined
  /** Blocks of a packed copy. */
  readonly blocks?: readonly Uint8Array[] | undefined
  readonly now?: number | undefined
  readonly epoch?: string | undefined
}

/**
 * Replaces a day's columns in one transaction, unless the day has changed since `rev`.
 * @param sealed null to have the day's rows read instead
 * @param copied the copy that has its columns, if there is one
 * @param blocks of a packed copy, which are written with it
 * @param epoch of the server from which the rows were read; the `rev` of another server is not comparable
 * @returns whether the day was unchanged
 */
export function writeSealed(
  store: Store,
  { unsealed: { site, day, rev }, format, sealed, copied = null, blocks = [], now = 0, epoch }: WriteSealed,
): Promise<boolean> {
  return store.transaction(async trx => {
    if (epoch !== undefined && epoch !== (await store.dialect.epoch(trx))) return false
    const { numUpdatedRows } = await trx
      .updateTable('site_days')
      .set({ sealed_rev: rev, sealing_until: 0 })
      .where('site_id', '=', site)
      .where('day', '=', day)
      .where('rev', '=', rev)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) return false
    await leaveRuns(trx, store.dialect, { site, day })
    for (const table of sealedTables) {
      await trx.deleteFrom(table).where('site_id', '=', site).where('day', '=', day).execute()
    }
    if ((await forgetPacked(trx, { site, day })) && !copied) await postponePacking(trx, { site, day }, { rev, now })
    const { cluster } = store
    if ((cluster || copied) && !(await useCopy(trx, { dayOf: { site, day }, copied, now, cluster })))
      throw new Error('the copy of a day was dropped before it was sealed')
    // A day whose rows were only in its blocks has them in the cluster now.
    if (copied && storeNameOf(copied.copy) === 'clickhouse') await forgetPacked(trx, { site, day })
    if (blocks.length > 0) await writeBlocks(trx, { site, day }, blocks)
    if (!sealed) return true
    const { startsAt: starts_at, endsAt: ends_at, shape, columns, sums } = sealed
    await trx
      .insertInto('segments')
      .values({ site_id: site, day, rev, format, starts_at, ends_at, shape, copy: copied?.copy ?? 0 })
      .execute()
    for (const [table, blobs] of [
      ['segment_cols', columns],
      ['segment_sums', sums],
    ] as const) {
      for (const some of together(blobs)) {
        await trx
          .insertInto(table)
          .values(some.map(([col, data]) => ({ site_id: site, col, day, data })))
          .execute()
      }
    }
    return true
  })
}

/** Most bytes of blobs in a statement, unless a single blob is larger. */
const BYTES_AT_ONCE = 16_000_000

function* together(blobs: Blobs): Generator<Blobs> {
  let some: Blobs[number][] = []
  let bytes = 0
  for (const blob of blobs) {
    if (some.length > 0 && bytes + blob[1].length > BYTES_AT_ONCE) {
      yield some
      some = []
      bytes = 0
    }
    some.push(blob)
    bytes += blob[1].length
  }
  if (some.length > 0) yield some
}

/** Tables of sealed days, the large ones first. */
export const sealedTables = ['segment_cols', 'segment_sums', 'segments'] as const

interface DayAt {
  readonly day: number
  readonly rev: number
}

/** Reads the segments of these days that are valid at the days' current `rev`. */
export async function readSegments(
  db: Db,
  { site, days, format }: { site: number; days: readonly DayAt[]; format: readonly number[] },
): Promise<Map<number, Segment>> {
  const [from, to] = [days[0]?.day ?? 0, days.at(-1)?.day ?? -1]
  const segments = db
    .selectFrom('segments')
    .select(['day', 'rev', 'format', 'starts_at', 'ends_at', 'shape', 'copy'])
    .where('site_id', '=', site)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .where('format', 'in', format)
  const { rows } = await runNamed(db, 'segments.read', segments)
  const revs = new Map(days.map(({ day, rev }) => [day, rev]))
  return new Map(
    rows
      .filter(row => revs.get(row.day) === row.rev)
      .map(({ day, starts_at: startsAt, ends_at: endsAt, shape, copy, format: of }) => [
        day,
        { day, startsAt, endsAt, shape, copy, format: of },
      ]),
  )
}

/** Reads the copies that have the columns of these days, as far as they are sealed. */
export async function readCopies(
  db: Db,
  { site, days, format }: { site: number; days: readonly DayAt[]; format: readonly number[] },
): Promise<Copy[]> {
  const [from, to] = [days[0]?.day ?? 0, days.at(-1)?.day ?? -1]
  const copies = db
    .selectFrom('segments')
    .select(['day', 'rev', 'copy'])
    .where('site_id', '=', site)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .where('format', 'in', format)
    .where('copy', '<>', 0)
  const { rows } = await runNamed(db, 'segments.copies', copies)
  const revs = new Map(days.map(({ day, rev }) => [day, rev]))
  return rows.filter(row => revs.get(row.day) === row.rev).map(({ day, copy }) => ({ day, copy }))
}

export interface Blob {
  readonly day: number
  readonly col: number
  readonly data: Uint8Array
}

/** Bytes of a blob that are read at once: Postgres sends them as a text of twice the length, and a text has a limit. */
const BYTES_A_PIECE = 64_000_000

interface ReadBlobs {
  readonly table: 'segment_cols' | 'segment_sums'
  readonly site: number
  readonly numbers: readonly number[]
  readonly from: number
  readonly to: number
  readonly max?: number | undefined
}

/** Reads columns or sums of days with a segment. */
export async function readBlobs(db: Db, { table, site, numbers, from, to, max = BYTES_A_PIECE }: ReadBlobs): Promise<Blob[]> {
  const ofDays = db
    .selectFrom(table)
    .select(['day', 'col', sql<number>`length(data)`.as('size')])
    .select(sql<Uint8Array | null>`case when length(data) <= ${sql.lit(max)} then data end`.as('data'))
    .where('site_id', '=', site)
    .where('col', 'in', numbers)
    .where('day', '>=', from)
    .where('day', '<=', to)
  const { rows } = await runNamed(db, `segments.blobs-${table}`, ofDays)
  const blobs: Blob[] = []
  for (const { day, col, size, data } of rows) {
    const place = sql`from ${sql.table(table)} where site_id = ${site} and col = ${col} and day = ${day}`
    blobs.push({ day, col, data: data ?? (await inPieces(size, max, at => pieceOf(db, { place, at, max }))) })
  }
  return blobs
}

async function pieceOf(db: Db, { place, at, max }: { place: RawBuilder<unknown>; at: number; max: number }): Promise<Uint8Array> {
  const { rows } = await sql<{ piece: Uint8Array }>`
    /* segments.piece */ select substr(data, ${sql.lit(at + 1)}, ${sql.lit(max)}) as piece ${place}`.execute(db)
  return rows[0]?.piece ?? new Uint8Array(0)
}

async function inPieces(size: number, max: number, read: (at: number) => Promise<Uint8Array>): Promise<Uint8Array> {
  const whole = new Uint8Array(size)
  for (let at = 0; at < size; at += max) whole.set(await read(at), at)
  return whole
}
