/** The input: where journeys begin or end. */
import { Type } from '@sinclair/typebox'
import type { Fault } from '../../../runtime/table/errors.ts'
import { brief, among, OneOf, optional } from '../../../runtime/table/schema.ts'
import { checkedBy } from '../../../runtime/table/validate.ts'
import type { Goal } from '../../../storage/engine/vocabulary/scope.ts'
import { unknownGoalId } from '../stats/index.ts'
import { MODES } from './records.ts'
import { fieldTerm } from '../../../runtime/texts/message.ts'
import { m } from './messages.ts'

export const journeyInput = {
  mode: OneOf(MODES, {
    default: 'forward',
    description: 'Direction: `forward` from a start, or `reverse` from an end.',
    [brief]: { description: 'From a start, or to an end.' },
    [checkedBy]: (mode, _, { path = '', goal_id = '' }) => combinationFaults(among(MODES, String(mode)), path !== '', goal_id !== ''),
  }),
  path: optional(
    Type.String({
      maxLength: 2_000,
      description: 'Start page, or in reverse the end page. Empty, only forward: the entrance of each visit.',
      [brief]: { description: 'Start or end page. Without one, only forward: the entrance.' },
    }),
  ),
  goal_id: optional(
    Type.String({
      maxLength: 64,
      description: 'In reverse: goal to end at instead of a page, prefix `goal_`.',
      [brief]: { description: 'In reverse: goal to end at.' },
    }),
  ),
  limit: Type.Integer({
    unit: 'count',
    default: 6,
    minimum: 1,
    maximum: 12,
    description: 'Number of pages per step, and of paths.',
    [brief]: { description: 'Most pages per step.' },
  }),
}

export interface JourneyQuestion {
  readonly mode: (typeof MODES)[number]
  readonly path?: string | undefined
  readonly goal_id?: string | undefined
  readonly limit: number
}

export function faultsOfJourney({ mode, path = '', goal_id = '' }: JourneyQuestion, goals: readonly Goal[]): Fault[] {
  const known = goal_id === '' || goals.some(({ id }) => id === goal_id)
  return combinationFaults(mode, path !== '', goal_id !== '').concat(mode === 'forward' || known ? [] : [unknownGoalId(goal_id, goals)])
}

/** Returns faults of combinations that are invalid for every site. */
function combinationFaults(mode: JourneyQuestion['mode'], withPath: boolean, withGoal: boolean): Fault[] {
  return wrong.filter(({ when }) => when(mode, withPath, withGoal)).map(({ fault }) => fault)
}

interface Wrong {
  when(mode: JourneyQuestion['mode'], withPath: boolean, withGoal: boolean): boolean
  readonly fault: Fault
}
const [path, goal] = [fieldTerm('path'), fieldTerm('goal_id')]
const wrong: readonly Wrong[] = [
  {
    when: (mode, _, withGoal) => mode === 'forward' && withGoal,
    fault: { pointer: '/goal_id', code: 'mismatch', message: m.goal_without_reverse({ goal }) },
  },
  {
    when: (mode, withPath, withGoal) => mode === 'reverse' && !withPath && !withGoal,
    fault: { pointer: '/path', code: 'required', message: m.no_end({ path, goal }) },
  },
  {
    when: (mode, withPath, withGoal) => mode === 'reverse' && withPath && withGoal,
    fault: { pointer: '/goal_id', code: 'mismatch', message: m.two_ends({ goal, path }) },
  },
]
