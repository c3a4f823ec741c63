/** Provisioning by an identity provider. */
import { createIndex, createTable } from './create-table.ts'
import type { Migration } from './migration.ts'

const ofWorkspace = ['text', 'references workspaces(id) on delete cascade'] as const

export const scim: Migration = async (db, dialect) => {
  await createTable(
    db,
    dialect,
    'scim_tokens',
    {
      id: 'text',
      workspace_id: ofWorkspace,
      hash: ['text', 'unique'],
      token_prefix: 'text',
      created_by: 'text',
      last_used_at: 'bigint?',
      revoked_at: 'bigint?',
      created_at: 'bigint',
    },
    { key: 'id' },
  )
  await createIndex(db, 'scim_tokens', 'workspace_id')
  await createTable(
    db,
    dialect,
    'scim_users',
    {
      member_id: ['text', 'references members(id) on delete cascade'],
      workspace_id: ofWorkspace,
      user_name: 'text',
      user_key: 'text',
      external_id: 'text?',
      email: 'text',
      attributes: 'text',
      updated_at: ['bigint', ', unique (workspace_id, user_key)'],
    },
    { key: 'member_id' },
  )
}
