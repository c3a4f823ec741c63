/** Imports whose file is fetched from an address, and the lease of the process that is taking in an upload. */
import { sql } from 'kysely'
import type { Migration } from './migration.ts'

const columns = { url: 'text', url_shown: 'text', url_tag: 'text', upload_by: 'text', upload_until: 'bigint' } as const

export const importUrls: Migration = async (db, { types }) => {
  for (const [name, type] of Object.entries(columns)) {
    await sql.raw(`alter table imports add column ${name} ${types[type]}`).execute(db)
  }
}
