/**
 * The groups of a table: a number for each combination of values, of all dimensions but time. Spans that are compared share them.
 * (Every `!` is inside bounds.)
 */
import { reusedBuffer } from '../columns/buffers.ts'
import type { Column } from '../columns/column.ts'
import type { Day } from '../days/day.ts'
import { allReads, columnsRead, NO_COLUMNS, type Reads } from '../days/reads.ts'
import type { Goal } from '../vocabulary/scope.ts'
import { bitsOfHits, type GoalBits, GOALS_AT_ONCE, readsOfGoals, setsOfGoals } from './goals.ts'
import { type Worths, worthsOf } from './worths.ts'
import type { KeyHitsCache } from './key-hits.ts'
import { Keys, NONE } from './keys.ts'
import type { Part, PartOptions } from './table-parts.ts'

/** Most combinations: more would fill the memory. A single dimension has no limit. */
export const MAX_GROUPS = 200_000

/** A range up to this size needs no table of keys, if the counters of a group are few. */
const WIDE_RANGE = 1_000_000

/** Called for a hit in a group. @param worth of the goal that it completes, if that is not its revenue */
type Each = (visit: number, hit: number, group: number, worth?: number) => void

/** Does not count. */
const OUT = -1

interface GroupedGoals {
  readonly list: readonly Goal[]
  readonly sets: readonly GoalBits[]
  readonly worths: Worths
}

export class TableGroups {
  readonly #parts: readonly Part[]
  readonly #goals: GroupedGoals | null
  readonly #keys: Keys
  /** Numbers for the first two of three dimensions, if the keys of all three would not be safe integers. */
  readonly #pairs: Keys | null
  readonly #ofVisits = reusedBuffer(Float64Array)
  readonly #ofHits = reusedBuffer(Float64Array)
  readonly #groups = reusedBuffer(Uint32Array)
  readonly reads: Reads
  readonly isOfHits: boolean
  /** Whether hits are counted by their page only, so that events bring only money. */
  readonly isOfPages: boolean
  readonly #page: number
  /** The page of each group, as far as it was asked for. */
  #pages = new Uint32Array(0)
  #pagesKnown = 0

  /** Whether the counters of a group are few. */
  readonly isCompact: boolean

  constructor(parts: readonly Part[], goals: GroupedGoals | null, isCompact: boolean) {
    this.#parts = parts
    this.#goals = goals
    this.isCompact = isCompact
    const sizes = [...parts.map(({ size }) => size), ...(goals ? [goals.list.length] : [])]
    const range = (some: readonly number[]) => some.reduce((all, size) => all * Math.max(1, size), 1)
    const isTooWide = range(sizes) > Number.MAX_SAFE_INTEGER
    this.#pairs = isTooWide ? new Keys(range(sizes.slice(0, 2)), MAX_GROUPS) : null
    const isSingle = sizes.length < 2
    this.#keys = new Keys(
      isTooWide ? MAX_GROUPS * range(sizes.slice(2)) : range(sizes),
      isSingle ? Infinity : MAX_GROUPS,
      isSingle && !parts.some(({ isWide }) => isWide) ? true : isCompact ? range(sizes) <= WIDE_RANGE : undefined,
    )
    const ofHits = parts.filter(({ on }) => on === 'hit')
    this.isOfHits = ofHits.length > 0 || goals !== null
    this.isOfPages = ofHits.length === 1 && ofHits[0]?.isPage === true && goals === null
    this.#page = parts.findIndex(({ isPage }) => isPage)
    this.reads = allReads([
      ...parts.map(({ reads }) => reads),
      this.isOfHits ? columnsRead('visits.firstHit', 'hits.event') : NO_COLUMNS,
      ...(goals ? [...goals.sets.map(readsOfGoals), goals.worths.reads] : []),
    ])
  }

  get count(): number {
    return this.#keys.count
  }

  get isFull(): boolean {
    return this.#keys.isFull || this.#pairs?.isFull === true
  }

  /** The two dimensions whose pairs of ids are the groups: `first · size + second`. Null if something else decides about a group. */
  get pair(): { readonly first: Part; readonly second: Part; readonly size: number } | null {
    const [first, second, ...others] = this.#parts
    if (!first || !second || others.length > 0 || this.#goals || !this.#keys.isOwn) return null
    return first.kept === null && second.kept === null ? { first, second, size: Math.max(1, second.size) } : null
  }

  /** The stored dimension whose sums have the same groups; null if there is none. */
  get stored() {
    const [only, ...others] = this.#parts
    if (this.#goals || others.length > 0) return null
    return only ? only.kept === null && only.stored : ('totals' as const)
  }

  /** Whether there is a page among the dimensions, to which bounces and durations then belong. */
  get hasPage(): boolean {
    return this.#page !== -1
  }

  pageOf(group: number): number {
    if (this.#parts.length === 1 && !this.#goals) return group
    while (this.#pagesKnown <= group) {
      if (this.#pages.length <= group) this.#pages = extended(this.#pages, this.#keys.count)
      this.#pages[this.#pagesKnown] = this.idsOf(this.#pagesKnown)[this.#page] ?? 0
      this.#pagesKnown++
    }
    return this.#pages[group]!
  }

  /** The ids of a group: of the dimensions in order, and at the end the place of its goal. */
  idsOf(group: number): number[] {
    const sizes = [...this.#parts.map(({ size }) => size), ...(this.#goals ? [this.#goals.list.length] : [])]
    const ids: number[] = []
    let key = this.#keys.keyOf(group)
    for (let i = sizes.length - 1; i >= 0; i--) {
      if (i === 1 && this.#pairs) key = this.#pairs.keyOf(key)
      const size = Math.max(1, sizes[i]!)
      ids.unshift(key % size)
      key = Math.floor(key / size)
    }
    return ids
  }

  /** Names of the values of a group, in the order of the dimensions; the goal is at the end. */
  namesOf(group: number): string[] {
    return this.idsOf(group).map((id, i) =>
      i === this.#parts.length ? (this.#goals?.list[id]?.id ?? '') : (this.#parts[i]?.name(id) ?? ''),
    )
  }

  /** The group with these ids; `NONE` if it has not been seen. */
  find(ids: readonly number[]): number {
    let key = 0
    for (const [i, { size }] of this.#parts.entries()) {
      key = key * size + (ids[i] ?? 0)
      if (i === 1 && this.#pairs) key = this.#pairs.find(key)
      if (key === NONE) return NONE
    }
    return this.#keys.find(key)
  }

  /** The group of every selected visit, if all dimensions belong to visits; one number for all. `NONE` does not count. */
  ofVisits(day: Day, some: Uint32Array | null, cache: KeyHitsCache): Column | number {
    if (this.#parts.length === 0) return this.#keys.of(0)
    const [only] = this.#parts
    // Its ids are the groups.
    if (only && this.#parts.length === 1 && only.kept === null) return only.idsOn(day, cache)
    const [first, second] = this.#parts
    if (first?.kept === null && second?.kept === null && this.#parts.length === 2) {
      const [one, other] = [first.idsOn(day, cache), second.idsOn(day, cache)]
      if (typeof one !== 'number' && typeof other !== 'number') {
        const into = this.#groups(day.visits.count)
        return this.#keys.isOwn
          ? paired(into, one, other, { size: second.size, some })
          : numberedPairs(into, one, other, { size: second.size, some, known: this.#keys })
      }
    }
    const keys = this.#ofVisits(day.visits.count)
    for (const [i, part] of this.#parts.entries()) {
      addIds(keys, { ids: part.idsOn(day, cache), size: part.size, kept: part.kept, isFirst: i === 0, some })
      if (i === 1 && this.#pairs) numbered(keys, this.#pairs, some)
    }
    const groups = this.#groups(day.visits.count)
    const known = this.#keys
    if (some === null) for (let v = 0; v < groups.length; v++) groups[v] = keys[v] === OUT ? NONE : known.of(keys[v]!)
    else for (const v of some) groups[v] = keys[v] === OUT ? NONE : known.of(keys[v]!)
    return groups
  }

  /** Calls `each` for the hits of the selected visits, in order. @param met 1 for the hits that count; null for all */
  eachHit(day: Day, { some, met, cache }: { some: Uint32Array | null; met: Uint8Array | null; cache: KeyHitsCache }, each: Each): void {
    const { count, firstHit } = day.visits
    const keys = this.#ofHits(day.hits.count)
    for (const [i, part] of this.#parts.entries()) {
      const ids = part.idsOn(day, cache)
      const adding = { size: part.size, kept: part.kept, isFirst: i === 0 }
      if (part.on === 'hit' && typeof ids !== 'number') addIds(keys, { ...adding, ids, some: null })
      else addIdsOfVisits(keys, { ...adding, ids, firstHit, count })
      if (i === 1 && this.#pairs) numbered(keys, this.#pairs, null)
    }
    if (this.#parts.length === 0) keys.fill(0)
    const known = this.#keys
    const through = (found: (v: number, h: number) => void) => {
      for (let i = 0, visits = some === null ? count : some.length; i < visits; i++) {
        const v = some === null ? i : some[i]!
        for (let h = firstHit[v]!, end = firstHit[v + 1]!; h < end; h++) {
          if (keys[h] !== OUT && (met === null || met[h] === 1)) found(v, h)
        }
      }
    }
    if (!this.#goals) {
      through((v, h) => {
        const group = known.of(keys[h]!)
        if (group !== NONE) each(v, h, group)
      })
      return
    }
    const { list, sets, worths } = this.#goals
    const worth = worths.on(day)
    for (const [s, set] of sets.entries()) {
      const bits = bitsOfHits(set, day)
      through((v, h) => {
        for (let rest = bits[h]!; rest !== 0; rest = (rest & (rest - 1)) >>> 0) {
          const goal = s * GOALS_AT_ONCE + 31 - Math.clz32(rest & -rest)
          const group = known.of(keys[h]! * list.length + goal)
          if (group !== NONE) each(v, h, group, worth?.(goal, h))
        }
      })
    }
  }
}

function extended(numbers: Uint32Array, length: number): Uint32Array<ArrayBuffer> {
  const longer = new Uint32Array(Math.max(length, numbers.length * 2))
  longer.set(numbers)
  return longer
}

interface Pairing {
  readonly size: number
  readonly some: Uint32Array | null
}

/** The usual case, a pair of dimensions whose keys are the groups, without a second pass over keys. */
function paired(into: Uint32Array, one: Column, other: Column, { size, some }: Pairing): Uint32Array {
  if (some === null) for (let v = 0; v < into.length; v++) into[v] = one[v]! * size + other[v]!
  else
    for (let i = 0; i < some.length; i++) {
      const v = some[i]!
      into[v] = one[v]! * size + other[v]!
    }
  return into
}

function numberedPairs(
  into: Uint32Array,
  one: Column,
  other: Column,
  { size, some, known }: Pairing & { readonly known: Keys },
): Uint32Array {
  for (let i = 0, all = some === null ? into.length : some.length; i < all; i++) {
    const v = some === null ? i : some[i]!
    into[v] = known.of(one[v]! * size + other[v]!)
  }
  return into
}

interface Adding {
  readonly size: number
  readonly kept: Uint8Array | null
  readonly isFirst: boolean
}

/** Makes room in each key for one more id, and adds it. @param some the places of interest; null for all */
function addIds(
  keys: Float64Array,
  { ids, size, kept, isFirst, some }: Adding & { readonly ids: Column | number; readonly some: Uint32Array | null },
): void {
  for (let i = 0, all = some === null ? keys.length : some.length; i < all; i++) {
    const at = some === null ? i : some[i]!
    const id = typeof ids === 'number' ? ids : ids[at]!
    if (id === NONE || (kept !== null && kept[id] !== 1) || (!isFirst && keys[at] === OUT)) keys[at] = OUT
    else keys[at] = isFirst ? id : keys[at]! * size + id
  }
}

/** Makes room in the key of each hit for one more id, and adds the id of its visit. */
function addIdsOfVisits(
  keys: Float64Array,
  {
    ids,
    size,
    kept,
    isFirst,
    firstHit,
    count,
  }: Adding & { readonly ids: Column | number; readonly firstHit: Column; readonly count: number },
): void {
  for (let v = 0; v < count; v++) {
    const id = typeof ids === 'number' ? ids : ids[v]!
    const isOut = id === NONE || (kept !== null && kept[id] !== 1)
    for (let h = firstHit[v]!, end = firstHit[v + 1]!; h < end; h++) {
      if (isOut || (!isFirst && keys[h] === OUT)) keys[h] = OUT
      else keys[h] = isFirst ? id : keys[h]! * size + id
    }
  }
}

function numbered(keys: Float64Array, known: Keys, some: Uint32Array | null): void {
  for (let i = 0, all = some === null ? keys.length : some.length; i < all; i++) {
    const at = some === null ? i : some[i]!
    if (keys[at] === OUT) continue
    const group = known.of(keys[at]!)
    keys[at] = group === NONE ? OUT : group
  }
}

/** @param parts in order, without the goal @param isCompact whether only what `areCompact` says is counted */
export async function tableGroups(
  parts: readonly Part[],
  { hasGoals = false, isCompact = false }: { readonly hasGoals?: boolean; readonly isCompact?: boolean },
  { goals, texts }: PartOptions,
): Promise<TableGroups> {
  if (!hasGoals) return new TableGroups(parts, null, isCompact)
  const grouped = { list: goals, sets: await setsOfGoals(goals, texts), worths: await worthsOf(goals, texts) }
  return new TableGroups(parts, grouped, isCompact)
}
