import { hook } from '../../../runtime/events/hook.ts'
import type { SessionRow } from '../../../storage/tables/sign-in.ts'

/** `leaveBy` names the page of ours that the browser goes to next; in the transaction that then ends the session. */
export const signing_out = hook<{ readonly session: SessionRow; leaveBy(path: string): void }>('somebody signs out')
