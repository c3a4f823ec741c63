/** One way to say that an answer is the one the client has (RFC 9110 §8.8, §13.1.2). */
import { crc32 } from 'node:zlib'

/** Weak: it says that the answer is the same, which a checksum and the length can. */
export function tagOf(text: string): string {
  return `W/"${text.length.toString(36)}-${crc32(text).toString(36)}"`
}

/** Weak comparison with a list of tags, or `*`. @param header `If-None-Match` */
export function matchesTag(header: string | undefined, tag: string): boolean {
  return header !== undefined && header.split(',').some(each => each.trim() === '*' || each.trim().replace(/^(W\/)?/, 'W/') === tag)
}
