/**
 * Encrypts secrets stored in the database: AES-256-GCM (NIST SP 800-38D), bound to the record they belong to. The newest
 * key seals; every key that is here opens (`runtime/settings/secret-keys.ts`).
 */
import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto'
import type { Db } from '../../storage/store.ts'
import { resource, type ResourceContext } from './resource.ts'
import { type Key, openKeys } from './secret-keys.ts'

export interface SecretBox {
  /** @param db the open transaction, if there is one @param about id of the record it belongs to */
  seal(db: Db, text: string, about: string): Promise<string>
  /** Null if its key no longer exists, or if it belongs to another record. */
  unseal(db: Db, sealed: string, about: string): Promise<string | null>
  /** A keyed hash: guesses cannot be checked without the key. Equal texts have equal hashes as long as the key is the same. */
  digest(db: Db, text: string): Promise<string>
  /** The hash under each key that is here, newest first: for checking one that may have been made under an older key. */
  digests(db: Db, text: string): Promise<readonly string[]>
}

export const secretBox = resource<SecretBox>({ name: 'secret box', open: openBox, close: async () => {} })

function openBox({ store, config: { SECRET_KEY }, random }: ResourceContext): SecretBox {
  const keys = openKeys(store, SECRET_KEY, random)
  return {
    async seal(db, text, about) {
      const { id, bytes } = await keys.current(db)
      const nonce = random(12)
      const cipher = createCipheriv('aes-256-gcm', bytes, nonce).setAAD(Buffer.from(about))
      const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `${id}.${sealed.toString('base64url')}`
    },
    async unseal(db, sealed, about) {
      const [id = '', text = ''] = sealed.split('.')
      const key = (await keys.all(db)).find(key => key.id === id)
      return key ? opened(key, Buffer.from(text, 'base64url'), about) : null
    },
    digest: async (db, text) => digestOf(await keys.current(db), text),
    digests: async (db, text) => (await keys.all(db)).map(key => digestOf(key, text)),
  }
}

const digestOf = ({ bytes }: Key, text: string): string => createHmac('sha256', bytes).update(`digest ${text}`).digest('hex')

function opened({ bytes }: Key, sealed: Buffer, about: string): string | null {
  try {
    const decipher = createDecipheriv('aes-256-gcm', bytes, sealed.subarray(0, 12), { authTagLength: 16 })
    decipher.setAAD(Buffer.from(about)).setAuthTag(sealed.subarray(-16))
    return decipher.update(sealed.subarray(12, -16), undefined, 'utf8') + decipher.final('utf8')
  } catch {
    return null
  }
}
