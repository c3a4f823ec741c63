/** Deletes people: what is known of them at once, and their visits in the background. */
import { setImmediate } from 'node:timers/promises'
import type { TaskContext } from '../../../runtime/table/task.ts'
import { wakeAfter } from '../../../runtime/tasks/wake.ts'
import { hasVisitsOf, personEraser } from '../../../storage/hits/erase-person.ts'
import { scrubCopies } from '../../../storage/hits/scrub-copies.ts'
import { scrubbing } from '../../../storage/hits/scrubbing.ts'
import { forgetTexts } from '../../../storage/hits/forget-texts.ts'
import { isTransaction, type Db, type Store } from '../../../storage/store.ts'
import type { PersonDeletionRow, PersonRow } from '../../../storage/tables/index.ts'
import { refuseWhileMerging } from '../../sites/sites/index.ts'
import type { LiveSite } from '../../sites/sites/records.ts'

/** Few enough visits that hits do not wait long. */
const VISITS_AT_ONCE = 100

/**
 * Requests the deletion of a person. From the commit on nothing identifies them: later hits with the same id belong to a new person.
 * @param db the transaction of a write
 */
export async function requestDeletion(
  db: Db,
  { store, site, person, now }: { store: Store; site: LiveSite; person: PersonRow; now: number },
): Promise<PersonDeletionRow> {
  if (!isTransaction(db)) throw new Error('a deletion must be requested in a transaction')
  await store.dialect.lockSites(db, [site.number])
  await refuseWhileMerging(db, site)
  const asked = {
    site_id: site.number,
    person: person.person,
    id: person.id,
    visits: 0,
    hits: 0,
    next_day: null,
    progress: 0,
    requested_at: now,
    finished_at: null,
  }
  await db.insertInto('person_deletions').values(asked).execute()
  await scrubbing(store, db, () =>
    db.deleteFrom('persons').where('site_id', '=', site.number).where('person', '=', person.person).execute(),
  )
  wakeAfter(db, 'people_erase')
  return asked
}

/** @returns whether it was interrupted */
export async function erasePeople(context: TaskContext): Promise<boolean> {
  const { store } = context
  const deletions = await store.read
    .selectFrom('person_deletions')
    .selectAll()
    .where('finished_at', 'is', null)
    .orderBy('requested_at')
    .orderBy('id')
    .execute()
  for (const deletion of deletions) if (!(await erase(context, deletion))) return true
  return false
}

/** Deletes day by day. Each transaction stores its progress, so that a crash loses nothing. */
async function erase({ store, now, signal, progress }: TaskContext, deletion: PersonDeletionRow): Promise<boolean> {
  const eraseSome = personEraser(store)
  const { site_id: site, person, id } = deletion
  const row = (db: Db) => db.updateTable('person_deletions').where('id', '=', id).where('finished_at', 'is', null)
  const days = await store.read.selectFrom('site_days').select('day').where('site_id', '=', site).orderBy('day').execute()
  for (const [i, { day }] of days.entries()) {
    if (deletion.next_day !== null && day < deletion.next_day) continue
    const of = { site, day, person }
    for (;;) {
      await setImmediate()
      if (signal.aborted) return false
      if (!(await hasVisitsOf(store, of))) break
      await store.transaction(async trx => {
        const erased = await scrubbing(store, trx, () => eraseSome(trx, of, VISITS_AT_ONCE))
        await row(trx)
          .set(({ eb }) => ({
            next_day: day,
            progress: Math.floor((100 * i) / days.length),
            visits: eb('visits', '+', erased.visits),
            hits: eb('hits', '+', erased.hits),
          }))
          .execute()
      })
    }
    progress(i + 1, days.length)
  }
  if (!(await forgetTexts(store, site, { signal, searched: progress }))) return false
  await scrubCopies(store)
  await row(store.write).set({ finished_at: now(), progress: 100 }).execute()
  return true
}
