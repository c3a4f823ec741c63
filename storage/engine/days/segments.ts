/**
 * Closed days as columns, beside their rows. A segment describes a day at one `rev`; if the day has changed since, the
 * segment is ignored and the rows are read. So a missing or lost segment never makes a figure wrong.
 */
import type { Db, Store } from '../../store.ts'

/** A day with its boundaries and the shape of its parts; its columns and sums are stored separately, by number. */
export interface Segment {
  readonly day: number
  readonly startsAt: number
  readonly endsAt: number
  /** JSON, parsed by the reader of the columns. */
  readonly shape: string
}

export type Blobs = readonly (readonly [number: number, bytes: Uint8Array])[]

/** A sealed day to write. */
export interface Sealed extends Segment {
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

/** Days that ended before an instant and were never sealed, or changed since; oldest first. */
export async function unsealedDays({ read }: Store, endedBefore: number, limit: number): Promise<Unsealed[]> {
  return read
    .selectFrom('site_days')
    .select(['site_id as site', 'day', 'rev', 'next_visitor as visitors'])
    .whereRef('sealed_rev', '<>', 'rev')
    .where('ends_at', '<=', endedBefore)
    .orderBy('ends_at')
    .orderBy('site_id')
    .limit(limit)
    .execute()
}

/**
 * Replaces a day's columns in one transaction, unless the day has changed since `rev`.
 * @param sealed null to have the day's rows read instead
 * @returns whether the day was unchanged
 */
export function writeSealed(store: Store, { site, day, rev }: Unsealed, format: number, sealed: Sealed | null): Promise<boolean> {
  return store.transaction(async trx => {
    const { numUpdatedRows } = await trx
      .updateTable('site_days')
      .set({ sealed_rev: rev })
      .where('site_id', '=', site)
      .where('day', '=', day)
      .where('rev', '=', rev)
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) return false
    for (const table of sealedTables) {
      await trx.deleteFrom(table).where('site_id', '=', site).where('day', '=', day).execute()
    }
    if (!sealed) return true
    const { startsAt: starts_at, endsAt: ends_at, shape, columns, sums } = sealed
    await trx.insertInto('segments').values({ site_id: site, day, rev, format, starts_at, ends_at, shape }).execute()
    const rows = (blobs: Blobs) => blobs.map(([col, data]) => ({ site_id: site, col, day, data }))
    await trx.insertInto('segment_cols').values(rows(columns)).execute()
    await trx.insertInto('segment_sums').values(rows(sums)).execute()
    return true
  })
}

/** Tables of sealed days, the large ones first. */
export const sealedTables = ['segment_cols', 'segment_sums', 'segments'] as const

/** The segments of these days that are valid at the days' current `rev`. */
export async function readSegments(
  db: Db,
  site: number,
  days: readonly { readonly day: number; readonly rev: number }[],
  format: number,
): Promise<Map<number, Segment>> {
  const [from, to] = [days[0]?.day ?? 0, days.at(-1)?.day ?? -1]
  const rows = await db
    .selectFrom('segments')
    .select(['day', 'rev', 'starts_at', 'ends_at', 'shape'])
    .where('site_id', '=', site)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .where('format', '=', format)
    .execute()
  const revs = new Map(days.map(({ day, rev }) => [day, rev]))
  return new Map(
    rows
      .filter(row => revs.get(row.day) === row.rev)
      .map(({ day, starts_at: startsAt, ends_at: endsAt, shape }) => [day, { day, startsAt, endsAt, shape }]),
  )
}

export interface Blob {
  readonly day: number
  readonly col: number
  readonly data: Uint8Array
}

/** Columns or sums of days that have a segment. */
export function readBlobs(
  db: Db,
  table: 'segment_cols' | 'segment_sums',
  site: number,
  numbers: readonly number[],
  from: number,
  to: number,
): Promise<Blob[]> {
  return db
    .selectFrom(table)
    .select(['day', 'col', 'data'])
    .where('site_id', '=', site)
    .where('col', 'in', numbers)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .execute()
}
