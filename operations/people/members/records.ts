/** A member is an account in a workspace, with a role there. */
import { Type } from '@sinclair/typebox'
import { sql } from 'kysely'
import { roleNames } from '../../../runtime/table/permissions.ts'
import { among, DateTime, iso, Nullable, OneOf, record, type Static, help } from '../../../runtime/table/schema.ts'
import { subject } from '../../../runtime/table/subject.ts'
import type { Db } from '../../../storage/store.ts'
import type { MemberRow } from '../../../storage/tables/index.ts'
import { idKind } from '../../../runtime/values/ids.ts'
import { isOpenTo } from './shut-out.ts'

export const ids = { member: idKind('mem_') }

export const RoleName = OneOf(roleNames, { description: 'Role; `roles_list` says what each may do.' })

export const MemberStatus = OneOf(['active', 'deactivated'], {
  description: 'Tokens and sessions of a deactivated member are refused.',
  [help]: 'A deactivated member sees nothing of the workspace any more.',
})

export const Member = record(
  'Member',
  {
    id: Type.String({ description: 'Prefix `mem_`.' }),
    email: Type.String({ description: 'E-mail address of the account; of whom SCIM added, the one it gave, until they come in.' }),
    name: Nullable(Type.String(), { description: 'Name of the account; likewise.' }),
    role: RoleName,
    status: MemberStatus,
    created_at: DateTime({ description: 'When they joined.' }),
  },
  'A member of a workspace.',
)

/**
 * How a member `m` with the account `a` is shown. An identity provider may add any address: what the account of it says of
 * its person is theirs to show, and they do by coming in.
 */
export const shownEmail = sql<string>`coalesce(m.awaited_email, a.email)`
export const shownName = sql<string | null>`case when m.awaited_email is null then a.name else m.awaited_name end`

/** Includes how they are shown. */
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
  // Locked by way of the workspace, which every change of members locks.
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
    workspace_name: Type.String({ description: 'How it is called.' }),
    role: RoleName,
    state: OneOf(['open', 'deactivated', 'single_sign_on', 'second_factor', 'unverified'], {
      description:
        'Whether this sign-in opens the workspace: `open`; else why not: the member was deactivated there, or it asks for its single ' +
        'sign-on or for a second factor, which was not shown; `unverified`: an identity provider added the holder of the address, which this ' +
        'account has not proved.',
    }),
    created_at: DateTime({ description: 'When they joined.' }),
  },
  'A workspace that the person is a member of.',
)

/** Of a person, with what the workspace asks of a sign-in. */
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

/** @param isOpen whether the sign-in that asks reaches it */
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
