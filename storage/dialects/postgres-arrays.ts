/**
 * Arrays as bound parameters, in the binary form of the protocol (`array_recv` in Postgres). Making and reading them takes half
 * the time of JSON, and no text has to be quoted.
 */
import type { ColumnType, Value } from './dialect.ts'

/** `pg_type.oid` of the elements, which never changes. */
const oids: Readonly<Record<ColumnType, number>> = { text: 25, int: 23, bigint: 20, real: 701 }
/** Bytes of a value; a text has its own length. */
const sizes: Readonly<Record<ColumnType, number>> = { text: 0, int: 4, bigint: 8, real: 8 }
const HEAD = 20
const LENGTH = 4
const NULL = -1

/**
 * A column of the rows.
 * @throws RangeError if a value does not fit the type: an invalid row, as if the database had refused it
 */
export function arrayOf(type: ColumnType, rows: readonly (readonly Value[])[], column: number): Buffer {
  const bytes = Buffer.allocUnsafe(HEAD + (type === 'text' ? bytesOfTexts(rows, column) : rows.length * (LENGTH + sizes[type])))
  bytes.writeInt32BE(1, 0) // dimensions
  bytes.writeInt32BE(1, 4) // there may be nulls
  bytes.writeInt32BE(oids[type], 8)
  bytes.writeInt32BE(rows.length, 12)
  bytes.writeInt32BE(1, 16) // of the first element
  let at = HEAD
  for (const row of rows) at = write[type](bytes, row[column] ?? null, at)
  return bytes.subarray(0, at)
}

function bytesOfTexts(rows: readonly (readonly Value[])[], column: number): number {
  let sum = rows.length * LENGTH
  for (const row of rows) {
    const value = row[column] ?? null
    if (value !== null) sum += Buffer.byteLength(String(value))
  }
  return sum
}

/** Each writes a value with its length, and returns where the next one begins. */
const write: Readonly<Record<ColumnType, (bytes: Buffer, value: Value, at: number) => number>> = {
  text(bytes, value, at) {
    if (value === null) return bytes.writeInt32BE(NULL, at)
    const size = bytes.write(String(value), at + LENGTH)
    bytes.writeInt32BE(size, at)
    return at + LENGTH + size
  },
  int(bytes, value, at) {
    if (value === null) return bytes.writeInt32BE(NULL, at)
    bytes.writeInt32BE(4, at)
    return bytes.writeInt32BE(whole(value), at + LENGTH) // throws beyond 32 bits
  },
  bigint(bytes, value, at) {
    if (value === null) return bytes.writeInt32BE(NULL, at)
    const number = whole(value)
    bytes.writeInt32BE(8, at)
    bytes.writeInt32BE(Math.floor(number / 2 ** 32), at + LENGTH)
    return bytes.writeUInt32BE(number >>> 0, at + LENGTH + 4)
  },
  real(bytes, value, at) {
    const number = value === null ? Number.NaN : Number(value)
    if (!Number.isFinite(number)) return bytes.writeInt32BE(NULL, at) // as JSON has it
    bytes.writeInt32BE(8, at)
    return bytes.writeDoubleBE(number, at + LENGTH)
  },
}

function whole(value: Value): number {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value
  throw new RangeError(`${typeof value === 'string' ? 'a text' : value} is not a whole number`)
}
