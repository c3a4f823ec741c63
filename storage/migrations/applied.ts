import { sql } from 'kysely'
import type { Store } from '../store.ts'

/** When a step was applied to the database, in epoch ms; Infinity if it was not. */
export async function appliedAt({ read }: Store, step: string): Promise<number> {
  const { rows } = await sql<{ at: string }>`select timestamp as at from kysely_migration where name = ${step}`.execute(read)
  return rows[0] ? Date.parse(rows[0].at) : Infinity
}
