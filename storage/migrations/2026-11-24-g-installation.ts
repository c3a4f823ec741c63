/**
 * An id of the installation. One of before has it from the moment of its first migration, so that a backup of before has the
 * same after it is restored.
 */
import { createHash, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Migration } from './migration.ts'

export const installation: Migration = async db => {
  const { rows: workspaces } = await sql`select id from workspaces limit 1`.execute(db)
  const { rows } = await sql<{ began: string }>`select min(timestamp) as began from kysely_migration`.execute(db)
  const origin = workspaces.length > 0 ? (rows[0]?.began ?? '') : randomUUID()
  const id = createHash('sha256').update(origin).digest('hex').slice(0, 24)
  await sql`insert into instance_secrets (name, value) values ('installation', ${id})`.execute(db)
}
