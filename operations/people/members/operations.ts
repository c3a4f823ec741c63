import { list, operation } from '../../../runtime/operation.ts'
import { optional } from '../../../runtime/schema.ts'
import { locked } from '../../../runtime/subject.ts'
import { pageOf } from '../../../storage/page.ts'
import { workspace } from '../workspaces/records.ts'
import { removeMember } from './leave.ts'
import { keepAnOwner } from './ownership.ts'
import { Member, member, members, RoleName, toMember } from './records.ts'

export const members_list = list({
  route: 'GET /workspaces/{workspace_id}/members',
  summary: 'List members',
  title: 'Members',
  place: 'settings',
  description: 'In the order they joined.',
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
  run: async ({ member }) => toMember(member),
})

export const members_update = operation({
  route: 'PATCH /workspaces/{workspace_id}/members/{id}',
  summary: "Change a member's role",
  description:
    'Counts from the next call of each of their tokens. Only owners make or change owners, ' + 'and the last active owner stays one.',
  access: 'members.manage',
  role: ({ member, input: { role = member.role } }) =>
    role !== member.role && [role, member.role].includes('owner') ? 'owner' : undefined,
  on: [locked(workspace), locked(member)],
  effect: 'update',
  input: { role: optional(RoleName) },
  output: Member,
  examples: [{ input: { workspace_id: '{{workspace}}', id: '{{member}}', role: 'analyst' } }],
  async run({ db, member, input: { role = member.role } }) {
    if (role !== member.role) {
      await keepAnOwner(db, member)
      await db.updateTable('members').set({ role }).where('id', '=', member.id).execute()
    }
    return toMember({ ...member, role })
  },
})

export const members_delete = operation({
  route: 'DELETE /workspaces/{workspace_id}/members/{id}',
  summary: 'Remove a member',
  description:
    'Their tokens for this workspace end at once (401 `invalid_token`); the account stays. ' +
    'Only owners remove owners, and the last active owner stays.',
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
