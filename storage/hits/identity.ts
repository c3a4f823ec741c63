/** Who sent a hit, for one day: nothing that leads back to an address is kept (docs/analytics.md §1). */
import { hash } from 'node:crypto'
import type { NewHit } from './new-hit.ts'

/**
 * Keyed by the salt, which stands first, is secret and of one length; of the digest less than half is kept, so that
 * nothing can be appended to what was hashed (an HMAC would do the same at ten times the cost).
 * @param salt of the site's day
 * @returns 64 bits, hex
 */
export const visitorHash = (salt: Buffer, { site, identity: { ip, userAgent } }: NewHit): string =>
  hash('sha256', `${salt.toString('hex')}\0${site}\0${ip}\0${userAgent}`).slice(0, 16)
