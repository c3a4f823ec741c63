import { LRUCache } from 'lru-cache'

/** Longer addresses are read each time: they seldom come again. */
const MAX_LENGTH = 300

/**
 * Caches what is read from the addresses of pages and referrers, because the hits of a site share a few of them. An address with a
 * query is read each time, as its query may be a person's.
 * @param read its answer is shared, so it must not be changed
 */
export function cachedByAddress<T extends object | null>(read: (address: string) => T): (address: string) => T {
  const known = new LRUCache<string, { readonly answer: T }>({ max: 2_000 })
  return address => {
    const before = known.get(address)
    if (before) return before.answer
    const answer = read(address)
    if (address.length <= MAX_LENGTH && !address.includes('?')) known.set(address, { answer })
    return answer
  }
}
