/** The input: what begins a cohort, what counts as coming back, and by what people are divided. */
import { Type } from '@sinclair/typebox'
import type { Fault } from '../../../runtime/table/errors.ts'
import { brief, OneOf, optional } from '../../../runtime/table/schema.ts'
import { checkedBy } from '../../../runtime/table/validate.ts'
import { fieldTerm } from '../../../runtime/texts/message.ts'
import type { Goal } from '../../../storage/engine/vocabulary/scope.ts'
import { visitDimensions } from '../../../storage/tables/index.ts'
import { LIMITS } from '../../sites/collection/index.ts'
import { statsInput, unknownGoalId } from '../stats/index.ts'
import { m } from './messages.ts'
import { RETENTION_INTERVALS } from './records.ts'

/** A table of more periods is not readable, and its cells grow with the square. */
export const MAX_PERIODS = 62

const { period, from, to, filters, segment_id } = statsInput

export const retentionInput = {
  period: { ...period, default: '90d' },
  from,
  to,
  filters: {
    ...filters,
    description: `${filters.description ?? ''} They choose the people: by the visit with which they become part of a cohort.`.trim(),
  },
  segment_id,
  interval: OneOf(RETENTION_INTERVALS, {
    default: 'week',
    description: 'Length of a period. The first and the last one of the range are taken whole.',
  }),
  goal_id: optional(
    Type.String({
      maxLength: 64,
      description: 'Goal whose first completion makes a person part of a cohort, prefix `goal_`. Without it, the first visit does.',
      [brief]: { description: 'Goal instead of the first visit.' },
    }),
  ),
  return_goal_id: optional(
    Type.String({
      maxLength: 64,
      description: 'Goal that counts as coming back, prefix `goal_`. Without it and `return_event`, every visit does.',
      [brief]: { description: 'Goal that counts as coming back.' },
      [checkedBy]: (given, _, { return_event = '' }) => faultsOfReturn(String(given), String(return_event)),
    }),
  ),
  return_event: optional(
    Type.String({
      maxLength: LIMITS.value,
      description: 'Event that counts as coming back.',
    }),
  ),
  by: optional(
    OneOf(visitDimensions, {
      description:
        'Divides people by a dimension of the visit with which they become part of a cohort, for example `channel`, `source` or `country`.',
      [brief]: { description: 'Dimension of visits that divides people, such as `channel`.', enum: undefined },
    }),
  ),
  limit: Type.Integer({ unit: 'count', default: 5, minimum: 1, maximum: 20, description: 'Most values of `by`.' }),
}

export interface RetentionInput {
  readonly interval: (typeof RETENTION_INTERVALS)[number]
  readonly goal_id?: string | undefined
  readonly return_goal_id?: string | undefined
  readonly return_event?: string | undefined
  readonly by?: string | undefined
  readonly limit: number
}

const faultsOfReturn = (goal: string, event: string): Fault[] =>
  goal === '' || event === ''
    ? []
    : [
        {
          pointer: '/return_event',
          code: 'mismatch',
          message: m.two_returns({ goal: fieldTerm('return_goal_id'), event: fieldTerm('return_event') }),
        },
      ]

/** Goals that the site does not have, and two ways of coming back. */
export const faultsOfRetention = (
  { goal_id = '', return_goal_id = '', return_event = '' }: RetentionInput,
  goals: readonly Goal[],
): Fault[] => [
  ...Object.entries({ goal_id, return_goal_id }).flatMap(([field, id]) =>
    id === '' || goals.some(goal => goal.id === id) ? [] : [{ ...unknownGoalId(id, goals), pointer: `/${field}` }],
  ),
  ...faultsOfReturn(return_goal_id, return_event),
]
