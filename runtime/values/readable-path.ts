/** Paths as people read them, which is how they are stored, shown and asked for. */

/**
 * Escapes that are decoded: bytes beyond ASCII, and all of ASCII but control characters and `%25`, `%2F`, `%3F`, `%23`:
 * decoding those would make two pages one.
 */
const ESCAPES = /(?:%[89a-f][0-9a-f])+|%(?!25|2f|3f|23|7f)[2-7][0-9a-f]/gi

/** A path in readable form: `/caf%C3%A9%20au%20lait` is `/café au lait`. Bytes that are not UTF-8 stay escaped. */
export function readable(path: string): string {
  if (!path.includes('%')) return path
  return path.replace(ESCAPES, escapes => {
    try {
      return decodeURIComponent(escapes)
    } catch {
      return escapes
    }
  })
}
