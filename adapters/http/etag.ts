/** ETags and conditional requests (RFC 9110 §8.8, §13.1.2). */
import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** Creates a weak tag from a checksum and the length: answers with the same tag are equivalent. */
export function tagOf(text: string | Uint8Array): string {
  return `W/"${text.length.toString(36)}-${crc32(text).toString(36)}"`
}

/** Creates a strong tag: the bytes are equal. For files that are built once and served often. */
export function strongTagOf(text: string | Uint8Array): string {
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
}

/** The strong tag of the same content in another encoding, which has other bytes (RFC 9110 §8.8.3.3). */
export const encodedTag = (tag: string, encoding: string): string => tag.replace(/"$/, `~${encoding}"`)

/** Compares weakly with a list of tags or `*`, independent of the encoding. @param header `If-None-Match` */
export function matchesTag(header: string | undefined, tag: string): boolean {
  const opaque = (each: string) =>
    each
      .trim()
      .replace(/^W\//, '')
      .replace(/~\w+"$/, '"')
  return header !== undefined && header.split(',').some(each => each.trim() === '*' || opaque(each) === opaque(tag))
}
