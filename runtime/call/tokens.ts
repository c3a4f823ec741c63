/** Tokens: `pat_` + 30 base62 + 6 base62 with the CRC-32 of the preceding text (docs/decisions.md §1). */
import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { LRUCache } from 'lru-cache'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
export const tokenPrefixLength = 10

/**
 * @param random returns bytes from a secure source
 * @param prefix for the kind of token: `pat_`, `prb_`
 */
export function makeToken(random: (size: number) => Uint8Array, prefix: string): string {
  let body = ''
  while (body.length < 30) {
    // 248 = 4 · 62: bytes from there on would favour the first letters.
    for (const byte of random(40)) if (byte < 248 && body.length < 30) body += alphabet[byte % 62]
  }
  return `${prefix}${body}${checksum(`${prefix}${body}`)}`
}

/** False for texts that cannot be tokens of ours, which saves the query. */
export function isWellFormed(token: string, prefix: string): boolean {
  return token.startsWith(prefix) && (hashes.has(token) || isComplete(token))
}

const isComplete = (token: string): boolean =>
  /^[a-z]{3,4}_[0-9A-Za-z]{36}$/.test(token) && checksum(token.slice(0, -6)) === token.slice(-6)

/** Hashes of recent tokens: most clients send several requests in a row. */
const hashes = new LRUCache<string, string>({ max: 1_000 })

/** SHA-256 in hex. Other credentials than tokens are hashed as well. */
export function hashToken(token: string): string {
  const known = hashes.get(token)
  if (known !== undefined) return known
  const made = hash('sha256', token)
  if (isComplete(token)) hashes.set(token, made)
  return made
}

function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let i = 0; i < 6; i++, rest = Math.floor(rest / 62)) digits = alphabet[rest % 62] + digits
  return digits
}
