import type { AlertRow } from '../../../storage/tables/index.ts'
import { type Changing, resolveOpen } from './incidents.ts'

/**
 * Deletes an alert; an open incident is resolved first.
 * @param alert the current row, locked
 */
export async function remove(changing: Changing, alert: AlertRow): Promise<void> {
  await resolveOpen(changing, { alert: { ...alert, state: 'ok' }, siteId: alert.site_id, resolution: 'deleted' })
  await changing.db.deleteFrom('alerts').where('id', '=', alert.id).execute()
}
