import { fail } from '../../../runtime/table/errors.ts'
import { onEveryEvent, onEvent, onHook } from '../../../runtime/events/subscriber.ts'
import { wakeAfter } from '../../../runtime/tasks/wake.ts'
import { goal_deleting } from '../../sites/goals/index.ts'
import { site_deleted, site_transferred } from '../../sites/sites/index.ts'
import type { Kind } from './condition.ts'
import { m } from './messages.ts'
import { lockAlert } from './records.ts'
import { remove } from './remove.ts'

/** Events that change what alerts measure, by type; some belong to areas that may not import this one. */
const watchers: Readonly<Record<string, Kind>> = {
  'uptime.down': 'uptime',
  'uptime.up': 'uptime',
  'usage.threshold': 'usage',
}

/** Evaluates the affected alerts now instead of at their next due time. */
export const schedule_alerts_now = onEveryEvent(async ({ type, workspace_id, site_id, created_at }, { db }) => {
  const kind = watchers[type]
  if (kind === undefined) return
  await db
    .updateTable('alerts')
    .set({ evaluate_at: created_at })
    .where('workspace_id', '=', workspace_id)
    .where('site_id', site_id === null ? 'is' : '=', site_id)
    .where('kind', '=', kind)
    .where('evaluate_at', '>', created_at)
    .execute()
  wakeAfter(db, 'alerts_evaluate')
})

export const delete_alerts_of_site = onEvent(site_deleted, async ({ site_id }, hearing) => {
  const { db, config } = hearing
  const alerts = await db.selectFrom('alerts').select('id').where('site_id', '=', site_id).orderBy('id').execute()
  for (const { id } of alerts) {
    const alert = await lockAlert(db, id)
    if (alert) await remove({ ...hearing, baseUrl: config.BASE_URL }, alert)
  }
})

export const keep_watched_goals = onHook(goal_deleting, async ({ goal }, { db }) => {
  const alert = await db.selectFrom('alerts').select('name').where('goal_id', '=', goal.id).limit(1).executeTakeFirst()
  if (alert) fail('invalid_state', m.goal_watched({ name: alert.name }))
})

/** Removes the channels of moved alerts, because they belong to the old workspace. */
export const move_alerts_of_site = onHook(site_transferred, async ({ site, to }, { db }) => {
  const alerts = db.selectFrom('alerts').select('id').where('site_id', '=', site.id)
  await db.deleteFrom('alert_channels').where('alert_id', 'in', alerts).execute()
  await db.updateTable('alerts').set({ workspace_id: to }).where('site_id', '=', site.id).execute()
})
