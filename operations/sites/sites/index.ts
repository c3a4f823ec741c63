/** The part of this area that others may use. */
export { addSite } from './add.ts'
export { canonicalDomain } from './domain.ts'
export { site_created, site_deleted } from './events.ts'
export { site_transferred } from './hooks.ts'
