import { hook } from '../../../runtime/events/hook.ts'
import type { WorkspaceRow } from '../../../storage/tables/index.ts'

/** Runs before the row of a workspace is deleted, and with it the rows that cascade from it. The workspace is locked. */
export const workspace_deleting = hook<{ readonly workspace: WorkspaceRow }>('a workspace is deleted')
