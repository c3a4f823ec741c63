/**
 * Incidents of a check, written in the transaction of the results that cause them. The database allows one open
 * incident for each check; it stays open while the check is paused or its target changes, until a result shows it up.
 * In maintenance, no incident opens; if the check is still down afterwards, the next failure opens one.
 */
import type { Emit } from '../../../runtime/events/event.ts'
import type { IdKind } from '../../../runtime/values/ids.ts'
import type { Db } from '../../../storage/store.ts'
import type { UptimeCheckRow, UptimeIncidentRow } from '../../../storage/tables/index.ts'
import { uptime_down, uptime_up } from './events.ts'
import { commonest, type ErrorCounts, sumOf } from './location.ts'
import { toCheck } from '../../reports/availability/records.ts'
import type { Maintenance } from '../../reports/availability/index.ts'
import { maintenanceAt, maintenanceEnded } from './maintenance.ts'
import { ids, toIncident } from './records.ts'
import type { Failure, StateChange } from './watch.ts'

export interface Recording {
  readonly now: number
  readonly emit: Emit
  newId(kind: IdKind): string
}

interface KeepIncident {
  readonly recording: Recording
  readonly check: UptimeCheckRow
  readonly open: UptimeIncidentRow | undefined
  readonly happened: ReadonlyArray<StateChange | Failure>
  readonly maintenance: readonly Maintenance[]
}

/** @param check with its new state */
export async function keepIncident(
  db: Db,
  { recording: { now, emit, newId }, check, open, happened, maintenance }: KeepIncident,
): Promise<void> {
  let incident = open
  const isQuiet = maintenanceAt(maintenance, now) !== undefined
  const emitChange = (kind: typeof uptime_down, row: UptimeIncidentRow, status: StateChange['to']) =>
    emit(kind, {
      workspaceId: check.workspace_id,
      siteId: check.site_id,
      data: { check: toCheck({ ...check, status }), incident: { id: row.id, ...toIncident(row, now) } },
    })
  for (const each of happened) {
    if (each.to === 'up') {
      if (!incident) continue
      const resolved = { ...incident, resolved_at: Math.max(each.at, incident.started_at) }
      await save(db, resolved)
      await emitChange(uptime_up, resolved, each.to)
      incident = undefined
    } else if (incident) {
      incident = withFailure(incident, each)
    } else if (!isQuiet) {
      const since = Math.max(each.to === 'down' ? each.at : check.status_since, maintenanceEnded(maintenance, now))
      incident = withFailure(
        {
          id: newId(ids.incident),
          check_number: check.number,
          started_at: Math.min(since, now),
          resolved_at: null,
          cause: null,
          errors: '{}',
          failed_locations: '[]',
        },
        each,
      )
      await db.insertInto('uptime_incidents').values(incident).execute()
      await emitChange(uptime_down, incident, 'down')
    }
  }
  if (incident && incident !== open) await save(db, incident)
}

async function save(db: Db, { id, ...incident }: UptimeIncidentRow): Promise<void> {
  await db.updateTable('uptime_incidents').set(incident).where('id', '=', id).execute()
}

function withFailure(incident: UptimeIncidentRow, { errors, failed }: StateChange | Failure): UptimeIncidentRow {
  const all = sumOf(JSON.parse(incident.errors) as ErrorCounts, errors) // both written below
  const locations = new Set([...(JSON.parse(incident.failed_locations) as string[]), ...failed])
  return {
    ...incident,
    cause: commonest(all),
    errors: JSON.stringify(all),
    failed_locations: JSON.stringify([...locations].sort()),
  }
}
