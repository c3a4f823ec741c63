/** A member: an account in a workspace, with a role. */
import { Type } from '@sinclair/typebox'
import { sql } from 'kysely'
import { roleNames } from '../../../runtime/table/permissions.ts'
import { among, DateTime, iso, Nullable, OneOf, record, type Static, help } from '../../../runtime/table/schema.ts'
import type { Operation } from '../../../runtime/table/operation.ts'
import type { Content } from '../../../runtime/table/page.ts'
import { slot } from '../../../runtime/ui/slot.ts'
import { subject } from '../../../runtime/table/subject.ts'
import type { Db } from '../../../storage/store.ts'
import type { MemberRow } from '../../../storage/tables/index.ts'
import { idKind } from '../../../runtime/values/ids.ts'
import { isOpenTo } from './shut-out.ts'

export const ids = { member: idKind('mem_') }

export const RoleName = OneOf(roleNames, { description: 'Role. `roles_list` lists the permissions of each role.' })

export const MemberStatus = OneOf(['active', 'deactivated'], {
  description: 'Whether the member may use the workspace. Footfall refuses tokens and sessions of a deactivated member.',
  [help]: 'A deactivated member has no access to the workspace.',
})

export const Member = record(
  'Member',
  {
    id: Type.String({ description: 'Prefix `mem_`.' }),
    email: Type.String({
      description:
        'E-mail address of the account. For a member whom SCIM added, the address that it supplied, until the member first signs in.',
    }),
    name: Nullable(Type.String(), {
      description: 'Name of the account. For a member whom SCIM added, the name that it supplied, until the member first signs in.',
    }),
    role: RoleName,
    status: MemberStatus,
    created_at: DateTime({ description: 'When they joined.' }),
  },
  'A member of a workspace.',
)

/** An invitation as the list of members shows it. */
export interface PendingInvitation {
  readonly email: string
  readonly role: string
  readonly href: string | undefined
  /** Its state, and when it ends. */
  readonly state: Content
  readonly about: string
}
/** A short form that invites a person, above the list of members; undefined without the permission to invite. */
export const inviteForm = slot<object, { readonly form: Content; readonly of: Operation } | undefined>('form of an invitation')
export const pendingInvitations = slot<object, readonly PendingInvitation[]>('invitations that nobody has accepted yet')

/**
 * Display values of a member `m` with the account `a`. An identity provider may add any address, so it must not learn the
 * name and address of the account; its person reveals them by signing in to the workspace.
 */
export const shownEmail = sql<string>`coalesce(m.awaited_email, a.email)`
export const shownName = sql<string | null>`case when m.awaited_email is null then a.name else m.awaited_name end`

/** Includes the display values. */
export type KnownMember = MemberRow & { email: string; name: string | null }

export function members(db: Db) {
  return db
    .selectFrom('members as m')
    .innerJoin('accounts as a', 'a.id', 'm.account_id')
    .selectAll('m')
    .select([shownEmail.as('email'), shownName.as('name')])
}

export const member = subject<'member', KnownMember>({
  name: 'member',
  async find(db, id) {
    const row = await members(db).where('m.id', '=', id).executeTakeFirst()
    return row && { row, workspaceId: row.workspace_id, siteId: null }
  },
  // Every change of members locks the workspace, so the member needs no lock of its own.
  lock: (db, id) => members(db).where('m.id', '=', id).executeTakeFirst(),
})

export const statusOf = ({ active }: Pick<MemberRow, 'active'>): Static<typeof MemberStatus> => (active === 1 ? 'active' : 'deactivated')

export function toMember({ id, email, name, role, active, created_at }: KnownMember): Static<typeof Member> {
  return { id, email, name, role: among(roleNames, role), status: statusOf({ active }), created_at: iso(created_at) }
}

export const Membership = record(
  'Membership',
  {
    id: Type.String({ description: 'Prefix `mem_`.' }),
    workspace_id: Type.String({ description: 'The workspace.' }),
    workspace_name: Type.String({ description: 'Name of the workspace.' }),
    role: RoleName,
    state: OneOf(['open', 'deactivated', 'single_sign_on', 'second_factor', 'unverified'], {
      description:
        'Whether this sign-in opens the workspace: `open`; otherwise the reason: the member is deactivated there, or the workspace requires its single ' +
        'sign-on or a second factor, which this sign-in lacks; `unverified`: an identity provider added the holder of the address, and this ' +
        'account has not proved the address.',
    }),
    created_at: DateTime({ description: 'When they joined.' }),
  },
  'A workspace that the person is a member of.',
)

/** Memberships of a person, with the sign-in requirements of each workspace. */
export const membershipsOf = (db: Db, accountId: string) =>
  db
    .selectFrom('members as m')
    .innerJoin('workspaces as w', 'w.id', 'm.workspace_id')
    .innerJoin('accounts as a', 'a.id', 'm.account_id')
    .leftJoin('sso_configurations as c', 'c.workspace_id', 'w.id')
    .where('m.account_id', '=', accountId)
    .select([
      'm.id',
      'm.workspace_id',
      'w.name as workspace_name',
      'm.role',
      'm.active',
      'm.created_at',
      'm.awaited_email',
      'a.email_verified_at',
      'c.enforced',
    ])

type MembershipRow = Awaited<ReturnType<ReturnType<typeof membershipsOf>['execute']>>[number]

/** @param isOpen whether the sign-in of the caller opens it */
export function toMembership(row: MembershipRow, isOpen: boolean): Static<typeof Membership> {
  const { id, workspace_id, workspace_name, active, enforced, created_at } = row
  const role = among(roleNames, row.role)
  const closed =
    active === 0
      ? 'deactivated'
      : enforced === 1 && role !== 'owner'
        ? 'single_sign_on'
        : isOpenTo(row, row)
          ? 'second_factor'
          : 'unverified'
  return { id, workspace_id, workspace_name, role, state: isOpen ? 'open' : closed, created_at: iso(created_at) }
}
