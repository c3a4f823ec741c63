/** OAuth clients that registered themselves, and the consents that members gave to clients. */
import { text, instant, flag, json, reference, nullable } from '../schema/column.ts'
import { type Row, table } from '../schema/table.ts'

/** A client that registered itself (RFC 7591); clients with a metadata document have no row. */
export const oauth_clients = table({
  id: text,
  name: text,
  /** JSON list of strings. */
  redirect_uris: json,
  created_at: instant,
  /** If unused until this time, the client is deleted. */
  expires_at: instant,
})
export type OAuthClientRow = Row<typeof oauth_clients>

/** A consent to be exchanged for a token. The row is kept for a while after that, to detect a second exchange. */
export const oauth_codes = table(
  {
    /** SHA-256 of the code, hex. */
    hash: text,
    client_id: text,
    client_name: text,
    redirect_uri: text,
    /** S256 of the client's verifier (RFC 7636). */
    challenge: text,
    resource: text,
    member_id: reference('members'),
    /** JSON lists of strings. */
    permissions: json,
    site_ids: json,
    /** 1 if the workspace's identity provider had signed the member in. */
    by_sso: flag,
    /** The access token that the code was exchanged for. */
    token_id: nullable(reference('api_tokens')),
    used_at: nullable(instant),
    expires_at: instant,
  },
  { key: ['hash'] },
)
export type OAuthCodeRow = Row<typeof oauth_codes>

/** One consent to one client. Its access token is a row of `api_tokens`, whose secret each refresh replaces. */
export const oauth_grants = table(
  {
    token_id: reference('api_tokens'),
    client_id: text,
    client_host: text,
    resource: text,
    /** JSON list of all permissions of the consent. The access token may have fewer. */
    permissions: json,
    by_sso: flag,
    created_at: instant,
    /** End of the grant unless it is refreshed. */
    expires_at: instant,
  },
  { key: ['token_id'] },
)
export type OAuthGrantRow = Row<typeof oauth_grants>

export const oauth_refresh_tokens = table(
  {
    /** SHA-256 of the token, hex. */
    hash: text,
    token_id: reference('api_tokens'),
    /** A second use ends the grant. */
    used_at: nullable(instant),
    created_at: instant,
    expires_at: instant,
  },
  { key: ['hash'], indexes: [['token_id']] },
)
export type OAuthRefreshTokenRow = Row<typeof oauth_refresh_tokens>
