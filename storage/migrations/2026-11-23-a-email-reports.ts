/** Reports by mail; and who made an import or export, to be told when it is done. */
import { sql } from 'kysely'
import { createIndex, createTable } from './create-table.ts'
import type { Migration } from './migration.ts'

const ofReport = ['text', 'references email_reports(id) on delete cascade'] as const

export const emailReports: Migration = async (db, dialect) => {
  await createTable(
    db,
    dialect,
    'email_reports',
    {
      id: 'text',
      workspace_id: ['text', 'references workspaces(id) on delete cascade'],
      created_by: ['text?', 'references accounts(id) on delete set null'],
      name: 'text',
      frequency: 'text',
      hour: 'int',
      segment_id: 'text?',
      panels: 'text',
      locale: 'text',
      skip_empty: 'int',
      enabled: 'int',
      next_day: 'int?',
      next_at: 'bigint?',
      leased_until: 'bigint?',
      last_sent_at: 'bigint?',
      last_error: 'text?',
      told: 'int',
      created_at: 'bigint',
      updated_at: 'bigint',
    },
    { key: 'id' },
  )
  for (const columns of ['workspace_id', 'created_by', 'next_at']) await createIndex(db, 'email_reports', columns)
  await createTable(
    db,
    dialect,
    'email_report_sites',
    { report_id: ofReport, site_id: ['text', 'references sites(id) on delete cascade'], position: 'int' },
    { key: 'report_id, site_id' },
  )
  await createIndex(db, 'email_report_sites', 'site_id')
  await createTable(
    db,
    dialect,
    'email_report_goals',
    { report_id: ofReport, goal_id: ['text', 'references goals(id) on delete cascade'], position: 'int' },
    { key: 'report_id, goal_id' },
  )
  await createIndex(db, 'email_report_goals', 'goal_id')
  await createTable(
    db,
    dialect,
    'email_report_recipients',
    {
      report_id: ofReport,
      email: 'text',
      position: 'int?',
      unsubscribed_at: 'bigint?',
      token_hash: ['text', 'unique'],
      token: 'text',
    },
    { key: 'report_id, email' },
  )
  await createTable(
    db,
    dialect,
    'email_report_mails',
    {
      id: 'text',
      report_id: ofReport,
      email: 'text',
      from_day: 'int',
      to_day: 'int',
      status: 'text',
      attempt: 'int',
      due_at: 'bigint?',
      leased_until: 'bigint?',
      expires_at: 'bigint',
      created_at: ['bigint', ', unique (report_id, from_day, to_day, email)'],
    },
    { key: 'id' },
  )
  await createIndex(db, 'email_report_mails', 'due_at')
  for (const table of ['imports', 'exports']) {
    await sql.raw(`alter table ${table} add column created_by ${dialect.types.text} references accounts(id) on delete set null`).execute(db)
    await createIndex(db, table, 'created_by')
  }
}
