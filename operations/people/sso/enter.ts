/** Turns an identity that a provider vouches for into a signed-in member. The workspace must be locked. */
import { domainOf } from '../../../runtime/values/email.ts'
import type { Emit } from '../../../runtime/events/event.ts'
import { Failure, fail } from '../../../runtime/table/errors.ts'
import type { IdKind } from '../../../runtime/values/ids.ts'
import { isRole } from '../../../runtime/table/permissions.ts'
import { adding } from '../../../runtime/table/quota.ts'
import type { Db } from '../../../storage/store.ts'
import type { SsoConfigurationRow } from '../../../storage/tables/sso.ts'
import type { SsoIdentityRow } from '../../../storage/tables/sso-logins.ts'
import { findAccount, findOrAddAccount, proveAddress, speak } from '../account/index.ts'
import { addMember, comeIn, member_added } from '../members/index.ts'
import { type KnownMember, members, toMember } from '../members/records.ts'
import type { Profile } from './profile.ts'
import { refuse } from './reasons.ts'
import { verifiedDomains } from './records.ts'
import { issuerOf } from './requests.ts'
import { m } from './messages.ts'

export interface Entering {
  readonly db: Db
  readonly now: number
  readonly emit: Emit
  /** The language of a new account. */
  readonly locale: string
  newId(kind: IdKind): string
}

/** @throws SsoRefusal if no verified domain of the workspace contains the address */
export async function demandDomain(db: Db, workspaceId: string, email: string): Promise<void> {
  const domains = await verifiedDomains(db, workspaceId)
  if (!domains.includes(domainOf(email)))
    refuse('domain', m.it_is_verified_are({ email, domains: domains.length === 0 ? m.none() : domains }))
}

/**
 * Finds the account of the person, and makes them a member if they were not.
 *
 * A person is identified by the subject of the identity provider, never only by the address. At the first sign-in, they
 * get the account with that address, because the workspace has verified the domain. If an account has since changed to an
 * address of another domain, it no longer signs in this way, because it no longer belongs to the company. If the address was never
 * proved, everything that was set up in the account ends. An owner signs in only with an identity that they linked themselves:
 * otherwise a person who sets up single sign-on could sign in as any owner.
 * @throws SsoRefusal
 */
export async function entered(
  entering: Entering,
  row: SsoConfigurationRow,
  profile: Profile,
): Promise<{ accountId: string; email: string; isLinked: boolean }> {
  const { db, now } = entering
  const { workspace_id } = row
  await demandDomain(db, workspace_id, profile.email)
  const key = { workspace_id, issuer: issuerOf(row), subject: profile.subject }
  const known = await findIdentity(db, key)
  const accountId = known?.account_id ?? (await firstAccount(entering, row, profile))
  const account = await db.selectFrom('accounts').select(['email', 'created_at']).where('id', '=', accountId).executeTakeFirstOrThrow()
  const member = await memberOf(db, workspace_id, accountId)
  const isLinked = member !== undefined && known?.linked_member_id === member.id
  if (member?.role === 'owner' && !isLinked) refuse('owner')
  if (!isLinked) {
    await demandDomain(db, workspace_id, account.email)
    await proveAddress(entering, accountId, 'provider')
  }
  // SCIM created the account together with the member, who has not signed in before.
  if (member && member.awaited_email !== null && member.created_at === account.created_at) await speak(db, accountId, entering.locale)
  await becomeMember(entering, { row, accountId, member })
  await db
    .insertInto('sso_identities')
    .values({ ...key, account_id: accountId, created_at: now, last_used_at: now, linked_at: null, linked_member_id: null })
    .onConflict(conflict => conflict.columns(['workspace_id', 'issuer', 'subject']).doUpdateSet({ last_used_at: now }))
    .execute()
  return { accountId, email: account.email, isLinked }
}

export interface Key {
  readonly workspace_id: string
  readonly issuer: string
  readonly subject: string
}

export function findIdentity(db: Db, { workspace_id, issuer, subject }: Key): Promise<SsoIdentityRow | undefined> {
  return db
    .selectFrom('sso_identities')
    .selectAll()
    .where('workspace_id', '=', workspace_id)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
}

/** Finds the account for a new identity. If another identity already has the address, this is a different person, so the sign-in is refused. */
async function firstAccount({ db, now, newId, locale }: Entering, row: SsoConfigurationRow, { email, name }: Profile): Promise<string> {
  const account = await findAccount(db, email)
  if (!account) {
    if (row.jit_provisioning === 0) refuse('no_member')
    return findOrAddAccount(db, { adding: { now, newId }, email, given: { name, locale, provedBy: 'provider' } })
  }
  const other = await db
    .selectFrom('sso_identities')
    .select('subject')
    .where('workspace_id', '=', row.workspace_id)
    .where('issuer', '=', issuerOf(row))
    .where('account_id', '=', account.id)
    .executeTakeFirst()
  if (other) refuse('other_subject', m.it_is({ email }))
  return account.id
}

const memberOf = (db: Db, workspaceId: string, accountId: string): Promise<KnownMember | undefined> =>
  members(db).where('m.workspace_id', '=', workspaceId).where('m.account_id', '=', accountId).executeTakeFirst()

async function becomeMember(
  entering: Entering,
  { row, accountId, member }: { row: SsoConfigurationRow; accountId: string; member: KnownMember | undefined },
): Promise<void> {
  const { db, now, newId, emit } = entering
  const workspaceId = row.workspace_id
  if (member?.active === 0) refuse('deactivated')
  if (member) return comeIn(db, member.id)
  if (row.jit_provisioning === 0) refuse('no_member')
  await emit(adding, { workspaceId, quota: 'members' }).catch(noPlace)
  const role = isRole(row.default_role) ? row.default_role : 'viewer'
  await addMember(db, { now, newId }, { workspaceId, accountId, role })
  const added = (await memberOf(db, workspaceId, accountId)) ?? fail('internal_error')
  await emit(member_added, { workspaceId, siteId: null, data: { member: toMember(added), via: 'sso' } })
}

function noPlace(thrown: unknown): never {
  if (thrown instanceof Failure && thrown.code === 'limit_reached') refuse('no_place')
  throw thrown
}
