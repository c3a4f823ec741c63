/** JSON pointers (RFC 6901), used for the places of faults. */
import { clipped } from './clip.ts'

/** Longest key in a pointer. */
const maxKeyLength = 200

/** Escapes a key for a pointer; long ones, which are not ours, are clipped. */
export function escaped(key: string): string {
  return clipped(key, maxKeyLength).replaceAll('~', '~0').replaceAll('/', '~1')
}

/** The pointer as words: `cards.3.type`. */
export function words(pointer: string): string {
  return pointer === '' ? 'The input' : pointer.slice(1).replaceAll('/', '.')
}
