/**
 * The directory of a block: how many rows each table has, and where each stream of numbers is. A group of streams has its heads
 * together, deflated if that is shorter, and then its tails.
 */
import { varintReader, varints } from './bits.ts'
import { type FieldName, fieldNames, fieldNumbers, type TableOfField } from './field-numbers.ts'
import { fields } from './fields.ts'
import { deflatedTogether, type Encoded, inflated } from './numbers.ts'

export const tables = ['visits', 'hits', 'props', 'vitals', 'clicks'] as const satisfies readonly TableOfField[]
export type Counts = Readonly<Record<TableOfField, number>>

export interface Stream extends Encoded {
  readonly name: FieldName
  readonly stream: number
}

/** In the flags of a stream: it has a tail; it is the first stream and has a number for each row. */
const TAIL = 32
const WHOLE = 64
/** In the flags of a stream of a block without groups: its head is deflated. */
const DEFLATED = 16

/** @param deflates whether heads are deflated by group @returns the directory, and what it describes */
export function writeGroups(groups: readonly (readonly Stream[])[], counts: Counts, deflates: boolean): [Uint8Array, Uint8Array] {
  const directory: number[] = tables.map(table => counts[table])
  const bodies: Uint8Array[] = []
  for (const group of groups) {
    const heads = group.map(({ head }) => head)
    const whole = Buffer.concat(heads)
    const deflated = deflates ? deflatedTogether(heads) : whole
    const isShorter = deflated.length < whole.length
    directory.push(group.length, isShorter ? deflated.length : 0, ...group.flatMap(stream => entryOf(stream, counts)))
    bodies.push(isShorter ? deflated : whole, ...group.map(({ tail }) => tail))
  }
  return [varints(directory), Buffer.concat(bodies)]
}

function entryOf({ name, stream, flags, count, head, tail }: Stream, counts: Counts): number[] {
  const isWhole = stream === 0 && count === counts[fields[name].of]
  return [
    fieldNumbers[name],
    flags | (tail.length > 0 ? TAIL : 0) | (isWhole ? WHOLE : 0),
    ...(isWhole ? [] : [stream, count]),
    head.length,
    ...(tail.length > 0 ? [tail.length] : []),
  ]
}

/** The field of each number. */
const ofNumber: readonly (FieldName | undefined)[] = fieldNames.reduce<FieldName[]>((all, name) => {
  all[fieldNumbers[name]] = name
  return all
}, [])

export interface Directory {
  readonly counts: Counts
  streamsOf(name: FieldName): (Encoded & Pick<Stream, 'stream'>)[]
}

/** Numbers for each stream: field, flags, stream, count, its group, its head among the heads of the group, its tail. */
const ENTRY = 9
/** Numbers for each group: where it is, the bytes of its heads, and of these when they are deflated, or 0. */
const GROUP = 3
/** Numbers of entries while they are read: a report reads thousands of directories. */
let entries = new Uint32Array(ENTRY * 128)
let groups = new Uint32Array(GROUP * 64)

/**
 * @param length of the directory, with which the bytes begin
 * @param hasGroups false for blocks of the first version, where each stream is on its own
 * @throws Error if they are cut short
 */
export function readDirectory(bytes: Uint8Array, length: number, hasGroups: boolean): Directory {
  const reader = varintReader(bytes)
  const counts = Object.fromEntries(tables.map(table => [table, reader.next()])) as Record<TableOfField, number> // one each
  let [e, g] = [0, 0]
  for (let at = length; reader.at < length; g += GROUP) {
    const streams = hasGroups ? reader.next() : 1
    let deflated = hasGroups ? reader.next() : 0
    let heads = 0
    const first = e
    if (g === groups.length) groups = twice(groups)
    for (let i = 0; i < streams; i++, e += ENTRY) {
      if (e === entries.length) entries = twice(entries)
      const [field, flags] = [reader.next(), reader.next()]
      const isWhole = (flags & WHOLE) !== 0
      const stream = isWhole ? 0 : reader.next()
      const count = isWhole ? counts[fields[ofNumber[field] ?? 'visitor'].of] : reader.next()
      const head = reader.next()
      entries[e] = field
      entries[e + 1] = flags & ~(TAIL | WHOLE | DEFLATED)
      entries[e + 2] = stream
      entries[e + 3] = count
      entries[e + 4] = g
      entries[e + 5] = heads
      const isAlone = !hasGroups && (flags & DEFLATED) !== 0
      if (isAlone) deflated = head
      entries[e + 6] = heads += isAlone ? count : head // of such a head, each number has a byte
      entries[e + 8] = (flags & TAIL) === 0 ? 0 : reader.next()
    }
    groups[g] = at
    groups[g + 1] = heads
    groups[g + 2] = deflated
    at += deflated === 0 ? heads : deflated
    for (let i = first; i < e; i += ENTRY) {
      entries[i + 7] = at
      entries[i + 8] = at += entries[i + 8] ?? 0
    }
    if (at > bytes.length) throw new Error('a block is cut short')
  }
  return openDirectory(bytes, counts, { ofStreams: entries.slice(0, e), ofGroups: groups.slice(0, g) })
}

function twice(numbers: Uint32Array): Uint32Array<ArrayBuffer> {
  const more = new Uint32Array(numbers.length * 2)
  more.set(numbers)
  return more
}

interface Places {
  readonly ofStreams: Uint32Array
  readonly ofGroups: Uint32Array
}

function openDirectory(bytes: Uint8Array, counts: Counts, { ofStreams, ofGroups }: Places): Directory {
  /** Heads of the groups that were asked for. */
  const heads: Uint8Array[] = []

  function headsOf(g: number): Uint8Array {
    const known = heads[g]
    if (known) return known
    const [at, length, deflated] = [ofGroups[g]!, ofGroups[g + 1]!, ofGroups[g + 2]!]
    return (heads[g] = deflated === 0 ? bytes.subarray(at, at + length) : inflated(bytes.subarray(at, at + deflated), length))
  }

  return {
    counts,
    streamsOf(name) {
      const [field, found] = [fieldNumbers[name], [] as ReturnType<Directory['streamsOf']>]
      for (let e = 0; e < ofStreams.length; e += ENTRY) {
        if (ofStreams[e] !== field) continue
        found.push({
          flags: ofStreams[e + 1]!,
          stream: ofStreams[e + 2]!,
          count: ofStreams[e + 3]!,
          head: headsOf(ofStreams[e + 4]!).subarray(ofStreams[e + 5], ofStreams[e + 6]),
          tail: bytes.subarray(ofStreams[e + 7], ofStreams[e + 8]),
        })
      }
      return found
    },
  }
}
