/** The texts of rows that are erased: noted, because other rows may have them as well (`forget-texts.ts`). */
import { type RawBuilder, sql } from 'kysely'
import type { Trx } from '../store.ts'
import { visitDimensionNumbers, visitDimensions } from '../tables/index.ts'
import { dictionaryOf, propertyDictionary } from './dictionaries.ts'

/** Columns of ids of texts, with their dictionaries. Each value of a property is in the dictionary of its key. */
export const textColumns = {
  visits: visitDimensions.map(name => [name, visitDimensionNumbers[name].dictionary] as const),
  hits: [
    ['page', dictionaryOf.page],
    ['event', dictionaryOf.event],
    ['host', dictionaryOf.hostname],
  ],
  hit_props: [
    ['event', dictionaryOf.event],
    ['key', dictionaryOf.prop_key],
    ['value', null],
  ],
  vitals: [
    ['page', dictionaryOf.page],
    ['device', dictionaryOf.device],
  ],
  clicks: [
    ['page', dictionaryOf.page],
    ['selector', dictionaryOf.selector],
  ],
} as const satisfies Record<string, readonly (readonly [string, number | null])[]>

export type TextTable = keyof typeof textColumns
export const textTables = Object.keys(textColumns) as readonly TextTable[] // a literal's own keys

/** Ids by column. */
export type IdsOfRow = Readonly<Record<string, number>>

const textsIn = (table: TextTable): RawBuilder<unknown> => sql.join(textColumns[table].map(([name]) => sql.ref(name)))

/** Calls `each` with the dictionary and the id of every text of the rows. */
export function eachText(table: TextTable, rows: readonly IdsOfRow[], each: (dictionary: number, id: number) => void): void {
  for (const [name, dictionary] of textColumns[table])
    for (const row of rows) each(dictionary ?? propertyDictionary(row.key ?? 0), row[name] ?? 0)
}

/** Ids by dictionary. */
export type TextIds = Map<number, Set<number>>

/** Deletes rows, and collects their texts. @returns the ids of texts of each row */
export async function deleteNoting(trx: Trx, texts: GoneTexts, table: TextTable, which: RawBuilder<unknown>): Promise<readonly IdsOfRow[]> {
  const { rows } = await sql<IdsOfRow>`delete from ${sql.table(table)} where ${which} returning ${textsIn(table)}`.execute(trx)
  texts.add(table, rows)
  return rows
}

/** Keeps texts that rows will have again, for example after two sites are merged: they are not erased. Call with the site locked. */
export async function keepTexts(
  trx: Trx,
  { site, dictionary, ids }: { site: number; dictionary: number; ids: readonly number[] },
): Promise<void> {
  if (ids.length === 0) return
  await trx.deleteFrom('erased_texts').where('site_id', '=', site).where('dim', '=', dictionary).where('id', 'in', ids).execute()
}

/** Mark of a text whose search would miss rows, because some have moved to another day. */
const SEARCH_AGAIN = -1

/** Call in a transaction that moves rows to another day, which may have been searched already. Call with the site locked. */
export async function searchAgain(trx: Trx, site: number): Promise<void> {
  await trx.updateTable('erased_texts').set({ watch: SEARCH_AGAIN }).where('site_id', '=', site).where('watch', '>', 0).execute()
}

export interface GoneTexts {
  addText(dictionary: number, id: number): void
  add(table: TextTable, rows: readonly IdsOfRow[]): void
  /** Call in the transaction in which the rows are erased, with the site locked. */
  note(trx: Trx, site: number): Promise<void>
}

const ROWS_AT_ONCE = 200

export function goneTexts(): GoneTexts {
  const ids: TextIds = new Map()
  function addText(dictionary: number, id: number): void {
    if (id === 0) return
    const known = ids.get(dictionary)
    if (known) known.add(id)
    else ids.set(dictionary, new Set([id]))
  }
  return {
    addText,
    add: (table, rows) => eachText(table, rows, addText),
    async note(trx, site) {
      const rows = [...ids].flatMap(([dim, all]) => [...all].map(id => ({ site_id: site, dim, id, watch: 0 })))
      for (let i = 0; i < rows.length; i += ROWS_AT_ONCE) {
        await trx
          .insertInto('erased_texts')
          .values(rows.slice(i, i + ROWS_AT_ONCE))
          .onConflict(conflict => conflict.columns(['site_id', 'dim', 'id']).doUpdateSet({ watch: 0 }))
          .execute()
      }
    },
  }
}
