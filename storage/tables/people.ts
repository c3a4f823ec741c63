/** Workspaces, their members, tokens, and the audit log. */
import { text, instant, flag, json, reference, nullable, unique, withDefault } from '../schema/column.ts'
import { type Row, table } from '../schema/table.ts'

export const workspaces = table({
  id: text,
  name: text,
  created_at: instant,
})
export type WorkspaceRow = Row<typeof workspaces>

export const accounts = table({
  id: text,
  email: unique(text),
  unconfirmed_email: nullable(text),
  /** When a mailed link, an identity provider of the domain, or the operator proved the address. */
  email_verified_at: nullable(instant),
  /** When a mailed link or the operator of the machine proved it: not null only if more than an identity provider vouches for it. */
  mailbox_proved_at: nullable(instant),
  name: nullable(text),
  theme: text,
  default_landing: text,
  locale: text,
  timezone: nullable(text),
  shortcuts_enabled: flag,
  reduce_motion: flag,
  product_emails: flag,
  newsletter: flag,
  marketing_emails: flag,
  two_factor: flag,
  passkeys: flag,
  created_at: instant,
})
export type AccountRow = Row<typeof accounts>

export const members = table(
  {
    id: text,
    workspace_id: reference('workspaces'),
    account_id: reference('accounts'),
    role: text,
    /** 0 while the member is deactivated: the tokens stop working and the record is kept. */
    active: flag,
    /** Address and name from the identity provider that added the member; null once the member has signed in. */
    awaited_email: nullable(text),
    awaited_name: nullable(text),
    created_at: instant,
  },
  { unique: [['workspace_id', 'account_id']] },
)
export type MemberRow = Row<typeof members>

export const api_tokens = table(
  {
    id: text,
    workspace_id: reference('workspaces'),
    member_id: reference('members'),
    name: text,
    /** SHA-256 of the secret, hex. */
    hash: unique(text),
    token_prefix: text,
    /** JSON lists of strings. */
    permissions: json,
    site_ids: json,
    allowed_ips: json,
    oauth_client: nullable(text),
    /** 1 if the token was created in a session of single sign-on, or with such a token. It cannot change the account. */
    by_sso: withDefault(flag, 0),
    expires_at: nullable(instant),
    last_used_at: nullable(instant),
    revoked_at: nullable(instant),
    created_at: instant,
    /** Id of the token with its new secret, if it was rotated. */
    replaced_by: nullable(text),
  },
  { indexes: [['workspace_id']] },
)
export type TokenRow = Row<typeof api_tokens>

export const audit_entries = table(
  {
    id: text,
    workspace_id: text,
    site_id: nullable(text),
    at: instant,
    operation: text,
    /** Id of the changed record, if it has one. */
    subject_id: nullable(text),
    /** The member's e-mail address and token. */
    actor: text,
    token_id: nullable(text),
    surface: text,
    /** The kind of credential: the name of the authenticator, `password` or `command`. */
    door: withDefault(text, 'api_token'),
    /** `done`, or `refused`. */
    outcome: withDefault(text, 'done'),
    ip: nullable(text),
    request_id: text,
    /** The validated input without secrets, JSON. */
    input: json,
    /** JSON list of changed fields with their values before and after; null if no record was read before. */
    changes: nullable(json),
  },
  { indexes: [['workspace_id', 'at']] },
)
export type AuditRow = Row<typeof audit_entries>
