/** One page of an ordered query, and the total number of rows. */
import { type SelectQueryBuilder, sql } from 'kysely'

export async function pageOf<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<{ rows: O[]; total: number }> {
  const counting = query.clearSelect().clearOrderBy().select(sql<number>`count(*)`.as('total'))
  const [counted] = (await counting.execute()) as { total: number }[] // Kysely cannot name the column for a generic table
  const rows = (await query.limit(limit).offset(offset).execute()) as O[] // Kysely's execute() only adds `& {}` to O
  return { rows, total: counted?.total ?? 0 }
}
