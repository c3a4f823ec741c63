import { composed } from '../../../../storage/values/composed.ts'
import { withoutHidden } from '../../../../runtime/values/hidden-characters.ts'
import { truncateToBytes } from '../../../../storage/values/truncate-utf8.ts'
import { LIMITS } from '../hit.ts'

/** A text that only has to be trimmed. */
const plain = /^[\x20-\x7e]*$/
/** Number of characters of a sent text that are read: more than any field stores, because some are removed. */
const MAX_READ = 10_000

/**
 * Converts a sent value to storable text: without hidden characters, composed (NFC), trimmed, and clipped to that many bytes of UTF-8
 * without splitting a character. Anything but a string is ''. Values in filters are brought into the same form.
 */
export function text(value: unknown, bytes: number = LIMITS.value): string {
  if (typeof value !== 'string' || value === '') return ''
  if (value.length <= Math.min(bytes, MAX_READ) && plain.test(value)) return value.trim()
  return truncateToBytes(composed(withoutHidden(value.slice(0, MAX_READ))).trim(), bytes).trimEnd()
}
