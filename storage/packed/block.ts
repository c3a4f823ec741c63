/**
 * A block: rows of a day as columns, each readable without the others. A checksum comes first, then how many rows each table
 * has, where each column is, and the columns. The columns of a small block are deflated together, as most have a few bytes.
 */
import { inflateRawSync } from 'node:zlib'
import { varintReader, varints } from './bits.ts'
import { checksum } from './checksum.ts'
import { type FieldName, fieldNames, fieldNumbers, type TableOfField } from './field-numbers.ts'
import { type Field, fields } from './fields.ts'
import { type Known, knownFrom, type NumberList } from './known.ts'
import { Latest } from './latest.ts'
import { decodeNumbers, type Encoded, encodeNumbers, narrowest, type Numbers, shortest, sizeOf } from './numbers.ts'
import { Noting, Taking } from './walk.ts'

export type Columns = Readonly<Record<FieldName, NumberList>>

/** Stored: blocks of a later version are not read. */
const VERSION = 1
const HEADER = 5
/** In the flags of a stream: it has a tail; it is the first stream and has a number for each row. */
const TAIL = 32
const WHOLE = 64
/** In the first number: everything after it is deflated together. */
const DEFLATED = 1
/** A block whose columns take fewer bytes has them deflated together. */
const SMALL = 4_096
const tables = ['visits', 'hits', 'props', 'vitals', 'clicks'] as const satisfies readonly TableOfField[]
/** The first field of each table: all fields of a table have as many numbers. */
const firstOf: Readonly<Record<TableOfField, FieldName>> = {
  visits: 'visitor',
  hits: 'at',
  props: 'key',
  vitals: 'vital_place',
  clicks: 'click_place',
}

interface Stream extends Encoded {
  readonly name: FieldName
  readonly stream: number
}

/** @throws RangeError for a number that is not whole, too large, or negative where it is a number of something */
export function packBlock(columns: Columns): Uint8Array {
  const counts = countsOf(columns)
  const known = knownFrom(name => columns[name], counts)
  const encode = (deflates: boolean) => fieldNames.flatMap(name => streamsOf(known, name, deflates)).filter(isStored)
  const each = encode(true)
  const isSmall = each.reduce((sum, stream) => sum + sizeOf(stream), 0) < SMALL
  const streams = isSmall ? encode(false) : each
  const bodies = Buffer.concat(streams.flatMap(({ head, tail }) => [head, tail]))
  const directory = varints([...tables.map(table => counts[table]), ...streams.flatMap(stream => entryOf(stream, counts))])
  const whole = Buffer.concat([directory, bodies])
  const stored = isSmall ? shortest(whole) : whole
  const body = Buffer.concat([varints([directory.length * 2 + (stored === whole ? 0 : DEFLATED)]), stored])
  const block = Buffer.alloc(HEADER + body.length)
  block[0] = VERSION
  block.writeUInt32LE(checksum(body), 1)
  block.set(body, HEADER)
  return block
}

/** A stream without an entry has zeros. */
const isStored = ({ flags, head, count }: Stream): boolean => count > 0 && !(flags === 0 && head[0] === 0)

function entryOf({ name, stream, flags, count, head, tail }: Stream, counts: Readonly<Record<TableOfField, number>>): number[] {
  const isWhole = stream === 0 && count === counts[fields[name].of]
  return [
    fieldNumbers[name],
    flags | (tail.length > 0 ? TAIL : 0) | (isWhole ? WHOLE : 0),
    ...(isWhole ? [] : [stream, count]),
    head.length,
    ...(tail.length > 0 ? [tail.length] : []),
  ]
}

function countsOf(columns: Columns): Record<TableOfField, number> {
  return Object.fromEntries(tables.map(table => [table, columns[firstOf[table]].length])) as Record<TableOfField, number> // one each
}

function streamsOf(known: Known, name: FieldName, deflates: boolean): Stream[] {
  const { how, by = [] } = fields[name]
  const streams = [...differencesOf(known, name)].map(
    ([stream, numbers]): Stream => ({
      ...encodeNumbers(numbers, deflates),
      name,
      stream,
    }),
  )
  if (how !== 'either' || streams.length === 0) return streams
  // The number itself, or by one of those that may determine it.
  const ways = [streams[0]!]
  for (const [i, key] of by.entries()) {
    ways.push({ ...encodeNumbers(coded(known.get(name), known.get(key)), deflates), name, stream: i + 1 })
  }
  return [ways.reduce((best, way) => (sizeOf(way) < sizeOf(best) ? way : best))]
}

/** Returns the numbers that are stored for a field, by stream. */
function differencesOf(known: Known, name: FieldName): ReadonlyMap<number, NumberList> {
  const { of, how, walk } = fields[name]
  const numbers = known.get(name)
  if (numbers.length !== known.counts[of]) throw new Error(`a block has ${numbers.length} of ${name}, and ${known.counts[of]} of its ${of}`)
  if (numbers.length === 0) return new Map()
  if (!walk || how === 'either') return new Map([[0, numbers]])
  const noting = new Noting(name, how, numbers)
  walk(known, noting, new Float64Array(numbers.length))
  return noting.streams
}

/** 0 for what a number was the last time with the same key, else one more than the number. */
function coded(numbers: NumberList, keys: NumberList): Float64Array {
  const last = new Latest()
  const out = new Float64Array(numbers.length)
  for (let i = 0; i < numbers.length; i++) {
    const [n, key] = [numbers[i]!, keys[i]!]
    out[i] = n === last.get(key) ? 0 : n + 1
    last.set(key, n)
  }
  return out
}
/** In the same memory: a number is below its code. */
function decoded(codes: Numbers, keys: NumberList): Numbers {
  const last = new Latest()
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i]!
    if (code === 0) codes[i] = last.get(keys[i]!)
    else last.set(keys[i]!, (codes[i] = code - 1))
  }
  return codes
}

export interface Block {
  /** The numbers of a field, unpacked once. */
  get(name: FieldName): NumberList
  readonly known: Known
  /** How many rows it has of each table. */
  readonly counts: Readonly<Record<TableOfField, number>>
}

/** @throws Error if it is damaged, or from a later version */
export function openBlock(bytes: Uint8Array): Block {
  if (bytes[0] !== VERSION)
    throw new Error(`a block has version ${bytes[0]}, and this version of Footfall reads ${VERSION}: install a newer one`)
  const body = bytes.subarray(HEADER)
  if (new DataView(bytes.buffer, bytes.byteOffset).getUint32(1, true) !== checksum(body)) throw new Error('a block is damaged')
  const begin = varintReader(body)
  const first = begin.next()
  const rest = body.subarray(begin.at)
  const whole = (first & DEFLATED) === 0 ? rest : inflateRawSync(rest)
  const { counts, streamsOf } = readDirectory(whole, Math.floor(first / 2))
  const unpacked = new Map<FieldName, NumberList>()
  const known = knownFrom(get, counts)

  function get(name: FieldName): NumberList {
    const found = unpacked.get(name)
    if (found) return found
    const numbers = unpack(known, fields[name], streamsOf(name))
    unpacked.set(name, numbers)
    return numbers
  }

  return { get, known, counts }
}

type Found = Encoded & Pick<Stream, 'stream'>

/** Reads where the streams are; few of them are asked for. */
function readDirectory(bytes: Uint8Array, length: number) {
  const reader = varintReader(bytes)
  const counts = Object.fromEntries(tables.map(table => [table, reader.next()])) as Record<TableOfField, number> // one each
  /** Of each: field, flags, stream, count, and where its head, its tail and the next one begin. */
  const entries: number[] = []
  for (let at = length; reader.at < length; ) {
    const [field, flags] = [reader.next(), reader.next()]
    const [stream, count] = (flags & WHOLE) === 0 ? [reader.next(), reader.next()] : [0, -1]
    const head = at
    const tail = (at += reader.next())
    if ((flags & TAIL) !== 0) at += reader.next()
    if (at > bytes.length) throw new Error('a block is cut short')
    entries.push(field, flags, stream, count, head, tail, at)
  }
  return {
    counts,
    streamsOf(name: FieldName): Found[] {
      const found: Found[] = []
      for (let e = 0; e < entries.length; e += ENTRY) {
        if (entries[e] !== fieldNumbers[name]) continue
        const [flags, stream, count, head, tail, end] = entries.slice(e + 1, e + ENTRY) as [number, number, number, number, number, number] // as written
        found.push({
          flags: flags & ~(TAIL | WHOLE),
          stream,
          count: count === -1 ? counts[fields[name].of] : count,
          head: bytes.subarray(head, tail),
          tail: bytes.subarray(tail, end),
        })
      }
      return found
    },
  }
}
const ENTRY = 7

function unpack(known: Known, { of, how, by = [], walk }: Field, streams: readonly Found[]): NumberList {
  const count = known.counts[of]
  if (count === 0) return none
  const [first] = streams
  if (!walk || how === 'either') {
    const numbers = first ? decodeNumbers(first) : new Uint8Array(count)
    const key = by[(first?.stream ?? 0) - 1]
    return key === undefined ? numbers : decoded(numbers, known.get(key))
  }
  const taking = new Taking(
    how,
    streams.map(stream => [stream.stream, decodeNumbers(stream)]),
  )
  const numbers = scratch.take(count)
  walk(known, taking, numbers)
  taking.end()
  const own = narrowest(numbers)
  scratch.give(numbers)
  return own
}

/** Memory in which walks set numbers, used again and again. A walk asks for other fields, which need memory of their own. */
const scratch = {
  kept: [] as ArrayBuffer[],
  take(count: number): Float64Array {
    const buffer = this.kept.pop()
    return buffer && buffer.byteLength >= count * 8
      ? new Float64Array(buffer, 0, count)
      : new Float64Array(Math.max(count, 8_192)).subarray(0, count)
  },
  give({ buffer }: Float64Array): void {
    if (this.kept.length < 8) this.kept.push(buffer as ArrayBuffer)
  },
}
const none = new Uint8Array(0)
