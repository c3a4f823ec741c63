/** Who sent a hit, for one day: nothing that leads back to an address is kept (analytics.md §1). */
import { createHmac } from 'node:crypto'
import type { NewHit } from './new-hit.ts'

/**
 * @param salt of the site's day
 * @returns 64 bits, hex
 */
export const visitorHash = (salt: Buffer, { site, identity: { ip, userAgent } }: NewHit): string =>
  createHmac('sha256', salt).update(`${site}\0${ip}\0${userAgent}`).digest('hex').slice(0, 16)
