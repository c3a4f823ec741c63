/** Passwords, sessions and one-time links; by which door an entry of the audit log came in, and how it ended. */
import { sql } from 'kysely'
import { createIndex, createTable } from './create-table.ts'
import type { Migration } from './migration.ts'

const ofAccount = ['text', 'references accounts(id) on delete cascade'] as const

export const signIn: Migration = async (db, dialect) => {
  await createTable(db, dialect, 'passwords', { account_id: ofAccount, hash: 'text', changed_at: 'bigint' }, { key: 'account_id' })
  await createTable(
    db,
    dialect,
    'sessions',
    {
      id: 'text',
      account_id: ofAccount,
      hash: ['text', 'unique'],
      method: 'text',
      signed_in_at: 'bigint',
      last_used_at: 'bigint',
      expires_at: 'bigint',
      ip: 'text',
      user_agent: 'text',
      created_at: 'bigint',
    },
    { key: 'id' },
  )
  await createIndex(db, 'sessions', 'account_id')
  await createTable(db, dialect, 'devices', { account_id: ofAccount, hash: 'text', seen_at: 'bigint' }, { key: 'account_id, hash' })
  await createTable(
    db,
    dialect,
    'one_time_links',
    {
      id: 'text',
      kind: 'text',
      hash: ['text', 'unique'],
      account_id: ofAccount,
      email: 'text?',
      created_at: 'bigint',
      expires_at: 'bigint',
    },
    { key: 'id' },
  )
  await createIndex(db, 'one_time_links', 'account_id')
  await createTable(
    db,
    dialect,
    'attempts',
    { limit_name: 'text', who: 'text', count: 'int', ends_at: 'bigint' },
    { key: 'limit_name, who' },
  )
  await sql.raw(`alter table audit_entries add column door ${dialect.types.text} not null default 'api_token'`).execute(db)
  await sql.raw(`alter table audit_entries add column outcome ${dialect.types.text} not null default 'done'`).execute(db)
  await sql`update audit_entries set door = 'command' where surface = 'cli'`.execute(db)
}
