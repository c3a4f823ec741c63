/** Where texts are in a database: in rows of tables; on SQLite in the bytes of its files, on Postgres in its statistics. */
import fs from 'node:fs'
import { sql } from 'kysely'
import type { Store } from '../../storage/store.ts'
import { tables } from '../../storage/tables/index.ts'

/** As the database itself does from time to time: Postgres then has samples of all values. */
export const sampleValues = async ({ store }: { store: Store }): Promise<void> => {
  if (store.isShared) await sql`analyze`.execute(store.write)
}

/** Reads everything once. @returns a function for the places of a text */
export async function placesOfTexts({ store, url }: { store: Store; url: string }): Promise<(text: string) => string[]> {
  const places: [string, Buffer][] = []
  for (const table of Object.keys(tables)) {
    const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(store.read)
    places.push([table, Buffer.from(JSON.stringify(rows))])
  }
  if (store.isShared) {
    const { rows } = await sql`select tablename, attname, most_common_vals::text, histogram_bounds::text from pg_stats`.execute(store.read)
    places.push(['statistics', Buffer.from(JSON.stringify(rows))])
  } else {
    const file = url.replace(/^file:/, '')
    for (const end of ['', '-wal', '-journal']) if (fs.existsSync(file + end)) places.push([`file${end}`, fs.readFileSync(file + end)])
  }
  return text => places.filter(([, bytes]) => bytes.includes(text)).map(([name]) => name)
}

/**
 * On Postgres, a table without rows whose statistics have samples of a text.
 * @returns with a function that runs something while another transaction reads the table
 */
export async function emptiedTable(store: Store) {
  const [table, text] = ['reset_requests', 'emptied@example.com'] as const
  const rows = [text, 'other@example.com'].map((email, i) => ({ id: `${i}`, email, due_at: 1, leased_until: null, created_at: 1 }))
  await store.write.insertInto(table).values(rows).execute() // of one row it takes no sample
  await sampleValues({ store })
  await store.write.deleteFrom(table).execute()
  const whileInUse = <T>(run: () => Promise<T>): Promise<T> =>
    store.transaction(async trx => {
      await trx.selectFrom(table).select('id').execute()
      return run()
    })
  return { table, text, whileInUse }
}
