/**
 * Lists of whole numbers as bytes. Of four encodings the one that should be shortest is chosen, in one pass. Deflate gets only
 * bytes that it can shorten (`head`), since low bits of numbers are as good as random (`tail`).
 */
import { constants, deflateRawSync, inflateRawSync } from 'node:zlib'
import { bitWriter, varintReader, varints, widthOf } from './bits.ts'

/** A decoded list: its type depends on the width of the numbers. */
export type Numbers = Uint8Array | Uint16Array | Uint32Array | Float64Array

/** Stored: add to the end. */
const kinds = ['same', 'bytes', 'bits', 'lengths'] as const
type Kind = (typeof kinds)[number]

export interface Encoded {
  /** Kind, and whether negative numbers are among them. */
  readonly flags: number
  readonly count: number
  readonly head: Uint8Array
  readonly tail: Uint8Array
}

const none = new Uint8Array(0)
const SIGNED = 8
/** Deflating fewer bytes saves nothing. */
const MIN_DEFLATED = 12

export function encodeNumbers(numbers: ArrayLike<number>): Encoded {
  const isSigned = hasNegative(numbers)
  const plain = isSigned ? Float64Array.from(numbers, zigzag) : numbers
  const kind = kindFor(plain)
  const { head, tail = none } = encoders[kind](plain)
  return { flags: kinds.indexOf(kind) | (isSigned ? SIGNED : 0), count: numbers.length, head, tail }
}

export function decodeNumbers({ flags, count, head, tail }: Encoded): Numbers {
  const kind = kinds[flags & (SIGNED - 1)]
  if (!kind) throw new Error('a block has an unknown encoding: a newer version has written it')
  const found = decoders[kind](head, tail, count)
  return (flags & SIGNED) === 0 ? found : unzigzagged(found)
}

/** The least that zlib can be given. A list has a byte for each number, so one chunk is enough for all of it. */
const MIN_CHUNK = 64

const strategies = [constants.Z_DEFAULT_STRATEGY, constants.Z_HUFFMAN_ONLY] as const

/** Deflate also finds repetitions, which takes longer codes: so with and without. Both inflate alike. */
export function shortest(bytes: Uint8Array): Uint8Array {
  if (bytes.length < MIN_DEFLATED) return bytes
  let best = bytes
  for (const strategy of strategies) {
    const deflated = deflateRawSync(bytes, { level: 6, strategy })
    if (deflated.length < best.length) best = deflated
  }
  return best
}

/** Size of a part that gets its own codes, in bytes. */
const MIN_PART = 256

/** Deflates parts with codes of their own as one stream, since to begin to inflate costs as much as to inflate a thousand bytes. */
export function deflatedTogether(parts: readonly Uint8Array[]): Uint8Array {
  const pieces: Uint8Array[] = []
  let some: Uint8Array[] = []
  for (const [i, part] of parts.entries()) {
    some.push(part)
    const isLast = i === parts.length - 1
    if (!isLast && some.reduce((sum, { length }) => sum + length, 0) < MIN_PART) continue
    const finishFlush = isLast ? constants.Z_FINISH : constants.Z_FULL_FLUSH
    const [found, other] = strategies.map(strategy => deflateRawSync(Buffer.concat(some), { level: 6, strategy, finishFlush }))
    pieces.push(other!.length < found!.length ? other! : found!)
    some = []
  }
  return Buffer.concat(pieces)
}

/** @param length of what it inflates to */
export const inflated = (bytes: Uint8Array, length: number): Uint8Array =>
  inflateRawSync(bytes, { chunkSize: Math.max(MIN_CHUNK, length + 1) })

function hasNegative(numbers: ArrayLike<number>): boolean {
  for (let i = 0; i < numbers.length; i++) if (numbers[i]! < 0) return true
  return false
}

/** 0, -1, 1, -2 … as 0, 1, 2, 3 … */
const zigzag = (n: number): number => (n < 0 ? -2 * n - 1 : 2 * n)
function unzigzagged(numbers: Numbers): Float64Array {
  const out = numbers instanceof Float64Array ? numbers : new Float64Array(numbers.length)
  for (let i = 0; i < numbers.length; i++) {
    const n = numbers[i]!
    out[i] = n % 2 === 0 ? n / 2 : -(n + 1) / 2
  }
  return out
}

/** The narrowest list of these whole numbers, in memory of its own. */
export function narrowest(numbers: Float64Array): Numbers {
  let [max, min] = [0, 0]
  for (let i = 0; i < numbers.length; i++) {
    const n = numbers[i]!
    if (n > max) max = n
    else if (n < min) min = n
  }
  if (min < 0) return numbers.slice()
  const out = roomFor(widthOf(max), numbers.length)
  if (max > 0) out.set(numbers)
  return out
}

/** About how many bits the code of a value costs in the table of a deflated list. */
const BITS_A_CODE = 6
/** The fewest bits that a number of a list takes on average, however often it is repeated. */
const MIN_BITS = 0.05

/** @throws RangeError for a number that is not whole, or too large to be exact */
function kindFor(numbers: ArrayLike<number>): Kind {
  const [lengths, values] = [new Uint32Array(54), new Uint32Array(256)]
  let [low, max, isSame] = [0, 0, true]
  for (let i = 0; i < numbers.length; i++) {
    const n = numbers[i]!
    if (!Number.isSafeInteger(n)) throw new RangeError(`${n} is not a whole number`)
    const width = widthOf(n)
    lengths[width]!++
    if (width > 1) low += width - 1
    if (n < 256) values[n]!++
    if (n > max) max = n
    if (n !== numbers[0]) isSame = false
  }
  if (isSame) return 'same'
  const width = widthOf(max)
  const bits = (counts: Uint32Array): number => {
    let [sum, codes] = [0, 0]
    for (const count of counts) {
      if (count === 0) continue
      codes++
      sum += count * Math.max(MIN_BITS, Math.log2(numbers.length / count))
    }
    return sum + codes * BITS_A_CODE
  }
  const [asLengths, asBits, asBytes] = [bits(lengths) + low, numbers.length * width * 0.99, width > 8 ? Infinity : bits(values)]
  if (asBytes <= asBits && asBytes <= asLengths) return 'bytes'
  return asBits < asLengths ? 'bits' : 'lengths'
}

interface Parts {
  readonly head: Uint8Array
  readonly tail?: Uint8Array
}

const encoders: Readonly<Record<Kind, (numbers: ArrayLike<number>) => Parts>> = {
  same: numbers => ({ head: varints([numbers[0] ?? 0]) }),
  bytes: numbers => ({ head: Uint8Array.from(numbers) }),
  bits(numbers) {
    const width = widthOf(highest(numbers))
    const to = bitWriter()
    to.put(width, 8)
    for (let i = 0; i < numbers.length; i++) to.put(numbers[i]!, width)
    return { head: none, tail: to.end() }
  },
  /** The number of bits of each number as a byte; the bits below the first one, which is 1, as they are. */
  lengths(numbers) {
    const head = new Uint8Array(numbers.length)
    const to = bitWriter()
    to.put(widthOf(highest(numbers)), 8)
    for (let i = 0; i < numbers.length; i++) {
      const n = numbers[i]!
      const width = (head[i] = widthOf(n))
      if (width > 1) to.put(n - 2 ** (width - 1), width - 1)
    }
    return { head, tail: to.end() }
  },
}

function highest(numbers: ArrayLike<number>): number {
  let max = 0
  for (let i = 0; i < numbers.length; i++) if (numbers[i]! > max) max = numbers[i]!
  return max
}

/** Creates an array for numbers of the given width, also if they encode signed numbers. */
const roomFor = (width: number, count: number): Uint8Array | Uint16Array | Uint32Array | Float64Array =>
  width <= 8 ? new Uint8Array(count) : width <= 16 ? new Uint16Array(count) : width <= 32 ? new Uint32Array(count) : new Float64Array(count)

const decoders: Readonly<Record<Kind, (head: Uint8Array, tail: Uint8Array, count: number) => Numbers>> = {
  same(head, _, count) {
    const value = varintReader(head).next()
    const out = roomFor(widthOf(value), count)
    return value === 0 ? out : out.fill(value)
  },
  bytes: head => new Uint8Array(head), // its own memory, which is written to
  bits(_, tail, count) {
    const width = tail[0] ?? 0
    const out = roomFor(width, count)
    const bits = bitsFrom(tail)
    for (let i = 0, at = 8; i < count; i++, at += width) out[i] = bitsAt(bits, at, width)
    return out
  },
  lengths(head, tail, count) {
    const out = roomFor(tail[0] ?? 0, count)
    const bits = bitsFrom(tail)
    for (let i = 0, at = 8; i < count; i++) {
      const width = head[i]!
      if (width < 2) out[i] = width
      else {
        out[i] = (width < 32 ? 1 << (width - 1) : 2 ** (width - 1)) + bitsAt(bits, at, width - 1)
        at += width - 1
      }
    }
    return out
  },
}

/** Bits that may be read beyond their end. */
function bitsFrom(bytes: Uint8Array): DataView {
  // Whatever follows in the same memory.
  if (bytes.byteOffset + bytes.length + BEYOND <= bytes.buffer.byteLength) return new DataView(bytes.buffer, bytes.byteOffset)
  const padded = new Uint8Array(bytes.length + BEYOND)
  padded.set(bytes)
  return new DataView(padded.buffer)
}
const BEYOND = 12
/** Bits that are within four bytes wherever they begin. */
const AT_ONCE = 25

/** The number of some bits, the lowest of which is at a place. */
function bitsAt(bits: DataView, at: number, width: number): number {
  if (width <= AT_ONCE) return (bits.getUint32(at >>> 3, true) >>> (at & 7)) & ((1 << width) - 1)
  return bitsAt(bits, at, AT_ONCE) + 2 ** AT_ONCE * bitsAt(bits, at + AT_ONCE, width - AT_ONCE)
}
