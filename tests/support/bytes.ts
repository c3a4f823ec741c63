/** Where a text is in a database: in rows of tables, and on SQLite in the bytes of its files. */
import fs from 'node:fs'
import { sql } from 'kysely'
import type { Store } from '../../storage/store.ts'
import { tables } from '../../storage/tables/index.ts'

export async function placesOfText({ store, url }: { store: Store; url: string }, text: string): Promise<string[]> {
  const found: string[] = []
  for (const table of Object.keys(tables)) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(store.read)
    if (JSON.stringify(rows).includes(text)) found.push(table)
  }
  if (store.isShared) return found
  const file = url.replace(/^file:/, '')
  for (const end of ['', '-wal', '-journal']) {
    if (fs.existsSync(file + end) && fs.readFileSync(file + end).includes(text)) found.push(`file${end}`)
  }
  return found
}
