/** Resolves the texts of conditions to sets of ids: each operator runs once for each distinct value, never for each row. */
import { type Dimension, dimensionOf } from '../vocabulary/dimensions.ts'
import { positives } from '../vocabulary/conditions.ts'
import { predicate, sense } from '../vocabulary/operators.ts'
import { goalBits, idOf, marks } from './goals.ts'
import type { Resolved } from './condition.ts'
import type { Measures } from '../days/measures.ts'
import { type Condition, type Goal, isAny, type Note, type Test } from '../vocabulary/scope.ts'
import type { Zeros } from '../columns/buffers.ts'
import type { Workspace } from './workspace.ts'
import type { Texts } from '../days/texts.ts'

/** The context for answering a query. */
export interface Context {
  readonly texts: Texts
  readonly measures: Measures
  readonly goals: readonly Goal[]
  readonly workspace: Workspace
  /** Zeroed counters, valid until the query is answered. */
  readonly zeros: Zeros
  /** The conditions resolved so far. */
  readonly resolved: Map<readonly Condition[], Promise<readonly Resolved[]>>
  /** Adds a note if a condition can match nothing. */
  note(note: Note): void
}

/** The same without notes, for conditions that the caller did not set. */
export const silent = (context: Context): Context => ({ ...context, resolved: new Map(), note: () => {} })

/** Returns the same list for the same conditions, so that reports of one query share what is cached under it. */
export function resolveAll(conditions: readonly Condition[], context: Context): Promise<readonly Resolved[]> {
  if (conditions.length === 0) return unconditional
  const all = context.resolved.get(conditions) ?? each(conditions, context)
  context.resolved.set(conditions, all)
  return all
}

const unconditional: Promise<readonly Resolved[]> = Promise.resolve(Object.freeze([]))

async function each(conditions: readonly Condition[], context: Context): Promise<Resolved[]> {
  const all: Resolved[] = []
  for (const condition of conditions) all.push(await resolve(condition, context))
  return all
}

async function resolve(condition: Condition, context: Context): Promise<Resolved> {
  if (isAny(condition)) return { on: 'any', any: await resolveAll(condition.any, context) }
  const dimension = known(condition)
  const { negated } = sense(condition.operator)
  if (dimension.level === 'goal') {
    const wanted = goalsOf(condition, context.goals)
    if (wanted.length === 0) noteNothing(condition, context)
    return {
      on: 'goal',
      bits: await goalBits(
        wanted,
        wanted.map(() => 1),
        context.texts,
      ),
      negated,
    }
  }
  const key = await keyOf(dimension, context.texts)
  const set = await idSet(condition, dimension, key, context.texts)
  if (!set.includes(1)) noteNothing(condition, context)
  if (dimension.level === 'property') return { on: 'property', key, set, negated }
  if (dimension.level !== 'visit') return { on: dimension.level, set, negated }
  if (dimension.column === null) throw new Error(`dimension ${dimension.name} has no column`)
  return { on: 'visit', column: dimension.column, set: negated ? set.map(passes => 1 - passes) : set }
}

function noteNothing({ dimension, operator, values, pointer }: Test, { note }: Context): void {
  const value = JSON.stringify(values.length === 1 ? values[0] : values)
  const { positive } = sense(operator)
  const message = `${pointer}: no ${dimension} of this site ever passed "${positive}" ${value}.`
  note({ code: 'no_such_value', message })
}

/**
 * The ids that pass every single condition on the breakdown's own dimension; null without such conditions. A breakdown
 * by hits counts only these ids.
 */
export async function ownSet(conditions: readonly Condition[], dimension: Dimension, texts: Texts): Promise<Uint8Array | null> {
  const tests = positives(conditions, dimension.name)
  if (tests.length === 0) return null
  const key = await keyOf(dimension, texts)
  let own: Uint8Array | null = null
  for (const test of tests) {
    const set = await idSet(test, dimension, key, texts)
    own = own === null ? set : set.map((passes, id) => passes & (own?.[id] ?? 0))
  }
  return own
}

/** The goals that a breakdown by goals shows. */
export const ownGoals = (conditions: readonly Condition[], goals: readonly Goal[]): readonly Goal[] =>
  positives(conditions, 'goal').reduce((left, test) => goalsOf(test, left), goals)

/** The conditions without those on goals and properties. */
export const withoutConversions = (conditions: readonly Condition[]): Condition[] =>
  conditions.filter(condition => !isOnConversions(condition))
const isOnConversions = (condition: Condition): boolean =>
  isAny(condition) ? condition.any.some(isOnConversions) : ['goal', 'property'].includes(known(condition).level)

/** Id of a property's key; 0 for other dimensions, and for an unknown key. */
export async function keyOf({ key }: Dimension, texts: Texts): Promise<number> {
  return key === null ? 0 : idOf(await texts.of('prop_key'), key)
}

/** The texts of a dimension by id. */
export async function textsFor(dimension: Dimension, key: number, texts: Texts): Promise<readonly string[]> {
  if (dimension.level === 'property') return key === 0 ? [''] : texts.ofProperty(key)
  return texts.of(dimension.column ?? (dimension.level === 'event' ? 'event' : 'page'))
}

/** 1 at the ids that pass the operator, or its positive form. */
async function idSet({ operator, values }: Test, dimension: Dimension, key: number, texts: Texts): Promise<Uint8Array> {
  const passes = predicate(operator, values)
  const set = marks(await textsFor(dimension, key, texts), passes)
  if (dimension.level === 'event') await alsoAsShown(set, passes, texts)
  const { positive } = sense(operator)
  if ((positive === 'is' || positive === 'any_of') && values.includes(dimension.blank)) set[0] = 1
  return set
}

/** An event passes by its sent or its shown name; a deleted one never. */
async function alsoAsShown(set: Uint8Array, passes: (name: string) => boolean, texts: Texts): Promise<void> {
  const { shown } = await texts.events()
  for (const [id, name] of shown.entries()) {
    if (name === '') set[id] = 0
    else if (passes(name)) set[id] = 1
  }
}

/** `is` also accepts a goal's id. */
function goalsOf({ operator, values }: Test, goals: readonly Goal[]): Goal[] {
  const passes = predicate(operator, values)
  const { positive } = sense(operator)
  const exact = positive === 'is' || positive === 'any_of'
  return goals.filter(({ id, name }) => passes(name) || (exact && passes(id)))
}

function known({ dimension: name }: Test): Dimension {
  const dimension = dimensionOf(name)
  if (!dimension) throw new Error(`no dimension ${name}`)
  return dimension
}
