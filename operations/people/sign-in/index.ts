/** What other areas may use of this one. */
export { linkPath, makeLink } from './links.ts'
