/** Who is invited to a workspace, and what it wants of its members. */

export interface InvitationRow {
  id: string
  workspace_id: string
  email: string
  role: string
  /** SHA-256 of the secret of the link that is shown to who invites, hex. */
  hash: string
  /** That of the link that is mailed: whoever opens it has the mailbox. Null where there is no mail. */
  mailed_hash: string | null
  /** E-mail of who invited. */
  invited_by: string
  expires_at: number
  created_at: number
  updated_at: number
}

/** Stored only for workspaces that changed a setting; others have the defaults. */
export interface WorkspaceSettingsRow {
  workspace_id: string
  default_timezone: string
  default_currency: string
  week_start: number
  require_two_factor: number
  assistant_enabled: number
  report_logo_url: string | null
}

declare module './index.ts' {
  interface Tables {
    invitations: InvitationRow
    workspace_settings: WorkspaceSettingsRow
  }
}
