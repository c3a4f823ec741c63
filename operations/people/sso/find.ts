/** Finds the identity provider for a person. */
import { domainOf } from '../../../runtime/values/email.ts'
import type { Db } from '../../../storage/store.ts'
import type { SsoConfigurationRow } from '../../../storage/tables/sso.ts'

/** Returns the active configuration of the workspace that has verified the domain of this address. */
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
 * Whether a person must use an identity provider: they are a member, and not an owner, of a workspace that enforces it, and
 * their address has a domain that it has verified; with other addresses, the provider could not sign them in. A person who is also in
 * a workspace without enforcement may sign in for that one: no workspace decides for another. A membership that SCIM created, and
 * that was never used, counts only if the workspace has verified the domain: anyone may add a stranger (docs/decisions.md §9).
 */
export async function isSsoEnforced(db: Db, { id, email }: { readonly id: string; readonly email: string }): Promise<boolean> {
  const memberships = await db
    .selectFrom('members as m')
    .leftJoin('sso_configurations as c', 'c.workspace_id', 'm.workspace_id')
    .leftJoin('sso_domains as d', on =>
      on.onRef('d.workspace_id', '=', 'm.workspace_id').on('d.domain', '=', domainOf(email)).on('d.verified_at', 'is not', null),
    )
    .leftJoin('scim_users as u', 'u.member_id', 'm.id')
    .select(['m.role', 'm.awaited_email', 'u.member_id as provisioned', 'c.status', 'c.enforced', 'd.id as domain_id'])
    .where('m.account_id', '=', id)
    .where('m.active', '=', 1)
    .execute()
  const counting = memberships.filter(
    ({ awaited_email, provisioned, domain_id }) => awaited_email === null || provisioned === null || domain_id !== null,
  )
  const enforcing = counting.filter(({ role, status, enforced }) => role !== 'owner' && status === 'active' && enforced === 1)
  return enforcing.length === counting.length && enforcing.some(({ domain_id }) => domain_id !== null)
}
