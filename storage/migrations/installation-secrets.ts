/** Secrets that an installation generates once and keeps in its database. */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Conversion } from './step.ts'

/** Creates the key that seals secrets. SQLite has a file next to the database instead: `storage/installation/instance-key.ts`. */
export const createInstanceKey: Conversion = async (db, { name }) => {
  if (name !== 'postgres') return
  await sql`insert into instance_secrets (name, value) values ('key', ${randomBytes(32).toString('base64')})`.execute(db)
}

/**
 * Creates the id of the installation. For an installation from before ids, the id follows from the time of its first
 * migration, so that its old backups have the same id after they are restored.
 */
export const createInstallationId: Conversion = async db => {
  const { rows: workspaces } = await sql`select id from workspaces limit 1`.execute(db)
  const { rows } = await sql<{ began: string }>`select min(timestamp) as began from kysely_migration`.execute(db)
  const origin = workspaces.length > 0 ? (rows[0]?.began ?? '') : randomUUID()
  const id = createHash('sha256').update(origin).digest('hex').slice(0, 24)
  await sql`insert into instance_secrets (name, value) values ('installation', ${id})`.execute(db)
}
