/** The steps of a funnel. Each is a goal of the site, or a page or event with its own condition. */
import { fieldAt } from '../../../runtime/table/fault-message.ts'
import { type Static, Type } from '@sinclair/typebox'
import type { Fault } from '../../../runtime/table/errors.ts'
import { oneLine } from '../../../runtime/values/one-line.ts'
import { brief, Nullable, help } from '../../../runtime/table/schema.ts'
import { checkedBy } from '../../../runtime/table/validate.ts'
import type { Goal } from '../stats/index.ts'
import { noCondition, resolveCondition } from '../../sites/goals/index.ts'
import { completion, type hitKinds } from '../../sites/goals/records.ts'
import { m } from './messages.ts'

/** The stored form. */
export interface Step {
  /** Null: the name of its goal, path or event. */
  readonly name: string | null
  /** Id of a goal; the fields of the condition are then null. */
  readonly goal_id: string | null
  readonly kind: (typeof hitKinds)[number] | null
  readonly path: string | null
  readonly event: string | null
  readonly property: string | null
  readonly value: string | null
}

const kind = Nullable(completion.kind, {
  description: '`page`: a pageview of a page; `event`: a custom event. Defaults to the kind of the given path or event.',
  [brief]: { description: 'By default, from path or event.' },
})
const goal_id = Nullable(Type.String({ minLength: 1, maxLength: 64 }), {
  description: 'Goal of the site that the step requires. Leave the other fields out.',
  [brief]: { description: 'A goal, by itself.' },
})
const name = Nullable(Type.String({ minLength: 1, maxLength: 200 }), {
  description: 'Name of the step. Null: the name of its goal, path or event.',
  [help]: 'Name of the step. Empty: the name of its goal, path or event.',
  [brief]: { description: 'Name of the step.' },
})

const MAX_STEPS = 10
const few = {
  minItems: 2,
  maxItems: MAX_STEPS,
  description: `From 2 to ${MAX_STEPS} steps, in the order in which visits complete them.`,
}

const step = Type.Object({ name, goal_id, ...completion, kind })
export const Steps = Type.Array(step, few)
/** The input form, in which null fields may be left out. */
const givenStep = Type.Partial(step, { additionalProperties: false })
type StepInput = Static<typeof givenStep>
export const givenSteps = Type.Array(givenStep, {
  ...few,
  [checkedBy]: (given, pointer) =>
    (Array.isArray(given) ? given : []).flatMap((one: StepInput, i) => resolveStep(one, 'not known', `${pointer}/${i}`).faults),
})

/** The same for lists of tools, which have the form of a step in `funnels_create`. */
export const exploredSteps = {
  ...givenSteps,
  [brief]: {
    description: '[{"path": "/pricing"}, {"event": "Signup"}, {"goal_id": "…"}]; as in funnels_create.',
    items: { type: 'object' },
  },
}

/** @param goals of the site */
export function resolveSteps(given: readonly StepInput[], goals: readonly Goal[]): { steps: Step[]; faults: Fault[] } {
  const settled = given.map((step, i) => resolveStep(step, goals, `/steps/${i}`))
  return { steps: settled.map(({ step }) => step), faults: settled.flatMap(({ faults }) => faults) }
}

const nothing = { kind: null, path: null, event: null, property: null, value: null } as const

type Known = readonly Goal[] | 'not known'

function resolveStep(given: StepInput, goals: Known, pointer: string): { step: Step; faults: Fault[] } {
  const { name: labelled, goal_id = null, ...condition } = given
  const label = oneLine(labelled ?? '') || null
  if (goal_id !== null) {
    const faults = [...unknownGoal(goal_id, goals, pointer), ...conditionFaults(condition, pointer)]
    return { step: { name: label, goal_id, ...nothing }, faults }
  }
  const { path = null, event = null, kind = null } = condition
  if (path === null && event === null && kind === null) {
    const message = m.no_condition({ field: fieldAt(pointer) })
    return { step: { name: label, goal_id, ...nothing }, faults: [{ pointer, code: 'required', message }] }
  }
  const own = kind ?? (path === null ? 'event' : 'page')
  const { condition: settled, faults } = resolveCondition({ ...condition, kind: own }, { ...noCondition, kind: own }, pointer)
  const { path: page, event: named, property, value } = settled
  return { step: { name: label, goal_id, kind: own, path: page, event: named, property, value }, faults }
}

function unknownGoal(id: string, goals: Known, pointer: string): Fault[] {
  if (goals === 'not known' || goals.some(goal => goal.id === id)) return []
  const message = m.no_goal({ field: fieldAt(`${pointer}/goal_id`), received: JSON.stringify(id) })
  return [{ pointer: `${pointer}/goal_id`, code: 'not_found', message }]
}

/** Reports conditions in a step that has a goal. */
function conditionFaults(condition: Omit<StepInput, 'name' | 'goal_id'>, pointer: string): Fault[] {
  return Object.entries(condition).flatMap(([field, value]): Fault[] => {
    const message = m.not_with_goal({ field: fieldAt(`${pointer}/${field}`) })
    return value === null ? [] : [{ pointer: `${pointer}/${field}`, code: 'mismatch', message }]
  })
}

/** Returns the step as a goal for the engine, with its display values. If its goal was deleted, no visit completes it. */
export function goalOf(step: Step, goals: readonly Goal[]): { goal: Goal; value: string; label: string } {
  const { name, goal_id, ...condition } = step
  if (goal_id === null) {
    const value = condition.path ?? condition.event ?? ''
    return { goal: { ...condition, kind: condition.kind ?? 'event', id: '', name: value }, value, label: name ?? value }
  }
  const goal = goals.find(({ id }) => id === goal_id) ?? { ...nothing, kind: 'event', id: goal_id, name: goal_id }
  return { goal, value: goal_id, label: name ?? goal.name }
}
