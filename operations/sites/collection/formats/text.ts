import { LIMITS } from '../hit.ts'

/** Control characters, NUL among them, and halves of surrogate pairs: no text of ours, and Postgres refuses them. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/gu
const encoder = new TextEncoder()

/**
 * A sent value as text that can be stored: unprintable characters stripped, trimmed, and cut to that many bytes of
 * UTF-8 without breaking a character. Anything but a string is ''.
 */
export function text(value: unknown, bytes: number = LIMITS.value): string {
  if (typeof value !== 'string') return ''
  const clean = value.replace(UNPRINTABLE, '').trim()
  if (clean.length * 3 <= bytes || Buffer.byteLength(clean) <= bytes) return clean
  return clean.slice(0, encoder.encodeInto(clean, new Uint8Array(bytes)).read).trimEnd()
}
