import { LRUCache } from 'lru-cache'

/** Characters that are read: the limit of a hit's user agent. */
const MAX_READ = 500

/**
 * Caches what is derived from a user agent: parsing takes up to tens of microseconds, and a day's visitors share a few
 * hundred user agents. Only the first 500 characters are used, so that invented user agents stay cheap.
 */
export function perUserAgent<T extends object | boolean>(read: (userAgent: string) => T): (userAgent: string) => T {
  const known = new LRUCache<string, T>({ max: 2_000 })
  return userAgent => {
    const sent = userAgent.slice(0, MAX_READ)
    const before = known.get(sent)
    if (before !== undefined) return before
    const fresh = read(sent)
    known.set(sent, fresh)
    return fresh
  }
}
