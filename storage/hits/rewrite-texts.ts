/**
 * When SQLite moves rows to another page, the bytes of the page that no row uses keep copies of them, which no deletion overwrites. A
 * table that is emptied, with `secure_delete`, and filled again in the order of its key has none.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Store, Trx } from '../store.ts'
import { yieldWhereDue } from '../system/event-loop.ts'
import { tables } from '../tables/index.ts'
import { scrubbing } from './scrubbing.ts'

/** The tables of which texts are erased. */
const withErasedTexts = ['dict', 'persons', 'visit_erasures', 'import_refusals'] as const satisfies readonly (keyof typeof tables)[]
/** With more rows, hits wait for more than three seconds (on a slow machine): `npm run vacuum` writes these tables again (docs/privacy.md). */
const MAX_ROWS = 200_000
const ROWS_AT_ONCE = 2_000

export async function rewriteTexts(store: Store): Promise<void> {
  for (const table of withErasedTexts) {
    const { rows } = await sql<{ n: number; noted: number }>`
      select (select count(*) from (select 1 from ${sql.table(table)} limit ${MAX_ROWS + 1})) as n,
        (select count(*) from sqlite_master where type = 'trigger' and tbl_name = ${table}) as noted`.execute(store.read)
    const [{ n, noted } = { n: 0, noted: 0 }] = rows
    // While the database is moved to Postgres, each change of a row is noted.
    if (n === 0 || n > MAX_ROWS || noted > 0) continue
    await store.transaction(trx => scrubbing(store, trx, () => rewrite(trx, table)))
  }
}

/** In pieces, so that reads and requests go on meanwhile. */
async function rewrite(trx: Trx, table: (typeof withErasedTexts)[number]): Promise<void> {
  const [own, copy] = [sql.table(table), sql.table('temp.rewritten')]
  const key = sql.join(tables[table].key.map(name => sql.ref(name)))
  const keyOf = (row: number) => sql`(select ${key} from ${copy} where rowid = ${row})`
  const inPieces = async (piece: (from: number) => RawBuilder<unknown>): Promise<void> => {
    for (let from = 0; ; from += ROWS_AT_ONCE) {
      const { numAffectedRows = 0n } = await piece(from).execute(trx)
      if (numAffectedRows === 0n) return
      await yieldWhereDue()
    }
  }

  await sql`create temp table rewritten as select * from ${own} where false`.execute(trx)
  await inPieces(from => {
    const further = from === 0 ? sql`` : sql`where (${key}) > ${keyOf(from)}`
    return sql`insert into ${copy} select * from ${own} ${further} order by ${key} limit ${ROWS_AT_ONCE}`
  })
  await inPieces(from => sql`delete from ${own} where (${key}) <= ${keyOf(from + ROWS_AT_ONCE)}`)
  await sql`delete from ${own}`.execute(trx) // without a condition, it overwrites bytes that no row uses, too
  await inPieces(
    from => sql`insert into ${own} select * from ${copy} where rowid > ${from} and rowid <= ${from + ROWS_AT_ONCE} order by rowid`,
  )
  await sql`drop table ${copy}`.execute(trx) // after an error, the rollback does it
}
