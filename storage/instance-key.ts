/**
 * A key that an installation makes for itself, so that it need not be given one. With SQLite it lies in a file of its
 * own beside the database, which only its owner may read: a copy of the database alone opens nothing. With Postgres,
 * where processes share nothing but the database, it lies in there: that keeps secrets out of what people look at,
 * not from whoever has the whole database. `SECRET_KEY` does.
 */
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import { type Db, fileOf, type Store } from './store.ts'

/**
 * The key, 32 bytes. It is made at the first use with SQLite, and in the migration with Postgres.
 * @param db an open transaction where there is one
 */
export async function instanceKey({ url }: Store, db: Db, random: (size: number) => Buffer): Promise<Buffer> {
  const database = fileOf(url)
  if (database !== undefined) return keyBeside(database, random)
  const { value } = await db.selectFrom('instance_secrets').select('value').where('name', '=', 'key').executeTakeFirstOrThrow()
  return Buffer.from(value, 'base64')
}

/** As `instanceKey`, but makes none: undefined where there is none yet, or none any more. */
export async function instanceKeyIfThere(store: Store, random: (size: number) => Buffer): Promise<Buffer | undefined> {
  const file = keyFileOf(store)
  return file !== undefined && !fs.existsSync(file) ? undefined : instanceKey(store, store.read, random)
}

/** Where the key lies beside the database; undefined where it lies in it. */
export function keyFileOf({ url }: Store): string | undefined {
  const database = fileOf(url)
  return database === undefined ? undefined : keyFileBeside(database)
}

export const keyFileBeside = (database: string): string => `${database}.key`

/** Written whole and then given its name: of several processes that begin at once, all read the same key. */
function keyBeside(database: string, random: (size: number) => Buffer): Buffer {
  const file = keyFileBeside(database)
  if (!fs.existsSync(file)) {
    const draft = `${file}.${randomUUID()}`
    fs.writeFileSync(draft, `${random(32).toString('base64')}\n`, { mode: 0o600, flush: true })
    try {
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
