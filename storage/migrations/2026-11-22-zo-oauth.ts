/** OAuth: clients that registered, codes, what was granted, and the refresh tokens of each grant. */
import { createIndex, createTable } from './create-table.ts'
import type { Migration } from './migration.ts'

const ofToken = 'references api_tokens(id) on delete cascade'

export const oauth: Migration = async (db, dialect) => {
  await createTable(
    db,
    dialect,
    'oauth_clients',
    { id: 'text', name: 'text', redirect_uris: 'text', created_at: 'bigint', expires_at: 'bigint' },
    { key: 'id' },
  )
  await createTable(
    db,
    dialect,
    'oauth_codes',
    {
      hash: 'text',
      client_id: 'text',
      client_name: 'text',
      redirect_uri: 'text',
      challenge: 'text',
      resource: 'text',
      member_id: ['text', 'references members(id) on delete cascade'],
      permissions: 'text',
      site_ids: 'text',
      by_sso: 'int',
      token_id: ['text?', ofToken],
      used_at: 'bigint?',
      expires_at: 'bigint',
    },
    { key: 'hash' },
  )
  await createTable(
    db,
    dialect,
    'oauth_grants',
    {
      token_id: ['text', ofToken],
      client_id: 'text',
      client_host: 'text',
      resource: 'text',
      permissions: 'text',
      by_sso: 'int',
      created_at: 'bigint',
      expires_at: 'bigint',
    },
    { key: 'token_id' },
  )
  await createTable(
    db,
    dialect,
    'oauth_refresh_tokens',
    { hash: 'text', token_id: ['text', ofToken], used_at: 'bigint?', created_at: 'bigint', expires_at: 'bigint' },
    { key: 'hash' },
  )
  await createIndex(db, 'oauth_refresh_tokens', 'token_id')
}
