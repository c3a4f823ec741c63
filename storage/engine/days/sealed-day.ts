/**
 * Converts a day to blobs and back. A day read from its segment has only the columns and sums that were declared and
 * loaded; reading another one throws, as it is a bug of the report.
 */
import { type Column, decode, encode, sharesMemory } from '../columns/column.ts'
import { columnOfSums, type GroupSums, groupSums, idsOf } from '../columns/group-sums.ts'
import { type Sums, sumNames } from '../vocabulary/sums.ts'
import type { Day, DayBounds, SiteRun, SumsName } from './day.ts'
import type { Reads } from './reads.ts'
import { followsFrom, packSums, sumsFrom, unpackSums } from './packed-sums.ts'
import { columnNumbers, PACKED_SUMS, type PartName, rising, sumsNumbers, type WholeDay } from './sealed-columns.ts'
import type { Blobs, Sealed, Segment } from './segments.ts'

/** The parts of a day that are not columns. */
export interface Shape {
  readonly parts: Readonly<Record<PartName, Readonly<Record<string, number>>>>
  readonly totals: Sums
  /** Sums by site, for a day of a group. */
  readonly sites?: { readonly sums: GroupSums; readonly runs?: readonly SiteRun[] } | undefined
}
/** The stored form. `counted` is the former name of `bounceBase`. */
interface StoredShape extends Pick<Shape, 'parts'> {
  readonly totals: Omit<Sums, 'bounceBase'> & { readonly counted: number }
}

function storedShape(parts: Shape['parts'], { bounceBase, ...totals }: Sums): string {
  const stored: StoredShape = { parts, totals: { ...totals, counted: bounceBase } }
  return JSON.stringify(stored)
}

function shapeOf(stored: string): Shape {
  const {
    parts,
    totals: { counted, ...totals },
  } = JSON.parse(stored) as StoredShape // written by sealDay
  return { parts, totals: { ...totals, bounceBase: counted } }
}

const partNames = Object.keys(columnNumbers) as PartName[] // the object's own keys

/** @param hasColumns false if its columns are kept elsewhere @param packs its sums */
export function sealDay(day: WholeDay, { hasColumns = true, packs = false } = {}): Sealed {
  const columns: [number, Uint8Array][] = []
  const parts = {} as Record<PartName, Record<string, number>> // filled in below
  for (const part of partNames) {
    const of = day[part] as unknown as Readonly<Record<string, Column>> // by name
    parts[part] = { count: day[part].count, ...(part === 'visits' && { visitors: day.visits.visitors }) }
    if (!hasColumns) continue
    for (const [name, number] of Object.entries(columnNumbers[part])) {
      const column = of[name]
      if (column) columns.push([number, encode(rising.has(number) ? steps(column) : column)])
    }
  }
  const { sums } = day
  const all = Object.entries(sumsNumbers).map(([name, number]) => [number, sums[name as SumsName]] as const) // the object's own keys
  const blobs: Blobs = packs
    ? all.filter(([, one]) => !followsFrom(sums.totals, one)).map(([number, one]) => [PACKED_SUMS + number, packSums(one)])
    : all.map(([number, one]) => [number, encodeSums(one)])
  const { startsAt, endsAt } = day
  return { day: day.day, startsAt, endsAt, shape: storedShape(parts, sums.totals), columns, sums: blobs }
}

export interface SealedDay {
  readonly day: Day
  has(table: keyof Reads, number: number): boolean
  /** @param number as it is stored */
  load(table: keyof Reads, number: number, blob: Uint8Array): void
  /** Sets sums that are not stored, because they follow from the totals. */
  deriveSums(numbers: Iterable<number>): void
  /** Sets a column that is not stored as a blob. */
  setColumn(number: number, column: Column): void
  /** The copy that has its columns, as was last known; 0: `segment_cols` has them. */
  copy: number
  /** Sets sums that are already known. */
  setSums(number: number, sums: GroupSums): void
  /** Memory of everything loaded. */
  readonly bytes: number
  /**
   * Says that a request reads these. Columns that are loaded meanwhile belong to the last request that was named.
   * @param reads the same object whenever it is the same
   */
  use(reads: Reads | null, request: number): void
  /** Memory of what was loaded, by the last request that read it. */
  bytesByUse(): ReadonlyMap<number, number>
  /** The same day with only the columns and sums that requests from this one on have read. A report that is reading this one keeps its columns. */
  usedSince(request: number): SealedDay
}

const tables = ['columns', 'sums'] as const
/** Different reads of a day that wait until its columns are looked through. */
const MAX_USES = 16

interface Loaded {
  readonly bytes: number
  readonly value: Column | GroupSums
  usedBy: number
}

export function hasAll(sealed: SealedDay, { columns, sums }: Reads): boolean {
  for (const number of columns) if (!sealed.has('columns', number)) return false
  for (const number of sums) if (!sealed.has('sums', number)) return false
  return true
}

/** A day with nothing loaded yet. */
export function openSealed({ shape, copy, format, ...bounds }: Segment): SealedDay {
  const sealed = openShape(bounds, shapeOf(shape), { copy })
  return sealed
}

interface Opening {
  readonly copy?: number
  readonly kept?: readonly (readonly [table: keyof Reads, number: number, one: Loaded])[]
}

export function openShape(bounds: DayBounds, shape: Shape, { copy = 0, kept = [] }: Opening = {}): SealedDay {
  const { day, startsAt, endsAt, cut, zone } = bounds
  const { parts, totals, sites } = shape
  const part = (name: PartName): object => Object.assign(Object.create(undeclared[name]) as object, parts[name])
  const sums: object = Object.assign(Object.create(undeclared.sums) as object, { totals, ...(sites && { site: sites.sums }) })
  const opened = {
    day,
    startsAt,
    endsAt,
    ...(cut && { cut }),
    ...(zone !== undefined && { zone }),
    ...(sites?.runs && { runs: sites.runs }),
    bytes: 0,
    visits: part('visits'),
    hits: part('hits'),
    props: part('props'),
    vitals: part('vitals'),
    clicks: part('clicks'),
    sums,
  }
  const loaded = { columns: new Map<number, Loaded>(), sums: new Map<number, Loaded>() }
  let bytes = 0
  let lastRequest = 0
  /** The reads of requests, and the last request of each. A request only notes them here, as it does so for each of its days. */
  const uses = new Map<Reads, number>()
  function noteUses(): void {
    for (const [reads, request] of uses) {
      for (const table of tables) {
        for (const number of reads[table]) {
          const one = loaded[table].get(number)
          if (one && one.usedBy < request) one.usedBy = request
        }
      }
    }
    uses.clear()
  }
  function put(table: keyof Reads, number: number, one: Loaded): void {
    const place = places[table].get(number)
    if (!place) throw new Error(`a sealed day has no ${table} ${number}`)
    Object.defineProperty(opened[place.part], place.name, { value: one.value, enumerable: true })
    loaded[table].set(number, one)
    bytes += one.bytes
  }
  for (const [table, number, one] of kept) put(table, number, { ...one })
  const setColumn = (number: number, column: Column): void =>
    put('columns', number, {
      value: column,
      bytes: OBJECT + (sharesMemory(column) ? 0 : column.byteLength),
      usedBy: lastRequest,
    })
  const setSums = (number: number, sums: GroupSums): void => put('sums', number, { value: sums, bytes: sizeOf(sums), usedBy: lastRequest })
  return {
    day: opened as unknown as Day, // scalars are set from the shape, columns once loaded
    has: (table, number) => loaded[table].has(number),
    get bytes() {
      return bytes
    },
    copy,
    setColumn,
    setSums,
    use(reads, request) {
      if (lastRequest === 0) for (const table of tables) for (const one of loaded[table].values()) one.usedBy = request
      lastRequest = request
      if (reads === null) return
      if (uses.size >= MAX_USES && !uses.has(reads)) noteUses()
      uses.set(reads, request)
    },
    bytesByUse() {
      noteUses()
      const found = new Map<number, number>()
      for (const table of tables) {
        for (const one of loaded[table].values()) found.set(one.usedBy, (found.get(one.usedBy) ?? 0) + one.bytes)
      }
      return found
    },
    usedSince(request) {
      noteUses()
      const used = tables.flatMap(table => Array.from(loaded[table], ([number, one]) => [table, number, one] as const))
      const smaller = openShape(bounds, shape, { copy: this.copy, kept: used.filter(([, , { usedBy }]) => usedBy >= request) })
      smaller.use(null, lastRequest)
      return smaller
    },
    deriveSums(numbers) {
      for (const number of numbers) if (!loaded.sums.has(number)) setSums(number, sumsFrom(totals))
    },
    load(table, number, blob) {
      if (table === 'sums')
        return number > PACKED_SUMS ? setSums(number - PACKED_SUMS, unpackSums(blob)) : setSums(number, decodeSums(blob))
      setColumn(number, rising.has(number) ? heights(decode(blob)) : decode(blob))
    },
  }
}

type Numbers = Readonly<Record<string, number>>

/** Placeholder for columns and sums that were not declared; reading it throws. */
function refusing(part: PartName | 'sums', numbers: Numbers): object {
  const properties = Object.keys(numbers).map(name => [
    name,
    {
      get() {
        throw new Error(`${part}.${name} of a sealed day was read, but the report does not declare it: add it to its reads`)
      },
    },
  ])
  return Object.defineProperties({}, Object.fromEntries(properties) as PropertyDescriptorMap)
}
const undeclared: Readonly<Record<PartName | 'sums', object>> = {
  visits: refusing('visits', columnNumbers.visits),
  hits: refusing('hits', columnNumbers.hits),
  props: refusing('props', columnNumbers.props),
  vitals: refusing('vitals', columnNumbers.vitals),
  clicks: refusing('clicks', columnNumbers.clicks),
  sums: refusing('sums', sumsNumbers),
}

interface Place {
  readonly part: PartName | 'sums'
  readonly name: string
}
const placesOf = (part: Place['part'], numbers: Numbers): [number, Place][] =>
  Object.entries(numbers).map(([name, number]) => [number, { part, name }])
const places: Readonly<Record<keyof Reads, ReadonlyMap<number, Place>>> = {
  columns: new Map(partNames.flatMap(part => placesOf(part, columnNumbers[part]))),
  sums: new Map(placesOf('sums', sumsNumbers)),
}

/** A rising column as differences, and back. */
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
  let total = 0
  for (let i = 0; i < column.length; i++) total += column[i] ?? 0
  const out = total > 0xffff ? new Uint32Array(column.length) : new Uint16Array(column.length)
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
  const next = (i: number) => decode(blob.subarray(from, (from += view.getUint32(LENGTH * i, true))))
  const ids = next(0)
  const columns = new Map(sumNames.map((name, i) => [name, next(1 + i)]))
  return groupSums(ids, name => columns.get(name) ?? none)
}
const none = new Uint8Array(0)

/** Overhead of a typed array in bytes. */
const OBJECT = 200
const sizeOf = ({ counts, amounts }: GroupSums): number => 3 * OBJECT + counts.byteLength + amounts.byteLength
