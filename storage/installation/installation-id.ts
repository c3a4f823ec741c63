/** What the installation is known by where its things lie outside the database. Backups keep it, and so does a database that moves. */
import type { Db } from '../store.ts'

export async function installationId(db: Db): Promise<string> {
  const { value } = await db.selectFrom('instance_secrets').select('value').where('name', '=', 'installation').executeTakeFirstOrThrow()
  return value
}
