/** Maintenance begins and ends by the clock; readers see that at once (timeline.ts), this tells it. */
import type { PlainMessage } from '../../../runtime/texts/message.ts'
import type { Trx } from '../../../storage/store.ts'
import { languageOf, lockIncident } from './records.ts'
import { statusAt, type Status } from './timeline.ts'
import { tell, type Telling } from './updates.ts'
import { m } from './messages.ts'
import { sayIn } from '../../../runtime/texts/say.ts'

const said: Readonly<Partial<Record<Status, PlainMessage>>> = {
  in_progress: m.the_planned_maintenance_has_begun,
  completed: m.the_planned_maintenance_is_completed,
}

/** Incidents whose status the clock has changed. */
export async function changedByClock({ db, now }: Pick<Telling, 'db' | 'now'>): Promise<string[]> {
  const rows = await db.selectFrom('status_incidents').select('id').where('clock_at', '<=', now).orderBy('clock_at').limit(100).execute()
  return rows.map(({ id }) => id)
}

/** Stores and tells the status that the clock has led to, unless that was done meanwhile. */
export async function followClock(telling: Telling & { readonly db: Trx }, id: string): Promise<void> {
  const { db, now } = telling
  const incident = await lockIncident(db, id)
  if (!incident || incident.clock_at === null || incident.clock_at > now) return
  const status = statusAt(incident, now)
  const say = await sayIn(await languageOf(db, incident.page_id))
  // Who planned it without a message wants none about it.
  const notified = await db
    .selectFrom('status_incident_updates')
    .select('id')
    .where('incident_id', '=', id)
    .where('notify', '=', 1)
    .limit(1)
    .execute()
  // `tell` proceeds from the stored status; that it has ended by the clock is known from its times already.
  await tell(telling, { ...incident, status }, { status, body: say(said[status] ?? ''), notify: notified.length > 0 })
}
