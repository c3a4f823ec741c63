import { Type } from '@sinclair/typebox'
import { fail } from '../../../runtime/errors.ts'
import { list, operation } from '../../../runtime/operation.ts'
import { Nullable, optional, record } from '../../../runtime/schema.ts'
import { locked } from '../../../runtime/subject.ts'
import { pageOf } from '../../../storage/page.ts'
import { issueToken } from '../tokens/issue.ts'
import { isLive } from '../../sites/sites/records.ts'
import { retire } from '../../sites/sites/retire.ts'
import { toWorkspace, Workspace, workspace } from './records.ts'

const name = Type.String({ minLength: 1, maxLength: 100, description: 'Name shown to its members.' })

const NewWorkspace = record('NewWorkspace', {
  ...Workspace.properties,
  token: Nullable(Type.String(), {
    description: 'An API token of the new workspace with the permissions of the one used. Shown once.',
  }),
}, 'A workspace just made, with a token for it.')

export const workspaces_list = list({
  route: 'GET /workspaces',
  summary: 'List workspaces',
  description: 'The workspaces this token reaches: a token belongs to one.',
  access: 'member',
  effect: 'read',
  input: {},
  of: Workspace,
  examples: [{ input: {} }],
  async run({ db, caller, page }) {
    const own = db.selectFrom('workspaces').selectAll().where('id', '=', caller.workspaceId)
    const { rows, total } = await pageOf(own, page)
    return { rows: rows.map(toWorkspace), total }
  },
})

export const workspaces_create = operation({
  route: 'POST /workspaces',
  summary: 'Create a workspace',
  description: 'The caller becomes its owner. A token reaches one workspace, '
    + 'so the answer carries a first token for the new one.',
  access: 'workspace.manage',
  effect: 'create',
  input: { name },
  output: NewWorkspace,
  secrets: ['token'],
  examples: [{ input: { name: 'Second workspace' } }],
  async run({ db, caller, input, now, newId, random }) {
    const row = { id: newId('workspace'), name: input.name, created_at: now }
    const memberId = newId('member')
    await db.insertInto('workspaces').values(row).execute()
    await db.insertInto('members').values({
      id: memberId, workspace_id: row.id, account_id: caller.member.accountId, role: 'owner', active: 1, created_at: now,
    }).execute()
    const { token } = await issueToken(db, { now, random }, {
      workspaceId: row.id, memberId, name: 'First token', permissions: [...caller.permissions],
    })
    return { ...toWorkspace(row), token }
  },
})

export const workspaces_get = operation({
  route: 'GET /workspaces/{workspace_id}',
  summary: 'Get a workspace',
  access: 'member',
  on: workspace,
  effect: 'read',
  input: {},
  output: Workspace,
  examples: [{ input: { workspace_id: '{{workspace}}' } }],
  run: async ({ workspace }) => toWorkspace(workspace),
})

export const workspaces_update = operation({
  route: 'PATCH /workspaces/{workspace_id}',
  summary: 'Change a workspace',
  access: 'workspace.manage',
  on: workspace,
  effect: 'update',
  input: { name: optional(name) },
  output: Workspace,
  examples: [{ input: { workspace_id: '{{workspace}}', name: 'Acme' } }],
  async run({ db, workspace, input }) {
    const changed = await db.updateTable('workspaces').set({ id: workspace.id, name: input.name })
      .where('id', '=', workspace.id).returningAll().executeTakeFirst()
    return changed ? toWorkspace(changed) : fail('not_found')
  },
})

export const workspaces_delete = operation({
  route: 'DELETE /workspaces/{workspace_id}',
  summary: 'Delete a workspace',
  description: 'Only owners may. Its members lose access and its tokens stop at once; '
    + 'the hits of its sites are deleted in the background.',
  access: 'workspace.manage',
  role: 'owner',
  on: locked(workspace),
  effect: 'delete',
  input: {},
  output: Workspace,
  examples: [{ input: { workspace_id: '{{workspace}}' } }],
  async run({ db, workspace, now, emit }) {
    const sites = await db.selectFrom('sites').selectAll()
      .where('workspace_id', '=', workspace.id).where('deleted_at', 'is', null).execute()
    for (const site of sites.filter(isLive)) await retire(db, { now, emit }, site)
    await db.deleteFrom('workspaces').where('id', '=', workspace.id).execute()
    return toWorkspace(workspace)
  },
})
