/** Resolves the texts of conditions to sets of ids: each operator runs once for each distinct value, never for each row. */
import { type Dimension, dimensionOf } from '../vocabulary/dimensions.ts'
import { type Positive, positiveOf, positives } from '../vocabulary/conditions.ts'
import { filterOnly } from '../vocabulary/derived.ts'
import { inEitherForm } from '../vocabulary/idn.ts'
import { orComposed } from '../../values/composed.ts'
import { predicate, sense } from '../vocabulary/operators.ts'
import { goalBits, idOf, marks } from './goals.ts'
import type { Property } from './key-hits.ts'
import { bothOf } from './narrowing.ts'
import { type HitTest, isOnHit, type OnHit, type OnPlace, type ResolvedCondition } from './condition.ts'
import { eitherHit } from './either-hit.ts'
import { exclusionsOf } from './exclusions.ts'
import { figureOf, figureTest, type Known } from './figures.ts'
import { isPlace, placesOf, placeTest } from './places.ts'
import type { Measures } from '../days/measures.ts'
import { type Condition, type Goal, isAll, isAny, leavesOf, type Note, type Test } from '../vocabulary/scope.ts'
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
  readonly resolved: Map<readonly Condition[], Promise<readonly ResolvedCondition[]>>
  /** For the numbers of visits. */
  readonly known: Known
  readonly isSilent?: true
  /** Adds a note if a condition can match nothing. */
  note(note: Note): void
}

/** A context that drops notes, for conditions that the caller did not set. */
export const silent = (context: Context): Context => ({ ...context, resolved: new Map(), isSilent: true, note: () => {} })

/**
 * Conditions that all apply. The same conditions give the same list, so that reports of one query share its results.
 */
export function resolveAll(conditions: readonly Condition[], context: Context): Promise<readonly ResolvedCondition[]> {
  if (conditions.length === 0) return unconditional
  const all = context.resolved.get(conditions) ?? resolvedWithNotes(conditions, context)
  context.resolved.set(conditions, all)
  return all
}

async function resolvedWithNotes(conditions: readonly Condition[], context: Context): Promise<readonly ResolvedCondition[]> {
  const all = metByHits(await each(conditions, context))
  if (context.isSilent || (conditions.length < 2 && !conditions.some(isAll))) return all
  const idsOf = async (test: Test, dimension: Dimension) => {
    if (dimension.level !== 'goal') return idSet(test, dimension, (await propertyOf(dimension, context.texts)).key, context.texts)
    const passing = new Set(goalsOf(test, context.goals))
    return Uint8Array.from(context.goals, goal => Number(passing.has(goal)))
  }
  for (const note of await exclusionsOf(conditions, idsOf)) context.note(note)
  return all
}

/**
 * Several conditions on events and goals are each met by a hit of their own. Conditions on properties and places are met by one
 * hit, which also meets a condition on events, or on goals if there is none on events.
 */
function metByHits(all: readonly ResolvedCondition[]): readonly ResolvedCondition[] {
  const onHits = all.filter(isOnHit)
  const properties = onHits.filter(isOfAnyHit)
  const own = onHits.filter(one => !isOfAnyHit(one))
  const views = onHits.filter(({ on }) => on === 'place') as readonly OnPlace[] // by `on`
  const isOne = own.length < 2 && !all.some(({ on }) => on === 'hits')
  if (isOne) return onHits.length < 2 ? all : [...all.filter(one => !isOnHit(one)), { on: 'hits', all: onHits, narrows: true, views }]
  if (properties.length === 0) return all
  const events = own.filter(({ on }) => on === 'event')
  const owners = events.length > 0 ? events : own
  const met = [...(owners.length > 0 ? [eitherHit(owners)] : []), ...properties]
  return [...all.filter(one => !isOnHit(one) || !isOfAnyHit(one)), { on: 'hits', all: met, narrows: false, views }]
}

/** Conditions that one hit meets together: on its properties, and its place. */
const isOfAnyHit = ({ on }: OnHit): boolean => on === 'property' || on === 'place'

const unconditional: Promise<readonly ResolvedCondition[]> = Promise.resolve(Object.freeze([]))

async function each(conditions: readonly Condition[], context: Context): Promise<ResolvedCondition[]> {
  const all: ResolvedCondition[] = []
  for (const condition of conditions) all.push(await resolve(condition, context))
  return all
}

async function resolve(condition: Condition, context: Context): Promise<ResolvedCondition> {
  const positive = positiveOf(condition)
  if (positive) return ofTests(positive, false, context)
  if (isAny(condition)) return { on: 'any', any: await each(condition.any, context) }
  if (isAll(condition)) return { on: 'hits', all: await eachOfHit(condition.all, context), narrows: true }
  return ofTests({ dimension: condition.dimension, tests: [condition] }, true, context)
}

async function eachOfHit(conditions: readonly Condition[], context: Context): Promise<HitTest[]> {
  const all: HitTest[] = []
  for (const condition of conditions) all.push(await ofHit(condition, context))
  return all
}

async function ofHit(condition: Condition, context: Context): Promise<HitTest> {
  const positive = positiveOf(condition)
  if (positive) return ofTests(positive, false, context)
  if (isAny(condition)) return { on: 'either', tests: await eachOfHit(condition.any, context) }
  if (isAll(condition)) return { on: 'both', tests: await eachOfHit(condition.all, context) }
  return ofTests({ dimension: condition.dimension, tests: [condition] }, true, context)
}

type TestOfDimension = Exclude<ResolvedCondition, { on: 'hits' | 'any' }>

/** Values that pass one of the tests, which are on one dimension; with a negated test, those that fail it. */
async function ofTests({ dimension: name, tests }: Positive, negated: boolean, context: Context): Promise<TestOfDimension> {
  const only = filterOnly.get(name)
  if (only !== undefined) {
    const each = tests.map(({ operator, values }) => predicate(operator, values))
    return { on: 'figure', test: figureTest(figureOf(only, context.known), number => each.some(passes => passes(String(number)))), negated }
  }
  const dimension = known(name)
  if (dimension.level === 'goal') {
    const each = tests.map(test => ({ test, passing: goalsOf(test, context.goals) }))
    for (const { test, passing } of each) if (passing.length === 0) noteNothing(test, context)
    const wanted = [...new Set(each.flatMap(({ passing }) => passing))]
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
  if (isPlace(dimension.name)) {
    const places = await placesOf(dimension.name, context.texts)
    const each = tests.map(test => predicateOf(test, dimension))
    if (places.of === 'hostname') {
      const names = await context.texts.of('hostname')
      for (const [i, test] of tests.entries()) if (!names.some(each[i] ?? (() => true))) noteNothing(test, context)
    }
    return { on: 'place', test: placeTest(places, name => each.some(passes => passes(name))), negated }
  }
  const property = await propertyOf(dimension, context.texts)
  const sets: Uint8Array[] = []
  for (const test of tests) {
    const passing = await idSet(test, dimension, property.key, context.texts)
    if (!passing.includes(1)) noteNothing(test, context)
    sets.push(passing)
  }
  const set = eitherOf(sets)
  if (dimension.level === 'property') return { on: 'property', property, set, negated }
  if (dimension.level === 'page') return { on: 'page', set, negated }
  if (dimension.level === 'event') return { on: 'event', set, negated }
  if (dimension.derived?.of === 'day') {
    const { placeOf } = dimension.derived
    return { on: 'day', passes: day => (set[placeOf(day)] === 1) !== negated }
  }
  if (dimension.derived?.of === 'figure') {
    const { figure, placeOf } = dimension.derived
    return { on: 'figure', test: figureTest(figureOf(figure, context.known), number => set[placeOf(number)] === 1), negated }
  }
  if (dimension.column === null) throw new Error(`dimension ${dimension.name} has no column`)
  return { on: 'visit', column: dimension.column, set: negated ? set.map(passes => 1 - passes) : set }
}

const noteNothing = (condition: Test, { note }: Context): void => note({ code: 'no_such_value', of: 'condition', condition })

/** 1 where one of the lists has a 1. They have equal lengths. */
function eitherOf(sets: readonly Uint8Array[]): Uint8Array {
  const [first = new Uint8Array(0), ...others] = sets
  return others.reduce((all, set) => all.map((passes, id) => passes | (set[id] ?? 0)), first)
}

/** The ids of a dimension that pass all conditions on it; null without conditions. */
export async function ownSet(conditions: readonly Condition[], dimension: Dimension, texts: Texts): Promise<Uint8Array | null> {
  const { key } = await propertyOf(dimension, texts)
  const own: Uint8Array[] = []
  for (const { tests } of positives(conditions, dimension.name)) {
    const sets: Uint8Array[] = []
    for (const test of tests) sets.push(await idSet(test, dimension, key, texts))
    own.push(eitherOf(sets))
  }
  return bothOf(own)
}

/** The goals that a breakdown by goals shows: those that conditions ask for, unless other hits count as well. */
export function ownGoals(conditions: readonly Condition[], goals: readonly Goal[]): readonly Goal[] {
  const asked = positives(conditions, 'goal')
  const isOnlyGoals = positives(conditions, 'event').length === 0 && !conditions.some(isAll)
  if (asked.length === 0 || !isOnlyGoals) return goals
  const passing = new Set(asked.flatMap(({ tests }) => tests.flatMap(test => goalsOf(test, goals))))
  return goals.filter(goal => passing.has(goal))
}

/** The conditions without those on goals and properties. */
export const withoutConversions = (conditions: readonly Condition[]): Condition[] =>
  conditions.filter(condition => !isOnConversions(condition))
const isOnConversions = (condition: Condition): boolean =>
  leavesOf(condition).some(({ dimension }) => ['goal', 'property'].includes(dimensionOf(dimension)?.level ?? ''))

/** The key is 0 for other dimensions. */
export async function propertyOf({ key }: Dimension, texts: Texts): Promise<Property> {
  return key === null ? noProperty : { key: idOf(await texts.of('prop_key'), key), gone: await texts.gone() }
}
const noProperty: Property = { key: 0, gone: null }

/** The texts of a dimension by id. If the dimension follows from another one, by the ids of the other one. */
export async function textsFor(dimension: Dimension, key: number, texts: Texts): Promise<readonly string[]> {
  if (dimension.level === 'property') return key === 0 ? [''] : texts.ofProperty(key)
  const { derived } = dimension
  if (derived?.of === 'day') return derived.values
  if (derived?.of === 'figure') return derived.values === 'sites' ? texts.sites() : derived.values
  const stored = await texts.of(dimension.column ?? (dimension.level === 'event' ? 'event' : 'page'))
  return derived ? stored.map(text => derived.value(text)) : stored
}

/** 1 at the ids that pass the operator, or its positive form. */
async function idSet(test: Test, dimension: Dimension, key: number, texts: Texts): Promise<Uint8Array> {
  const { operator, values } = test
  const passes = formsPassing(test, dimension)
  const named = await textsFor(dimension, key, texts)
  const set = marks(named, passes)
  const { positive } = sense(operator)
  if ((positive === 'is' || positive === 'any_of') && values.includes(dimension.blank))
    for (const [id, text] of named.entries()) if (text === '') set[id] = 1
  if (dimension.level === 'event') await alsoAsShown(set, passes, texts)
  return set
}

/** Whether a value passes the operator, or its positive form, as it is stored or as it is shown. */
function formsPassing({ operator, values }: Test, { isHost }: Dimension): (text: string) => boolean {
  const asStored = orComposed(predicate(operator, values), values)
  return isHost ? inEitherForm(asStored) : asStored
}

/** Whether a value passes the test. A missing value also passes by its label. */
function predicateOf(test: Test, dimension: Dimension): (text: string) => boolean {
  const passes = formsPassing(test, dimension)
  const { positive } = sense(test.operator)
  const isBlank = (positive === 'is' || positive === 'any_of') && test.values.includes(dimension.blank)
  return text => (text === '' && isBlank) || passes(text)
}

/** An event passes by its sent or its shown name; a deleted one never, also not as one without a name. */
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

function known(name: string): Dimension {
  const dimension = dimensionOf(name)
  if (!dimension) throw new Error(`no dimension ${name}`)
  return dimension
}
