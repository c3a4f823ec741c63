/** Caches ids of recently used texts. */
export interface IdCache {
  get(site: number, dictionary: number, value: string): number | undefined
  set(site: number, dictionary: number, value: string, id: number): void
}

/**
 * Clears everything when full; texts in use come back with one query. An LRU cache would need a single key, and
 * building that for each of a hit's thirty texts costs five times as much as three nested maps.
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
