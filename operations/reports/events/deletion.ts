/** Deletes events. Reports exclude them at once, and a background task deletes the hits. */
import { setImmediate } from 'node:timers/promises'
import { failWith } from '../../../runtime/table/errors.ts'
import type { TaskContext } from '../../../runtime/table/task.ts'
import { wakeAfter } from '../../../runtime/tasks/wake.ts'
import { eventEraser, takeName, visitWith } from '../../../storage/hits/erase-event.ts'
import { scrubCopies } from '../../../storage/hits/scrub-copies.ts'
import { forgetTexts } from '../../../storage/hits/forget-texts.ts'
import { type Db, isTransaction, type Store } from '../../../storage/store.ts'
import type { EventDeletionRow } from '../../../storage/tables/index.ts'
import type { Note } from '../stats/index.ts'
import { refuseWhileMerging } from '../../sites/sites/index.ts'
import type { LiveSite } from '../../sites/sites/records.ts'
import { fieldTerm } from '../../../runtime/texts/message.ts'
import { m } from './messages.ts'

/** Number of visits that are repaired per transaction, few enough that hits do not wait long. */
const VISITS_AT_ONCE = 200

interface RequestDeletion {
  readonly store: Store
  readonly site: LiveSite
  readonly name: string
  readonly now: number
}

/**
 * Requests a deletion. From the commit on, no report includes the event, and later hits with that name belong to a new event.
 * @param db the transaction of a write
 * @returns the requested deletion, new or existing; an event that never occurred counts as deleted
 * @throws Failure 422 if the name is only a display name of other events, `invalid_state` while the site is merged
 */
export async function requestDeletion(
  db: Db,
  { store, site, name, now }: RequestDeletion,
): Promise<Omit<EventDeletionRow, 'site_id' | 'event'>> {
  if (!isTransaction(db)) throw new Error('a deletion must be requested in a transaction')
  await store.dialect.lockSites(db, [site.number])
  await refuseWhileMerging(db, site)
  const event = await takeName(db, site.number, name)
  if (event === null) await refuseShown(db, site.id, name)
  const asked = { name, hits: 0, next_day: null, progress: 0, requested_at: now, finished_at: null }
  if (event === null) return { ...asked, finished_at: now }
  await db
    .insertInto('event_deletions')
    .values({ ...asked, site_id: site.id, event })
    .execute()
  wakeAfter(db, 'events_erase')
  return asked
}

/** Refuses a name that is only a display name of other events, because reporting it as deleted would be wrong. */
async function refuseShown(db: Db, siteId: string, name: string): Promise<void> {
  const sent = await db
    .selectFrom('event_settings')
    .select('name')
    .where('site_id', '=', siteId)
    .where('display_name', '=', name)
    .orderBy('name')
    .limit(20)
    .execute()
  if (sent.length === 0) return
  const message = m.not_sent({ field: fieldTerm('name'), name: JSON.stringify(name), names: sent.map(row => row.name) })
  failWith([{ pointer: '/name', code: 'not_found', message }])
}

/** Returns notes that explain changing figures in reports. */
export async function deletionNotes(db: Db, siteId: string): Promise<Note[]> {
  const running = await db
    .selectFrom('event_deletions')
    .select(['name', 'progress'])
    .where('site_id', '=', siteId)
    .where('finished_at', 'is', null)
    .orderBy('requested_at')
    .limit(20)
    .execute()
  return running.map(({ name, progress }) => ({
    code: 'event_deletion',
    message: m.event_deletion({ name, progress }),
  }))
}

/** @returns whether it was interrupted */
export async function eraseEvents(context: TaskContext): Promise<boolean> {
  const deletions = await context.store.read
    .selectFrom('event_deletions as d')
    .innerJoin('sites as s', 's.id', 'd.site_id')
    .selectAll('d')
    .select('s.number')
    .where('d.finished_at', 'is', null)
    .where('s.deleted_at', 'is', null)
    .orderBy('d.requested_at')
    .orderBy('d.event')
    .execute()
  for (const deletion of deletions) if (!(await erase(context, deletion))) return true
  return false
}

/** Deletes day by day, in batches. Each transaction stores its progress, so that a crash loses nothing. */
async function erase({ store, now, signal, progress }: TaskContext, deletion: EventDeletionRow & { number: number }): Promise<boolean> {
  const eraseSome = eventEraser(store)
  const { number: site, event } = deletion
  // A run that another run has overtaken must not change a finished deletion.
  const row = (db: Db) =>
    db.updateTable('event_deletions').where('site_id', '=', deletion.site_id).where('event', '=', event).where('finished_at', 'is', null)
  const days = await store.read.selectFrom('site_days').select('day').where('site_id', '=', site).orderBy('day').execute()

  for (const [i, { day }] of days.entries()) {
    if (deletion.next_day !== null && day < deletion.next_day) continue
    const of = { site, day, event }
    const at = { next_day: day, progress: Math.floor((100 * i) / days.length) }
    for (let from = 0; ; ) {
      await setImmediate()
      if (signal.aborted) return false
      const visit = await visitWith(store, of, from)
      if (visit === undefined && from === 0) break
      from = visit ?? 0
      if (visit !== undefined) {
        await store.transaction(async trx => {
          const hits = await eraseSome(trx, of, { limit: VISITS_AT_ONCE, from: visit })
          await row(trx)
            .set(({ eb }) => ({ ...at, hits: eb('hits', '+', hits) }))
            .execute()
        })
      }
    }
    progress(i + 1, days.length)
  }
  if (!(await forgetTexts(store, site, { signal, searched: progress }))) return false
  await scrubCopies(store)
  await row(store.write).set({ finished_at: now(), progress: 100 }).execute()
  return true
}
