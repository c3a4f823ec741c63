/** Paths as people read them, which is how they are stored, shown and asked for. */

/**
 * Escapes that are decoded: bytes beyond ASCII, and all of ASCII but control characters and `%25`, `%2F`, `%3F`, `%23`:
 * decoding those would make two pages one.
 */
const ESCAPES = /(?:%[89a-f][0-9a-f])+|%(?!25|2f|3f|23|7f)[2-7][0-9a-f]/gi

/** In a query, `%26`, `%2B` and `%3D` stay as well. */
const ESCAPES_OF_QUERY = /(?:%[89a-f][0-9a-f])+|%(?!25|26|2b|2f|3d|3f|23|7f)[2-7][0-9a-f]/gi

/**
 * A path in readable form: `/caf%C3%A9%20au%20lait` is `/café au lait`. Bytes that are not UTF-8 stay escaped. The query of a page that has
 * one (`/?p=12`) is sorted by name, and `+` is a space in it.
 */
export function readable(path: string): string {
  const [, before = path, query = '', route = ''] = QUERY.exec(path) ?? []
  const plain = decoded(before, ESCAPES)
  if (query === '') return plain
  const pairs = query
    .slice(1)
    .replaceAll('+', ' ')
    .replace(/%[0-9a-f]{2}/gi, escape => escape.toUpperCase())
    .split('&')
  const sorted = pairs.map(pair => [pair.split('=', 1)[0] ?? '', pair] as const).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return `${plain}?${decoded(sorted.map(([, pair]) => pair).join('&'), ESCAPES_OF_QUERY)}${decoded(route, ESCAPES)}`
}

/** A path, its query, and the route of a fragment. */
const QUERY = /^([^?#]*)(\?[^#]+)(#[^]*)?$/

function decoded(text: string, escapes: RegExp): string {
  if (!text.includes('%')) return text
  return text.replace(escapes, some => {
    try {
      return decodeURIComponent(some)
    } catch {
      return some
    }
  })
}
