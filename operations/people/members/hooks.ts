/** Hooks with which other areas take part in a change, in its transaction. Each area ends its own records. */
import { hook } from '../../../runtime/events/hook.ts'
import type { MemberRow } from '../../../storage/tables/index.ts'

/** A member is deactivated: the record stays, and the member's sessions and tokens end. */
export const member_suspended = hook<{ readonly member: MemberRow }>('a member is deactivated')

/** Runs before the row of a member is deleted, and with it the rows that foreign keys cascade to. The workspace is locked. */
export const member_removing = hook<{ readonly member: MemberRow }>('a member is removed')

/** A member gets another role. The workspace is locked; `member` is the row before the change. */
export const role_changed = hook<{ readonly member: MemberRow; readonly role: string }>('the role of a member changes')
