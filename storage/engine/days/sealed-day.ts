/**
 * A day between its columns and the blobs it is sealed as. Out of its segment a day holds what was brought: to read
 * more of it throws `Missing`, which says what to bring.
 */
import { type Column, decode, encode, isZero } from '../columns/column.ts'
import type { Blobs, Sealed, Segment } from './segments.ts'
import type { Day } from './day.ts'
import { columnOfSums, type GroupSums, groupSums, idsOf } from '../columns/group-sums.ts'
import { type Sums, sumNames } from '../vocabulary/question.ts'
import type { Cut } from './spans.ts'
import { columnNumbers, type PartName, rising, type SumsName, sumsNumbers, type WholeDay } from './sealed-columns.ts'

/** Columns and sums, by their numbers. */
export interface Wanted {
  readonly columns: Set<number>
  readonly sums: Set<number>
}
export interface Part {
  readonly table: keyof Wanted
  readonly number: number
}
export class Missing extends Error {
  readonly parts: readonly Part[]
  constructor(parts: readonly Part[]) {
    const names = parts.map(({ table, number }) => `${table} ${number}`)
    super(`a sealed day was read beyond what was brought: ${names.join(', ')}`)
    this.parts = parts
  }
}

/** What of a day is not a column. */
export interface Shape {
  readonly parts: Readonly<Record<PartName, Readonly<Record<string, number>>>>
  readonly totals: Sums
}

const partNames = Object.keys(columnNumbers) as PartName[] // its keys

export function sealDay(day: WholeDay): Sealed {
  const columns: [number, Uint8Array][] = []
  const parts: Partial<Record<PartName, Record<string, number>>> = {}
  for (const part of partNames) {
    const values: Readonly<Record<string, number | Column>> = { ...day[part] }
    const numbers: Readonly<Record<string, number>> = columnNumbers[part]
    const scalars: Record<string, number> = parts[part] = {}
    for (const [name, value] of Object.entries(values)) {
      const number = numbers[name]
      if (typeof value === 'number') scalars[name] = value
      else if (number !== undefined) columns.push([number, encode(rising.has(number) ? steps(value) : value)])
    }
  }
  const { sums } = day
  const shape = JSON.stringify({ parts, totals: sums.totals })
  const blobs: Blobs = Object.entries(sumsNumbers).map(([name, number]) =>
    [number, encodeSums(sums[name as SumsName])]) // its keys
  return { day: day.day, startsAt: day.startsAt, endsAt: day.endsAt, shape, columns, sums: blobs }
}

export interface SealedDay {
  readonly day: Day
  has(table: keyof Wanted, number: number): boolean
  bring(table: keyof Wanted, number: number, blob: Uint8Array): void
  /** Has it hold sums that are known. */
  hold(number: number, sums: GroupSums): void
  /** The memory that all it holds takes. */
  readonly bytes: number
}

export function holds(sealed: SealedDay, { columns, sums }: Wanted): boolean {
  for (const number of columns) if (!sealed.has('columns', number)) return false
  for (const number of sums) if (!sealed.has('sums', number)) return false
  return true
}

/** A day with nothing brought yet. */
export const openSealed = ({ shape, ...cut }: Segment): SealedDay =>
  openShape(cut, JSON.parse(shape) as Shape) // written by sealDay

export function openShape({ day, startsAt, endsAt }: Cut, { parts, totals }: Shape): SealedDay {
  const part = (name: PartName): object => Object.assign(Object.create(unread[name]) as object, parts[name])
  const sums: object = Object.assign(Object.create(unread.sums) as object, { totals })
  const opened = {
    day, startsAt, endsAt, bytes: 0, visits: part('visits'), hits: part('hits'), props: part('props'),
    vitals: part('vitals'), clicks: part('clicks'), sums,
  }
  const brought = { columns: new Set<number>(), sums: new Set<number>() }
  let bytes = 0
  function put(table: keyof Wanted, number: number, value: Column | GroupSums, size: number): void {
    const place = places[table].get(number)
    if (!place) throw new Error(`a sealed day has no ${table} ${number}`)
    Object.defineProperty(opened[place.part], place.name, { value, enumerable: true })
    brought[table].add(number)
    bytes += size
  }
  const hold = (number: number, sums: GroupSums): void => put('sums', number, sums, sizeOf(sums))
  return {
    day: opened as unknown as Day, // each part has its scalars from its shape, its columns once they are brought
    has: (table, number) => brought[table].has(number),
    get bytes() { return bytes },
    hold,
    bring(table, number, blob) {
      if (table === 'sums') return hold(number, decodeSums(blob))
      const column = rising.has(number) ? heights(decode(blob)) : decode(blob)
      put(table, number, column, OBJECT + (isZero(blob) ? 0 : column.byteLength))
    },
  }
}

type Numbers = Readonly<Record<string, number>>

/** What stands for columns until they are brought. */
function missing(table: keyof Wanted, numbers: Numbers): object {
  const properties = Object.entries(numbers).map(([name, number]) => [name, {
    get() { throw new Missing([{ table, number }]) },
  }])
  return Object.defineProperties({}, Object.fromEntries(properties) as PropertyDescriptorMap)
}
const unread: Readonly<Record<PartName | 'sums', object>> = {
  visits: missing('columns', columnNumbers.visits),
  hits: missing('columns', columnNumbers.hits),
  props: missing('columns', columnNumbers.props),
  vitals: missing('columns', columnNumbers.vitals),
  clicks: missing('columns', columnNumbers.clicks),
  sums: missing('sums', sumsNumbers),
}

interface Place {
  readonly part: PartName | 'sums'
  readonly name: string
}
const placesOf = (part: Place['part'], numbers: Numbers): [number, Place][] =>
  Object.entries(numbers).map(([name, number]) => [number, { part, name }])
const places: Readonly<Record<keyof Wanted, ReadonlyMap<number, Place>>> = {
  columns: new Map(partNames.flatMap(part => placesOf(part, columnNumbers[part]))),
  sums: new Map(placesOf('sums', sumsNumbers)),
}

/** From a rising column to its steps, and back. */
function steps(column: Column): Column {
  const out = new Float64Array(column.length)
  for (let i = 0, before = 0; i < column.length; i++) {
    const height = column[i] ?? 0
    out[i] = height - before
    before = height
  }
  return out
}
function heights(column: Column): Column {
  let most = 0
  for (let i = 0; i < column.length; i++) most += column[i] ?? 0
  const out = most > 0xffff ? new Uint32Array(column.length) : new Uint16Array(column.length)
  for (let i = 0, height = 0; i < column.length; i++) out[i] = height += column[i] ?? 0
  return out
}

const LENGTH = 4

/** The ids, then a column for each sum. */
function encodeSums(sums: GroupSums): Uint8Array {
  const blobs = [idsOf(sums), ...sumNames.map(name => columnOfSums(sums, name))].map(encode)
  const lengths = Buffer.alloc(LENGTH * blobs.length)
  for (const [i, { length }] of blobs.entries()) lengths.writeUInt32LE(length, LENGTH * i)
  return Buffer.concat([lengths, ...blobs])
}

function decodeSums(blob: Uint8Array): GroupSums {
  const view = new DataView(blob.buffer, blob.byteOffset)
  let from = LENGTH * (1 + sumNames.length)
  const next = (i: number) => decode(blob.subarray(from, from += view.getUint32(LENGTH * i, true)))
  const ids = next(0)
  const columns = new Map(sumNames.map((name, i) => [name, next(1 + i)]))
  return groupSums(ids, name => columns.get(name) ?? none)
}
const none = new Uint8Array(0)

/** What a typed array takes beside its numbers. */
const OBJECT = 200
const sizeOf = ({ counts, amounts }: GroupSums): number => 3 * OBJECT + counts.byteLength + amounts.byteLength
