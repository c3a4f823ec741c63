/** What other areas may use of this one: files, and links to them. */
export { type Files, files } from './files.ts'
export { checkLink, linkTo } from './links.ts'
