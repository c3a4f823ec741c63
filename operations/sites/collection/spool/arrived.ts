/** Encrypts hits for the records of a spool file, because they contain the address and the browser of a visitor. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { BatchMark } from '../../../../storage/values/storage-unavailable.ts'
import type { SentHit } from '../hit.ts'
import type { Sender } from '../sender.ts'

/** Hits of one request that came without a token, before anything is looked up for them. */
export interface Arrived {
  /** Epoch ms. */
  readonly at: number
  readonly sent: readonly SentHit[]
  readonly sender: Omit<Sender, 'caller'>
  /** The batch that may have stored them already. */
  readonly batch?: BatchMark | undefined
}

/**
 * Encrypts with AES-256-GCM (NIST SP 800-38D), without `at`, which the record has in the clear.
 * @param key 32 bytes
 * @param file name of the spool file; the content cannot be decrypted in another file
 */
export function encrypted({ at: _, sent, ...rest }: Arrived, key: Buffer, file: string): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(file))
  const text = JSON.stringify({ ...rest, sent: sent.map(hit => ({ ...hit, query: String(hit.query) })) })
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
}

/** @param keys to try @returns undefined if no key fits, or if the content is damaged */
export function decrypted(content: Buffer, { at, keys, file }: { at: number; keys: readonly Buffer[]; file: string }): Arrived | undefined {
  for (const key of keys) {
    const text = textIn(content, key, file)
    if (text === undefined) continue
    const { sent, ...rest } = JSON.parse(text) as EncryptedHits // written above
    return { ...rest, at, sent: sent.map(hit => ({ ...hit, query: new URLSearchParams(hit.query) })) }
  }
  return undefined
}

type EncryptedHits = Omit<Arrived, 'at' | 'sent'> & { readonly sent: ReadonlyArray<Omit<SentHit, 'query'> & { readonly query: string }> }

function textIn(content: Buffer, key: Buffer, file: string): string | undefined {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, content.subarray(0, 12), { authTagLength: 16 })
    decipher.setAAD(Buffer.from(file)).setAuthTag(content.subarray(-16))
    return decipher.update(content.subarray(12, -16), undefined, 'utf8') + decipher.final('utf8')
  } catch {
    return undefined
  }
}
