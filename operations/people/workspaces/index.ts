/** Exports of this area for other areas. */
export { addWorkspace } from './add.ts'
export { workspace_deleting } from './hooks.ts'
export { workspaceSettings } from './workspace-settings.ts'
