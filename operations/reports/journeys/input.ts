/** The input: where journeys begin or end. */
import { Type } from '@sinclair/typebox'
import type { Fault } from '../../../runtime/table/errors.ts'
import { brief, among, OneOf, optional } from '../../../runtime/table/schema.ts'
import { checkedBy } from '../../../runtime/table/validate.ts'
import type { Goal } from '../../../storage/engine/vocabulary/scope.ts'
import { unknownGoalId } from '../stats/index.ts'
import { MAX_EVENT_LENGTH } from '../../sites/goals/records.ts'
import { MODES } from './records.ts'
import { fieldTerm } from '../../../runtime/texts/message.ts'
import { m } from './messages.ts'

export const journeyInput = {
  mode: OneOf(MODES, {
    default: 'forward',
    description: 'Direction: `forward` from a start, or `reverse` from an end.',
    [brief]: { description: 'From a start, or to an end.' },
    [checkedBy]: (mode, _, { path, goal_id, event }) =>
      combinationFaults(among(MODES, String(mode)), { path: isGiven(path), goal_id: isGiven(goal_id), event: isGiven(event) }),
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
  event: optional(
    Type.String({
      maxLength: MAX_EVENT_LENGTH,
      description: 'Event to start from or, in reverse, to end at, instead of a page: its name, as the site sends it.',
      [brief]: { description: 'Start or end event, instead of a page.' },
    }),
  ),
  steps: Type.Integer({
    unit: 'count',
    default: 3,
    minimum: 2,
    maximum: 10,
    description: 'Number of steps.',
    [brief]: { description: 'Up to 10.' },
  }),
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
  readonly event?: string | undefined
  readonly steps?: number | undefined
  readonly limit: number
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== ''

export function faultsOfJourney({ mode, path, goal_id = '', event }: JourneyQuestion, goals: readonly Goal[]): Fault[] {
  const known = goal_id === '' || goals.some(({ id }) => id === goal_id)
  const given = { path: isGiven(path), goal_id: isGiven(goal_id), event: isGiven(event) }
  return combinationFaults(mode, given).concat(mode === 'forward' || known ? [] : [unknownGoalId(goal_id, goals)])
}

type Given = Readonly<Record<'path' | 'goal_id' | 'event', boolean>>

/** Returns faults of combinations that are invalid for every site. */
function combinationFaults(mode: JourneyQuestion['mode'], given: Given): Fault[] {
  return wrong.filter(({ when }) => when(mode, given)).map(({ fault }) => fault)
}

interface Wrong {
  when(mode: JourneyQuestion['mode'], given: Given): boolean
  readonly fault: Fault
}
const [path, goal, event] = [fieldTerm('path'), fieldTerm('goal_id'), fieldTerm('event')]
const wrong: readonly Wrong[] = [
  {
    when: (mode, { goal_id }) => mode === 'forward' && goal_id,
    fault: { pointer: '/goal_id', code: 'mismatch', message: m.goal_without_reverse({ goal }) },
  },
  {
    when: (mode, given) => mode === 'reverse' && !given.path && !given.goal_id && !given.event,
    fault: { pointer: '/path', code: 'required', message: m.no_end({ path, goal, event }) },
  },
  {
    when: (mode, given) => mode === 'reverse' && given.path && given.goal_id,
    fault: { pointer: '/goal_id', code: 'mismatch', message: m.two_ends({ goal, path }) },
  },
  {
    when: (_, given) => given.event && (given.path || given.goal_id),
    fault: { pointer: '/event', code: 'mismatch', message: m.event_alone({ event, path, goal }) },
  },
]
