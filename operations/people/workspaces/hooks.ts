import { hook } from '../../../runtime/hook.ts'
import type { WorkspaceRow } from '../../../storage/tables/index.ts'

/** Before its row goes, and with it what only hangs on it by foreign keys; the workspace is locked. */
export const workspace_deleting = hook<{ readonly workspace: WorkspaceRow }>('a workspace is deleted')
