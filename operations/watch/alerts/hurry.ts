/** Events that change what alerts measure: those alerts are evaluated now, not when they are next due. */
import type { Subscriber } from '../../../runtime/subscriber.ts'
import { wakeAfter } from '../../../runtime/wake.ts'
import type { Kind } from './condition.ts'

const watchers: Readonly<Record<string, Kind>> = {
  'uptime.down': 'uptime', 'uptime.up': 'uptime', 'usage.threshold': 'usage',
}

export const hurryAlerts: Subscriber = async (trx, { type, workspace_id, site_id, created_at }) => {
  const kind = watchers[type]
  if (kind === undefined) return
  await trx.updateTable('alerts').set({ evaluate_at: created_at })
    .where('workspace_id', '=', workspace_id).where('site_id', site_id === null ? 'is' : '=', site_id)
    .where('kind', '=', kind).where('evaluate_at', '>', created_at).execute()
  wakeAfter(trx, 'alerts_evaluate')
}
