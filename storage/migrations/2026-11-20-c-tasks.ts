/** Background tasks: when each is due, and which worker has it. */
import { createTable } from './create-table.ts'
import type { Migration } from './migration.ts'

export const tasks: Migration = async (db, dialect) => {
  await createTable(
    db,
    dialect,
    'tasks',
    {
      name: 'text',
      next_at: 'bigint',
      leased_by: 'text?',
      leased_until: 'bigint?',
      last_started_at: 'bigint?',
      last_ended_at: 'bigint?',
      last_error: 'text?',
      done: 'bigint',
      total: 'bigint?',
    },
    { key: 'name' },
  )
}
