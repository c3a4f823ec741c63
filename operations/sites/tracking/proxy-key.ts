/**
 * Vercel, Netlify and Cloudflare send from changing addresses that all their customers share, so TRUSTED_PROXIES cannot
 * contain them. Instead, they send a key of the site in the URL; no page contains it. A holder of
 * the key can only choose the visitor addresses of hits of this site.
 */
import { timingSafeEqual } from 'node:crypto'
import { hashCredential } from '../../../runtime/call/credentials.ts'
import { addressIn } from '../../../runtime/outbound/network.ts'
import type { SecretBox } from '../../../runtime/settings/secret-box.ts'
import type { Db } from '../../../storage/store.ts'

/** The query parameter that contains the key. */
export const PROXY_KEY = 'proxy'

/** The valid keys for this script path; the first one is for new snippets. Another path has other keys. */
export const proxyKeys = async (box: SecretBox, db: Db, scriptPath: string): Promise<string[]> =>
  (await box.digests(db, `proxy of ${scriptPath}`)).map(digest => digest.slice(0, 24))

export const isKey = (given: string, keys: readonly string[]): boolean =>
  keys.some(key => timingSafeEqual(Buffer.from(hashCredential(given)), Buffer.from(hashCredential(key))))

/**
 * Returns the address of the visitor for whom a proxy sends.
 * @param forwarded `X-Forwarded-For`; a proxy in front of this service has appended the address of the sending proxy
 * @param proxy address of the proxy, returned if the header is missing
 */
export function visitorOf(forwarded: string | undefined, proxy: string): string {
  const hops = (forwarded ?? '').split(',').map(hop => addressIn(hop.trim()))
  const at = hops.lastIndexOf(proxy)
  return (at < 0 ? hops : hops.slice(0, at)).at(-1) ?? proxy
}
