import { withoutHidden } from '../../../../runtime/hidden-characters.ts'
import { withinBytes } from '../../../../storage/within-bytes.ts'
import { LIMITS } from '../hit.ts'

/** Halves of surrogate pairs: no text, and Postgres refuses them. */
const HALVES = /\p{Cs}/gu

/** Characters of a sent text that are read: more than any field keeps, with room for what is stripped. */
const MOST_READ = 10_000

/**
 * A sent value as text that can be stored: hidden characters stripped, trimmed, and cut to that many bytes of UTF-8
 * without breaking a character. Anything but a string is ''. What is asked for is brought into the same form.
 */
export function text(value: unknown, bytes: number = LIMITS.value): string {
  if (typeof value !== 'string') return ''
  return withinBytes(withoutHidden(value.slice(0, MOST_READ)).replace(HALVES, '').trim(), bytes).trimEnd()
}
