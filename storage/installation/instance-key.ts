/**
 * The key that an installation generates if `SECRET_KEY` is not set. With SQLite, the key is in a file next to the
 * database that only its owner can read, so a copy of only the database decrypts nothing. With Postgres, where processes
 * share only the database, the key is stored in the database. There it protects secrets from a reader of single tables,
 * but not from a reader of the whole database; `SECRET_KEY` protects them from both.
 */
import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import { type Db, fileOf, type Store } from '../store.ts'
import { giveToOwner } from '../system/file-permissions.ts'
import { keyFileNextTo } from '../system/key-file.ts'

/**
 * Returns the key, 32 bytes. With SQLite it is created at its first use, with Postgres together with the database.
 * @param db the open transaction, if there is one
 */
export async function instanceKey({ url }: Store, db: Db, random: (size: number) => Buffer): Promise<Buffer> {
  const database = fileOf(url)
  if (database !== undefined) return keyNextTo(database, random)
  const { value } = await db.selectFrom('instance_secrets').select('value').where('name', '=', 'key').executeTakeFirstOrThrow()
  return Buffer.from(value, 'base64')
}

/** Returns the key without creating one; undefined if the key file is missing. */
export async function instanceKeyIfThere(store: Store, random: (size: number) => Buffer): Promise<Buffer | undefined> {
  const file = keyFileOf(store)
  return file !== undefined && !fs.existsSync(file) ? undefined : instanceKey(store, store.read, random)
}

/** The key file next to the database; undefined if the key is inside the database. */
export function keyFileOf({ url }: Store): string | undefined {
  const database = fileOf(url)
  return database === undefined ? undefined : keyFileNextTo(database)
}

/** Reads the key file, or creates it: it is written completely and then linked to its name, so that several starting processes read the same key. */
function keyNextTo(database: string, random: (size: number) => Buffer): Buffer {
  const file = keyFileNextTo(database)
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
