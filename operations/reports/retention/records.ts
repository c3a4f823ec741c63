/** The response of retention. */
import { Type } from '@sinclair/typebox'
import { Nullable, OneOf, optional, record } from '../../../runtime/table/schema.ts'
import { Period } from '../stats/records.ts'

export const RETENTION_INTERVALS = Object.freeze(['day', 'week', 'month'] as const)

const index = Type.Integer({ description: 'Periods since that of the cohort: 0 is the period in which it began.' })
const percent = Nullable(Type.Number(), { unit: 'percent', description: 'Percentage of the people of the cohort; null without people.' })

const RetentionCell = record(
  'RetentionCell',
  {
    index,
    people: Type.Integer({ unit: 'count', description: 'Number of people who came back in this period.' }),
    percent,
    revenue: Type.Integer({ unit: 'minor_units', description: 'Revenue of the cohort in this period.' }),
    unfinished: Type.Boolean({ description: 'Whether the period is not over, so that its figures may still grow.' }),
  },
  'One cohort in one period.',
)

const RetentionCohort = record(
  'RetentionCohort',
  {
    first_day: Type.String({ format: 'date', description: 'First day of the period in which the cohort began.' }),
    last_day: Type.String({ format: 'date', description: 'Last day of that period.' }),
    people: Type.Integer({ unit: 'count', description: 'Number of people in the cohort.' }),
    revenue: Type.Integer({ unit: 'minor_units', description: 'Revenue of the cohort in all periods.' }),
    customers: Type.Integer({ unit: 'count', description: 'Number of its people with a purchase since.' }),
    repeat_customers: Type.Integer({ unit: 'count', description: 'Number of its people with at least two purchases.' }),
    cells: Type.Array(RetentionCell, { description: 'Its periods, from that of the cohort to the last one.' }),
  },
  'People whose first visit, or first completion of the goal, was in the same period.',
)

const RetentionPoint = record(
  'RetentionPoint',
  {
    index,
    base: Type.Integer({ unit: 'count', description: 'Number of people of the cohorts for which this period is over.' }),
    people: Type.Integer({ unit: 'count', description: 'Number of those who came back in it.' }),
    percent,
  },
  'All cohorts together, in one period after their first.',
)

const curve = Type.Array(RetentionPoint, { description: 'All cohorts together, by periods that are over.' })

const RetentionGroup = record(
  'RetentionGroup',
  {
    value: Type.String({ description: 'Value of the dimension.' }),
    label: Type.String({ description: 'Display form of the value.' }),
    people: Type.Integer({ unit: 'count', description: 'Number of people of all cohorts.' }),
    revenue: Type.Integer({ unit: 'minor_units', description: 'Their revenue.' }),
    customers: Type.Integer({ unit: 'count', description: 'Number of them with a purchase.' }),
    repeat_customers: Type.Integer({ unit: 'count', description: 'Number of them with at least two purchases.' }),
    curve,
  },
  'The people with one value of `by`.',
)

export const Retention = record(
  'Retention',
  {
    period: Period,
    interval: OneOf(RETENTION_INTERVALS, { description: 'Length of a period.' }),
    goal_id: Nullable(Type.String(), { description: 'Goal that makes a person part of a cohort; null: the first visit does.' }),
    return_goal_id: Nullable(Type.String(), { description: 'Goal that counts as coming back; null without.' }),
    return_event: Nullable(Type.String(), {
      description: 'Event that counts as coming back; null without. Without both, every visit does.',
    }),
    people: Type.Integer({ unit: 'count', description: 'Number of people of all cohorts.' }),
    cohorts: Type.Array(RetentionCohort, { description: 'One for each period, the earliest first.' }),
    curve,
    by: optional(Type.String({ description: 'The dimension that divides people.' })),
    groups: optional(Type.Array(RetentionGroup, { description: 'Values of `by` with the most people.' })),
  },
  'How many people came back.',
)
