/** The part of this area that others may use. */
export { endLinks, findLink, type FoundLink, type LinkKind, type LinkMaking, linkPath, makeLink, takeLink, undoDays } from './links.ts'
