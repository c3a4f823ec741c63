/** The id of the installation, which marks its data outside of the database. Backups and moved databases keep it. */
import type { Db } from '../store.ts'

export async function installationId(db: Db): Promise<string> {
  const { value } = await db.selectFrom('instance_secrets').select('value').where('name', '=', 'installation').executeTakeFirstOrThrow()
  return value
}
