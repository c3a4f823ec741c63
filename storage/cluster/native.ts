/**
 * ClickHouse's `Native` format, in which columns are sent as they are stored: clickhouse.com/docs/interfaces/formats/Native.
 * Numbers and arrays of numbers only, since no text ever goes to the cluster. Servers from 18.16 on read and write it.
 */

export const scalars = ['UInt8', 'UInt16', 'UInt32', 'UInt64', 'Int32', 'Int64', 'Float64'] as const
/** Types that we store. */
export type Scalar = (typeof scalars)[number]

export interface NativeColumn {
  readonly name: string
  readonly type: Scalar
  readonly values: ArrayLike<number>
  /** In arrays, the end of each row's values, from the start. Undefined: a value a row. */
  readonly ends?: ArrayLike<number>
}

/** Numbers of a result, with the end of each row's values if they are arrays. */
export interface Found {
  readonly values: Numbers
  readonly ends: Float64Array | null
}
export type Numbers = Uint8Array | Uint16Array | Uint32Array | Int8Array | Int16Array | Int32Array | Float32Array | Float64Array

const TWO_32 = 2 ** 32

/** A block of rows, which are the same number in each column. @throws RangeError if a value does not fit its type */
export function encodeBlock(columns: readonly NativeColumn[], rows: number): Buffer {
  const parts: Uint8Array[] = [varint(columns.length), varint(rows)]
  for (const { name, type, values, ends } of columns) {
    parts.push(text(name), text(ends ? `Array(${type})` : type))
    if (ends) parts.push(encodeValues('UInt64', ends, rows, name))
    parts.push(encodeValues(type, values, ends ? (ends[rows - 1] ?? 0) : rows, name))
  }
  return Buffer.concat(parts)
}

function encodeValues(type: Scalar, values: ArrayLike<number>, count: number, name: string): Uint8Array {
  const width = widthOf(type)
  const bytes = new Uint8Array(count * width)
  const view = new DataView(bytes.buffer)
  const { min, max } = bounds[type]
  for (let i = 0, at = 0; i < count; i++, at += width) {
    const value = values[i] ?? 0
    if (type === 'Float64') view.setFloat64(at, value, true)
    else if (!(Number.isInteger(value) && value >= min && value <= max)) throw new RangeError(`${name}: ${value} does not fit ${type}`)
    else if (width === 1) bytes[at] = value
    else if (width === 2) view.setUint16(at, value, true)
    else if (width === 4)
      view.setInt32(at, value, true) // modulo 2^32, so the same for both signs
    else {
      view.setUint32(at, value - Math.floor(value / TWO_32) * TWO_32, true)
      view.setInt32(at + 4, Math.floor(value / TWO_32), true)
    }
  }
  return bytes
}

const safe = { min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }
const bounds: Readonly<Record<Scalar, { readonly min: number; readonly max: number }>> = {
  UInt8: { min: 0, max: 0xff },
  UInt16: { min: 0, max: 0xffff },
  UInt32: { min: 0, max: 0xffff_ffff },
  UInt64: { min: 0, max: safe.max },
  Int32: { min: -0x8000_0000, max: 0x7fff_ffff },
  Int64: safe,
  Float64: safe,
}

const widthOf = (type: string): number => Number(/\d+$/.exec(type)?.[0]) / 8

function varint(number: number): Uint8Array {
  const bytes: number[] = []
  let left = number
  for (; left >= 128; left = Math.floor(left / 128)) bytes.push((left % 128) + 128)
  return Uint8Array.from([...bytes, left])
}

function text(given: string): Uint8Array {
  const bytes = Buffer.from(given)
  return Buffer.concat([varint(bytes.length), bytes])
}

/** The columns of a result, by name; none for an empty one. @throws Error if it is cut short, or has a type of another kind */
export function decodeBlocks(bytes: Uint8Array): { readonly rows: number; readonly columns: ReadonlyMap<string, Found> } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 0
  const take = (length: number): number => {
    const from = at
    at += length
    if (at > bytes.length) throw new Error('an answer of ClickHouse is cut short')
    return from
  }
  const readVarint = (): number => {
    for (let value = 0, unit = 1; ; unit *= 128) {
      const byte = view.getUint8(take(1))
      value += (byte % 128) * unit
      if (byte < 128) return value
    }
  }
  const readText = (): string => {
    const length = readVarint()
    const from = take(length)
    return Buffer.from(bytes.buffer, bytes.byteOffset + from, length).toString()
  }

  function readNumbers(type: string, count: number): Numbers {
    const width = widthOf(type)
    const from = take(count * width)
    const read = readers[type]
    if (read) return read(view, from, count)
    const kind = kinds[type]
    if (!kind) throw new Error(`ClickHouse answered numbers of type ${type}`)
    return new kind(new Uint8Array(bytes.subarray(from, from + count * width)).buffer) // copied, as it may be unaligned
  }

  const found = new Map<string, { readonly values: Numbers[]; readonly ends: Float64Array[] | null }>()
  let rows = 0
  while (at < bytes.length) {
    const [columns, count] = [readVarint(), readVarint()]
    for (let c = 0; c < columns; c++) {
      const [name, type] = [readText(), readText()]
      const [, inner] = /^Array\((\w+)\)$/.exec(type) ?? []
      const ends = inner === undefined ? null : (readNumbers('UInt64', count) as Float64Array) // as `readers` has it
      const values = readNumbers(inner ?? type, ends ? (ends[count - 1] ?? 0) : count)
      const known = found.get(name) ?? { values: [], ends: ends && [] }
      found.set(name, known)
      known.values.push(values)
      if (ends) known.ends?.push(ends)
    }
    rows += count
  }
  return {
    rows,
    columns: new Map([...found].map(([name, { values, ends }]) => [name, { values: joined(values), ends: ends && joinedEnds(ends) }])),
  }
}

const kinds: Readonly<Record<string, new (buffer: ArrayBuffer) => Numbers>> = {
  UInt8: Uint8Array,
  UInt16: Uint16Array,
  UInt32: Uint32Array,
  Int8: Int8Array,
  Int16: Int16Array,
  Int32: Int32Array,
  Float32: Float32Array,
  Float64: Float64Array,
}
type Reader = (view: DataView, from: number, count: number) => Numbers
/** Ours stay below 2^53. */
const wide =
  (high: 'getUint32' | 'getInt32'): Reader =>
  (view, from, count) => {
    const numbers = new Float64Array(count)
    for (let i = 0, at = from; i < count; i++, at += 8) numbers[i] = view.getUint32(at, true) + TWO_32 * view[high](at + 4, true)
    return numbers
  }
const readers: Readonly<Record<string, Reader>> = { UInt64: wide('getUint32'), Int64: wide('getInt32') }

function joined(parts: readonly Numbers[]): Numbers {
  const [first, ...others] = parts
  if (!first || others.length === 0) return first ?? new Float64Array(0)
  const all = new (first.constructor as new (length: number) => Numbers)(parts.reduce((sum, { length }) => sum + length, 0)) // one type a column
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

function joinedEnds(parts: readonly Float64Array[]): Float64Array {
  let before = 0
  const moved = parts.map(part => {
    const ends = part.map(end => end + before)
    before = ends.at(-1) ?? before
    return ends
  })
  return joined(moved) as Float64Array // of such parts
}
