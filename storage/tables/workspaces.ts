/** Who is invited to a workspace, and what it wants of its members. */
import { text, int, instant, flag, reference, nullable, unique } from '../schema/column.ts'
import { type Row, table } from '../schema/table.ts'

export const invitations = table(
  {
    id: text,
    workspace_id: reference('workspaces'),
    email: text,
    role: text,
    /** SHA-256 of the secret of the link that is shown to who invites, hex. */
    hash: unique(text),
    /** That of the link that is mailed: whoever opens it has the mailbox. Null where there is no mail. */
    mailed_hash: nullable(text),
    /** E-mail of who invited. */
    invited_by: text,
    expires_at: instant,
    created_at: instant,
    updated_at: instant,
  },
  {
    unique: [['workspace_id', 'email']],
    indexes: [['expires_at'], { name: 'invitations_mailed_hash', on: ['mailed_hash'], unique: true }],
  },
)
export type InvitationRow = Row<typeof invitations>

/** Stored only for workspaces that changed a setting; others have the defaults. */
export const workspace_settings = table(
  {
    workspace_id: reference('workspaces'),
    default_timezone: text,
    default_currency: text,
    week_start: int,
    require_two_factor: flag,
    assistant_enabled: flag,
    report_logo_url: nullable(text),
  },
  { key: ['workspace_id'] },
)
export type WorkspaceSettingsRow = Row<typeof workspace_settings>
