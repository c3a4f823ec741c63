/** The worth of a completion of a goal, if it is not the revenue of its hits: an amount, or the number in a property. */
import { failWith, type Fault } from '../../../runtime/table/errors.ts'
import { fieldTerm } from '../../../runtime/texts/message.ts'
import type { Goal as EngineGoal } from '../../../storage/engine/vocabulary/scope.ts'
import type { GoalRow } from '../../../storage/tables/index.ts'
import { decimals } from '../collection/index.ts'
import type { Condition } from './condition.ts'
import { kinds, storedProperties } from './records.ts'
import { among } from '../../../runtime/table/schema.ts'
import { m } from './messages.ts'

export interface GoalWorth {
  readonly value_amount: number | null
  readonly value_property: string | null
}
export type WorthInput = { readonly [K in keyof GoalWorth]?: GoalWorth[K] | undefined }

export const noWorth: GoalWorth = Object.freeze({ value_amount: null, value_property: null })

/** The worth after a change: an amount replaces a property, and a property an amount. @throws Failure 422 if both are given */
export function worthOf({ value_amount, value_property }: WorthInput, before: GoalWorth): GoalWorth {
  failWith(worthFaults(value_amount, value_property))
  if (typeof value_property === 'string') return { value_amount: null, value_property }
  if (typeof value_amount === 'number') return { value_amount, value_property: null }
  return {
    value_amount: value_amount === undefined ? before.value_amount : value_amount,
    value_property: value_property === undefined ? before.value_property : value_property,
  }
}

export function worthFaults(amount: unknown, property: unknown): Fault[] {
  if (typeof amount !== 'number' || typeof property !== 'string') return []
  const fields = { field: fieldTerm('value_property'), other: fieldTerm('value_amount') }
  return [{ pointer: '/value_property', code: 'mismatch', message: m.one_worth(fields) }]
}

type Drafted = Condition & GoalWorth & { readonly id: string; readonly name: string }

/** A goal as the engine takes it. @param currency of the site */
export function engineGoal(
  { kind, regex, depth, duration_seconds, properties, value_amount, value_property, ...goal }: Drafted,
  currency: string,
): EngineGoal {
  return {
    id: goal.id,
    name: goal.name,
    // The script sends the event of a click goal.
    kind: kind === 'click' ? 'event' : kind,
    path: goal.path,
    regex,
    event: goal.event,
    property: goal.property,
    value: goal.value,
    properties,
    depth,
    lasting: duration_seconds === null ? null : duration_seconds * 1_000,
    worth:
      value_amount !== null
        ? { amount: value_amount }
        : value_property === null
          ? null
          : { property: value_property, digits: decimals(currency) },
  }
}

/** The columns that `goalOfRow` reads. */
export const goalColumns = [
  'goals.id',
  'goals.name',
  'goals.kind',
  'goals.path',
  'goals.regex',
  'goals.event',
  'goals.depth',
  'goals.duration_seconds',
  'goals.selector',
  'goals.property',
  'goals.value',
  'goals.properties',
  'goals.value_amount',
  'goals.value_property',
] as const

type ReadRow = Omit<GoalRow, 'site_id' | 'created_at' | 'updated_at'>

export const goalOfRow = (row: ReadRow, currency: string): EngineGoal =>
  engineGoal({ ...row, kind: among(kinds, row.kind), properties: storedProperties(row) }, currency)
