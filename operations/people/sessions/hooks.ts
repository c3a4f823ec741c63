import { hook } from '../../../runtime/events/hook.ts'
import type { SessionRow } from '../../../storage/tables/sign-in.ts'

/** `leaveBy` names the page of this service that the browser opens next. Runs in the transaction that ends the session. */
export const signing_out = hook<{ readonly session: SessionRow; leaveBy(path: string): void }>('a person signs out')
