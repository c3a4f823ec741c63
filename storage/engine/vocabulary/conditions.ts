/** Reads conditions: which values of a dimension pass, and which hits of a selected visit count (docs/analytics.md §3). */
import { dimensionOf, type Level } from './dimensions.ts'
import { sense } from './operators.ts'
import { type Condition, isAll, isAny, type Test } from './scope.ts'

/** Asks for values of one dimension: at least one of the tests holds. */
export interface Positive {
  readonly dimension: string
  readonly tests: readonly Test[]
}

/**
 * A condition that asks for values of one dimension. `any` of such conditions on one dimension is one as well, as
 * `any_of` would be.
 * @returns null for a negation, for `any` of several dimensions or with a negation, and for `all`
 */
export function positiveOf(condition: Condition): Positive | null {
  const tests = testsOf(condition) ?? []
  const [first] = tests
  if (!first) return null
  const { dimension } = first
  return tests.every(test => test.dimension === dimension && !sense(test.operator).negated) ? { dimension, tests } : null
}

/** The tests of which one has to hold; null if there is a group of tests for one hit among them. */
function testsOf(condition: Condition): Test[] | null {
  if (isAll(condition)) return null
  if (!isAny(condition)) return [condition]
  const each = condition.any.map(testsOf)
  return each.includes(null) ? null : each.flatMap(tests => tests ?? [])
}

/** The tests on a dimension that every visit must pass, one a condition. */
export const positives = (conditions: readonly Condition[], dimension: string): Positive[] =>
  conditions.flatMap(condition => {
    const positive = positiveOf(condition)
    return positive?.dimension === dimension ? [positive] : []
  })

/** Whether the rows of a breakdown have a conversion rate: goals, and every dimension under a filter on goals. */
export const isConverting = (dimension: string, conditions: readonly Condition[]): boolean =>
  dimension === 'goal' || positives(conditions, 'goal').length > 0

/** Figures that count only the hits a condition asks for, rather than all hits of the selected visits. */
export const NARROWED = Object.freeze([
  'pageviews',
  'bounce_rate',
  'visit_duration',
  'page_rows',
  'events',
  'revenue',
  'purchases',
  'event_rows',
  'goal_rows',
  'property_rows',
] as const)
export type Narrowed = (typeof NARROWED)[number]

const ofPages: readonly Narrowed[] = Object.freeze(['pageviews', 'bounce_rate', 'visit_duration', 'page_rows'])
const ofHits: readonly Narrowed[] = Object.freeze(['events', 'revenue', 'purchases', 'event_rows', 'goal_rows', 'property_rows'])
const narrowedBy: Readonly<Record<Level, readonly Narrowed[]>> = Object.freeze({
  visit: [],
  page: ofPages,
  place: ['pageviews', 'page_rows', ...ofHits],
  event: ofHits,
  goal: ofHits,
  property: ofHits,
})

/** The figures that a condition narrows in addition to selecting visits; none when it is nested in another condition. */
export function narrowedOf(condition: Condition): readonly Narrowed[] {
  if (isAll(condition)) return ofHits
  const dimension = dimensionOf(positiveOf(condition)?.dimension ?? '')
  return dimension ? narrowedBy[dimension.level] : []
}
