import { lacks, workspacesOf } from '../../../runtime/table/caller.ts'
import { fail } from '../../../runtime/table/errors.ts'
import { list, operation } from '../../../runtime/table/operation.ts'
import { permissionsOf } from '../../../runtime/table/permissions.ts'
import { optional } from '../../../runtime/table/schema.ts'
import { locked } from '../../../runtime/table/subject.ts'
import { pageOf } from '../../../storage/sql/page.ts'
import { workspace } from '../workspaces/records.ts'
import { role_changed } from './hooks.ts'
import { removeMember } from './leave.ts'
import { keepAnOwner } from './ownership.ts'
import { Member, Membership, MemberStatus, member, members, membershipsOf, RoleName, statusOf, toMember, toMembership } from './records.ts'
import { m } from './messages.ts'

export const members_list = list({
  route: 'GET /workspaces/{workspace_id}/members',
  summary: 'List members: who has access',
  title: 'Members',
  place: 'people',
  description: 'Members with role and e-mail address, in the order in which they joined.',
  access: 'members.manage',
  on: workspace,
  effect: 'read',
  input: {},
  of: Member,
  examples: [{ input: { workspace_id: '{{workspace}}' } }],
  async run({ db, workspace, page }) {
    const all = members(db).where('m.workspace_id', '=', workspace.id).orderBy('m.created_at').orderBy('m.id')
    const { rows, total } = await pageOf(all, page)
    return { rows: rows.map(toMember), total }
  },
})

export const members_get = operation({
  route: 'GET /workspaces/{workspace_id}/members/{id}',
  summary: 'Get a member',
  access: 'members.manage',
  on: [workspace, member],
  effect: 'read',
  input: {},
  output: Member,
  examples: [{ input: { workspace_id: '{{workspace}}', id: '{{member}}' } }],
  run: ({ member }) => toMember(member),
})

export const members_update = operation({
  route: 'PATCH /workspaces/{workspace_id}/members/{id}',
  summary: "Change a member's role",
  description:
    'Applies from the next call of each of their tokens and sessions. Callers can give only roles whose permissions they have themselves. ' +
    'Only owners can promote to, change or deactivate owners, and the last active owner stays owner.',
  help: 'Applies at once. You can give only roles whose permissions you have. Only owners can promote to, change or deactivate owners, and the last active owner stays owner.',
  access: 'members.manage',
  role: ({ member, input: { role = member.role, status = statusOf(member) } }) =>
    (role !== member.role || status !== statusOf(member)) && [role, member.role].includes('owner') ? 'owner' : undefined,
  denies: ({ caller, member, input: { role = member.role, status = statusOf(member) } }) =>
    role !== member.role || (member.active === 0 && status === 'active') ? lacks(caller, permissionsOf(role)) : undefined,
  adds: ({ workspace, member, input }) =>
    member.active === 0 && input.status === 'active' ? { quota: 'members', workspaceId: workspace.id } : undefined,
  on: [locked(workspace), locked(member)],
  effect: 'update',
  input: { role: optional(RoleName), status: optional(MemberStatus) },
  output: Member,
  examples: [
    { input: { workspace_id: '{{workspace}}', id: '{{member}}', role: 'analyst' } },
    { summary: 'Shut out for a while', input: { workspace_id: '{{workspace}}', id: '{{member}}', status: 'deactivated' } },
  ],
  async run({ db, caller, emit, member, input: { role = member.role, status = statusOf(member) } }) {
    const active = Number(status === 'active')
    if (active === 0 && member.id === caller.member.memberId) fail('invalid_state', m.not_yourself())
    if (role !== member.role || (active === 0 && member.active === 1)) await keepAnOwner(db, member)
    await db.updateTable('members').set({ role, active }).where('id', '=', member.id).execute()
    if (role !== member.role) await emit(role_changed, { member, role })
    return toMember({ ...member, role, active })
  },
})

export const members_delete = operation({
  route: 'DELETE /workspaces/{workspace_id}/members/{id}',
  summary: 'Remove a member',
  description:
    'Their tokens for this workspace end at once (401 `invalid_token`); the account stays. ' +
    'Only owners can remove owners, and the last active owner cannot be removed.',
  help: 'Ends their access and their API tokens at once; the account stays. Only owners can remove owners, and the last active owner cannot be removed.',
  access: 'members.manage',
  role: ({ member }) => (member.role === 'owner' ? 'owner' : undefined),
  on: [locked(workspace), locked(member)],
  effect: 'delete',
  input: {},
  output: Member,
  examples: [{ input: { workspace_id: '{{workspace}}', id: '{{member}}' } }],
  async run({ db, member, emit }) {
    await removeMember({ db, emit }, member)
    return toMember(member)
  },
})

export const memberships_list = list({
  route: 'GET /account/memberships',
  summary: 'List memberships',
  description:
    'The workspaces of this person in the order in which they joined, including those that this sign-in does not open. With single sign-on, only the ' +
    'workspace that it belongs to.',
  access: 'session',
  effect: 'read',
  input: {},
  of: Membership,
  examples: [{ input: {} }],
  async run({ db, caller, page }) {
    const all = membershipsOf(db, caller.member.accountId)
    // An identity provider must not learn about other memberships of a person whom it signed in.
    const own = caller.signedInBy === undefined ? all : all.where('m.workspace_id', '=', caller.signedInBy)
    const { rows, total } = await pageOf(own.orderBy('m.created_at').orderBy('m.id'), page)
    const open = new Set(workspacesOf(caller))
    return { rows: rows.map(row => toMembership(row, open.has(row.workspace_id))), total }
  },
})

export const members_leave = operation({
  route: 'POST /workspaces/{workspace_id}/leave',
  summary: 'Leave a workspace',
  done: 'Workspace left.',
  description:
    'Ends the membership of the caller and their tokens for this workspace. The last active owner cannot leave. Refused for a ' +
    'token with fewer permissions than its member.',
  access: 'member',
  reach: 'workspace',
  denies: ({ caller }) => lacks(caller, permissionsOf(caller.member.role)),
  on: locked(workspace),
  effect: 'delete',
  input: {},
  output: Member,
  form: { page: 'GET /account', after: () => '/account' },
  examples: [{ input: { workspace_id: '{{workspace}}' } }],
  async run({ db, caller, workspace }) {
    const own = members(db).where('m.workspace_id', '=', workspace.id).where('m.account_id', '=', caller.member.accountId)
    const member = (await own.executeTakeFirst()) ?? fail('not_found')
    await keepAnOwner(db, member)
    await db.deleteFrom('members').where('id', '=', member.id).execute()
    return toMember(member)
  },
})
