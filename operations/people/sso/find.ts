/** Which identity provider somebody signs in by. */
import type { Db } from '../../../storage/store.ts'
import type { SsoConfigurationRow } from '../../../storage/tables/sso.ts'
import { domainOf } from './domain-name.ts'

/** The active configuration of the workspace that has proved the domain of this address to be its own. */
export async function activeFor(db: Db, email: string): Promise<SsoConfigurationRow | undefined> {
  if (email.length > 254 || !email.includes('@') || /[\0\p{Cs}]/u.test(email)) return undefined
  return db
    .selectFrom('sso_domains as d')
    .innerJoin('sso_configurations as c', 'c.workspace_id', 'd.workspace_id')
    .where('d.domain', '=', domainOf(email))
    .where('d.verified_at', 'is not', null)
    .where('c.status', '=', 'active')
    .selectAll('c')
    .executeTakeFirst()
}
