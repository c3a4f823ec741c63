import { onEvent, onHook } from '../../../runtime/events/subscriber.ts'
import type { Db } from '../../../storage/store.ts'
import type { MemberRow } from '../../../storage/tables/index.ts'
import { member_removing, member_suspended } from '../../people/members/index.ts'
import { site_deleted, site_transferred } from '../../sites/sites/index.ts'

/** Removes a deleted site from reports. A report without sites records an error when it is due. */
export const leave_deleted_site = onEvent(site_deleted, async ({ site_id }, { db }) => {
  if (site_id !== null) await leaveSite(db, site_id)
})

/** Removes a transferred site, because its data now belongs to another workspace. */
export const leave_transferred_site = onHook(site_transferred, async ({ site }, { db }) => leaveSite(db, site.id))

async function leaveSite(db: Db, siteId: string): Promise<void> {
  const goals = db.selectFrom('goals').select('id').where('site_id', '=', siteId)
  await db.deleteFrom('email_report_goals').where('goal_id', 'in', goals).execute()
  await db.deleteFrom('email_report_sites').where('site_id', '=', siteId).execute()
}

/** Removes members from the recipients when they leave the workspace or are suspended. */
export const leave_removed_member = onHook(member_removing, ({ member }, { db }) => leaveMember(db, member))
export const leave_suspended_member = onHook(member_suspended, ({ member }, { db }) => leaveMember(db, member))

async function leaveMember(db: Db, { account_id, workspace_id }: MemberRow): Promise<void> {
  const account = await db.selectFrom('accounts').select('email').where('id', '=', account_id).executeTakeFirst()
  if (!account) return
  const reports = db.selectFrom('email_reports').select('id').where('workspace_id', '=', workspace_id)
  await db
    .updateTable('email_report_recipients')
    .set({ position: null })
    .where('report_id', 'in', reports)
    .where('email', '=', account.email)
    .execute()
}
