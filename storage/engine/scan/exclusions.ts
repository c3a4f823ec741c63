/**
 * Finds filters that can never hold together, to say so: an empty report would not explain it. Values are compared by their ids,
 * so `contains` and patterns are judged by the values that the site has had.
 */
import { type Dimension, dimensionOf } from '../vocabulary/dimensions.ts'
import { positiveOf } from '../vocabulary/conditions.ts'
import { type Condition, isAll, isAny, type Note, type Test } from '../vocabulary/scope.ts'
import { bothOf } from './narrowing.ts'
import { addTo } from '../../values/grouped.ts'

/** The ids that pass a test, or its positive form. */
export type IdsOf = (test: Test, dimension: Dimension) => Promise<Uint8Array>

interface Wanted {
  readonly pointer: string
  /** 1 at the values that pass the positive form. */
  readonly set: Uint8Array
  readonly negated: boolean
}

/** @returns a note for each dimension whose filters exclude each other */
export async function exclusionsOf(conditions: readonly Condition[], idsOf: IdsOf): Promise<Note[]> {
  const notes: Note[] = []
  for (const [dimension, own] of byDimension(conditions)) notes.push(...excluded(dimension, await wantedOf(own, dimension, idsOf), false))
  for (const condition of conditions) {
    if (!isAll(condition)) continue
    for (const [dimension, own] of byDimension(condition.all))
      notes.push(...excluded(dimension, await wantedOf(own, dimension, idsOf), true))
  }
  return notes
}

/** Dimensions with several conditions, with these. Addresses (`url`) have no ids. Groups of alternatives on several dimensions are left out. */
function byDimension(conditions: readonly Condition[]): [Dimension, Condition[]][] {
  const found = new Map<string, Condition[]>()
  for (const condition of conditions) {
    const name = positiveOf(condition)?.dimension ?? (isAny(condition) || isAll(condition) ? null : condition.dimension)
    if (name !== null) addTo(found, name, condition)
  }
  return [...found].flatMap(([name, own]) => {
    const dimension = dimensionOf(name)
    return dimension && own.length > 1 && name !== 'url' ? [[dimension, own] satisfies [Dimension, Condition[]]] : []
  })
}

async function wantedOf(conditions: readonly Condition[], dimension: Dimension, idsOf: IdsOf): Promise<Wanted[]> {
  const all: Wanted[] = []
  for (const condition of conditions) {
    const positive = positiveOf(condition)
    const tests = positive?.tests ?? (isAny(condition) || isAll(condition) ? [] : [condition])
    const sets: Uint8Array[] = []
    for (const test of tests) sets.push(await idsOf(test, dimension))
    const [first = new Uint8Array(0), ...others] = sets
    const set = others.reduce((some, one) => some.map((passes, id) => passes | (one[id] ?? 0)), first)
    all.push({ pointer: tests[0]?.pointer ?? '', set, negated: positive === null })
  }
  return all
}

/** @param isOneHit whether one hit has to meet all of them */
function excluded({ name, level }: Dimension, all: readonly Wanted[], isOneHit: boolean): Note[] {
  const asking = all.filter(({ negated }) => !negated)
  if (asking.some(({ set }) => !set.includes(1))) return [] // `no_such_value` says so
  const note = (code: 'filters_exclude' | 'pages_apart', some: readonly Wanted[]): Note[] => [
    { code, dimension: name, pointers: some.map(({ pointer }) => pointer) },
  ]
  const hasOneValue = level === 'visit' || level === 'property' || level === 'place' || (isOneHit && level !== 'goal')
  if (hasOneValue) {
    // A visit without a property passes a negation, so only what is asked for can exclude it.
    const own = (level === 'property' || level === 'place') && !isOneHit ? asking : all
    const both = bothOf(own.map(({ set, negated }) => (negated ? set.map(passes => 1 - passes) : set)))
    if (asking.length > 0 && both && !both.includes(1)) return note('filters_exclude', own)
  }
  for (const one of asking) {
    const refusing = all.filter(({ negated }) => negated)
    const isRefused = one.set.every((passes, id) => passes === 0 || refusing.some(({ set }) => set[id] === 1))
    if (refusing.length > 0 && isRefused) return note('filters_exclude', [one, ...refusing])
  }
  const both = bothOf(asking.map(({ set }) => set))
  return level === 'page' && asking.length > 1 && both && !both.includes(1) ? note('pages_apart', asking) : []
}
