import { type SelectQueryBuilder, sql } from 'kysely'

/** The number of rows that a query selects. */
export async function countOf<DB, TB extends keyof DB, O>(query: SelectQueryBuilder<DB, TB, O>): Promise<number> {
  const counting = query.clearSelect().clearOrderBy().select(sql<number>`count(*)`.as('total'))
  const [counted] = (await counting.execute()) as { total: number }[] // Kysely cannot name the column for a generic table
  return counted?.total ?? 0
}

/** One page of an ordered query, and the total number of rows. */
export async function pageOf<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<{ rows: O[]; total: number }> {
  const total = await countOf(query)
  const rows = (await query.limit(limit).offset(offset).execute()) as O[] // Kysely's execute() only adds `& {}` to O
  return { rows, total }
}
