/** Conversations with the assistant, and their messages. */
import { createIndex, createTable } from './create-table.ts'
import type { Migration } from './migration.ts'
import { sql } from 'kysely'

export const assistant: Migration = async (db, dialect) => {
  await createTable(
    db,
    dialect,
    'assistant_conversations',
    {
      id: 'text',
      site_id: ['text', 'references sites(id) on delete cascade'],
      account_id: ['text', 'references accounts(id) on delete cascade'],
      title: 'text',
      created_at: 'bigint',
      updated_at: 'bigint',
    },
    { key: 'id' },
  )
  await createIndex(db, 'assistant_conversations', 'site_id, account_id, updated_at')
  await createIndex(db, 'assistant_conversations', 'account_id')
  await createIndex(db, 'assistant_conversations', 'updated_at')
  await createTable(
    db,
    dialect,
    'assistant_messages',
    {
      id: 'text',
      conversation_id: ['text', 'references assistant_conversations(id) on delete cascade'],
      position: 'int',
      role: 'text',
      content: 'text',
      queries: 'text',
      chart: 'text?',
      goal_draft: 'text?',
      input_tokens: 'int?',
      output_tokens: 'int?',
      created_at: 'bigint',
    },
    { key: 'conversation_id, position' },
  )
  // Until now nothing asked for it, so nobody has meant by it that figures may go to a model.
  await sql`update workspace_settings set assistant_enabled = 0`.execute(db)
}
