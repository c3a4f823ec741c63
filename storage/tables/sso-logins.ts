/** Pending sign-ins by an identity provider, and the identities and sessions that it signed in. */
import { text, instant, flag, json, reference, nullable, withDefault } from '../schema/column.ts'
import { type Row, table } from '../schema/table.ts'

export const sso_requests = table({
  /**
   * The id of the AuthnRequest, the `state` of OpenID Connect, or a hash: of the browser's secret for the last step, or of
   * the id of a LogoutRequest.
   */
  id: text,
  workspace_id: reference('workspaces'),
  /** Sign-in: `asked`, then `finish`. Sign-out: `leave` here, `told` for our LogoutRequest, `left` for a processed one of the provider. */
  kind: text,
  is_test: flag,
  /** The issuer that the request was sent to. If the configuration changes meanwhile, its answer is refused. */
  issuer: text,
  /** SHA-256 of the cookie of the browser that began it. */
  browser_hash: text,
  /** Where the browser continues after a sign-in; for a link, the version of the configuration that the owner saw. */
  next: nullable(text),
  /** JSON: for `finish` the profile from the identity provider, for `leave` and `told` the `name_id` of the session. */
  profile: nullable(json),
  /** The owner who links an identity; null for a sign-in or a test. */
  account_id: nullable(reference('accounts')),
  created_at: instant,
  expires_at: instant,
})
export type SsoRequestRow = Row<typeof sso_requests>

/** An identity at an identity provider, with its account. */
export const sso_identities = table(
  {
    workspace_id: reference('workspaces'),
    issuer: text,
    /** NameID or `sub`. */
    subject: text,
    account_id: reference('accounts'),
    created_at: instant,
    last_used_at: instant,
    /** When the account's holder linked it after another sign-in; null if the identity provider created it. */
    linked_at: nullable(instant),
    /** The membership that the link belongs to. A later membership starts without it. */
    linked_member_id: nullable(reference('members', { onDelete: 'set null' })),
  },
  { key: ['workspace_id', 'issuer', 'subject'], indexes: [['account_id']] },
)
export type SsoIdentityRow = Row<typeof sso_identities>

/** The workspace whose identity provider began a session. */
export const sso_sessions = table(
  {
    session_id: reference('sessions'),
    workspace_id: reference('workspaces'),
    /** SAML: the identity provider's names of the person and of its own session, JSON. */
    name_id: nullable(json),
    /** 1 if the session began with a linked identity. Only such a session may belong to an owner. */
    is_linked: withDefault(flag, 0),
    /** SAML: the end of the session that the identity provider requested (`SessionNotOnOrAfter`). */
    ends_at: nullable(instant),
  },
  { key: ['session_id'] },
)
export type SsoSessionRow = Row<typeof sso_sessions>
