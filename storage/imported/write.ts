/** Stores rows of imported totals. */
import { sql } from 'kysely'
import type { Trx } from '../store.ts'
import { imported, type ImportedRow } from '../tables/imported-families.ts'
import { grouped } from '../values/grouped.ts'

const ROWS_AT_ONCE = 500

/** A row with its number: unique within its import, day and family. */
export interface NumberedRow extends ImportedRow {
  readonly seq: number
}

export async function insertImported(trx: Trx, importId: string, rows: readonly NumberedRow[]): Promise<void> {
  for (const [family, all] of grouped(rows, row => row.family)) {
    const { texts, counts } = imported[family]
    const columns = sql.join(['import_id', 'day', 'seq', ...texts, ...counts].map(name => sql.ref(name)))
    for (let i = 0; i < all.length; i += ROWS_AT_ONCE) {
      const values = all.slice(i, i + ROWS_AT_ONCE).map(({ day, seq, ...row }) => {
        const cells = [importId, day, seq, ...texts.map(name => row.texts[name] ?? ''), ...counts.map(name => row.counts[name] ?? null)]
        return sql`(${sql.join(cells)})`
      })
      await sql`insert into ${sql.table(`imported_${family}`)} (${columns}) values ${sql.join(values)}`.execute(trx)
    }
  }
}
