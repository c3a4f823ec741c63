/** JSON pointers (RFC 6901), as faults name places by. */

/** A key as a part of a pointer. */
export function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** The place in words: `cards.3.type`. */
export function words(pointer: string): string {
  return pointer === '' ? 'The input' : pointer.slice(1).replaceAll('/', '.')
}
