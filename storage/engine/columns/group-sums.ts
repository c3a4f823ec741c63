/**
 * Sums of many groups in two lists of numbers, so that adding up days reads two lists for each instead of ten. (Every
 * `!` is inside bounds.)
 */
import type { Column } from './column.ts'
import { type Sums, sumNames } from '../vocabulary/sums.ts'

type Name = keyof Sums
/** Sums that may be large, fractional or negative; counts never are. */
type AmountName = 'revenue' | 'duration' | 'engaged'
type CountName = Exclude<Name, AmountName>
/** Sums of the groups that had a visit. Sums that are 0 for all groups are omitted. */
export interface GroupSums {
  readonly count: number
  /** The groups' ids, ascending, then a column for each of `countNames`. */
  readonly counts: Uint16Array | Uint32Array
  readonly countNames: readonly CountName[]
  /** A column for each of `amountNames`. */
  readonly amounts: Uint32Array | Float64Array
  readonly amountNames: readonly AmountName[]
}

const isAmount = (name: Name): name is AmountName => name === 'revenue' || name === 'duration' || name === 'engaged'
const amountNames = sumNames.filter(isAmount)
const countNames = sumNames.filter((name): name is CountName => !isAmount(name))

/** @param column returns the column of a sum, with a number for each id; undefined if all are 0 */
export function groupSums(ids: Column, column: (name: Name) => Column | undefined): GroupSums {
  const [counts, ofCounts] = filled(countNames, column)
  const [amounts, ofAmounts] = filled(amountNames, column)
  return {
    count: ids.length,
    counts: joined<Uint16Array | Uint32Array>([ids, ...counts], fits16([ids, ...counts]) ? Uint16Array : Uint32Array),
    countNames: ofCounts,
    amounts: joined<Uint32Array | Float64Array>(amounts, fits32(amounts) ? Uint32Array : Float64Array),
    amountNames: ofAmounts,
  }
}

export const idsOf = ({ counts, count }: GroupSums): Column => counts.subarray(0, count)

/** A column with a number for each id. */
export function columnOfSums({ count, counts, countNames, amounts, amountNames }: GroupSums, name: Name): Column {
  const [place, numbers] = isAmount(name) ? [amountNames.indexOf(name), amounts] : [countNames.indexOf(name), counts]
  if (place === -1) return new Uint8Array(count)
  const from = count * (isAmount(name) ? place : place + 1)
  return numbers.subarray(from, from + count)
}

/** Position of a group's numbers: group g starts at g · width. */
export interface Layout {
  readonly width: number
  readonly places: Readonly<Record<Name, number>>
}

/** Adds a day's sums, except for groups without a 1 in `kept`. */
export function addTo(numbers: Float64Array, { width, places }: Layout, from: GroupSums, kept: Uint8Array | null): void {
  const { count, counts, countNames, amounts, amountNames } = from
  for (let i = 0; i < countNames.length; i++) {
    addCounts(numbers, width, places[countNames[i]!], counts, count, i + 1, kept)
  }
  for (let i = 0; i < amountNames.length; i++) {
    addAmounts(numbers, width, places[amountNames[i]!], counts, count, amounts, i, kept)
  }
}

/** Adds a day's sums of one group to another group. */
export function addOneTo(numbers: Float64Array, { width, places }: Layout, group: number, from: GroupSums, id: number): void {
  const { count, counts, countNames, amounts, amountNames } = from
  const place = idsOf(from).indexOf(id)
  if (place === -1) return
  const at = group * width
  for (let i = 0; i < countNames.length; i++) numbers[at + places[countNames[i]!]]! += counts[count * (i + 1) + place]!
  for (let i = 0; i < amountNames.length; i++) numbers[at + places[amountNames[i]!]]! += amounts[count * i + place]!
}

/** Adds a day's sums of each group to the group that has its place in the list. */
export function addEachTo(numbers: Float64Array, { width, places }: Layout, groups: ArrayLike<number>, from: GroupSums): void {
  const { count, counts, countNames, amounts, amountNames } = from
  for (const [c, name] of countNames.entries()) {
    for (let i = 0; i < count; i++) numbers[groups[i]! * width + places[name]]! += counts[count * (c + 1) + i]!
  }
  for (const [c, name] of amountNames.entries()) {
    for (let i = 0; i < count; i++) numbers[groups[i]! * width + places[name]]! += amounts[count * c + i]!
  }
}

// Two equal functions, because V8 compiles a function that sees few types of lists to code several times as fast.
function addCounts(
  numbers: Float64Array,
  width: number,
  to: number,
  counts: GroupSums['counts'],
  count: number,
  place: number,
  kept: Uint8Array | null,
): void {
  const first = count * place
  for (let i = 0; i < count; i++) {
    const id = counts[i]!
    if (kept === null || kept[id] === 1) numbers[id * width + to]! += counts[first + i]!
  }
}

function addAmounts(
  numbers: Float64Array,
  width: number,
  to: number,
  ids: GroupSums['counts'],
  count: number,
  amounts: GroupSums['amounts'],
  place: number,
  kept: Uint8Array | null,
): void {
  const first = count * place
  for (let i = 0; i < count; i++) {
    const id = ids[i]!
    if (kept === null || kept[id] === 1) numbers[id * width + to]! += amounts[first + i]!
  }
}

/** The columns that are not 0 for all groups. */
type Filled<N> = readonly [columns: readonly Column[], names: readonly N[]]

function filled<N extends Name>(names: readonly N[], column: (name: Name) => Column | undefined): Filled<N> {
  const columns: Column[] = []
  const usedNames: N[] = []
  for (const name of names) {
    const numbers = column(name)
    if (!numbers || !isUsed(numbers)) continue
    columns.push(numbers)
    usedNames.push(name)
  }
  return [columns, usedNames]
}

/** Whether any number is not 0. */
function isUsed(numbers: Column): boolean {
  for (let i = 0; i < numbers.length; i++) if (numbers[i] !== 0) return true
  return false
}

const fits16 = (columns: readonly Column[]): boolean => columns.every(column => column.BYTES_PER_ELEMENT <= 2 || isAtMost(column, 0xffff))
const fits32 = (columns: readonly Column[]): boolean =>
  columns.every(column => column.BYTES_PER_ELEMENT <= 4 || isAtMost(column, 0xffff_ffff))

/** Whether all are whole numbers from 0 to `max`. */
function isAtMost(numbers: Column, max: number): boolean {
  for (let i = 0; i < numbers.length; i++) {
    const n = numbers[i]!
    if (n > max || n !== n >>> 0) return false
  }
  return true
}

function joined<T extends Column>(columns: readonly Column[], kind: new (length: number) => T): T {
  const all = new kind(columns.reduce((length, column) => length + column.length, 0))
  let from = 0
  for (const column of columns) {
    all.set(column, from)
    from += column.length
  }
  return all
}
