/** The part of this area that others may use. */
export { addWorkspace } from './add.ts'
export { workspace_deleting } from './hooks.ts'
export { workspaceSettings } from './workspace-settings.ts'
