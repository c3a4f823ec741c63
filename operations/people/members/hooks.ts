/** What other areas hear of in the transaction of a change, so that each ends what is its own. */
import { hook } from '../../../runtime/hook.ts'
import type { MemberRow } from '../../../storage/tables/index.ts'

/** A member is deactivated: the record stays, and what they are signed in with, and call with, ends. */
export const member_suspended = hook<{ readonly member: MemberRow }>('a member is deactivated')

/** Before the row of a member goes, and with it what only hangs on it by foreign keys; the workspace is locked. */
export const member_removing = hook<{ readonly member: MemberRow }>('a member is removed')
