import { onEvent } from '../../../runtime/events/subscriber.ts'
import { site_created } from '../sites/index.ts'
import { freshTracking } from './rows.ts'

export const tracking_of_new_sites = onEvent(site_created, async ({ site_id }, { db, now, random }) => {
  if (site_id !== null)
    await db
      .insertInto('site_tracking')
      .values(freshTracking(site_id, now, random(12)))
      .execute()
})
