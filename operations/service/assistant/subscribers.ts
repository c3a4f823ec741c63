import { onEvent } from '../../../runtime/events/subscriber.ts'
import { site_deleted } from '../../sites/sites/index.ts'

export const delete_conversations_of_site = onEvent(site_deleted, async ({ site_id }, { db }) => {
  if (site_id !== null) await db.deleteFrom('assistant_conversations').where('site_id', '=', site_id).execute()
})
