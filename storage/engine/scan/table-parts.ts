/** The dimensions of a table with several of them: for each, the id of every visit or hit of a day. (Every `!` is inside bounds.) */
import { reusedBuffer } from '../columns/buffers.ts'
import type { Column } from '../columns/column.ts'
import type { Day, SumsName } from '../days/day.ts'
import { columnsRead, NO_COLUMNS, type Reads } from '../days/reads.ts'
import type { Texts } from '../days/texts.ts'
import type { Dimension } from '../vocabulary/dimensions.ts'
import type { Goal } from '../vocabulary/scope.ts'
import { placesOfFigure } from './breakdown.ts'
import { figureOf, type Known } from './figures.ts'
import { type KeyHitsCache, keyHits, keyHitsRead } from './key-hits.ts'
import { NONE } from './keys.ts'
import type { Narrowing } from './narrowing.ts'
import { isPlace, type WidePlaces, widePlacesOf } from './places.ts'
import { propertyOf, textsFor } from './resolve.ts'

/** A dimension of visits or hits. */
export interface Part {
  /** One more than the highest id. */
  readonly size: number
  readonly on: 'visit' | 'hit'
  readonly isPage: boolean
  /** Whether most ids never occur. */
  readonly isWide?: boolean
  /** The stored sums of its values. */
  readonly stored: SumsName | 'site' | null
  name(id: number): string
  readonly reads: Reads
  /** Ids of every visit, or of every hit of a day; one number if all have it. `NONE` does not count. Valid until the next call. */
  idsOn(day: Day, cache: KeyHitsCache): Column | number
  /** 1 at the ids that count; null for all. */
  readonly kept: Uint8Array | null
}

export interface PartOptions {
  readonly narrowing: Narrowing | null
  readonly goals: readonly Goal[]
  readonly texts: Texts
  readonly known: Known
}

/** @param only the values that count; null for all. @throws Error for a goal, of which a hit may complete several */
export async function partOf(
  dimension: Dimension,
  { narrowing, texts, known }: PartOptions,
  only: readonly string[] | null,
): Promise<Part> {
  const { level, derived, column } = dimension
  const within = (names: readonly string[]) => (only === null ? null : keptIn(names, new Set(only)))
  if (level === 'event') {
    const { shown, groups } = await texts.events()
    const ids = groups.map(group => (group === 0 ? NONE : group))
    const buffer = reusedBuffer(Uint32Array)
    return {
      ...{ size: shown.length, on: 'hit', isPage: false, stored: null, name: id => shown[id] ?? '', reads: columnsRead('hits.event') },
      idsOn: ({ hits }) => mapped(buffer(hits.count), hits.event, ids),
      kept: within(shown),
    }
  }
  if (isPlace(dimension.name)) return placePart(await widePlacesOf(dimension.name, texts), only)
  const property = await propertyOf(dimension, texts)
  const names = await textsFor(dimension, property.key, texts)
  const plain = { size: names.length, isPage: level === 'page', name: (id: number) => names[id] ?? '', kept: within(names) }
  if (level === 'property') {
    const buffer = reusedBuffer(Uint32Array)
    return {
      ...{ ...plain, on: 'hit', stored: null, reads: keyHitsRead(property) },
      idsOn(day, cache) {
        const { hitPlaces, values } = keyHits(day, property, cache)
        const ids = buffer(day.hits.count).fill(NONE)
        for (let i = 0; i < hitPlaces.length; i++) ids[hitPlaces[i]!] = values[i]!
        return ids
      },
    }
  }
  if (level === 'page') {
    const pages = narrowing?.pages ?? null
    const kept = pages === null || plain.kept === null ? (pages ?? plain.kept) : pages.map((one, id) => one & plain.kept![id]!)
    const stored = kept === null ? 'page' : null
    return { ...plain, on: 'hit', stored, reads: columnsRead('hits.page'), idsOn: ({ hits }) => hits.page, kept }
  }
  if (derived?.of === 'figure') {
    const figure = figureOf(derived.figure, known)
    const buffer = reusedBuffer(Uint32Array)
    return {
      ...{ ...plain, on: 'visit', stored: derived.values === 'sites' ? 'site' : null, reads: figure.reads },
      idsOn: day => placesOfFigure(buffer(day.visits.count), figure.of(day), derived.placeOf),
    }
  }
  if (derived) {
    const different = [...new Set(names)]
    const places = new Map(different.map((name, place) => [name, place]))
    const groupOf = Uint32Array.from(names, name => places.get(name) ?? 0)
    const buffer = reusedBuffer(Uint32Array)
    return {
      ...{ size: different.length, on: 'visit', isPage: false, stored: null, kept: within(different) },
      name: id => different[id] ?? '',
      reads: derived.of === 'day' ? NO_COLUMNS : columnsRead(`visits.${derived.of}`),
      idsOn: ({ day, visits }) =>
        derived.of === 'day' ? (groupOf[derived.placeOf(day)] ?? 0) : mapped(buffer(visits.count), visits[derived.of], groupOf),
    }
  }
  if (column === null) throw new Error(`a table has no column for ${dimension.name}`)
  return { ...plain, on: 'visit', stored: column, reads: columnsRead(`visits.${column}`), idsOn: ({ visits }) => visits[column] }
}

/** The part of a table by hosts, or by addresses. Many more ids are possible than occur. */
function placePart({ size, name, reads, ids }: WidePlaces, only: readonly string[] | null): Part {
  const wanted = only && new Set(only)
  const counts = memoized((id: number) => wanted === null || wanted.has(name(id)))
  const buffer = reusedBuffer(Float64Array)
  return {
    ...{ size, on: 'hit', isPage: false, isWide: true, stored: null, name, reads, kept: null },
    idsOn(day) {
      const into = buffer(day.hits.count)
      ids(day, into)
      if (wanted) for (let h = 0; h < into.length; h++) if (!counts(into[h]!)) into[h] = NONE
      return into
    },
  }
}

/** A part whose ids are places in `values`, followed by one id for all other values that count. */
export function folded(part: Part, values: readonly string[]): Part {
  const places = new Map(values.map((value, place) => [value, place]))
  const placeOf = (id: number): number => (part.kept === null || part.kept[id] === 1 ? (places.get(part.name(id)) ?? values.length) : NONE)
  const all = part.isWide ? null : Uint32Array.from({ length: part.size }, (_, id) => placeOf(id))
  const found = memoized((id: number) => (id === NONE ? NONE : placeOf(id)))
  const to = (id: number): number => (all ? (all[id] ?? NONE) : found(id))
  const buffer = reusedBuffer(Uint32Array)
  return {
    ...part,
    size: values.length + 1,
    stored: null,
    name: place => values[place] ?? '',
    kept: null,
    idsOn(day, cache) {
      const ids = part.idsOn(day, cache)
      if (typeof ids === 'number') return to(ids)
      const into = buffer(ids.length)
      for (let i = 0; i < into.length; i++) into[i] = to(ids[i]!)
      return into
    },
  }
}

const keptIn = (names: readonly string[], only: ReadonlySet<string>) => Uint8Array.from(names, name => (only.has(name) ? 1 : 0))

function mapped(into: Uint32Array, ids: Column, to: Uint32Array): Uint32Array {
  for (let i = 0; i < into.length; i++) into[i] = to[ids[i]!]!
  return into
}

/** Caches the results of a function. */
function memoized<T>(make: (n: number) => T): (n: number) => T {
  const known = new Map<number, T>()
  return n => {
    const before = known.get(n)
    if (before !== undefined) return before
    const made = make(n)
    known.set(n, made)
    return made
  }
}
