/** Compares every row of a table in both databases, value by value, while the source changes. */
import { CompiledQuery } from 'kysely'
import type { Store } from '../store.ts'
import { CHANGES } from '../installation/move-marks.ts'
import type { MovedTable } from './moved-tables.ts'
import { isSame, type Key, keyOf, type MovedRow, pagesOf, rowsByKeys } from './rows.ts'

export interface RowDifference {
  readonly table: string
  readonly key: Key
}

/** @returns the first row that differs although nothing has changed it since it was copied */
export async function compareTable(
  source: Store,
  target: Store,
  table: MovedTable,
  signal: AbortSignal,
): Promise<RowDifference | undefined> {
  const pages = pagesOf(source, table)
  let after: Key | undefined
  while (!signal.aborted) {
    const rows = await pages.next(after)
    const last = rows.at(-1)
    if (!last) return undefined
    after = keyOf(table, last)
    const different = await differentIn(target, table, rows)
    if (different.length === 0) continue
    const changed = await changedKeys(source, table)
    const key = different.find(each => !changed.has(JSON.stringify(each)))
    if (key) return { table: table.name, key }
  }
  return undefined
}

async function differentIn(target: Store, table: MovedTable, rows: readonly MovedRow[]): Promise<Key[]> {
  const found = await rowsByKeys(
    target,
    target.read,
    table,
    rows.map(row => keyOf(table, row)),
  )
  const there = new Map(found.map(row => [JSON.stringify(keyOf(table, row)), row]))
  return rows.flatMap(row => {
    const key = keyOf(table, row)
    const other = there.get(JSON.stringify(key))
    return other && isSame(table, row, other) ? [] : [key]
  })
}

/** The keys of rows that changed and were not copied again yet. */
async function changedKeys({ read, dialect }: Store, { name }: MovedTable): Promise<ReadonlySet<string>> {
  const mark = dialect.name === 'postgres' ? '$1' : '?'
  const { rows } = await read.executeQuery<{ key: string }>(CompiledQuery.raw(`select key from ${CHANGES} where name = ${mark}`, [name]))
  return new Set(rows.map(({ key }) => JSON.stringify(JSON.parse(key))))
}
