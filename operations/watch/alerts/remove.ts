import type { AlertRow } from '../../../storage/tables/index.ts'
import { type Changing, resolveOpen } from './incidents.ts'

/** Resolves the open incident of an alert that is about to be deleted. @param alert the current row, locked */
export const endIncident = (changing: Changing, alert: AlertRow): Promise<void> =>
  resolveOpen(changing, { alert: { ...alert, state: 'ok' }, siteId: alert.site_id, resolution: 'deleted' })

/**
 * Deletes an alert for good; an open incident is resolved first.
 * @param alert the current row, locked
 */
export async function remove(changing: Changing, alert: AlertRow): Promise<void> {
  await endIncident(changing, alert)
  await changing.db.deleteFrom('alerts').where('id', '=', alert.id).execute()
}
