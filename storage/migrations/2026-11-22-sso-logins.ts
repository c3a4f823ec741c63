/** Signing in by an identity provider. */
import { createIndex, createTable } from './create-table.ts'
import type { Migration } from './migration.ts'

const ofWorkspace = ['text', 'references workspaces(id) on delete cascade'] as const

export const ssoLogins: Migration = async (db, dialect) => {
  await createTable(
    db,
    dialect,
    'sso_requests',
    {
      id: 'text',
      workspace_id: ofWorkspace,
      kind: 'text',
      is_test: 'int',
      issuer: 'text',
      browser_hash: 'text',
      next: 'text?',
      profile: 'text?',
      created_at: 'bigint',
      expires_at: 'bigint',
    },
    { key: 'id' },
  )
  await createTable(
    db,
    dialect,
    'sso_identities',
    {
      workspace_id: ofWorkspace,
      issuer: 'text',
      subject: 'text',
      account_id: ['text', 'references accounts(id) on delete cascade'],
      created_at: 'bigint',
      last_used_at: 'bigint',
    },
    { key: 'workspace_id, issuer, subject' },
  )
  await createIndex(db, 'sso_identities', 'account_id')
  await createTable(
    db,
    dialect,
    'sso_sessions',
    {
      session_id: ['text', 'references sessions(id) on delete cascade'],
      workspace_id: ofWorkspace,
    },
    { key: 'session_id' },
  )
}
