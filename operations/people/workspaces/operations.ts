import { confirmed, confirmInput } from '../../../runtime/table/confirmation.ts'
import { workspacesOf } from '../../../runtime/table/caller.ts'
import { fail } from '../../../runtime/table/errors.ts'
import { list, operation } from '../../../runtime/table/operation.ts'
import { flag, optional } from '../../../runtime/table/schema.ts'
import { locked } from '../../../runtime/table/subject.ts'
import { pageOf } from '../../../storage/sql/page.ts'
import { canonicalZone } from '../../../storage/calendar/zones.ts'
import { scrubbing } from '../../../storage/hits/scrubbing.ts'
import { workspace_deleting } from './hooks.ts'
import { toWorkspace, Workspace, workspace, workspaceName } from './records.ts'
import { settingFields, toSettings, WorkspaceSettings, workspaceSettings } from './workspace-settings.ts'
import { m } from './messages.ts'

export const workspaces_list = list({
  route: 'GET /workspaces',
  summary: 'List workspaces and their ids',
  description: 'Returns the workspaces that the token can access. A token belongs to one workspace.',
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
  run: ({ workspace }) => toWorkspace(workspace),
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
  summary: 'Delete a workspace and all its sites',
  description:
    'Only owners can delete it, and tokens of owners that have all permissions. Its members lose access and its tokens stop at once. ' +
    'The hits of its sites are deleted in the background. This cannot be undone.',
  help: 'Only owners can delete it. Its members lose access and its tokens stop at once. The hits of its sites are deleted in the background. This cannot be undone.',
  access: 'workspace.manage',
  role: 'owner',
  on: locked(workspace),
  effect: 'delete',
  input: { confirm: confirmInput('The name of the workspace') },
  output: Workspace,
  examples: [{ input: { workspace_id: '{{workspace}}', confirm: 'Acme' } }],
  async run({ db, store, workspace, input, emit }) {
    confirmed(input.confirm, [workspace.name], m.name_of_workspace())
    await scrubbing(store, db, async () => {
      await emit(workspace_deleting, { workspace })
      await db.deleteFrom('workspaces').where('id', '=', workspace.id).execute()
    })
    return toWorkspace(workspace)
  },
})

export const workspace_settings_get = operation({
  route: 'GET /workspaces/{workspace_id}/settings',
  summary: 'Get the settings of a workspace',
  place: 'general',
  access: 'workspace.manage',
  on: workspace,
  effect: 'read',
  input: {},
  output: WorkspaceSettings,
  examples: [{ input: { workspace_id: '{{workspace}}' } }],
  run: async ({ db, workspace }) => toSettings(await workspaceSettings(db, workspace.id)),
})

export const workspace_settings_update = operation({
  route: 'PATCH /workspaces/{workspace_id}/settings',
  summary: 'Change the settings of a workspace',
  description:
    'A caller who sets `require_two_factor` must have a second factor or a passkey; otherwise, the setting would lock the caller out.',
  access: 'workspace.manage',
  reach: 'workspace',
  on: locked(workspace),
  effect: 'update',
  input: {
    default_timezone: optional(settingFields.default_timezone),
    default_currency: optional(settingFields.default_currency),
    week_start: optional(settingFields.week_start),
    require_two_factor: optional(settingFields.require_two_factor),
    assistant_enabled: optional(settingFields.assistant_enabled),
    report_logo_url: optional(settingFields.report_logo_url),
  },
  output: WorkspaceSettings,
  examples: [{ input: { workspace_id: '{{workspace}}', default_timezone: 'Europe/Berlin', default_currency: 'EUR' } }],
  async run({ db, workspace, caller, input }) {
    const before = await workspaceSettings(db, workspace.id)
    if (input.require_two_factor && before.require_two_factor === 0) {
      const own = await db
        .selectFrom('accounts')
        .select(['two_factor', 'passkeys'])
        .where('id', '=', caller.member.accountId)
        .executeTakeFirst()
      if (own?.two_factor !== 1 && !own?.passkeys) fail('invalid_state', m.own_factor_first())
    }
    const { workspace_id: _, ...given } = input
    const changed = {
      ...before,
      ...given,
      default_timezone: canonicalZone(input.default_timezone ?? before.default_timezone) ?? before.default_timezone,
      require_two_factor: flag(input.require_two_factor) ?? before.require_two_factor,
      assistant_enabled: flag(input.assistant_enabled) ?? before.assistant_enabled,
    }
    await db
      .insertInto('workspace_settings')
      .values(changed)
      .onConflict(on => on.column('workspace_id').doUpdateSet(changed))
      .execute()
    return toSettings(changed)
  },
})
