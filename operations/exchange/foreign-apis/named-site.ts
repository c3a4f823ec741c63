/** Finds the site that another product’s client names: by its domain, an id of ours, or an id that it had elsewhere. */
import { canonicalDomain } from '../../sites/sites/index.ts'
import type { Db } from '../../../storage/store.ts'
import { refuse } from './format.ts'

export interface NamedSite {
  readonly id: string
  /** Of its rows in the store of hits. */
  readonly number: number
  readonly timezone: string
  readonly currency: string
}

const MAX_LENGTH = 300
/** Operations answer it as they answer every unknown id, so a site of others looks like none. */
const unknown: NamedSite = { id: 'pa_unknown', number: 0, timezone: 'UTC', currency: 'EUR' }

/** Does not check what the caller may see: the operation that gets the id does. @throws Refused */
export async function siteNamed(db: Db, name: unknown, now: number): Promise<NamedSite> {
  if (typeof name !== 'string' || name === '')
    refuse(400, 'Missing site ID. Please provide the required site_id parameter with your request.')
  if (name.length > MAX_LENGTH || name.includes('\0')) return unknown
  const sites = db.selectFrom('sites').select(['sites.id', 'number', 'timezone', 'currency']).where('deleted_at', 'is', null)
  if (name.startsWith('pa_')) return (await sites.where('id', '=', name).executeTakeFirst()) ?? unknown
  const domain = canonicalDomain(name) ?? name.toLowerCase()
  return (
    (await sites.where(({ or, eb }) => or([eb('domain', '=', domain), eb('umami_id', '=', name.toLowerCase())])).executeTakeFirst()) ??
    (await sites
      .innerJoin('site_aliases', 'site_aliases.site_id', 'sites.id')
      .where('site_aliases.name', 'in', [...new Set([name, domain, name.toLowerCase()])])
      .where(({ or, eb }) => or([eb('until', 'is', null), eb('until', '>', now)]))
      .executeTakeFirst()) ??
    unknown
  )
}
