/** Invitations to workspaces, and settings of workspaces. */
import { text, int, instant, flag, reference, nullable, unique } from '../schema/column.ts'
import { type Row, table } from '../schema/table.ts'

export const invitations = table(
  {
    id: text,
    workspace_id: reference('workspaces'),
    email: text,
    role: text,
    /** SHA-256, in hex, of the secret in the link that the inviting member sees. */
    hash: unique(text),
    /** SHA-256 of the secret in the mailed link, whose use proves the mailbox; null if no mail is sent. */
    mailed_hash: nullable(text),
    /** E-mail address of the inviting member. */
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

/** Stored only for workspaces that changed a setting. Other workspaces have the defaults. */
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
