/** JSON pointers (RFC 6901), as faults name places by. */
import { clipped } from './clipped.ts'

/** Of a key that a fault names. */
const longest = 200

/** A key as a part of a pointer; the beginning of one that is no name of ours. */
export function escaped(key: string): string {
  return clipped(key, longest).replaceAll('~', '~0').replaceAll('/', '~1')
}

/** The place in words: `cards.3.type`. */
export function words(pointer: string): string {
  return pointer === '' ? 'The input' : pointer.slice(1).replaceAll('/', '.')
}
