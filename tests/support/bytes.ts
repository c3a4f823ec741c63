/** Where texts are in a database: in rows of tables, and on SQLite in the bytes of its files. */
import fs from 'node:fs'
import { sql } from 'kysely'
import type { Store } from '../../storage/store.ts'
import { tables } from '../../storage/tables/index.ts'

/** Reads everything once. @returns a function for the places of a text */
export async function placesOfTexts({ store, url }: { store: Store; url: string }): Promise<(text: string) => string[]> {
  const places: [string, Buffer][] = []
  for (const table of Object.keys(tables)) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(store.read)
    places.push([table, Buffer.from(JSON.stringify(rows))])
  }
  if (!store.isShared) {
    const file = url.replace(/^file:/, '')
    for (const end of ['', '-wal', '-journal']) if (fs.existsSync(file + end)) places.push([`file${end}`, fs.readFileSync(file + end)])
  }
  return text => places.filter(([, bytes]) => bytes.includes(text)).map(([name]) => name)
}
