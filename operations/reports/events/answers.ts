/** Responses of the events reports, in the form of the other reports. */
import { type TSchema, Type } from '@sinclair/typebox'
import { DateTime, Nullable, OneOf, optional, record } from '../../../runtime/table/schema.ts'
import { CHANGES, changeFields, INTERVALS, metricFields, Period } from '../stats/index.ts'

/** Metrics of an event, and of a value of its properties. */
export const ofEvents = ['visitors', 'visits', 'events', 'revenue', 'purchases', 'average_order', 'conversion_rate'] as const
export const ofValues = ['visitors', 'visits', 'events', 'revenue', 'share'] as const
export const ofPoints = ['visitors', 'visits', 'events', 'revenue'] as const

export const eventMetrics = metricFields(ofEvents)
const eventChanges = Type.Object(changeFields(ofEvents), { description: CHANGES })
const names = Type.Array(Type.String(), { description: 'Sent names that are renamed or merged into this one.' })
const label = Type.String({ description: 'Display form of the value.' })

export const EventRow = record(
  'EventRow',
  {
    value: Type.String({ description: 'Display name, which filters accept.' }),
    label,
    names,
    ...eventMetrics,
    first_seen_at: DateTime({ description: 'When it was first seen in the period.' }),
    last_seen_at: DateTime({ description: 'When it was last seen in the period.' }),
    comparison: optional(
      Type.Object(
        { ...eventMetrics, change: eventChanges },
        {
          description: 'The same event in the comparison, and the change.',
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
    value: Type.String({ description: 'The value; empty if it is missing.' }),
    label,
    ...valueMetrics,
    share: Type.Number({ unit: 'percent', description: 'Share of all visitors who triggered the event, in percent.' }),
    comparison: optional(
      Type.Object(
        {
          ...valueMetrics,
          change: Type.Object(changeFields(ofValues), { description: CHANGES }),
        },
        { description: 'The same value in the comparison, and the change.' },
      ),
    ),
  },
  'A value of the event: a page, a source, or a value of a property.',
)

const rowsOf = (description: string) => Type.Array(ValueRow, { description })

const key = Type.String({ description: 'Key of the property, as the site sends it.' })
const keyLabel = Type.String({ description: 'Display name of the key.' })
const number = (description: string) => Type.Number({ description })
const Numbers = {
  count: Type.Integer({ unit: 'count', description: 'Number of numeric values.' }),
  sum: number('Sum of the numbers.'),
  mean: number('Mean of the numbers.'),
  median: number('Median: half of the numbers are at most this.'),
  p90: number('90th percentile, interpolated linearly.'),
  min: number('Smallest number.'),
  max: number('Largest number.'),
}
const Aggregates = record(
  'PropertyAggregates',
  {
    key,
    label: keyLabel,
    ...Numbers,
    comparison: optional(
      Nullable(Type.Object(Numbers), {
        description: 'The same in the comparison; null if no value was a number.',
      }),
    ),
  },
  'Statistics on the values of a property.',
)

const point = <T extends TSchema>(at: T) => ({
  at,
  partial: Type.Boolean({ description: 'Whether the period covers only a part of the point, or the point has not ended yet.' }),
  ...metricFields(ofPoints),
})
const EventPoint = record(
  'EventPoint',
  point(
    DateTime({
      description: 'Start of the point, with the UTC offset of the site.',
    }),
  ),
  'Metrics of the event in one point of a series.',
)
const ComparedEventPoint = record(
  'ComparedEventPoint',
  point(
    Nullable(DateTime(), {
      description: 'Start of the point; null if the comparison has no such point.',
    }),
  ),
  'Metrics of the event in the comparison’s point for a point of the series.',
)

export const EventDetail = record(
  'EventDetail',
  {
    period: Period,
    value: Type.String({ description: 'Requested name.' }),
    label,
    names,
    hidden: Type.Boolean({ description: 'Whether other reports leave the event out.' }),
    metrics: Type.Object(eventMetrics, { description: 'Metrics of the period.' }),
    first_seen_at: Nullable(DateTime(), { description: 'When the event was first seen in the period.' }),
    last_seen_at: Nullable(DateTime(), { description: 'When the event was last seen in the period.' }),
    interval: OneOf(INTERVALS, { description: 'Length of a point.' }),
    series: optional(Type.Array(EventPoint, { description: 'Every point of the period in order, including points without the event.' })),
    properties: Type.Array(
      Type.Object({
        key,
        label: keyLabel,
        rows: rowsOf('Values, most frequent first; at most 25.'),
      }),
      { description: 'One element per requested property, in the requested order.' },
    ),
    aggregates: Type.Array(Aggregates, {
      description: 'Properties whose values on this event are mostly numbers; at most 30.',
    }),
    keys: Type.Array(
      Type.Object({
        key,
        label: keyLabel,
        events: Type.Integer({ unit: 'count', description: 'Number of events with the property.' }),
      }),
      { description: 'Properties of the event, most frequent first, without hidden ones; at most 100.' },
    ),
    pages: rowsOf('Pages of the event, most frequent first; at most 25.'),
    sources: rowsOf('Sources of its visits, most frequent first; at most 25.'),
    comparison: optional(
      Type.Object(
        {
          period: Period,
          metrics: Type.Object(eventMetrics, { description: 'Metrics of the comparison.' }),
          change: eventChanges,
          series: optional(Type.Array(ComparedEventPoint, { description: 'As many points as the series has, in the same order.' })),
        },
        { description: 'The same in the comparison, and the change; rows have their own comparison.' },
      ),
    ),
  },
  'One event in detail.',
)
