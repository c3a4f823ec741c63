import { onHook } from '../../../runtime/events/subscriber.ts'
import { site_transferred } from '../../sites/sites/index.ts'

/** Deletes the links of a transferred site, which belong to the old workspace. */
export const end_links_of_site = onHook(site_transferred, async ({ site }, { db }) => {
  await db.deleteFrom('share_tokens').where('site_id', '=', site.id).execute()
  await db.deleteFrom('shared_links').where('site_id', '=', site.id).execute()
})
