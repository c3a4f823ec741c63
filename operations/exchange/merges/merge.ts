/** Moves the history of merged sites in the background. Each transaction stores its progress, so that a crash loses nothing. */
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { TaskContext } from '../../../runtime/table/task.ts'
import { scrubCopies } from '../../../storage/hits/scrub-copies.ts'
import { forgetTexts } from '../../../storage/hits/forget-texts.ts'
import { carryRest, type Rehash } from '../../../storage/hits/merge-persons.ts'
import { siteMerger } from '../../../storage/hits/merge-site.ts'
import type { Db } from '../../../storage/store.ts'
import type { SiteMergeRow } from '../../../storage/tables/index.ts'
import { secretBox } from '../../../runtime/settings/secret-box.ts'
import { openIdentityKey, personHash } from '../../sites/sites/index.ts'
import { isLive, type LiveSite } from '../../sites/sites/records.ts'

/** Few enough visits that hits do not wait long. */
const VISITS_AT_ONCE = 100
const PERSONS_AT_ONCE = 200
/** Time after which no process still counts a hit for the site that gives its names, ms. */
const SETTLED_MS = 60_000

/** @returns whether it was interrupted */
export async function mergeSites(context: TaskContext): Promise<boolean> {
  const { store } = context
  const open = store.read.selectFrom('site_merges').selectAll().where('finished_at', 'is', null)
  for (const merge of await open.orderBy('requested_at').orderBy('id').execute()) {
    const [site, into] = [await siteOf(store.read, merge.site_id), await siteOf(store.read, merge.into_site_id)]
    if (site && into && !(await move(context, merge, { site, into }))) return true
  }
  return false
}

async function siteOf(db: Db, id: string): Promise<LiveSite | undefined> {
  const row = await db.selectFrom('sites').selectAll().where('id', '=', id).executeTakeFirst()
  return row && isLive(row) ? row : undefined
}

/** `ended`: the merge has finished, or one of the sites was deleted. */
type Step = 'more' | 'done' | 'ended'

/** Whether both sites are still there: nothing moves to a site that is about to be purged. */
async function areLive(trx: Db, { site_id, into_site_id }: SiteMergeRow): Promise<boolean> {
  return (await siteOf(trx, site_id)) !== undefined && (await siteOf(trx, into_site_id)) !== undefined
}

async function move(context: TaskContext, merge: SiteMergeRow, { site, into }: { site: LiveSite; into: LiveSite }): Promise<boolean> {
  const { store, signal, now, progress } = context
  const mergeSome = siteMerger(store)
  const key = await openIdentityKey(context.use(secretBox), store.read, into)
  const rehash: Rehash = id => key && personHash(key, id)
  const row = (db: Db) => db.updateTable('site_merges').where('id', '=', merge.id).where('finished_at', 'is', null)
  const holds = (table: 'visits' | 'vitals' | 'clicks') =>
    sql`exists (select 1 from ${sql.table(table)} t where t.site_id = site_days.site_id and t.day = site_days.day)`
  const days = await store.read
    .selectFrom('site_days')
    .select('day')
    .where('site_id', '=', site.number)
    .where(sql<boolean>`(moved <> 0 or ${holds('visits')} or ${holds('vitals')} or ${holds('clicks')})`)
    .orderBy('day')
    .execute()
  for (const [i, { day }] of days.entries()) {
    for (let step: Step = 'more'; step !== 'done'; ) {
      await setImmediate()
      if (signal.aborted) return false
      step = await store.transaction(async trx => {
        await store.dialect.lockSites(trx, [site.number, into.number])
        const open = await row(trx)
          .set({ progress: Math.min(99, Math.floor((100 * i) / days.length)) })
          .returning('id')
          .executeTakeFirst()
        if (!open || !(await areLive(trx, merge))) return 'ended'
        const target = { number: into.number, zone: into.timezone }
        const moved = await mergeSome(trx, { from: site.number, into: target, day, limit: VISITS_AT_ONCE, rehash })
        await row(trx)
          .set(({ eb }) => ({ visits: eb('visits', '+', moved.visits), hits: eb('hits', '+', moved.hits) }))
          .execute()
        return moved.isDone ? 'done' : 'more'
      })
      if (step === 'ended') return true
    }
    progress(i + 1, days.length)
  }
  if (now() < merge.requested_at + SETTLED_MS) return true // the next run looks for hits that came meanwhile
  for (let step: Step = 'more'; step !== 'done'; ) {
    await setImmediate()
    if (signal.aborted) return false
    const rest = { from: site.number, into: into.number, limit: PERSONS_AT_ONCE, rehash }
    step = await store.transaction(async trx => {
      await store.dialect.lockSites(trx, [site.number, into.number])
      if (!(await areLive(trx, merge))) return 'ended'
      return (await carryRest(store, trx, rest)) ? 'done' : 'more'
    })
    if (step === 'ended') return true
  }
  if (!(await forgetTexts(store, site.number, { signal, searched: progress }))) return false
  await scrubCopies(store)
  await row(store.write).set({ finished_at: now(), progress: 100 }).execute()
  return true
}
