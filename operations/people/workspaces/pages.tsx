import { RecordView } from '../../../runtime/ui/record.tsx'
import { settings } from '../../../runtime/ui/settings.ts'
import { view } from '../../../runtime/ui/view.ts'
import { m } from './messages.ts'
import { workspace_settings_update, workspaces_update } from './operations.ts'
import { Workspace } from './records.ts'
import { WorkspaceSettings } from './workspace-settings.ts'

/** Settings of a workspace: defaults of new sites, and rules for its members. */
export const workspaceSettings = settings(workspace_settings_update, [
  { title: m.new_sites, help: m.new_sites_start, fields: ['default_timezone', 'default_currency', 'week_start'] },
  { title: m.rules_for_members, fields: ['require_two_factor', 'assistant_enabled'] },
  { title: m.reports_by_mail, fields: ['report_logo_url'] },
])

/** The workspace with everything that is set for it. A member who may change nothing sees its record. */
export const workspace = view(
  Workspace,
  async ({ data, page }) => {
    const [name, ...own] = [await page.settings(workspaces_update), await page.settings(workspace_settings_update)]
    if (!name && own.every(each => !each)) return undefined
    return (
      <>
        {name}
        {own}
        <section class="settings">
          <div class="card">
            <RecordView schema={Workspace} data={data} viewer={page.viewer} without={named} />
          </div>
        </section>
      </>
    )
  },
  { parts: [WorkspaceSettings] },
)
const named = new Set(['name'])
