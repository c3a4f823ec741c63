/** Deletes visitors' identities of past days, and all data of deleted sites. */
import { type Expression, sql } from 'kysely'
import { dropCopiesOf } from '../moved-days/copies.ts'
import type { Db, Store, Trx } from '../store.ts'
import type { Tables } from '../tables/index.ts'
import { FORGET_AFTER_MS } from './days.ts'
import { scrubbing } from './scrubbing.ts'
import { deleteFirst, inRanges, type Timed, untimed } from '../moved-days/ranges.ts'
import { HOUR_MS } from '../values/durations.ts'

/** During an import, visitors are recognised across its batches; an interrupted import must resume within this time. */
export const RESUMED_WITHIN_MS = 24 * HOUR_MS

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
    .where(({ not, exists, ref }) => not(exists(importsInto(store.read, ref('salts.site_id'), now))))
    .execute()
  let forgotten = 0
  for (const { site_id: site, day } of days) {
    if (!(await inRanges(store, (rows, timed) => forgetSome(store, { site, day, now, rows, timed }), signal))) return forgotten
    forgotten++
  }
  return forgotten
}

/** Imports that still recognise the visitors of a site. */
const importsInto = (db: Db, site: Expression<number>, now: number) =>
  db
    .selectFrom('hit_imports')
    .select('fingerprint')
    .where('site_id', '=', site)
    .where('finished_at', 'is', null)
    .where('updated_at', '>', now - RESUMED_WITHIN_MS)

interface ForgetSome {
  readonly site: number
  readonly day: number
  readonly now: number
  readonly rows: number
  readonly timed: Timed
}

/** Deletes visitors of a day, and at last its salt. @returns whether none is left, or an import has begun */
const forgetSome = (store: Store, { site, day, now, rows, timed }: ForgetSome): Promise<boolean> =>
  store.transaction(async trx => {
    await store.dialect.lockSites(trx, [site]) // so that no import stores hits
    if (await importsInto(trx, sql.val(site), now).executeTakeFirst()) return true
    const range = { table: 'visitors', where: sql`site_id = ${site} and day = ${day}`, key: ['hash'] } as const
    if ((await timed(() => deleteFirst(trx, range, rows))) >= rows) return false
    for (const table of ['new_texts', 'salts'] as const)
      await trx.deleteFrom(table).where('site_id', '=', site).where('day', '=', day).execute()
    return true
  })

/** Every table of hits, with the columns of its key after `site_id`. Salts come first, so that no row can be linked to a visitor. */
const tablesOfSite: readonly (readonly [keyof Tables, ...string[]])[] = [
  ['salts', 'day'],
  ['visitors', 'day', 'hash'],
  ['segment_cols', 'col', 'day'],
  ['segment_sums', 'col', 'day'],
  ['segments', 'day'],
  // After the segments, which the task that joins sums locks.
  ['sum_runs', 'col', 'day'],
  ['day_blocks', 'day', 'block'],
  ['hit_props', 'day', 'event', 'key', 'visit_id', 'seq'],
  ['vitals', 'day', 'page', 'metric', 'visit_id', 'seq'],
  ['clicks', 'day', 'page', 'visit_id', 'seq'],
  ['hits', 'day', 'visit_id', 'seq'],
  ['visits', 'day', 'visit_id'],
  ['drops', 'day', 'reason'],
  ['new_texts', 'day', 'dim'],
  ['persons', 'person'],
  ['person_deletions', 'person', 'requested_at'],
  ['hit_imports', 'fingerprint'],
  ['hit_import_refusals', 'fingerprint', 'line'],
  ['hit_import_days', 'fingerprint', 'day'],
  ['site_days', 'day'],
  ['erased_texts', 'dim', 'id'],
  ['dict', 'dim', 'id'],
]

/**
 * Deletes up to `limit` rows of a deleted site, in one transaction. Call until done.
 * @param site `sites.number`, which no other site may ever get
 * @returns whether nothing is left
 */
export function purgeSite(
  store: Store,
  { site, limit, timed = untimed }: { site: number; limit: number; timed?: Timed | undefined },
): Promise<boolean> {
  return store.transaction(async trx => {
    await store.dialect.lockSites(trx, [site])
    const isDone = await timed(() => scrubbing(store, trx, () => purgeFirst(trx, site, limit)))
    if (isDone) await dropCopiesOf(trx, site)
    return isDone
  })
}

async function purgeFirst(trx: Trx, site: number, limit: number): Promise<boolean> {
  let left = limit
  for (const [table, ...key] of tablesOfSite) {
    left -= await deleteFirst(trx, { table, where: sql`site_id = ${site}`, key }, left)
    if (left <= 0) return false
  }
  return true
}
