/** Ids: a prefix for the kind, then time and randomness in base32, so that they sort by age. */

import { sortableId } from '../../storage/values/sortable-id.ts'

/** A kind of id. Each area declares its own and passes them to `newId`. */
export interface IdKind {
  readonly prefix: string
}

/** @throws Error unless the prefix is two to five lower-case letters and an underscore */
export function idKind(prefix: string): IdKind {
  if (!/^[a-z]{2,5}_$/.test(prefix)) throw new Error(`"${prefix}" is not a prefix of ids: two to five small letters and an underscore`)
  return Object.freeze({ prefix })
}

export const eventId = idKind('evt_')
export const auditId = idKind('aud_')
/** Ids of records that the runtime itself writes. */
export const runtimeIds: Readonly<Record<string, IdKind>> = { event: eventId, audit: auditId }

/** False for texts that cannot be an id: too long, or with NUL, which Postgres refuses. Saves the query. */
export function isPlausibleId(id: string): boolean {
  return id.length <= 64 && /^[\w-]+$/.test(id)
}

/** @param random 14 bytes; with fewer, some are reused */
export function makeId({ prefix }: IdKind, at: number, random: Uint8Array): string {
  return prefix + sortableId(at, random)
}

/** A random UUID, version 4 (RFC 9562 §5.4), from 16 random bytes. */
export function makeUuid(random: Buffer): string {
  const bytes = Buffer.from(random)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
