/**
 * A key that an installation generates if `SECRET_KEY` is not set. With SQLite it is a file beside the database,
 * readable by its owner only, so that a copy of the database alone decrypts nothing. With Postgres, where processes
 * share only the database, it is stored there, which keeps secrets from casual readers but not from someone who has the
 * whole database; `SECRET_KEY` does.
 */
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import { type Db, fileOf, type Store } from '../store.ts'
import { giveToOwner } from '../system/file-permissions.ts'

/**
 * The key, 32 bytes. Created at its first use with SQLite, by the migration with Postgres.
 * @param db the open transaction, if there is one
 */
export async function instanceKey({ url }: Store, db: Db, random: (size: number) => Buffer): Promise<Buffer> {
  const database = fileOf(url)
  if (database !== undefined) return keyBeside(database, random)
  const { value } = await db.selectFrom('instance_secrets').select('value').where('name', '=', 'key').executeTakeFirstOrThrow()
  return Buffer.from(value, 'base64')
}

/** Like `instanceKey`, but creates none: undefined where there is none (any more). */
export async function instanceKeyIfThere(store: Store, random: (size: number) => Buffer): Promise<Buffer | undefined> {
  const file = keyFileOf(store)
  return file !== undefined && !fs.existsSync(file) ? undefined : instanceKey(store, store.read, random)
}

/** The key file beside the database; undefined where the key is inside the database. */
export function keyFileOf({ url }: Store): string | undefined {
  const database = fileOf(url)
  return database === undefined ? undefined : keyFileBeside(database)
}

export const keyFileBeside = (database: string): string => `${database}.key`

/** Written completely, then linked to its name, so that all of several starting processes read the same key. */
function keyBeside(database: string, random: (size: number) => Buffer): Buffer {
  const file = keyFileBeside(database)
  if (!fs.existsSync(file)) {
    const draft = `${file}.${randomUUID()}`
    fs.writeFileSync(draft, `${random(32).toString('base64')}\n`, { mode: 0o600, flush: true })
    try {
      giveToOwner(draft)
      fs.linkSync(draft, file)
    } catch (error) {
      if (!fs.existsSync(file)) throw error
    } finally {
      fs.rmSync(draft)
    }
  }
  const key = Buffer.from(fs.readFileSync(file, 'utf8').trim(), 'base64')
  if (key.length !== 32) throw new Error(`${file} holds no key: 32 bytes in base64`)
  return key
}
