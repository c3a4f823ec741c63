import { onEvent, onHook } from '../../../runtime/events/subscriber.ts'
import { site_deleted, site_transferred } from '../../sites/sites/index.ts'

/** Sent data stays in the warehouse, which belongs to the workspace. */
export const end_syncs_of_site = onEvent(site_deleted, async ({ site_id }, { db }) => {
  for (const table of ['warehouse_sync_sites', 'warehouse_sync_days'] as const)
    await db.deleteFrom(table).where('site_id', '=', site_id).execute()
})

export const end_syncs_of_moved_site = onHook(site_transferred, async ({ site }, { db }) => {
  for (const table of ['warehouse_sync_sites', 'warehouse_sync_days'] as const)
    await db.deleteFrom(table).where('site_id', '=', site.id).execute()
})
