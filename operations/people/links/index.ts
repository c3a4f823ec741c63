/** Exports of this area for other areas. */
export { endLinks, findLink, type FoundLink, type LinkMaking, linkPath, makeLink, takeLink, undoDays } from './links.ts'
