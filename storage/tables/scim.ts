/** Members as an identity provider knows them, and the tokens of identity providers. */
import { text, instant, json, reference, nullable, unique } from '../schema/column.ts'
import { type Row, table } from '../schema/table.ts'

export const scim_tokens = table(
  {
    id: text,
    workspace_id: reference('workspaces'),
    /** SHA-256 of the secret, hex. */
    hash: unique(text),
    token_prefix: text,
    /** E-mail address of the member who created the token. */
    created_by: text,
    last_used_at: nullable(instant),
    revoked_at: nullable(instant),
    created_at: instant,
  },
  { indexes: [['workspace_id']] },
)
export type ScimTokenRow = Row<typeof scim_tokens>

/** The identity provider's data about a member, from its first request on. */
export const scim_users = table(
  {
    member_id: reference('members'),
    workspace_id: reference('workspaces'),
    user_name: text,
    /** The user name in lower case, for look-ups. */
    user_key: text,
    external_id: nullable(text),
    /** The primary address of `attributes`, in lower case. */
    email: text,
    /** Name, display name and addresses as sent, JSON. */
    attributes: json,
    updated_at: instant,
  },
  { key: ['member_id'], unique: [['workspace_id', 'user_key']] },
)
export type ScimUserRow = Row<typeof scim_users>
