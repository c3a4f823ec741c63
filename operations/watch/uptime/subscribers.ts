import { onEvent, onHook } from '../../../runtime/events/subscriber.ts'
import { site_deleted, site_transferred } from '../../sites/sites/index.ts'

/** Runs before the alerts of these checks are deleted: results of probes lock both in this order too. */
export const delete_checks_of_site = onEvent(site_deleted, async ({ site_id }, { db }) => {
  await db.deleteFrom('uptime_checks').where('site_id', '=', site_id).execute()
})

export const move_checks_of_site = onHook(site_transferred, async ({ site, to }, { db }) => {
  await db.updateTable('uptime_checks').set({ workspace_id: to }).where('site_id', '=', site.id).execute()
})
