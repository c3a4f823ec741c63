/** Members as an identity provider knows them, and what it calls with. */

export interface ScimTokenRow {
  id: string
  workspace_id: string
  /** SHA-256 of the secret, hex. */
  hash: string
  token_prefix: string
  /** E-mail of the member who made it. */
  created_by: string
  last_used_at: number | null
  revoked_at: number | null
  created_at: number
}

/** Beside a member, from the first thing on that an identity provider says of them. */
export interface ScimUserRow {
  member_id: string
  workspace_id: string
  user_name: string
  /** In small letters: what it is found by. */
  user_key: string
  external_id: string | null
  /** The primary address of `attributes`, in small letters. */
  email: string
  /** Name, display name and addresses as they were sent, JSON. */
  attributes: string
  updated_at: number
}

declare module './index.ts' {
  interface Tables {
    scim_tokens: ScimTokenRow
    scim_users: ScimUserRow
  }
}
