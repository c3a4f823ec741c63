/**
 * The directory of a block: how many rows each table has, and where each stream of numbers is. A group of streams has its heads
 * together, deflated where that is shorter, and then its tails.
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

const names = new Map(fieldNames.map(name => [fieldNumbers[name] as number, name]))

interface Group {
  /** Bytes of the deflated heads; 0 if they are not deflated. */
  readonly deflated: number
  /** Bytes of the heads, and where they begin. */
  readonly length: number
  readonly at: number
  /** Once they were asked for. */
  heads: Uint8Array | undefined
}

interface Entry {
  readonly group: Group
  readonly flags: number
  readonly stream: number
  readonly count: number
  /** Its place among the heads of its group. */
  readonly head: readonly [from: number, to: number]
  readonly tail: readonly [from: number, to: number]
}

export interface Directory {
  readonly counts: Counts
  streamsOf(name: FieldName): (Encoded & Pick<Stream, 'stream'>)[]
}

/**
 * @param length of the directory, with which the bytes begin
 * @param hasGroups false for blocks of the first version, where each stream is on its own
 * @throws Error if they are cut short
 */
export function readDirectory(bytes: Uint8Array, length: number, hasGroups: boolean): Directory {
  const reader = varintReader(bytes)
  const counts = Object.fromEntries(tables.map(table => [table, reader.next()])) as Record<TableOfField, number> // one each
  const countOf = (field: number, count: number): number => (count === -1 ? counts[fields[names.get(field) ?? 'visitor'].of] : count)
  const entries: Entry[][] = []
  for (let at = length; reader.at < length; ) {
    const [streams, deflated] = hasGroups ? [reader.next(), reader.next()] : [1, 0]
    const group = { deflated, length: 0, at, heads: undefined }
    const found: Omit<Entry, 'tail'>[] = []
    const tails: number[] = []
    for (let i = 0; i < streams; i++) {
      const [field, flags] = [reader.next(), reader.next()]
      const [stream, count] = (flags & WHOLE) === 0 ? [reader.next(), reader.next()] : [0, -1]
      const [from, head] = [group.length, reader.next()]
      const isAlone = !hasGroups && (flags & DEFLATED) !== 0
      if (isAlone) group.deflated = head
      group.length += isAlone ? countOf(field, count) : head // of such a head, each number has a byte
      found.push({ group, flags, stream, count, head: [from, group.length] })
      tails.push(field, (flags & TAIL) === 0 ? 0 : reader.next())
    }
    at += group.deflated === 0 ? group.length : group.deflated
    for (const [i, entry] of found.entries()) {
      const [field = 0, tail = 0] = tails.slice(2 * i)
      ;(entries[field] ??= []).push({ ...entry, tail: [at, (at += tail)] })
    }
    if (at > bytes.length) throw new Error('a block is cut short')
  }

  function headsOf(group: Group): Uint8Array {
    const { at, deflated, length: size } = group
    return (group.heads ??= deflated === 0 ? bytes.subarray(at, at + size) : inflated(bytes.subarray(at, at + deflated), size))
  }

  return {
    counts,
    streamsOf: name =>
      (entries[fieldNumbers[name]] ?? []).map(({ group, flags, stream, count, head, tail }) => ({
        flags: flags & ~(TAIL | WHOLE | DEFLATED),
        stream,
        count: countOf(fieldNumbers[name], count),
        head: headsOf(group).subarray(head[0], head[1]),
        tail: bytes.subarray(tail[0], tail[1]),
      })),
  }
}
