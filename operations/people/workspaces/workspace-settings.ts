/** Settings of a workspace: defaults of its new sites, and rules for its members. */
import { type Static, Type } from '@sinclair/typebox'
import { Nullable, record, help } from '../../../runtime/table/schema.ts'
import type { Db } from '../../../storage/store.ts'
import type { WorkspaceSettingsRow } from '../../../storage/tables/workspaces.ts'

export const settingFields = {
  default_timezone: Type.String({
    format: 'timezone',
    description: 'IANA time zone of new sites.',
    [help]: 'Time zone that new sites start with.',
  }),
  default_currency: Type.String({
    format: 'currency',
    description: 'ISO 4217 currency of new sites.',
    [help]: 'Currency that new sites start with.',
  }),
  week_start: Type.Integer({
    unit: 'weekday',
    minimum: 1,
    maximum: 7,
    description: 'First day of the week of new sites: 1 is Monday, 7 is Sunday.',
    [help]: 'Weeks of new sites begin on this day.',
  }),
  require_two_factor: Type.Boolean({
    description:
      'Whether the workspace hides itself from signed-in members without a second factor or passkey. Does not affect API tokens.',
  }),
  assistant_enabled: Type.Boolean({
    description:
      'Whether questions to the assistant, with figures and names of its sites, may be sent to the language model of this installation.',
  }),
  report_logo_url: Nullable(Type.String({ format: 'uri', pattern: '^https://', maxLength: 1_000 }), {
    description: 'Image at the top of e-mail reports, an https:// URL.',
  }),
}

export const WorkspaceSettings = record('WorkspaceSettings', settingFields, 'Settings of a workspace.')

/** Returns the settings, or their defaults if they were never changed. */
export async function workspaceSettings(db: Db, workspaceId: string): Promise<WorkspaceSettingsRow> {
  const row = await db.selectFrom('workspace_settings').selectAll().where('workspace_id', '=', workspaceId).executeTakeFirst()
  return (
    row ?? {
      workspace_id: workspaceId,
      default_timezone: 'UTC',
      default_currency: 'USD',
      week_start: 1,
      require_two_factor: 0,
      assistant_enabled: 0,
      report_logo_url: null,
    }
  )
}

export function toSettings({ workspace_id: _, ...row }: WorkspaceSettingsRow): Static<typeof WorkspaceSettings> {
  return { ...row, require_two_factor: row.require_two_factor === 1, assistant_enabled: row.assistant_enabled === 1 }
}
