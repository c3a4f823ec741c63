/**
 * Columns of numbers and their binary format: the narrowest width that fits, deflated if that halves the size. Before
 * that, the first bytes of all numbers are stored together, then the second ones and so on, because similar
 * neighbouring bytes compress better.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib'

/** Numbers of one width, the narrowest that fits. */
export type Column = Uint8Array | Uint16Array | Uint32Array | Float64Array

/** A column of the narrowest width for these numbers, in memory of its own. */
export function columnOf(numbers: ArrayLike<number>): Column {
  let max = 0
  let whole = true
  for (let i = 0; i < numbers.length; i++) {
    const n = numbers[i] ?? 0
    if (n > max) max = n
    if (n < 0 || !Number.isInteger(n)) whole = false
  }
  return new kinds[!whole || max > 0xffff_ffff ? 8 : max > 0xffff ? 4 : max > 0xff ? 2 : 1](numbers)
}

/** Columns one after another. */
export function concatenated(columns: readonly Column[]): Column {
  const [first, ...others] = columns
  if (first && others.length === 0) return first
  const whole = zerosFor(
    columns,
    columns.reduce((length, column) => length + column.length, 0),
  )
  for (let i = 0, at = 0; i < columns.length; at += columns[i++]?.length ?? 0) whole.set(columns[i] ?? [], at)
  return whole
}

/** Index of the first number in a rising column that is not below `min`. */
export function firstNotBefore(rising: Column, min: number): number {
  let low = 0
  let high = rising.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((rising[middle] ?? 0) < min) low = middle + 1
    else high = middle
  }
  return low
}

/** Zeros, of a width that fits the numbers of any of these. */
export function zerosFor(columns: readonly Column[], length: number): Column {
  const width = Math.max(...columns.map(column => column.BYTES_PER_ELEMENT))
  return new kinds[isWidth(width) ? width : 8](length)
}

/** By width in bytes; width 0: all are 0. */
const kinds = Object.freeze({ 1: Uint8Array, 2: Uint16Array, 4: Uint32Array, 8: Float64Array })
type Width = keyof typeof kinds

/** Width, whether it is deflated, two reserved bytes, and the length. */
const HEADER = 8
/** Deflating fewer bytes is not worth the time to inflate them. */
const MIN_DEFLATED = 128

export function encode(column: Column): Buffer {
  const narrow = columnOf(column)
  const width = narrow.every(n => n === 0) ? 0 : narrow.BYTES_PER_ELEMENT
  const bytes = width === 0 ? new Uint8Array(0) : new Uint8Array(narrow.buffer, narrow.byteOffset, narrow.byteLength)
  const deflated = bytes.length < MIN_DEFLATED ? bytes : deflateRawSync(shuffled(bytes, width), { level: 1 })
  const packed = deflated.length * 2 <= bytes.length
  const body = packed ? deflated : bytes
  const blob = Buffer.alloc(HEADER + body.length)
  blob[0] = width
  blob[1] = packed && width !== 0 ? 1 : 0
  blob.writeUInt32LE(column.length, 4)
  blob.set(body, HEADER)
  return blob
}

/** @throws Error if it is not a column */
export function decode(blob: Uint8Array): Column {
  const view = new DataView(blob.buffer, blob.byteOffset, blob.byteLength)
  const [width, packed, length] = [view.getUint8(0), view.getUint8(1) === 1, view.getUint32(4, true)]
  if (width === 0) return zeros(length)
  if (!isWidth(width)) throw new Error(`a column cannot be ${width} bytes wide`)
  const body = blob.subarray(HEADER)
  // Copied: a buffer of the database may be part of a larger one, and unaligned.
  const bytes = packed ? unshuffled(inflateRawSync(body), width) : new Uint8Array(body)
  if (bytes.length !== length * width) throw new Error('a column is cut short')
  return new kinds[width](bytes.buffer, bytes.byteOffset, length)
}

const isWidth = (width: number): width is Width => width in kinds

/** Shared memory of zero columns, since columns are never written to. Longer ones are rare. */
const ZEROS = new Uint8Array(1 << 20)
const zeros = (length: number): Uint8Array => (length <= ZEROS.length ? ZEROS.subarray(0, length) : new Uint8Array(length))

/** Whether a column uses that shared memory. */
export const sharesMemory = (column: Column): boolean => column.buffer === ZEROS.buffer

function shuffled(bytes: Uint8Array, width: number): Uint8Array {
  if (width === 1) return bytes
  const count = bytes.length / width
  const out = new Uint8Array(bytes.length)
  for (let b = 0; b < width; b++) for (let i = 0; i < count; i++) out[b * count + i] = bytes[i * width + b] ?? 0
  return out
}

function unshuffled(bytes: Uint8Array, width: Width): Uint8Array<ArrayBuffer> {
  const count = bytes.length / width
  const out = new Uint8Array(bytes.length)
  for (let b = 0; b < width; b++) {
    for (let i = 0, from = b * count, to = b; i < count; i++, from++, to += width) out[to] = bytes[from] ?? 0
  }
  return out
}
