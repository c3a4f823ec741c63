/** Answers of the events reports, in the same form as those of analytics. */
import { type TSchema, Type } from '@sinclair/typebox'
import { DateTime, Nullable, OneOf, optional, record } from '../../../runtime/table/schema.ts'
import { changeFields, INTERVALS, metricFields, Period } from '../stats/index.ts'

/** Metrics of an event, and of a value of its properties. */
export const ofEvents = ['visitors', 'visits', 'events', 'revenue', 'purchases', 'average_order', 'conversion_rate'] as const
export const ofValues = ['visitors', 'visits', 'events', 'revenue', 'share'] as const
export const ofPoints = ['visitors', 'visits', 'events', 'revenue'] as const

export const eventMetrics = metricFields(ofEvents)
const eventChanges = Type.Object(changeFields(ofEvents), { description: 'Changes in percent.' })
const names = Type.Array(Type.String(), { description: 'Names that are sent for it, renamed or merged into this one.' })
const label = Type.String({ description: 'The value as it is shown.' })

export const EventRow = record(
  'EventRow',
  {
    value: Type.String({ description: 'Name it is shown under, as filters take it.' }),
    label,
    names,
    ...eventMetrics,
    first_seen_at: DateTime({ description: 'When it first came in the period.' }),
    last_seen_at: DateTime({ description: 'When it last came in the period.' }),
    comparison: optional(
      Type.Object(
        { ...eventMetrics, change: eventChanges },
        {
          description: 'The same event over the range compared with, and the change since.',
        },
      ),
    ),
  },
  'An event with its metrics.',
)

export const EventList = record(
  'EventList',
  {
    period: Period,
    rows: Type.Array(EventRow, { description: 'The events of this page, most frequent first.' }),
    comparison: optional(Type.Object({ period: Period }, { description: 'The range that rows are compared with.' })),
  },
  'Events of a site.',
)

const valueMetrics = metricFields(ofValues)
const ValueRow = record(
  'EventValueRow',
  {
    value: Type.String({ description: 'The value; empty where there is none.' }),
    label,
    ...valueMetrics,
    share: Type.Number({ unit: 'percent', description: 'Percent of all visitors who did the event.' }),
    comparison: optional(
      Type.Object(
        {
          ...valueMetrics,
          change: Type.Object(changeFields(ofValues), { description: 'Changes in percent.' }),
        },
        { description: 'The same value over the range compared with, and the change since.' },
      ),
    ),
  },
  'A value the event came with: a page, a source, or one of a property.',
)

const rowsOf = (description: string) => Type.Array(ValueRow, { description })

const key = Type.String({ description: 'Key of the property, as it is sent.' })
const keyLabel = Type.String({ description: 'The key as it is shown.' })
const number = (description: string) => Type.Number({ description })
const Numbers = {
  count: Type.Integer({ unit: 'count', description: 'How many values were numbers.' }),
  sum: number('Their sum.'),
  mean: number('Their mean.'),
  median: number('Half of them are at most this.'),
  p90: number('Nine of ten are at most this; between two of them, in proportion.'),
  min: number('The least.'),
  max: number('The greatest.'),
}
const Aggregates = record(
  'PropertyAggregates',
  {
    key,
    label: keyLabel,
    ...Numbers,
    comparison: optional(
      Nullable(Type.Object(Numbers), {
        description: 'The same over the range compared with; null where no value was a number.',
      }),
    ),
  },
  'Numbers about the values of a property.',
)

const point = <T extends TSchema>(at: T) => ({
  at,
  partial: Type.Boolean({ description: 'Whether the period covers only a part of it, or it is not over yet.' }),
  ...metricFields(ofPoints),
})
const EventPoint = record(
  'EventPoint',
  point(
    DateTime({
      description: 'Where it begins, with the offset of the site.',
    }),
  ),
  'Metrics of the event in one point of a series.',
)
const ComparedEventPoint = record(
  'ComparedEventPoint',
  point(
    Nullable(DateTime(), {
      description: 'Where it begins; null where the comparison has no such point.',
    }),
  ),
  'Metrics of the event in the point of the comparison that belongs to a point of the series.',
)

export const EventDetail = record(
  'EventDetail',
  {
    period: Period,
    value: Type.String({ description: 'Name that was asked for.' }),
    label,
    names,
    hidden: Type.Boolean({ description: 'Whether other reports leave it out.' }),
    metrics: Type.Object(eventMetrics, { description: 'Of the period.' }),
    first_seen_at: Nullable(DateTime(), { description: 'When it first came in the period.' }),
    last_seen_at: Nullable(DateTime(), { description: 'When it last came in the period.' }),
    interval: OneOf(INTERVALS, { description: 'Length of a point.' }),
    series: optional(Type.Array(EventPoint, { description: 'Every point of the period in order, those without the event too.' })),
    properties: Type.Array(
      Type.Object({
        key,
        label: keyLabel,
        rows: rowsOf('Its values, most frequent first; at most 25.'),
      }),
      { description: 'One for each of `properties`, in that order.' },
    ),
    aggregates: Type.Array(Aggregates, {
      description: 'Properties whose values on this event are numbers, for the most part; at most 30.',
    }),
    keys: Type.Array(
      Type.Object({
        key,
        label: keyLabel,
        events: Type.Integer({ unit: 'count', description: 'How many of the events carried it.' }),
      }),
      { description: 'Properties it came with, most frequent first; hidden ones are left out. At most 100.' },
    ),
    pages: rowsOf('Pages it happened on, most frequent first; at most 25.'),
    sources: rowsOf('Sources of its visits, most frequent first; at most 25.'),
    comparison: optional(
      Type.Object(
        {
          period: Period,
          metrics: Type.Object(eventMetrics, { description: 'Of the range compared with.' }),
          change: eventChanges,
          series: optional(Type.Array(ComparedEventPoint, { description: 'As many points as the series has, in the same order.' })),
        },
        { description: 'The same over the range compared with, and the change since; rows have one of their own.' },
      ),
    ),
  },
  'One event in detail.',
)
