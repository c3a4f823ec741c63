/** Identifies a visitor for one day; nothing that leads back to an address is stored (docs/analytics.md §1). */
import { hash } from 'node:crypto'
import type { NewHit } from './new-hit.ts'

/**
 * The salt is a secret prefix of fixed length, and less than half of the digest is kept, which rules out length
 * extension (an HMAC would do the same at ten times the cost).
 * @param salt of the site's day, hex
 * @returns 64 bits, hex
 */
export const visitorHash = (salt: string, { site, identity: { ip, userAgent } }: NewHit): string =>
  hash('sha256', `${salt}\0${site}\0${ip}\0${userAgent}`).slice(0, 16)
