import { onHook } from '../../../runtime/events/subscriber.ts'
import { site_transferred } from '../../sites/sites/index.ts'

/**
 * Removes the checks of a transferred site from pages of the old workspace, because pages show only checks of their own workspace.
 * Runs after the checks were moved.
 */
export const leave_pages_of_old_workspace = onHook(site_transferred, async ({ site, to }, { db }) => {
  const checks = db.selectFrom('uptime_checks').select('number').where('site_id', '=', site.id)
  const elsewhere = db.selectFrom('status_pages').select('id').where('workspace_id', '!=', to)
  await db.deleteFrom('status_page_checks').where('check_number', 'in', checks).where('page_id', 'in', elsewhere).execute()
  const incidents = db.selectFrom('status_incidents').select('id').where('page_id', 'in', elsewhere)
  await db.deleteFrom('status_incident_checks').where('check_number', 'in', checks).where('incident_id', 'in', incidents).execute()
})
