/** Exports of this area for other areas. */
export { addWorkspace } from './add.ts'
export { workspace_deleting } from './hooks.ts'
export { workspaceSettings, WorkspaceSettings } from './workspace-settings.ts'
