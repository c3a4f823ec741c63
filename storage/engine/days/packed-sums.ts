/**
 * Sums of groups as bytes: the ids, then the sums that are not 0 for all groups, with the encodings of blocks. The sums of a
 * dimension without values are the totals of the day, and not stored.
 */
import { varintReader, varints } from '../../packed/bits.ts'
import { decodeNumbers, type Encoded, encodeNumbers, type Numbers } from '../../packed/numbers.ts'
import { columnOf } from '../columns/column.ts'
import { columnOfSums, type GroupSums, groupSums, idsOf } from '../columns/group-sums.ts'
import { type Sums, sumNames } from '../vocabulary/sums.ts'

/** In the flags: it has a tail. */
const TAIL = 32

export function packSums(sums: GroupSums): Uint8Array {
  const ids = idsOf(sums)
  const steps = Array.from(ids, (id, i) => id - (i === 0 ? -1 : (ids[i - 1] ?? 0)) - 1)
  const columns = sumNames.map((name, i) => [i + 1, columnOfSums(sums, name)] as const).filter(([, column]) => column.some(n => n !== 0))
  const each = [[0, steps] as const, ...columns].map(([number, numbers]) => [number, encodeNumbers(numbers, true)] as const)
  const directory = [sums.count, each.length, ...each.flatMap(([number, encoded]) => [number, ...entryOf(encoded)])]
  return Buffer.concat([varints(directory), ...each.flatMap(([, { head, tail }]) => [head, tail])])
}

const entryOf = ({ flags, head, tail }: Encoded): number[] =>
  tail.length === 0 ? [flags, head.length] : [flags | TAIL, head.length, tail.length]

export function unpackSums(bytes: Uint8Array): GroupSums {
  const reader = varintReader(bytes)
  const [count, length] = [reader.next(), reader.next()]
  const entries = Array.from({ length }, () => {
    const [number, flags, head] = [reader.next(), reader.next(), reader.next()]
    return { number, flags: flags & ~TAIL, head, tail: (flags & TAIL) === 0 ? 0 : reader.next() }
  })
  let at = reader.at
  const columns = new Map(
    entries.map(({ number, flags, head, tail }): [number, Numbers] => {
      const [from, middle] = [at, at + head]
      at = middle + tail
      return [number, decodeNumbers({ flags, count, head: bytes.subarray(from, middle), tail: bytes.subarray(middle, at) })]
    }),
  )
  const ids = new Float64Array(count)
  const steps = columns.get(0) ?? zeros(count)
  for (let i = 0, id = -1; i < count; i++) ids[i] = id += (steps[i] ?? 0) + 1
  return groupSums(columnOf(ids), name => columnOf(columns.get(sumNames.indexOf(name) + 1) ?? zeros(count)))
}

const zeros = (length: number): Uint8Array => new Uint8Array(length)

/** The sums of a dimension whose every visit has no value. */
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
