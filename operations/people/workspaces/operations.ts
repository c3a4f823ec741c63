import { workspacesOf } from '../../../runtime/caller.ts'
import { fail } from '../../../runtime/errors.ts'
import { list, operation } from '../../../runtime/operation.ts'
import { optional } from '../../../runtime/schema.ts'
import { locked } from '../../../runtime/subject.ts'
import { pageOf } from '../../../storage/page.ts'
import { workspace_deleting } from './hooks.ts'
import { toWorkspace, Workspace, workspace, workspaceName } from './records.ts'

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
    const own = db
      .selectFrom('workspaces')
      .selectAll()
      .where('id', 'in', ['', ...workspacesOf(caller)])
      .orderBy('created_at')
      .orderBy('id')
    const { rows, total } = await pageOf(own, page)
    return { rows: rows.map(toWorkspace), total }
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
  input: { name: optional(workspaceName) },
  output: Workspace,
  examples: [{ input: { workspace_id: '{{workspace}}', name: 'Acme' } }],
  async run({ db, workspace, input }) {
    const changed = await db
      .updateTable('workspaces')
      .set({ id: workspace.id, name: input.name })
      .where('id', '=', workspace.id)
      .returningAll()
      .executeTakeFirst()
    return changed ? toWorkspace(changed) : fail('not_found')
  },
})

export const workspaces_delete = operation({
  route: 'DELETE /workspaces/{workspace_id}',
  summary: 'Delete a workspace',
  description:
    'Only owners may. Its members lose access and its tokens stop at once; ' + 'the hits of its sites are deleted in the background.',
  access: 'workspace.manage',
  role: 'owner',
  on: locked(workspace),
  effect: 'delete',
  input: {},
  output: Workspace,
  examples: [{ input: { workspace_id: '{{workspace}}' } }],
  async run({ db, workspace, emit }) {
    await emit(workspace_deleting, { workspace })
    await db.deleteFrom('workspaces').where('id', '=', workspace.id).execute()
    return toWorkspace(workspace)
  },
})
