/**
 * The image at the top of a workspace's mails. Mails load nothing, so that no server learns when and where they are read.
 * Footfall fetches the image itself, with the outbound guard, and sends it as a part of each mail.
 */
import { LRUCache } from 'lru-cache'
import type { Config } from '../../../runtime/settings/config.ts'
import { endpointGuard, guardedFetch } from '../../../runtime/outbound/outbound.ts'
import { resource } from '../../../runtime/settings/resource.ts'

export interface Logo {
  readonly bytes: Buffer
  readonly type: 'image/png' | 'image/jpeg' | 'image/gif'
  readonly filename: string
}

const LIMITS = { timeoutMs: 5_000, connectMs: 3_000, maxBytes: 100_000, redirects: 3 } as const
const KEPT_MS = 10 * 60_000

/** The type of a file by its first bytes, whatever type the server sends. SVG is excluded, because mail programs do not show it. */
const kinds = [
  { type: 'image/png', filename: 'logo.png', begins: Buffer.from('89504e470d0a1a0a', 'hex') },
  { type: 'image/jpeg', filename: 'logo.jpg', begins: Buffer.from('ffd8ff', 'hex') },
  { type: 'image/gif', filename: 'logo.gif', begins: Buffer.from('GIF8') },
] as const

export interface Logos {
  /** Null if there is none or it cannot be fetched. The report is then sent without it. */
  of(url: string | null): Promise<Logo | null>
}

export const logos = resource<Logos>({
  name: 'logos',
  open({ config }) {
    const kept = new LRUCache<string, Promise<Logo | null>>({ max: 20, ttl: KEPT_MS })
    return {
      of(url) {
        if (url === null) return Promise.resolve(null)
        const known = kept.get(url) ?? fetched(url, config).catch(() => null)
        kept.set(url, known)
        return known
      },
    }
  },
  close: async () => {},
})

async function fetched(url: string, config: Config): Promise<Logo | null> {
  const { status, body, truncated } = await guardedFetch(url, {
    ...endpointGuard(new URL(url), config),
    ...LIMITS,
    method: 'GET',
    headers: { 'User-Agent': 'Footfall', Accept: kinds.map(({ type }) => type).join(', ') },
  })
  const kind = status === 200 && !truncated ? kinds.find(({ begins }) => body.subarray(0, begins.length).equals(begins)) : undefined
  return kind ? { bytes: body, type: kind.type, filename: kind.filename } : null
}
