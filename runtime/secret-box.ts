/**
 * Encrypts secrets stored in the database: AES-256-GCM (NIST SP 800-38D), bound to the record they belong to. The key
 * is `SECRET_KEY`, or one that the installation generated; what was sealed under the latter can still be unsealed after
 * `SECRET_KEY` is set.
 */
import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync } from 'node:crypto'
import { instanceKey, instanceKeyIfThere } from '../storage/instance-key.ts'
import type { Db, Store } from '../storage/store.ts'
import type { Config } from './config.ts'
import { resource, type ResourceContext } from './resource.ts'

export interface SecretBox {
  /** @param db the open transaction, if there is one @param about id of the record it belongs to */
  seal(db: Db, text: string, about: string): Promise<string>
  /** Null if its key no longer exists, or if it belongs to another record. */
  unseal(db: Db, sealed: string, about: string): Promise<string | null>
  /** A hash that nobody without the key can try guesses on; the same for the same text, as long as the key stays. */
  digest(db: Db, text: string): Promise<string>
}

export const secretBox = resource<SecretBox>({ name: 'secret box', open: openBox, close: async () => {} })

/** Names of the keys that are here: what was sealed under another begins with another name. Makes none. */
export async function keyNames(store: Store, { SECRET_KEY }: Config, random: (size: number) => Buffer): Promise<string[]> {
  const own = await instanceKeyIfThere(store, random)
  return [...(SECRET_KEY === '' ? [] : [Buffer.from(SECRET_KEY)]), ...(own ? [own] : [])].map(material => keyOf(material).id)
}

interface Key {
  /** Identifies the key in sealed texts. */
  readonly id: string
  readonly bytes: Buffer
}

function openBox({ store, config: { SECRET_KEY }, random }: ResourceContext): SecretBox {
  const given = SECRET_KEY === '' ? undefined : keyOf(Buffer.from(SECRET_KEY))
  let own: Key | undefined
  const ownKey = async (db: Db) => (own ??= keyOf(await instanceKey(store, db, random)))

  return {
    async seal(db, text, about) {
      const { id, bytes } = given ?? (await ownKey(db))
      const nonce = random(12)
      const cipher = createCipheriv('aes-256-gcm', bytes, nonce).setAAD(Buffer.from(about))
      const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `${id}.${sealed.toString('base64url')}`
    },
    async digest(db, text) {
      const { bytes } = given ?? (await ownKey(db))
      return createHmac('sha256', bytes).update(`digest ${text}`).digest('hex')
    },
    async unseal(db, sealed, about) {
      const [id = '', text = ''] = sealed.split('.')
      const key = given?.id === id ? given : await ownKey(db)
      if (key.id !== id) return null
      const bytes = Buffer.from(text, 'base64url')
      try {
        const decipher = createDecipheriv('aes-256-gcm', key.bytes, bytes.subarray(0, 12), { authTagLength: 16 })
        decipher.setAAD(Buffer.from(about)).setAuthTag(bytes.subarray(-16))
        return decipher.update(bytes.subarray(12, -16), undefined, 'utf8') + decipher.final('utf8')
      } catch {
        return null
      }
    },
  }
}

function keyOf(material: Buffer): Key {
  const bytes = Buffer.from(hkdfSync('sha256', material, '', 'footfall secrets', 32))
  return { id: createHash('sha256').update(bytes).digest('base64url').slice(0, 8), bytes }
}
