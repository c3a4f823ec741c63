/** Workspaces, their members, tokens, and the audit log. */

export interface WorkspaceRow {
  id: string
  name: string
  created_at: number
}

export interface AccountRow {
  id: string
  email: string
  unconfirmed_email: string | null
  /** When the address was proved to be its person's: by a mailed link, an identity provider of its domain, or the operator. */
  email_verified_at: number | null
  name: string | null
  theme: string
  default_landing: string
  locale: string
  timezone: string | null
  shortcuts_enabled: number
  reduce_motion: number
  product_emails: number
  newsletter: number
  marketing_emails: number
  two_factor: number
  passkeys: number
  created_at: number
}

export interface MemberRow {
  id: string
  workspace_id: string
  account_id: string
  role: string
  /** 0 while the member is deactivated: their tokens stop working, the record stays. */
  active: number
  /** As the identity provider that added them calls them, until they come in; then null: from then on the account says it. */
  awaited_email: string | null
  awaited_name: string | null
  created_at: number
}

export interface TokenRow {
  id: string
  workspace_id: string
  member_id: string
  name: string
  /** SHA-256 of the secret, hex. */
  hash: string
  token_prefix: string
  /** JSON lists of strings. */
  permissions: string
  site_ids: string
  allowed_ips: string
  oauth_client: string | null
  /** 1 if it was made in a session of single sign-on, or with such a token: it does not reach the account. */
  by_sso: number
  expires_at: number | null
  last_used_at: number | null
  revoked_at: number | null
  created_at: number
}

export interface AuditRow {
  id: string
  workspace_id: string
  site_id: string | null
  at: number
  operation: string
  /** Id of the changed record, if it has one. */
  subject_id: string | null
  /** The member's e-mail address and token. */
  actor: string
  token_id: string | null
  surface: string
  /** By which credential: the authenticator's name, `password`, `command`. */
  door: string
  /** `done`, or `refused`. */
  outcome: string
  ip: string | null
  request_id: string
  /** The validated input without secrets, JSON. */
  input: string
}

export interface PeopleTables {
  workspaces: WorkspaceRow
  accounts: AccountRow
  members: MemberRow
  api_tokens: TokenRow
  audit_entries: AuditRow
}
