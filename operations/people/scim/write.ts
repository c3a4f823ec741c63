/** Creates, changes and removes members for an identity provider. The caller has locked the workspace. */
import { canonicalEmail } from '../../../runtime/values/email.ts'
import type { Emit } from '../../../runtime/events/event.ts'
import { fail } from '../../../runtime/table/errors.ts'
import type { IdKind } from '../../../runtime/values/ids.ts'
import { isRole, type Role } from '../../../runtime/table/permissions.ts'
import type { Db } from '../../../storage/store.ts'
import { findOrAddAccount, proveAddress } from '../account/index.ts'
import { addMember, isOwnAddress, member_added, removeMember, renameAwaited, setActive } from '../members/index.ts'
import { members, toMember } from '../members/records.ts'
import { workspace } from '../workspaces/records.ts'
import { primaryEmail, type ScimAttributes, shownName } from './attributes.ts'
import { attributesOf, type UserRow, users } from './records.ts'

interface WriteServices {
  readonly db: Db
  readonly now: number
  readonly emit: Emit
  newId(kind: IdKind): string
}

/** @throws Failure `not_found` if it was deleted meanwhile */
export async function lockWorkspace(db: Db, id: string): Promise<void> {
  if (!(await workspace.lock?.(db, id))) fail('not_found')
}

/**
 * Creates a member, and an account if none has this address.
 * @throws Failure `already_exists` if they are already a member, active or not
 */
export async function createUser(writing: WriteServices, workspaceId: string, attributes: ScimAttributes): Promise<UserRow> {
  const { db } = writing
  await lockWorkspace(db, workspaceId)
  await refuseTaken(db, { workspaceId, userName: attributes.userName })
  const isVerified = await isOwnAddress(db, workspaceId, attributes.userName)
  const accountId = await findOrAddAccount(db, {
    adding: writing,
    email: attributes.userName,
    given: { name: shownName(attributes), provedBy: isVerified ? 'provider' : undefined },
  })
  if (isVerified) await proveAddress(writing, accountId, 'provider')
  const awaited = { email: canonicalEmail(attributes.userName), name: shownName(attributes) }
  const memberId = await addMember(db, writing, { workspaceId, accountId, role: await defaultRole(db, workspaceId), awaited })
  await keep(writing, { id: memberId, workspace_id: workspaceId }, attributes)
  const member = await members(db).where('m.id', '=', memberId).executeTakeFirstOrThrow()
  await writing.emit(member_added, { workspaceId, siteId: null, data: { member: toMember(member), via: 'scim' } })
  if (!attributes.active) await setActive(writing, member, false)
  return read(db, memberId)
}

/** @throws Failure `permission_denied` for suspending an owner, `already_exists` if another member has the user name */
export async function changeUser(writing: WriteServices, before: UserRow, attributes: ScimAttributes): Promise<UserRow> {
  const { db } = writing
  const was = attributesOf(before)
  if (attributes.userName.toLowerCase() !== was.userName.toLowerCase()) {
    await refuseTaken(db, { workspaceId: before.workspace_id, userName: attributes.userName, except: before.id })
  }
  if (before.role === 'owner' && attributes.active !== was.active) refuseOwner()
  if (before.user_name === null) await proveLinked(writing, before)
  await setActive(writing, before, attributes.active)
  if (JSON.stringify(was) !== JSON.stringify(attributes)) {
    await keep(writing, before, attributes)
    await renameAwaited(db, before.id, shownName(attributes))
  }
  return read(db, before.id)
}

/** Links an existing member. Does not link owners, because a SCIM token must not control them. */
async function proveLinked(writing: WriteServices, { workspace_id, account_id, email, role }: UserRow): Promise<void> {
  if (role !== 'owner' && (await isOwnAddress(writing.db, workspace_id, email))) await proveAddress(writing, account_id, 'provider')
}

/** @throws Failure `permission_denied` for an owner */
export async function deleteUser(writing: WriteServices, user: UserRow): Promise<void> {
  if (user.role === 'owner') refuseOwner()
  await removeMember(writing, user)
}

function refuseOwner(): never {
  fail('permission_denied', 'An identity provider cannot suspend or remove an owner. Give the member another role first.')
}

/** Locks the workspace and reads the user again. @throws Failure `not_found` if it was deleted meanwhile */
export async function lockUser(db: Db, { id, workspace_id }: UserRow): Promise<UserRow> {
  await lockWorkspace(db, workspace_id)
  return (await users(db).where('m.id', '=', id).executeTakeFirst()) ?? fail('not_found')
}

const read = (db: Db, id: string): Promise<UserRow> => users(db).where('m.id', '=', id).executeTakeFirstOrThrow()

/** A SCIM user name and the address of an account must each identify only one member. */
async function refuseTaken(
  db: Db,
  { workspaceId, userName, except = '' }: { workspaceId: string; userName: string; except?: string | undefined },
): Promise<void> {
  const key = userName.toLowerCase()
  const other = await users(db)
    .where('m.workspace_id', '=', workspaceId)
    .where('m.id', '!=', except)
    .where(({ or, eb }) => or([eb('s.user_key', '=', key), eb('a.email', '=', canonicalEmail(userName))]))
    .executeTakeFirst()
  if (other) fail('already_exists', `${userName} is already a member of this workspace.`)
}

async function defaultRole(db: Db, workspaceId: string): Promise<Role> {
  const sso = await db.selectFrom('sso_configurations').select('default_role').where('workspace_id', '=', workspaceId).executeTakeFirst()
  return sso && isRole(sso.default_role) ? sso.default_role : 'viewer'
}

async function keep(
  { db, now }: WriteServices,
  { id, workspace_id }: Pick<UserRow, 'id' | 'workspace_id'>,
  given: ScimAttributes,
): Promise<void> {
  const { userName, externalId, name, displayName, emails } = given
  const row = {
    member_id: id,
    workspace_id,
    user_name: userName,
    user_key: userName.toLowerCase(),
    external_id: externalId ?? null,
    email: primaryEmail(given).toLowerCase(),
    attributes: JSON.stringify({ name, displayName, emails: emails ?? [] }),
    updated_at: now,
  }
  await db
    .insertInto('scim_users')
    .values(row)
    .onConflict(conflict => conflict.column('member_id').doUpdateSet(row))
    .execute()
}
