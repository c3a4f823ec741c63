/** Which identity provider somebody signs in by. */
import { domainOf } from '../../../runtime/email.ts'
import type { Db } from '../../../storage/store.ts'
import type { SsoConfigurationRow } from '../../../storage/tables/sso.ts'

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

/**
 * Whether somebody has to come by an identity provider: as a member, and no owner, of a workspace that enforces it, with an
 * address of a domain that it has proved. Others could not come by it, and sign in to see their other workspaces.
 */
export async function isSsoEnforced(db: Db, { id, email }: { readonly id: string; readonly email: string }): Promise<boolean> {
  const found = await db
    .selectFrom('members as m')
    .innerJoin('sso_configurations as c', 'c.workspace_id', 'm.workspace_id')
    .innerJoin('sso_domains as d', 'd.workspace_id', 'm.workspace_id')
    .select('m.id')
    .where('m.account_id', '=', id)
    .where('m.active', '=', 1)
    .where('m.role', '!=', 'owner')
    .where('c.status', '=', 'active')
    .where('c.enforced', '=', 1)
    .where('d.domain', '=', domainOf(email))
    .where('d.verified_at', 'is not', null)
    .executeTakeFirst()
  return found !== undefined
}
