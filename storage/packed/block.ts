/**
 * A block: rows of a day as columns in groups, each readable without the others. A checksum comes first, then how many rows each
 * table has, where each column is, and the groups. To begin to inflate costs as much as to inflate a thousand bytes, so columns
 * that reports read together are a group, which is deflated together (`fieldGroups`), and all columns of a small block are.
 */
import { inflateRawSync } from 'node:zlib'
import { varintReader, varints } from './bits.ts'
import { checksum } from './checksum.ts'
import type { FieldName, TableOfField } from './field-numbers.ts'
import { type Counts, type Directory, readDirectory, type Stream, tables, writeGroups } from './directory.ts'
import { fieldGroups } from './field-groups.ts'
import { type Field, fields } from './fields.ts'
import { type Known, knownFrom, type NumberList } from './known.ts'
import { Latest } from './latest.ts'
import { decodeNumbers, encodeNumbers, narrowest, type Numbers, shortest } from './numbers.ts'
import { Noting, Taking } from './walk.ts'

export type Columns = Readonly<Record<FieldName, NumberList>>

/** Stored: blocks of a later version are not read. Blocks of the first version have no groups. */
const VERSION = 2
const FIRST_VERSION = 1
const HEADER = 5
/** In the first number: everything after it is deflated together. */
const DEFLATED = 1
/** A block whose columns take fewer bytes has them deflated together. */
const SMALL = 4_096
/** The first field of each table: all fields of a table have as many numbers. */
const firstOf: Readonly<Record<TableOfField, FieldName>> = {
  visits: 'visitor',
  hits: 'at',
  props: 'key',
  vitals: 'vital_place',
  clicks: 'click_place',
}

/** @throws RangeError for a number that is not whole, too large, or negative if it is a count */
export function packBlock(columns: Columns): Uint8Array {
  const counts = countsOf(columns)
  const known = knownFrom(name => columns[name], counts)
  const groups = fieldGroups.map(names => names.flatMap(name => streamsOf(known, name)).filter(isStored)).filter(({ length }) => length > 0)
  const byGroup = writeGroups(groups, counts, true)
  const isSmall = byGroup[1].length < SMALL
  const [directory, bodies] = isSmall ? writeGroups([groups.flat()], counts, false) : byGroup
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

function countsOf(columns: Columns): Counts {
  return Object.fromEntries(tables.map(table => [table, columns[firstOf[table]].length])) as unknown as Counts // one each
}

function streamsOf(known: Known, name: FieldName): Stream[] {
  const { how, by = [], isAlone = false } = fields[name]
  const streams = [...differencesOf(known, name)].map(
    ([stream, numbers]): Stream => ({
      ...encodeNumbers(numbers),
      name,
      stream,
    }),
  )
  if (how !== 'either' || isAlone || streams.length === 0) return streams
  // The number itself, or by one of those that may determine it.
  const ways = [streams[0]!]
  for (const [i, key] of by.entries()) {
    ways.push({ ...encodeNumbers(coded(known.get(name), known.get(key))), name, stream: i + 1 })
  }
  const sizes = ways.map(({ head, tail }) => shortest(head).length + tail.length)
  return [ways[sizes.indexOf(Math.min(...sizes))]!]
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
  readonly counts: Counts
}

/** @throws Error if it is damaged, or from a later version */
export function openBlock(bytes: Uint8Array): Block {
  if (bytes[0] !== VERSION && bytes[0] !== FIRST_VERSION)
    throw new Error(`a block has version ${bytes[0]}, and this version of Footfall reads ${VERSION}: install a newer one`)
  const body = bytes.subarray(HEADER)
  if (new DataView(bytes.buffer, bytes.byteOffset).getUint32(1, true) !== checksum(body)) throw new Error('a block is damaged')
  const begin = varintReader(body)
  const first = begin.next()
  const rest = body.subarray(begin.at)
  const whole = (first & DEFLATED) === 0 ? rest : inflateRawSync(rest)
  const { counts, streamsOf } = readDirectory(whole, Math.floor(first / 2), bytes[0] === VERSION)
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

function unpack(known: Known, { of, how, by = [], walk }: Field, streams: ReturnType<Directory['streamsOf']>): NumberList {
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
