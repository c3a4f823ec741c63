/**
 * Vercel, Netlify and Cloudflare send from addresses that change and that all their customers share, so they cannot be
 * named in TRUSTED_PROXIES. They show a key of the site instead, in the address that they ask for; no page has it. Whoever
 * has it can say from where hits of this one site come, and nothing else.
 */
import { timingSafeEqual } from 'node:crypto'
import { hashCredential } from '../../../runtime/call/credentials.ts'
import { addressIn } from '../../../runtime/outbound/network.ts'
import type { SecretBox } from '../../../runtime/settings/secret-box.ts'
import type { Db } from '../../../storage/store.ts'

/** The parameter of the address that has the key. */
export const PROXY_KEY = 'proxy'

/** The keys of the site with this script, the one to give out first; another path has other ones. */
export const proxyKeys = async (box: SecretBox, db: Db, scriptPath: string): Promise<string[]> =>
  (await box.digests(db, `proxy of ${scriptPath}`)).map(digest => digest.slice(0, 24))

export const isKey = (given: string, keys: readonly string[]): boolean =>
  keys.some(key => timingSafeEqual(Buffer.from(hashCredential(given)), Buffer.from(hashCredential(key))))

/**
 * The visitor for whom a proxy sends.
 * @param forwarded `X-Forwarded-For`; a proxy of this service itself has put the address of that one behind it
 * @param proxy address of the proxy; the answer where it says nothing
 */
export function visitorOf(forwarded: string | undefined, proxy: string): string {
  const hops = (forwarded ?? '').split(',').map(hop => addressIn(hop.trim()))
  const at = hops.lastIndexOf(proxy)
  return (at < 0 ? hops : hops.slice(0, at)).at(-1) ?? proxy
}
