/** Sign-ins by an identity provider that are under way, and whom it has signed in. */

export interface SsoRequestRow {
  /**
   * The id of the AuthnRequest, the `state` of OpenID Connect; or a hash: of what the browser brings to the last step, or
   * of the id of a LogoutRequest.
   */
  id: string
  workspace_id: string
  /** `asked` or `finish` of a sign-in; `leave` of somebody who signs out here, `told` of our LogoutRequest then, `left` of one that was taken. */
  kind: string
  is_test: number
  /** Whom it was sent to: if the configuration changes meanwhile, the answer is nobody's. */
  issuer: string
  /** SHA-256 of the cookie of the browser that began it. */
  browser_hash: string
  /** Where the browser goes on after a sign-in; of a link, the version of the configuration that its owner was shown. */
  next: string | null
  /** For `finish` what the identity provider says, for `leave` and `told` the `name_id` of the session: JSON. */
  profile: string | null
  /** The owner who links an identity with it; null for a sign-in or a test. */
  account_id: string | null
  created_at: number
  expires_at: number
}

/** Somebody as an identity provider knows them. */
export interface SsoIdentityRow {
  workspace_id: string
  issuer: string
  /** NameID or `sub`. */
  subject: string
  account_id: string
  created_at: number
  last_used_at: number
  /** When its person linked it by their own hand, signed in otherwise; null for one that the identity provider made. */
  linked_at: number | null
  /** The membership in which they did: another one begins without. */
  linked_member_id: string | null
}

/** Which workspace's identity provider began a session. */
export interface SsoSessionRow {
  session_id: string
  workspace_id: string
  /** SAML: how the identity provider names the person and its own session, JSON. */
  name_id: string | null
  /** 1 if it began with an identity that its person had linked: such a session may be an owner's. */
  is_linked: number
  /** SAML: when the identity provider wants it to end (`SessionNotOnOrAfter`). */
  ends_at: number | null
}

declare module './index.ts' {
  interface Tables {
    sso_requests: SsoRequestRow
    sso_identities: SsoIdentityRow
    sso_sessions: SsoSessionRow
  }
}
