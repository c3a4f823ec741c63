/** Hooks by which other areas take part in a change, in its transaction: each ends what is its own. */
import { hook } from '../../../runtime/events/hook.ts'
import type { MemberRow } from '../../../storage/tables/index.ts'

/** A member is deactivated: the record stays, and what they are signed in with, and call with, ends. */
export const member_suspended = hook<{ readonly member: MemberRow }>('a member is deactivated')

/** Before the row of a member goes, and with it what only hangs on it by foreign keys; the workspace is locked. */
export const member_removing = hook<{ readonly member: MemberRow }>('a member is removed')

/** A member has another role; the workspace is locked. `member` is the row as it was. */
export const role_changed = hook<{ readonly member: MemberRow; readonly role: string }>('the role of a member changes')
