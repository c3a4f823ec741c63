/**
 * Packs the sums of groups into bytes: the ids, then the sums that are not 0 for all groups, with the encodings of blocks. The sums of
 * a dimension without values are the totals of the day, and are not stored. A run has the sums of several days. Their lists are encoded
 * together, because every list and every row of the table costs additional bytes.
 */
import { varintReader, varints } from '../../packed/bits.ts'
import { decodeNumbers, deflatedTogether, type Encoded, encodeNumbers, inflated, type Numbers } from '../../packed/numbers.ts'
import { columnOf } from '../columns/column.ts'
import { columnOfSums, type GroupSums, groupSums, idsOf } from '../columns/group-sums.ts'
import { type Sums, sumNames } from '../vocabulary/sums.ts'

/** Set in the flags of a list whose encoding has a tail. */
const TAIL = 32

/** Counts that are about as high as the visits. They are stored as differences from the visits. */
const likeVisits: ReadonlySet<keyof Sums> = new Set(['visitors', 'pageviews', 'bounceBase'])
/** The order of the stored lists. Visits come first, because other counts are stored as differences from them. */
const order: readonly (keyof Sums)[] = ['visits', ...sumNames.filter(name => name !== 'visits')]

export const packSums = (sums: GroupSums): Uint8Array => bytesOf([sums.count], listsOf(sums))

/** A day of a run. */
export interface SumsOfDay {
  readonly day: number
  readonly sums: GroupSums
}

/** @param last the last day that may be in the run; the days are numbered from it */
export function packRun(days: readonly SumsOfDay[], last: number): Uint8Array {
  const each = days.map(({ sums }) => listsOf(sums))
  const joined = (each[0] ?? []).map((_, i) => each.flatMap(lists => Array.from(lists[i]!)))
  return bytesOf([days.length, ...days.flatMap(({ day, sums }) => [last - day, sums.count])], joined)
}

/** The steps between the ids, then the sums in their order, or their differences from the visits. */
function listsOf(sums: GroupSums): ArrayLike<number>[] {
  const ids = idsOf(sums)
  const steps = Array.from(ids, (id, i) => (i === 0 ? id : id - ids[i - 1]! - 1))
  const visits = columnOfSums(sums, 'visits')
  const all = order.map(name => {
    const column = columnOfSums(sums, name)
    return likeVisits.has(name) ? Array.from(column, (n, i) => n - visits[i]!) : column
  })
  return [steps, ...all]
}

function bytesOf(counts: readonly number[], lists: readonly ArrayLike<number>[]): Uint8Array {
  // Only lists with a number other than 0 are stored. `which` has a bit for each of them.
  const kept = lists.map(list => !isZeros(list))
  const each = lists.filter((_, i) => kept[i]).map(list => encodeNumbers(list))
  const which = kept.reduce((bits, isKept, i) => bits + (isKept ? 2 ** i : 0), 0)
  const heads = each.map(({ head }) => head)
  const [whole, deflated] = [Buffer.concat(heads), deflatedTogether(heads)]
  const isDeflated = deflated.length < whole.length
  const beginning = [...counts, which * 2 + (isDeflated ? 1 : 0), ...(isDeflated ? [deflated.length] : [])]
  const tails = each.map(({ tail }) => tail)
  return Buffer.concat([varints([...beginning, ...each.flatMap(entryOf)]), isDeflated ? deflated : whole, ...tails])
}

function isZeros(list: ArrayLike<number>): boolean {
  for (let i = 0; i < list.length; i++) if (list[i] !== 0) return false
  return true
}

const entryOf = ({ flags, head, tail }: Encoded): number[] =>
  tail.length === 0 ? [flags, head.length] : [flags | TAIL, head.length, tail.length]

export function unpackSums(bytes: Uint8Array): GroupSums {
  const reader = varintReader(bytes)
  const count = reader.next()
  return sumsIn(readLists(bytes, reader, count), 0, count)
}

/** @param wanted the days to unpack */
export function unpackRun(bytes: Uint8Array, last: number, wanted: (day: number) => boolean = () => true): SumsOfDay[] {
  const reader = varintReader(bytes)
  const days = Array.from({ length: reader.next() }, () => ({ day: last - reader.next(), count: reader.next() }))
  if (!days.some(({ day }) => wanted(day))) return []
  const lists = readLists(
    bytes,
    reader,
    days.reduce((sum, { count }) => sum + count, 0),
  )
  const found: SumsOfDay[] = []
  let from = 0
  for (const { day, count } of days) {
    if (wanted(day)) found.push({ day, sums: sumsIn(lists, from, from + count) })
    from += count
  }
  return found
}

type Lists = readonly (Numbers | undefined)[]

/** @param reader after the counts */
function readLists(bytes: Uint8Array, reader: ReturnType<typeof varintReader>, count: number): Lists {
  const beginning = reader.next()
  const which = Math.floor(beginning / 2)
  const stored = beginning % 2 === 0 ? undefined : reader.next()
  const entries: { list: number; flags: number; head: number; tail: number }[] = []
  let length = 0
  for (let list = 0; list <= order.length; list++) {
    if (Math.floor(which / 2 ** list) % 2 === 0) continue
    const [flags, head] = [reader.next(), reader.next()]
    entries.push({ list, flags: flags & ~TAIL, head, tail: (flags & TAIL) === 0 ? 0 : reader.next() })
    length += head
  }
  let at = reader.at + (stored ?? length)
  const heads = stored === undefined ? bytes.subarray(reader.at, at) : inflated(bytes.subarray(reader.at, at), length)
  const lists: (Numbers | undefined)[] = []
  let from = 0
  for (const { list, flags, head, tail } of entries) {
    lists[list] = decodeNumbers({ flags, count, head: heads.subarray(from, from + head), tail: bytes.subarray(at, at + tail) })
    from += head
    at += tail
  }
  return lists
}

/** The sums of the groups between two places in the lists. */
function sumsIn(lists: Lists, from: number, to: number): GroupSums {
  const [steps, visits] = lists
  const count = to - from
  const ids = new Uint32Array(count)
  for (let i = 0, id = -1; i < count; i++) ids[i] = id += (steps ? steps[from + i]! : 0) + 1
  return groupSums(ids, name => {
    const list = lists[order.indexOf(name) + 1]
    if (!likeVisits.has(name)) return list?.subarray(from, to)
    const all = new Uint32Array(count)
    for (let i = 0; i < count; i++) all[i] = (list ? list[from + i]! : 0) + (visits ? visits[from + i]! : 0)
    return all
  })
}

/** The sums of a dimension if no visit of the day has a value. */
export const sumsFrom = (totals: Sums): GroupSums =>
  totals.visits === 0 && totals.revenue === 0 && totals.purchases === 0
    ? groupSums(new Uint8Array(0), () => new Uint8Array(0))
    : groupSums(Uint8Array.of(0), name => columnOf([totals[name]]))

export function followsFrom(totals: Sums, sums: GroupSums): boolean {
  const expected = sumsFrom(totals)
  return (
    sums.count === expected.count &&
    (idsOf(sums)[0] ?? 0) === 0 &&
    sumNames.every(name => (columnOfSums(sums, name)[0] ?? 0) === (columnOfSums(expected, name)[0] ?? 0))
  )
}
