/** From somebody whom an identity provider vouches for to a member. The workspace is locked in all of it. */
import { domainOf } from '../../../runtime/email.ts'
import type { Emit } from '../../../runtime/event.ts'
import { Failure } from '../../../runtime/errors.ts'
import type { IdKind } from '../../../runtime/ids.ts'
import { isRole } from '../../../runtime/permissions.ts'
import { adding } from '../../../runtime/quota.ts'
import type { Db } from '../../../storage/store.ts'
import type { SsoConfigurationRow } from '../../../storage/tables/sso.ts'
import { findAccount, findOrAddAccount, proveAddress } from '../account/index.ts'
import { addMember, comeIn, member_added } from '../members/index.ts'
import { members, toMember } from '../members/records.ts'
import type { Profile } from './profile.ts'
import { refuse } from './reasons.ts'
import { verifiedDomains } from './records.ts'
import { issuerOf } from './requests.ts'

export interface Entering {
  readonly db: Db
  readonly now: number
  readonly emit: Emit
  newId(kind: IdKind): string
}

/** @throws SsoRefusal where the address is of no verified domain */
export async function demandDomain(db: Db, workspaceId: string, email: string): Promise<void> {
  const domains = await verifiedDomains(db, workspaceId)
  if (!domains.includes(domainOf(email))) refuse('domain', `It is ${email}; verified are ${domains.join(', ') || 'none'}.`)
}

/**
 * The account of the person, a member now if they were not.
 *
 * Somebody is known by the subject that the identity provider gives, never by the address alone. The first time, they
 * get the account of that address, which the workspace has shown to be its own to give. Whoever took an account to an
 * address elsewhere is not signed in to it any more: it is not the company's. What was set in an account before anybody proved
 * its address ends.
 * @throws SsoRefusal
 */
export async function entered(
  entering: Entering,
  row: SsoConfigurationRow,
  profile: Profile,
): Promise<{ accountId: string; email: string }> {
  const { db, now } = entering
  const { workspace_id } = row
  await demandDomain(db, workspace_id, profile.email)
  const key = { workspace_id, issuer: issuerOf(row), subject: profile.subject }
  const accountId = (await knownAccount(db, key)) ?? (await firstAccount(entering, row, profile))
  const account = await db.selectFrom('accounts').select('email').where('id', '=', accountId).executeTakeFirstOrThrow()
  await demandDomain(db, workspace_id, account.email)
  await proveAddress(entering, accountId)
  await becomeMember(entering, row, accountId)
  await db
    .insertInto('sso_identities')
    .values({ ...key, account_id: accountId, created_at: now, last_used_at: now })
    .onConflict(conflict => conflict.columns(['workspace_id', 'issuer', 'subject']).doUpdateSet({ last_used_at: now }))
    .execute()
  return { accountId, email: account.email }
}

interface Key {
  readonly workspace_id: string
  readonly issuer: string
  readonly subject: string
}

async function knownAccount(db: Db, { workspace_id, issuer, subject }: Key): Promise<string | undefined> {
  const known = await db
    .selectFrom('sso_identities')
    .select('account_id')
    .where('workspace_id', '=', workspace_id)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return known?.account_id
}

/** An address that somebody else already has at this identity provider was given to a new person: they are not the old one. */
async function firstAccount({ db, now, newId }: Entering, row: SsoConfigurationRow, { email, name }: Profile): Promise<string> {
  const account = await findAccount(db, email)
  if (!account) {
    if (row.jit_provisioning === 0) refuse('no_member')
    return findOrAddAccount(db, { now, newId }, email, { name, isVerified: true })
  }
  const other = await db
    .selectFrom('sso_identities')
    .select('subject')
    .where('workspace_id', '=', row.workspace_id)
    .where('issuer', '=', issuerOf(row))
    .where('account_id', '=', account.id)
    .executeTakeFirst()
  if (other) refuse('other_subject', `It is ${email}.`)
  return account.id
}

async function becomeMember(entering: Entering, row: SsoConfigurationRow, accountId: string): Promise<void> {
  const { db, now, newId, emit } = entering
  const workspaceId = row.workspace_id
  const of = members(db).where('m.workspace_id', '=', workspaceId).where('m.account_id', '=', accountId)
  const member = await of.executeTakeFirst()
  if (member?.active === 0) refuse('deactivated')
  if (member) return comeIn(db, member.id)
  if (row.jit_provisioning === 0) refuse('no_member')
  await emit(adding, { workspaceId, quota: 'members' }).catch(noPlace)
  const role = isRole(row.default_role) ? row.default_role : 'viewer'
  await addMember(db, { now, newId }, { workspaceId, accountId, role })
  await emit(member_added, { workspaceId, siteId: null, data: { member: toMember(await of.executeTakeFirstOrThrow()), via: 'sso' } })
}

function noPlace(thrown: unknown): never {
  if (thrown instanceof Failure && thrown.code === 'limit_reached') refuse('no_place')
  throw thrown
}
