/**
 * Keys of files of waiting hits. Anyone with the public key makes the key of a new file (ECIES with X25519, RFC 7748 §6.1); the
 * secret in the database finds it. So a process that starts while the database is away can write, and what it keeps on the disk
 * for that opens no file.
 */
import { createHash, createPrivateKey, createPublicKey, diffieHellman, generateKeyPairSync, hkdfSync, type KeyObject } from 'node:crypto'

/** PKCS #8 of an X25519 key, before its 32 bytes (RFC 8410 §7). */
const beforePrivate = Buffer.from('302e020100300506032b656e04220420', 'hex')
/** SubjectPublicKeyInfo, before its 32 bytes (RFC 8410 §4). */
const beforePublic = Buffer.from('302a300506032b656e032100', 'hex')

const privateKey = (secret: Buffer): KeyObject =>
  createPrivateKey({ key: Buffer.concat([beforePrivate, secret]), format: 'der', type: 'pkcs8' })
const publicKey = (hex: string): KeyObject =>
  createPublicKey({ key: Buffer.concat([beforePublic, Buffer.from(hex, 'hex')]), format: 'der', type: 'spki' })
const hexOf = (key: KeyObject): string => key.export({ format: 'der', type: 'spki' }).subarray(beforePublic.length).toString('hex')

/** @param secret 32 bytes @returns 64 hexadecimal digits */
export const publicKeyOf = (secret: Buffer): string => hexOf(createPublicKey(privateKey(secret)))

/** A key for one file. @returns with the hint by which the secret finds it, 64 hexadecimal digits */
export function newFileKey(installation: string): { readonly key: Buffer; readonly hint: string } {
  const own = generateKeyPairSync('x25519')
  const hint = hexOf(own.publicKey)
  return { key: derived(diffieHellman({ privateKey: own.privateKey, publicKey: publicKey(installation) }), hint, installation), hint }
}

/** @param hint as `newFileKey` returned it; from a name on the disk, so it may be anything @returns the key under each secret; none for a wrong hint */
export function fileKeys(secrets: readonly Buffer[], hint: string): readonly Buffer[] {
  if (!/^[0-9a-f]{64}$/.test(hint)) return []
  const theirs = publicKey(hint)
  try {
    return secrets.map(secret => derived(diffieHellman({ privateKey: privateKey(secret), publicKey: theirs }), hint, publicKeyOf(secret)))
  } catch {
    return [] // a point of small order, which makes no key (RFC 7748 §6.1)
  }
}

function derived(shared: Buffer, hint: string, installation: string): Buffer {
  const salt = createHash('sha256').update(`${hint} ${installation}`).digest()
  return Buffer.from(hkdfSync('sha256', shared, salt, 'footfall spool of hits', 32))
}
