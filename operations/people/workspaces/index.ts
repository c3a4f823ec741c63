/** What other areas may use of this one. */
export { addWorkspace } from './add.ts'
export { workspace_deleting } from './hooks.ts'
export { workspaceSettings } from './workspace-settings.ts'
export { USAGE_LIMIT } from './settings.ts'
