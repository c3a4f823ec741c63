/** Sign-ins by an identity provider that are under way, and whom it has signed in. */
import { text, instant, flag, json, reference, nullable, withDefault } from '../schema/column.ts'
import { type Row, table } from '../schema/table.ts'

export const sso_requests = table({
  /**
   * The id of the AuthnRequest, the `state` of OpenID Connect; or a hash: of what the browser brings to the last step, or
   * of the id of a LogoutRequest.
   */
  id: text,
  workspace_id: reference('workspaces'),
  /** `asked` or `finish` of a sign-in; `leave` of somebody who signs out here, `told` of our LogoutRequest then, `left` of one that was taken. */
  kind: text,
  is_test: flag,
  /** Whom it was sent to: if the configuration changes meanwhile, the answer is nobody's. */
  issuer: text,
  /** SHA-256 of the cookie of the browser that began it. */
  browser_hash: text,
  /** Where the browser goes on after a sign-in; of a link, the version of the configuration that its owner was shown. */
  next: nullable(text),
  /** For `finish` what the identity provider says, for `leave` and `told` the `name_id` of the session: JSON. */
  profile: nullable(json),
  /** The owner who links an identity with it; null for a sign-in or a test. */
  account_id: nullable(reference('accounts')),
  created_at: instant,
  expires_at: instant,
})
export type SsoRequestRow = Row<typeof sso_requests>

/** Somebody as an identity provider knows them. */
export const sso_identities = table(
  {
    workspace_id: reference('workspaces'),
    issuer: text,
    /** NameID or `sub`. */
    subject: text,
    account_id: reference('accounts'),
    created_at: instant,
    last_used_at: instant,
    /** When its person linked it by their own hand, signed in otherwise; null for one that the identity provider made. */
    linked_at: nullable(instant),
    /** The membership in which they did: another one begins without. */
    linked_member_id: nullable(reference('members', { onDelete: 'set null' })),
  },
  { key: ['workspace_id', 'issuer', 'subject'], indexes: [['account_id']] },
)
export type SsoIdentityRow = Row<typeof sso_identities>

/** Which workspace's identity provider began a session. */
export const sso_sessions = table(
  {
    session_id: reference('sessions'),
    workspace_id: reference('workspaces'),
    /** SAML: how the identity provider names the person and its own session, JSON. */
    name_id: nullable(json),
    /** 1 if it began with an identity that its person had linked: such a session may be an owner's. */
    is_linked: withDefault(flag, 0),
    /** SAML: when the identity provider wants it to end (`SessionNotOnOrAfter`). */
    ends_at: nullable(instant),
  },
  { key: ['session_id'] },
)
export type SsoSessionRow = Row<typeof sso_sessions>
