/** The largest number of cached results; with more, all are dropped. Callers can type anything into an address. */
const max = 2_000

/** Caches the results of a function that depend only on its argument. */
export function memoized<K extends string | number, V extends string | number | object>(make: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>()
  return key => {
    const found = known.get(key)
    if (found !== undefined) return found
    if (known.size >= max) known.clear()
    const made = make(key)
    known.set(key, made)
    return made
  }
}
