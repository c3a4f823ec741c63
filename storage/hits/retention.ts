/** Deletes visitors' identities of past days, and all data of deleted sites. */
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Store } from '../store.ts'
import type { Tables } from '../tables/index.ts'
import { FORGET_AFTER_MS } from './days.ts'

/** During an import, visitors are recognised across its batches; an interrupted import must resume within this time. */
const RESUMED_WITHIN_MS = 24 * 3_600_000

/** Rows deleted in one transaction; SQLite's other writers can run between two of them. */
const CHUNK = 1_000

/**
 * Deletes salts and visitors' hashes of days that ended 48 hours ago, and their counts of new texts, in short
 * transactions. A day's salt is deleted last, so that an interrupted deletion is found again.
 * @param signal when aborted, the next call continues
 * @returns number of days deleted
 */
export async function forgetVisitors(store: Store, now: number, signal?: AbortSignal): Promise<number> {
  const days = await store.read
    .selectFrom('salts')
    .innerJoin('site_days', join => join.onRef('site_days.site_id', '=', 'salts.site_id').onRef('site_days.day', '=', 'salts.day'))
    .select(['salts.site_id', 'salts.day'])
    .where('site_days.ends_at', '<=', now - FORGET_AFTER_MS)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('hit_imports')
            .select('fingerprint')
            .whereRef('hit_imports.site_id', '=', 'salts.site_id')
            .where('finished_at', 'is', null)
            .where('updated_at', '>', now - RESUMED_WITHIN_MS),
        ),
      ),
    )
    .execute()
  let forgotten = 0
  for (const { site_id, day } of days) {
    let deleted: number
    do {
      if (signal?.aborted) return forgotten
      deleted = await forgetSome(store, site_id, day)
      await setImmediate()
    } while (deleted === CHUNK)
    for (const table of ['new_texts', 'salts'] as const) {
      await store.write.deleteFrom(table).where('site_id', '=', site_id).where('day', '=', day).execute()
    }
    forgotten++
  }
  return forgotten
}

async function forgetSome(store: Store, site: number, day: number): Promise<number> {
  const { numDeletedRows } = await store.write
    .deleteFrom('visitors')
    .where('site_id', '=', site)
    .where('day', '=', day)
    .where('hash', 'in', db =>
      db.selectFrom('visitors').select('hash').where('site_id', '=', site).where('day', '=', day).orderBy('hash').limit(CHUNK),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** Every table of hits, with the rest of its key after `site_id`. Salts first, so that nothing can be linked any more. */
const tablesOfSite: readonly (readonly [keyof Tables, ...string[]])[] = [
  ['salts', 'day'],
  ['visitors', 'day', 'hash'],
  ['segment_cols', 'col', 'day'],
  ['segment_sums', 'col', 'day'],
  ['segments', 'day'],
  ['hit_props', 'day', 'event', 'key', 'visit_id', 'seq'],
  ['vitals', 'day', 'page', 'metric', 'visit_id', 'seq'],
  ['clicks', 'day', 'page', 'visit_id', 'seq'],
  ['hits', 'day', 'visit_id', 'seq'],
  ['visits', 'day', 'visit_id'],
  ['drops', 'day', 'reason'],
  ['new_texts', 'day', 'dim'],
  ['hit_imports', 'fingerprint'],
  ['hit_import_refusals', 'fingerprint', 'line'],
  ['site_days', 'day'],
  ['dict', 'dim', 'id'],
]

/**
 * Deletes up to `limit` rows of a deleted site, in one transaction. Call until done.
 * @param site `sites.number`, which no other site may ever get
 * @returns whether nothing is left
 */
export async function purgeSite(store: Store, site: number, limit: number): Promise<boolean> {
  return store.transaction(async trx => {
    await store.dialect.lockSites(trx, [site])
    let left = limit
    for (const [table, ...key] of tablesOfSite) {
      const names = sql.join(key.map(name => sql.ref(name)))
      const { numAffectedRows = 0n } = await sql`
        delete from ${sql.table(table)} where site_id = ${site} and (${names}) in
          (select ${names} from ${sql.table(table)} where site_id = ${site} limit ${left})`.execute(trx)
      left -= Number(numAffectedRows)
      if (left <= 0) return false
    }
    return true
  })
}
