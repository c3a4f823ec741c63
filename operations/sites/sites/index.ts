/** Exports of this area for other areas. */
export { addSite } from './add.ts'
export { canonicalDomain } from './domain.ts'
export { site_created, site_deleted } from './events.ts'
export { site_transferred } from './hooks.ts'
