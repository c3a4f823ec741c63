/** What other areas may use of this one. */
export { endLinks, findLink, type FoundLink, type LinkKind, type LinkMaking, linkPath, makeLink, takeLink } from './links.ts'
