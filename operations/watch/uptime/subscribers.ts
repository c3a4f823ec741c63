import { onEvent } from '../../../runtime/subscriber.ts'
import { site_deleted } from '../../sites/sites/index.ts'

/** Before the alerts that are about them, the order in which results of probes lock both. */
export const delete_checks_of_site = onEvent(site_deleted, async ({ site_id }, { db }) => {
  await db.deleteFrom('uptime_checks').where('site_id', '=', site_id).execute()
})
