/** How many mails in a row a mailbox has refused for good. */
import { sql } from 'kysely'
import type { Migration } from './migration.ts'

export const mailRefusals: Migration = async (db, dialect) => {
  for (const table of ['email_report_recipients', 'status_subscribers'])
    await sql.raw(`alter table ${table} add column refused ${dialect.types.int} not null default 0`).execute(db)
}
