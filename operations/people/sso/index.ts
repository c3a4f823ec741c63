/** What other areas may use of this one. */
export { activeFor, isSsoEnforced } from './find.ts'
