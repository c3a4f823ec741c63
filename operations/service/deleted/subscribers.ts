import { onEvent, onHook } from '../../../runtime/events/subscriber.ts'
import { site_deleted, site_transferred } from '../../sites/sites/index.ts'

export const delete_deleted_records_of_site = onEvent(site_deleted, async ({ site_id }, { db }) => {
  await db.deleteFrom('deleted_records').where('site_id', '=', site_id).execute()
})

/** Shared links do not move along, as those that are not deleted do not. */
export const move_deleted_records_of_site = onHook(site_transferred, async ({ site, to }, { db }) => {
  await db.deleteFrom('deleted_records').where('site_id', '=', site.id).where('of', '=', 'shared_links').execute()
  await db.updateTable('deleted_records').set({ workspace_id: to }).where('site_id', '=', site.id).execute()
})
