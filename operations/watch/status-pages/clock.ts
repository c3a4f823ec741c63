/** Maintenance begins and ends by the clock. Readers see that at once (timeline.ts); this file adds the updates. */
import type { PlainMessage } from '../../../runtime/texts/message.ts'
import type { Trx } from '../../../storage/store.ts'
import { languageOf, lockIncident } from './records.ts'
import { statusAt, type Status } from './timeline.ts'
import { addUpdate, type UpdateContext } from './updates.ts'
import { m } from './messages.ts'
import { sayIn } from '../../../runtime/texts/say.ts'

const clockTexts: Readonly<Partial<Record<Status, PlainMessage>>> = {
  in_progress: m.the_planned_maintenance_has_begun,
  completed: m.the_planned_maintenance_is_completed,
}

/** Incidents whose status the clock has changed. */
export async function changedByClock({ db, now }: Pick<UpdateContext, 'db' | 'now'>): Promise<string[]> {
  const rows = await db.selectFrom('status_incidents').select('id').where('clock_at', '<=', now).orderBy('clock_at').limit(100).execute()
  return rows.map(({ id }) => id)
}

/** Stores the status that the clock has led to and adds an update, unless another worker did so before. */
export async function followClock(context: UpdateContext & { readonly db: Trx }, id: string): Promise<void> {
  const { db, now } = context
  const incident = await lockIncident(db, id)
  if (!incident || incident.clock_at === null || incident.clock_at > now) return
  const status = statusAt(incident, now)
  const say = await sayIn(await languageOf(db, incident.page_id))
  // If no update of the maintenance notified subscribers, its beginning and end do not, either.
  const notified = await db
    .selectFrom('status_incident_updates')
    .select('id')
    .where('incident_id', '=', id)
    .where('notify', '=', 1)
    .limit(1)
    .execute()
  // `addUpdate` proceeds from the stored status; the times already show that the maintenance has ended.
  await addUpdate(context, { ...incident, status }, { status, body: say(clockTexts[status] ?? ''), notify: notified.length > 0 })
}
