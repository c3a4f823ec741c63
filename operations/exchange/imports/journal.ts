/**
 * The progress of an import, stored in the transaction of its hits, so that no hit is lost or duplicated when a run ends.
 */
import { type Sentence, sentenceOf, storedSentence } from '../../../runtime/texts/message.ts'
import type { Db, Store, Trx } from '../../../storage/store.ts'
import type { HitImportRow } from '../../../storage/tables/index.ts'

/** A file and the site to import it into. */
export interface ImportKey {
  readonly site: number
  readonly fingerprint: string
}
export interface Refused {
  readonly line: number
  readonly reason: Sentence
}

/** Refused lines stored for the report; further ones are only counted. */
export const KEPT_REFUSALS = 10_000

/**
 * Finds or creates the file's row. The options may change until a first record is imported: the first run may reveal
 * that columns need a `--map`.
 * @throws Error if part of the file was imported with other options
 */
export async function beginImport(
  store: Store,
  { key: { site, fingerprint }, options, now }: { key: ImportKey; options: string; now: number },
): Promise<HitImportRow> {
  const fresh: HitImportRow = {
    site_id: site,
    fingerprint,
    options,
    records: 0,
    hits: 0,
    refused: 0,
    moneyless: 0,
    started_at: now,
    updated_at: now,
    finished_at: null,
  }
  await store.write
    .insertInto('hit_imports')
    .values(fresh)
    .onConflict(conflict => conflict.doNothing())
    .execute()
  const row = await importOf(store.write, { site, fingerprint })
  if (row.finished_at !== null || row.options === options) return row
  const changed = await store.write
    .updateTable('hit_imports')
    .set({ options })
    .where('site_id', '=', site)
    .where('fingerprint', '=', fingerprint)
    .where('records', '=', 0)
    .returningAll()
    .executeTakeFirst()
  if (!changed) throw new Error(`The import of this file began with other options: ${row.options}. Finish it with these options`)
  return changed
}

export interface Step {
  readonly records: number
  readonly hits: number
  readonly moneyless: number
  readonly refused: readonly Refused[]
}

/** Another run imported these records in the meantime: it continues, and this run ends. */
export class AnotherRun extends Error {}

interface Advance {
  readonly key: ImportKey
  readonly before: HitImportRow
  readonly step: Step
  readonly now: number
  /** Number of refused records, if the lines are listed elsewhere. */
  readonly refused?: number
}

/** Runs in the transaction of the hits. @throws AnotherRun */
export async function advanceImport(trx: Trx, { key, before, step, now, refused = step.refused.length }: Advance): Promise<HitImportRow> {
  const after = {
    records: before.records + step.records,
    hits: before.hits + step.hits,
    refused: before.refused + refused,
    moneyless: before.moneyless + step.moneyless,
    updated_at: now,
  }
  const row = await trx
    .updateTable('hit_imports')
    .set(after)
    .where('site_id', '=', key.site)
    .where('fingerprint', '=', key.fingerprint)
    .where('records', '=', before.records)
    .where('options', '=', before.options)
    .returningAll()
    .executeTakeFirst()
  if (!row) throw new AnotherRun('Another run is importing this file')
  const kept = step.refused.slice(0, Math.max(0, KEPT_REFUSALS - before.refused))
  for (let i = 0; i < kept.length; i += 500) {
    await trx
      .insertInto('hit_import_refusals')
      .values(
        kept
          .slice(i, i + 500)
          .map(({ line, reason }) => ({ site_id: key.site, fingerprint: key.fingerprint, line, reason: storedSentence(reason) })),
      )
      .execute()
  }
  return row
}

/** @returns undefined if another run finished it in the meantime */
export function finishImport(trx: Trx, { site, fingerprint }: ImportKey, now: number): Promise<HitImportRow | undefined> {
  return trx
    .updateTable('hit_imports')
    .set({ finished_at: now, updated_at: now })
    .where('site_id', '=', site)
    .where('fingerprint', '=', fingerprint)
    .where('finished_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

/** Forgets a file of which nothing was imported, so that it can be imported with other options, and its days are free. */
export async function forgetImport(trx: Trx, { site, fingerprint }: ImportKey): Promise<void> {
  for (const table of ['hit_import_refusals', 'hit_import_days', 'hit_imports'] as const)
    await trx.deleteFrom(table).where('site_id', '=', site).where('fingerprint', '=', fingerprint).execute()
}

/** Records that a run ended early. @returns false if another run imports the file */
export async function leaveImport(trx: Trx, { key, before, now }: { key: ImportKey; before: HitImportRow; now: number }): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('hit_imports')
    .set({ updated_at: now })
    .where('site_id', '=', key.site)
    .where('fingerprint', '=', key.fingerprint)
    .where('finished_at', 'is', null)
    .where('records', '=', before.records)
    .where('options', '=', before.options)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** @throws AnotherRun if another run imported nothing of the file, and forgot it */
export async function importOf(db: Db, key: ImportKey): Promise<HitImportRow> {
  const row = await db
    .selectFrom('hit_imports')
    .selectAll()
    .where('site_id', '=', key.site)
    .where('fingerprint', '=', key.fingerprint)
    .executeTakeFirst()
  if (!row) throw new AnotherRun('Another run has ended the import of this file')
  return row
}

export async function refusalsOf(db: Db, { site, fingerprint }: ImportKey): Promise<Refused[]> {
  const rows = await db
    .selectFrom('hit_import_refusals')
    .select(['line', 'reason'])
    .where('site_id', '=', site)
    .where('fingerprint', '=', fingerprint)
    .orderBy('line')
    .execute()
  return rows.map(({ line, reason }) => ({ line, reason: sentenceOf(reason) }))
}
