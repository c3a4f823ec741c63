import { onHook } from '../../../runtime/events/subscriber.ts'
import { site_transferred } from '../../sites/sites/index.ts'

/** Who shared a site did so for the workspace that it was in. */
export const end_links_of_site = onHook(site_transferred, async ({ site }, { db }) => {
  await db.deleteFrom('share_tokens').where('site_id', '=', site.id).execute()
  await db.deleteFrom('shared_links').where('site_id', '=', site.id).execute()
})
