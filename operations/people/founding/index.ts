/** What other areas may use of this one. */
export { foundWorkspace } from './found.ts'
