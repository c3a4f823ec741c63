/** Exports of this area for other areas. */
export { createWorkspace } from './create.ts'
