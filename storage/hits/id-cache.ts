/** Ids of texts that were used lately. */
export interface IdCache {
  get(site: number, dictionary: number, value: string): number | undefined
  set(site: number, dictionary: number, value: string, id: number): void
}

/**
 * Forgets everything when it is full: what is in use comes back with one query. Not an LRU cache: a hit looks up some
 * thirty texts, and each would have to be moved to the front.
 */
export function idCache(limit: number): IdCache {
  const sites = new Map<number, Map<number, Map<string, number>>>()
  let size = 0
  return {
    get: (site, dictionary, value) => sites.get(site)?.get(dictionary)?.get(value),
    set(site, dictionary, value, id) {
      if (++size > limit) {
        sites.clear()
        size = 1
      }
      const dictionaries = sites.get(site) ?? new Map<number, Map<string, number>>()
      const values = dictionaries.get(dictionary) ?? new Map<string, number>()
      sites.set(site, dictionaries.set(dictionary, values.set(value, id)))
    },
  }
}
