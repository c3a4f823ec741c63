/** An alert with an open incident. */
import { exampleRecords } from '../../../runtime/table/example.ts'
import { ids as uptimeIds } from '../uptime/records.ts'
import { ids } from './records.ts'

export const example = exampleRecords(async ({ db, now, id, newId }) => {
  const alert = newId(ids.alert)
  await db
    .insertInto('alerts')
    .values({
      id: alert,
      workspace_id: id('workspace'),
      site_id: id('site'),
      name: 'Traffic drop',
      kind: 'threshold',
      metric: 'visitors',
      operator: 'lt',
      threshold: 10,
      window_minutes: 60,
      sensitivity: 'medium',
      goal_id: null,
      uptime_check_id: null,
      state: 'triggered',
      enabled: 1,
      muted_until: null,
      last_triggered_at: now,
      last_evaluated_at: null,
      created_at: now,
    })
    .execute()
  await db
    .insertInto('alert_incidents')
    .values({
      id: newId(uptimeIds.incident),
      alert_id: alert,
      triggered_at: now,
      resolved_at: null,
      value: 3,
      message: 'visitors 3 < 10',
      acknowledged_at: null,
      acknowledged_by: null,
    })
    .execute()
  return { alert }
})
