/** The part of this area that others may use. */
export { createWorkspace } from './create.ts'
