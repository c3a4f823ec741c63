import { onHook } from '../../../runtime/events/subscriber.ts'
import { fail } from '../../../runtime/table/errors.ts'
import { site_transferred } from '../../sites/sites/index.ts'
import { m } from './messages.ts'

/** A merge moves what comes in, too, until it ends: no hits of one workspace may go to a site of another. */
export const keep_merging_sites = onHook(site_transferred, async ({ site }, { db }) => {
  const open = await db
    .selectFrom('site_merges')
    .select('id')
    .where(({ eb, or }) => or([eb('site_id', '=', site.id), eb('into_site_id', '=', site.id)]))
    .where('finished_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  if (open) fail('invalid_state', m.is_busy())
})
