/** What other areas may use of this one: the manual is searched beside everything else. */
export { documents } from './documents.ts'
export { findSections } from './find.ts'
