/** OAuth: what clients have registered, and what people have granted them. */

/** A client that registered itself (RFC 7591); clients with a metadata document have no row. */
export interface OAuthClientRow {
  id: string
  name: string
  /** JSON list of strings. */
  redirect_uris: string
  created_at: number
  /** Unused until then, it is forgotten. */
  expires_at: number
}

/** A consent that waits to be exchanged. It stays for a while after that, so that a second exchange is noticed. */
export interface OAuthCodeRow {
  /** SHA-256 of the code, hex. */
  hash: string
  client_id: string
  client_name: string
  redirect_uri: string
  /** S256 of the client's verifier (RFC 7636). */
  challenge: string
  resource: string
  member_id: string
  /** JSON lists of strings. */
  permissions: string
  site_ids: string
  /** 1 where its person was signed in by the workspace's identity provider. */
  by_sso: number
  /** The access token that it was exchanged for. */
  token_id: string | null
  used_at: number | null
  expires_at: number
}

/** One consent to one client. Its access token is a row of `api_tokens`, whose secret each refresh replaces. */
export interface OAuthGrantRow {
  token_id: string
  client_id: string
  client_host: string
  resource: string
  /** JSON list of strings: all that was consented to; the access token may have been asked for with less. */
  permissions: string
  by_sso: number
  created_at: number
  /** When it ends unless it is refreshed before. */
  expires_at: number
}

export interface OAuthRefreshTokenRow {
  /** SHA-256 of the token, hex. */
  hash: string
  token_id: string
  /** A second use of it ends the grant. */
  used_at: number | null
  created_at: number
  expires_at: number
}

declare module './index.ts' {
  interface Tables {
    oauth_clients: OAuthClientRow
    oauth_codes: OAuthCodeRow
    oauth_grants: OAuthGrantRow
    oauth_refresh_tokens: OAuthRefreshTokenRow
  }
}
