/** Updates of an incident: the text, the change of status, and the resulting messages. */
import type { Config } from '../../../runtime/settings/config.ts'
import type { IdKind } from '../../../runtime/values/ids.ts'
import { wakeAfter } from '../../../runtime/tasks/wake.ts'
import type { Db } from '../../../storage/store.ts'
import type { StatusIncidentRow, StatusIncidentUpdateRow } from '../../../storage/tables/status-pages.ts'
import { grouped } from '../../../storage/values/grouped.ts'
import { canMail } from '../../people/mail/index.ts'
import { planMaintenance } from '../uptime/index.ts'
import { ids } from './records.ts'
import { isOver, nextChange, proceed, type Status } from './timeline.ts'

export interface UpdateContext {
  readonly db: Db
  readonly now: number
  readonly config: Config
  newId(kind: IdKind): string
}

export interface NewUpdate {
  readonly status: Status
  readonly body: string
  readonly notify: boolean
}

/**
 * Adds an update to an incident that is locked, or was just created.
 * @returns the changed incident
 * @throws Failure `invalid_state` if the status cannot follow the current one
 */
export async function addUpdate(
  context: UpdateContext,
  incident: StatusIncidentRow,
  { status, body, notify }: NewUpdate,
): Promise<StatusIncidentRow> {
  const { db, now, config, newId } = context
  const at = Math.max(now, (await latestUpdateAt(db, incident.id)) + 1)
  const row: StatusIncidentUpdateRow = {
    id: newId(ids.status_update),
    incident_id: incident.id,
    status,
    body,
    notify: Number(notify),
    created_at: at,
  }
  const moved = { ...incident, ...proceed(incident, status, now), updated_at: now }
  await db.insertInto('status_incident_updates').values(row).execute()
  return settle(context, {
    ...moved,
    automatic_for: isOver(moved, now) ? null : moved.automatic_for,
    ...(notify && canMail(config) && { notify_at: now, notify_since: moved.notify_since ?? at - 1, notify_after: '' }),
  })
}

/** Stores the incident with the time at which the clock changes it next, and plans the maintenance of its checks. */
export async function settle({ db, now }: UpdateContext, incident: StatusIncidentRow): Promise<StatusIncidentRow> {
  const row = { ...incident, clock_at: nextChange(incident, now) }
  await db.updateTable('status_incidents').set(row).where('id', '=', row.id).execute()
  if (row.kind === 'maintenance') {
    const checks = await db.selectFrom('status_incident_checks').select('check_number').where('incident_id', '=', row.id).execute()
    const ends_at = row.ends_at ?? now
    await planMaintenance(
      db,
      { plannedBy: row.id, checks: checks.map(({ check_number }) => check_number), starts_at: row.starts_at, ends_at },
      now,
    )
  }
  if (row.notify_at !== null) wakeAfter(db, 'status_messages_make')
  return row
}

async function latestUpdateAt(db: Db, incidentId: string): Promise<number> {
  const { at } = await db
    .selectFrom('status_incident_updates')
    .select(({ fn }) => fn.max('created_at').as('at'))
    .where('incident_id', '=', incidentId)
    .executeTakeFirstOrThrow()
  return at ?? 0
}

/** Largest number of updates that are read at once. An incident has fewer. */
const MAX_READ = 1_000

/**
 * Reads the updates of incidents: beyond the limit, the newest of each.
 * @returns a function that gives the updates of an incident, newest first; each has the number of all updates of the incident (`in_all`)
 */
export async function updatesOf(
  db: Db,
  incidentIds: readonly string[],
): Promise<(incidentId: string) => (StatusIncidentUpdateRow & { readonly in_all: number | string })[]> {
  if (incidentIds.length === 0) return () => []
  const ranked = db
    .selectFrom('status_incident_updates')
    .select([
      'id',
      ({ fn }) =>
        fn
          .agg<number>('row_number')
          .over(each => each.partitionBy('incident_id').orderBy('created_at', 'desc'))
          .as('rank'),
      ({ fn }) =>
        fn
          .countAll<number | string>()
          .over(each => each.partitionBy('incident_id'))
          .as('in_all'),
    ])
    .where('incident_id', 'in', [...incidentIds])
  const rows = await db
    .selectFrom(ranked.as('r'))
    .innerJoin('status_incident_updates as u', 'u.id', 'r.id')
    .selectAll('u')
    .select('r.in_all')
    .orderBy('r.rank')
    .limit(MAX_READ)
    .execute()
  const updates = grouped(rows, ({ incident_id }) => incident_id)
  return incidentId => updates.get(incidentId) ?? []
}
