/** Finds the address of a client: the socket's address, unless the peer is a trusted proxy (docs/decisions.md §1). */
import { LRUCache } from 'lru-cache'
import { isAllowed } from '../../runtime/table/caller.ts'
import { addressIn, isNear } from '../../runtime/outbound/network.ts'

/**
 * @param socket address of the peer
 * @param forwarded `X-Forwarded-For`: the client is the rightmost entry that is not a trusted proxy
 */
export function clientIp(socket: string | undefined, forwarded: string | null, trusted: readonly string[]): string {
  let ip = addressIn(socket ?? '') ?? '0.0.0.0'
  if (trusted.length === 0 || forwarded === null) return ip
  for (const hop of forwarded.split(',').reverse()) {
    if (!isTrusted(ip, trusted)) return ip
    const next = addressIn(hop.trim())
    if (next === undefined) return ip
    ip = next
  }
  return ip
}

/** Whether the peer may be a proxy that is missing in TRUSTED_PROXIES: then all visitors behind it count as one. */
export function isUnnamedProxy(socket: string, trusted: readonly string[]): boolean {
  const peer = addressIn(socket)
  return peer !== undefined && !isTrusted(peer, trusted) && isNear(peer)
}

/** Cached, as the same few proxies send most requests. */
const proxies = new LRUCache<string, boolean>({ max: 1_000 })
let judgedBy: readonly string[] = []
function isTrusted(ip: string, trusted: readonly string[]): boolean {
  if (judgedBy !== trusted) {
    proxies.clear()
    judgedBy = trusted
  }
  let known = proxies.get(ip)
  if (known === undefined) proxies.set(ip, (known = isAllowed(ip, trusted)))
  return known
}
