/** Values of records as other products write them. */
import type { JsonObject } from '../../../sites/collection/index.ts'

/** A field as text, without the words for "none" that databases write. */
export function textIn(record: JsonObject, name: string): string {
  const value = Object.hasOwn(record, name) ? record[name] : undefined
  const text = typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : ''
  return text === '\\N' || text === 'NULL' || text === 'null' ? '' : text
}

/** An address from its parts; without a host only the path, which belongs to the site. */
export function joinedUrl(host: string, path: string, query: string): string {
  const rooted = path.startsWith('/') ? path : `/${path}`
  const asked = query === '' ? '' : query.startsWith('?') ? query : `?${query}`
  return host === '' ? rooted + asked : `https://${host.replace(/^https?:\/\//, '')}${rooted}${asked}`
}

/** Removes blank fields, so that they do not override known values. */
export const withoutBlank = (record: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== '' && value !== undefined))

/** Longest text that is divided into a name and a version: the time of the expression grows with the square of the length. */
const MAX_NAME_LENGTH = 200

/** `Chrome 120.0` → name and version; a bare name has none. */
export function namedVersion(text: string): readonly [name: string, version: string] {
  const [, name, version] = text.length > MAX_NAME_LENGTH ? [] : (/^(.*?)\s+v?(\d[\d._]*)$/.exec(text) ?? [])
  return name === undefined ? [text, ''] : [name, version ?? '']
}
