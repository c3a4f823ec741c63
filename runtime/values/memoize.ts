/** Results that are asked for again and again, on one page and on the next. */

/** Beyond that all are forgotten: what can be typed into an address can be anything. */
const max = 2_000

/** Remembers the results of a function that depend only on its argument. */
export function remembered<K extends string | number, V extends string | object>(make: (key: K) => V): (key: K) => V {
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
