/** Suspends, reactivates and ends memberships, for every caller. The workspace must be locked. */
import type { Emit } from '../../../runtime/events/event.ts'
import { adding } from '../../../runtime/table/quota.ts'
import type { Db } from '../../../storage/store.ts'
import type { MemberRow } from '../../../storage/tables/index.ts'
import { member_removing, member_suspended } from './hooks.ts'
import { keepAnOwner } from './ownership.ts'

interface Change {
  readonly db: Db
  readonly emit: Emit
}

/**
 * Deactivates a member, or reactivates them. Reactivation does not restore the tokens and sessions that ended.
 * @throws Failure `invalid_state` for the last active owner, `limit_reached` if the plan allows no further member
 */
export async function setActive({ db, emit }: Change, member: MemberRow, active: boolean): Promise<void> {
  if ((member.active === 1) === active) return
  if (active) await emit(adding, { workspaceId: member.workspace_id, quota: 'members' })
  else {
    await keepAnOwner(db, member)
    await emit(member_suspended, { member })
  }
  await db
    .updateTable('members')
    .set({ active: Number(active) })
    .where('id', '=', member.id)
    .execute()
}

/** @throws Failure `invalid_state` for the last active owner */
export async function removeMember({ db, emit }: Change, member: MemberRow): Promise<void> {
  await keepAnOwner(db, member)
  await emit(member_removing, { member })
  await db.deleteFrom('members').where('id', '=', member.id).execute()
}
