/** What other areas may use of this one. */
export { found } from './found.ts'
