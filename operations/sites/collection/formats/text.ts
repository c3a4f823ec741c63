import { withinBytes } from '../../../../storage/within-bytes.ts'
import { LIMITS } from '../hit.ts'

/** Control characters, NUL among them, and halves of surrogate pairs: no text of ours, and Postgres refuses them. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/gu

/** Characters of a sent text that are read: more than any field keeps, with room for what is stripped. */
const MOST_READ = 10_000

/**
 * A sent value as text that can be stored: unprintable characters stripped, trimmed, and cut to that many bytes of
 * UTF-8 without breaking a character. Anything but a string is ''.
 */
export function text(value: unknown, bytes: number = LIMITS.value): string {
  if (typeof value !== 'string') return ''
  return withinBytes(value.slice(0, MOST_READ).replace(UNPRINTABLE, '').trim(), bytes).trimEnd()
}
