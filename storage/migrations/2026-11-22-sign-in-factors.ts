/** Second factors and passkeys, and mails on their way. */
import { createIndex, createTable } from './create-table.ts'
import type { Migration } from './migration.ts'

const ofAccount = ['text', 'references accounts(id) on delete cascade'] as const

export const factors: Migration = async (db, dialect) => {
  const table = (name: string, columns: Parameters<typeof createTable>[3], key = 'id') => createTable(db, dialect, name, columns, { key })

  await table('totp', { account_id: ofAccount, secret: 'text', enabled_at: 'bigint?', last_step: 'bigint' }, 'account_id')
  await table('recovery_codes', { account_id: ofAccount, hash: 'text' }, 'account_id, hash')
  await table('passkeys', {
    id: 'text',
    account_id: ofAccount,
    name: 'text',
    credential_id: ['text', 'unique'],
    public_key: 'text',
    counter: 'bigint',
    transports: 'text',
    backed_up: 'int',
    last_used_at: 'bigint?',
    created_at: 'bigint',
  })
  await createIndex(db, 'passkeys', 'account_id')
  await table(
    'passkey_challenges',
    { hash: 'text', account_id: ['text?', 'references accounts(id) on delete cascade'], expires_at: 'bigint' },
    'hash',
  )
  await table('mails', {
    id: 'text',
    recipient: 'text',
    sealed: 'text',
    attempt: 'int',
    due_at: 'bigint',
    leased_until: 'bigint?',
    created_at: 'bigint',
  })
  await createIndex(db, 'mails', 'due_at')
  await table('reset_requests', { id: 'text', email: 'text', due_at: 'bigint', leased_until: 'bigint?', created_at: 'bigint' })
  await createIndex(db, 'reset_requests', 'due_at')
}
