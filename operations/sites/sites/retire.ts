/**
 * Deletes a site. A tombstone remains until its hits are deleted, so foreign keys cannot cascade yet; its domain becomes
 * available at once. Other areas end the records of the site as subscribers of `site.deleted`.
 */
import type { Emit } from '../../../runtime/events/event.ts'
import type { Db } from '../../../storage/store.ts'
import { site_deleted } from './events.ts'
import { type LiveSite, toSite } from './records.ts'

/** @returns false if a concurrent call has deleted the site already */
export async function retire(db: Db, { now, emit }: { now: number; emit: Emit }, site: LiveSite): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sites')
    .set({ deleted_at: now, domain: null, umami_id: null, aliases: '[]' })
    .where('id', '=', site.id)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return false
  await db.deleteFrom('site_aliases').where('site_id', '=', site.id).execute()
  await db.deleteFrom('site_offers').where('site_id', '=', site.id).execute()
  await emit(site_deleted, { workspaceId: site.workspace_id, siteId: site.id, data: toSite(site) })
  return true
}
