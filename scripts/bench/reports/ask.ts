/** The form of the benchmark's queries, and the parts that many of them share. */
import type { Answer, Query } from '../../../storage/engine/index.ts'
import type { Span } from '../../../storage/engine/vocabulary/scope.ts'
import { dayStart } from '../../../storage/calendar/zones.ts'
import { FIRST_DAY, LAST_DAY, ZONE } from './dataset.ts'
import type { Days, Rows } from './duck.ts'

export interface Question {
  readonly name: string
  readonly bar: number
  readonly query: Omit<Query, 'site'>
  readonly duck: readonly string[]
  /** @throws AssertionError if the two did not find the same */
  agrees?(answer: Answer, rows: readonly Rows[]): void
}
export type Where = Query['where']

export const UNFILTERED = 0.1
export const FILTERED = 0.6

export const whole = (fromDay: number, toDay: number): Span => ({
  fromDay,
  toDay,
  from: dayStart(ZONE, fromDay),
  to: dayStart(ZONE, toDay + 1),
  whole: true,
})
export const last = (days: Days): Span => whole(Math.max(FIRST_DAY, LAST_DAY - days + 1), LAST_DAY)
export const test = (dimension: string, operator: 'is' | 'contains', value: string) => ({
  dimension,
  operator,
  values: [value],
  pointer: '',
})

export const goals: Query['goals'] = [
  { id: 'g1', name: 'Purchase', kind: 'event', path: null, event: 'purchase', property: null, value: null },
  { id: 'g2', name: 'Signup', kind: 'event', path: null, event: 'signup', property: null, value: null },
  { id: 'g3', name: 'Landing', kind: 'page', path: '/p/19/landing', event: null, property: null, value: null },
]
interface Ask {
  readonly name: string
  readonly bar: number
  readonly asked: Query['asked']
  readonly statements: string | readonly string[]
  readonly where?: Where | undefined
}

export const ask = ({ name, bar, asked, statements, where = [] }: Ask): Question => ({
  name,
  bar,
  query: { where, goals, asked },
  duck: typeof statements === 'string' ? [statements] : statements,
})

export const days = (count: Days): Span[] =>
  Array.from({ length: count }, (_, i) => whole(LAST_DAY - count + 1 + i, LAST_DAY - count + 1 + i))
