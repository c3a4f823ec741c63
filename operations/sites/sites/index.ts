/** Exports of this area for other areas. */
export { addGroupOfAll, addSite } from './add.ts'
export { aliasDomains, aliasesIn } from './aliases.ts'
export { areDaysInUse, refuseWhileMerging } from './days-in-use.ts'
export { canonicalDomain } from './domain.ts'
export { engine } from './engine.ts'
export { site_created, site_deleted } from './events.ts'
export { day_divided, identity_narrowed, site_merging, site_transferred } from './hooks.ts'
export { type IdentityTrait, newIdentityKey, openIdentityKey, personHash, traitsOf } from './identity.ts'
