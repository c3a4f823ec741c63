import { hook } from '../../../runtime/events/hook.ts'
import type { WorkspaceRow } from '../../../storage/tables/index.ts'

/** Runs before the workspace's row is deleted, and with it the rows that cascade from it; the workspace is locked. */
export const workspace_deleting = hook<{ readonly workspace: WorkspaceRow }>('a workspace is deleted')
