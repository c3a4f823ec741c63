/** Plans of workspaces, the questions they asked, and the limit that the use of a month was last compared with. */
import { sql } from 'kysely'
import { createTable } from './create-table.ts'
import type { Migration } from './migration.ts'

const workspace = ['text', 'references workspaces(id) on delete cascade'] as const

export const plans: Migration = async (db, dialect) => {
  await createTable(
    db,
    dialect,
    'workspace_plans',
    { workspace_id: workspace, plan: 'text', since: 'bigint', blocked_from: 'bigint?' },
    { key: 'workspace_id' },
  )
  await createTable(
    db,
    dialect,
    'ai_questions',
    { workspace_id: workspace, month: 'text', questions: 'bigint' },
    { key: 'workspace_id, month' },
  )
  await sql.raw(`alter table usage_months add column hits_limit ${dialect.types.bigint}`).execute(db)
}
