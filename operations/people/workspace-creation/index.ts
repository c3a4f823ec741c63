/** What other areas may use of this one. */
export { createWorkspace } from './create.ts'
