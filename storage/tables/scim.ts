/** Members as an identity provider knows them, and what it calls with. */
import { text, instant, json, reference, nullable, unique } from '../schema/column.ts'
import { type Row, table } from '../schema/table.ts'

export const scim_tokens = table(
  {
    id: text,
    workspace_id: reference('workspaces'),
    /** SHA-256 of the secret, hex. */
    hash: unique(text),
    token_prefix: text,
    /** E-mail of the member who made it. */
    created_by: text,
    last_used_at: nullable(instant),
    revoked_at: nullable(instant),
    created_at: instant,
  },
  { indexes: [['workspace_id']] },
)
export type ScimTokenRow = Row<typeof scim_tokens>

/** Beside a member, from the first thing on that an identity provider says of them. */
export const scim_users = table(
  {
    member_id: reference('members'),
    workspace_id: reference('workspaces'),
    user_name: text,
    /** In small letters: what it is found by. */
    user_key: text,
    external_id: nullable(text),
    /** The primary address of `attributes`, in small letters. */
    email: text,
    /** Name, display name and addresses as they were sent, JSON. */
    attributes: json,
    updated_at: instant,
  },
  { key: ['member_id'], unique: [['workspace_id', 'user_key']] },
)
export type ScimUserRow = Row<typeof scim_users>
