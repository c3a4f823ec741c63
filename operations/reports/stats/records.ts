/** The common form of reports' answers. */
import { type SchemaOptions, type TProperties, Type } from '@sinclair/typebox'
import { CalendarDay, DateTime, Nullable, OneOf, optional, record, Sentence } from '../../../runtime/table/schema.ts'
import { NARROWED } from '../../../storage/engine/vocabulary/conditions.ts'
import { headline, type MetricName, metrics, ofRows, ofSeries, ofSomeRows } from '../../../storage/engine/vocabulary/metrics.ts'
import { ImportedMeta } from './imported.ts'
import { slot } from '../../../runtime/ui/slot.ts'
import { INTERVALS } from './time/interval.ts'

/** Paths of reports that other areas bring: about one page (`path`), about one event (`name`), and about current visitors. */
export const pagePath = slot<object, string>('path of the report about a page')
export const eventPath = slot<object, string>('path of the report about an event')
export const livePath = slot<object, string>('path of the report about current visitors')

/** Metrics for which less is better; for others more is, or neither. */
const lessIsBetter: ReadonlySet<MetricName> = new Set<MetricName>(['bounce_rate', 'exit_rate'])
const betterOf = (name: MetricName) => (lessIsBetter.has(name) ? ({ better: 'less' } as const) : {})

function number(name: MetricName) {
  const { unit, description } = metrics[name]
  const options: SchemaOptions = { unit: unit === 'money' ? 'minor_units' : unit, ...betterOf(name), description }
  return unit === 'percent' || unit === 'ratio' ? Type.Number(options) : Type.Integer(options)
}
/** The change of a metric since the comparison. @param better the same as for the metric */
export const changeField = (name: string, better?: 'less' | 'more') =>
  Nullable(Type.Number(), {
    unit: 'percent',
    ...(better && { better }),
    description: `Change of ${name} in percent; null where there was nothing before.`,
  })
const change = (name: MetricName) => changeField(name, betterOf(name).better)

const each = <M extends MetricName, S>(names: readonly M[], of: (name: M) => S) =>
  Object.fromEntries(names.map(name => [name, of(name)])) as Record<M, S> // one entry for each name

/** Fields of these metrics, and of their changes. */
export const metricFields = <M extends MetricName>(names: readonly M[]) => each(names, number)
export const changeFields = <M extends MetricName>(names: readonly M[]) => each(names, change)

export const Period = record(
  'Period',
  {
    from: DateTime({ description: 'Where it begins.' }),
    to: DateTime({ description: 'Where it ends: the first instant after it.' }),
  },
  'The range that was counted, as instants.',
)

export const Metrics = record('Metrics', each(headline, number), 'Headline metrics.')
export const Changes = record('Changes', each(headline, change), 'Changes in percent.')

export const Aggregate = record(
  'Aggregate',
  {
    period: Period,
    metrics: Metrics,
    comparison: optional(
      Type.Object(
        {
          period: Period,
          metrics: Metrics,
          change: Changes,
        },
        { description: 'The same over the range compared with, and the change since.' },
      ),
    ),
  },
  'Headline metrics of a period.',
)

export const Point = record(
  'Point',
  {
    at: DateTime({ description: 'Where it begins, with the offset of the site.' }),
    partial: Type.Boolean({ description: 'Whether the period covers only a part of it, or it is not over yet.' }),
    ...each(headline, number),
  },
  'Metrics of one point of a series.',
)
export const ComparedPoint = record(
  'ComparedPoint',
  {
    ...Point.properties,
    at: Nullable(DateTime(), { description: 'Where it begins; null where the comparison has no such point.' }),
  },
  'Metrics of the point of the comparison that belongs to a point of the series.',
)

/** With some of the metrics: those that were asked for. */
const { at, partial } = Point.properties
const chosen = { ...each(headline, name => optional(number(name))), ...each(ofSeries, name => optional(number(name))) }
export const SeriesPoint = record('SeriesPoint', { at, partial, ...chosen }, 'Metrics of one point of a series; of all, those asked for.')
const SomeComparedPoint = record(
  'ComparedSeriesPoint',
  { ...SeriesPoint.properties, at: ComparedPoint.properties.at },
  ComparedPoint.description ?? '',
)
const DividedSeries = record(
  'DividedSeries',
  {
    value: Nullable(Type.String(), { description: 'The value, as filters take it; null: all other values together.' }),
    label: Type.String({ description: 'The value as it is shown.' }),
    series: Type.Array(SeriesPoint, { description: 'As many points as the whole series has.' }),
  },
  'The series of one value of a dimension.',
)

export const Timeseries = record(
  'Timeseries',
  {
    period: Period,
    interval: OneOf(INTERVALS, { description: 'Length of a point.' }),
    series: Type.Array(SeriesPoint, { description: 'Every point of the period in order, those without a hit too.' }),
    by: optional(
      Type.Object(
        {
          dimension: Type.String({ description: 'What the series is divided by.' }),
          rows: Type.Array(DividedSeries, { description: 'The top values, most visitors first, then all others as one.' }),
        },
        { description: 'The series divided by a dimension. Somebody with two values of it counts as a visitor of both.' },
      ),
    ),
    comparison: optional(
      Type.Object(
        {
          period: Period,
          series: Type.Array(SomeComparedPoint, { description: 'As many points as the series has, in the same order.' }),
        },
        { description: 'The series of the range compared with.' },
      ),
    ),
  },
  'Headline metrics over time.',
)

const rowOf = <M extends TProperties, C extends TProperties>({
  name,
  metrics,
  changes,
  description,
}: {
  name: string
  metrics: M
  changes: C
  description: string
}) =>
  record(
    name,
    {
      value: Type.String({ description: 'The value, as filters take it; empty where there is none.' }),
      label: Type.String({ description: 'The value as it is shown.' }),
      ...metrics,
      comparison: optional(
        Type.Object(
          {
            ...metrics,
            change: Type.Object(changes, { description: 'Changes in percent.' }),
          },
          { description: 'The same value over the range compared with, and the change since.' },
        ),
      ),
    },
    description,
  )
const someMetrics = each(ofSomeRows, name => optional(number(name)))
const someChanges = each(ofSomeRows, name => optional(change(name)))
export const Row = rowOf({
  name: 'PanelRow',
  metrics: { ...each(ofRows, number), ...someMetrics },
  changes: { ...each(ofRows, change), ...someChanges },
  description: 'One value of a dimension with its metrics.',
})
export const BreakdownRow = rowOf({
  name: 'BreakdownRow',
  metrics: { ...each(ofRows, name => optional(number(name))), ...someMetrics },
  changes: { ...each(ofRows, name => optional(change(name))), ...someChanges },
  description: 'One value of a dimension with its metrics; of all it has, those asked for.',
})

export const Breakdown = record(
  'Breakdown',
  {
    period: Period,
    dimension: Type.String({ description: 'What the rows are values of.' }),
    rows: Type.Array(BreakdownRow, { description: 'The values of this page, in the order asked for.' }),
    comparison: optional(Type.Object({ period: Period }, { description: 'The range that rows are compared with.' })),
  },
  'Top values of a dimension.',
)

const AppliedFilter = Type.Object({
  condition: Type.Unknown({ description: 'As it was given: [dimension, operator, value], or {"any": [conditions]}.' }),
  from: OneOf(['filters', 'segment'], { description: 'Where it was given.' }),
  narrows: Type.Array(OneOf(NARROWED), {
    description:
      'What counts only the pages or hits it asks for: all other figures are of the whole visits that it keeps. `bounce_rate` and \
`visit_duration` are then of the visits that entered on such a page. Empty for a condition that only chooses visits.',
  }),
})

const SHARES = Object.freeze(['visitors_of_report', 'visitors_of_event', 'visitors_of_page', 'visits_of_journeys'] as const)

/** Notes on what was applied, ignored or approximated. */
export const ReportMeta = Type.Object({
  timezone: Type.String({ description: 'Time zone that days are cut by.' }),
  filters: Type.Array(AppliedFilter, { description: 'Conditions that were applied, with the conditions of the segment last.' }),
  segment: Nullable(
    Type.Object({
      id: Type.String({ description: 'Prefix `seg_`.' }),
      name: Type.String({ description: 'Its name.' }),
    }),
    { description: 'Segment that was applied.' },
  ),
  comparison: Nullable(
    Type.Object({
      from: CalendarDay({ description: 'First day.' }),
      to: CalendarDay({ description: 'Last day.' }),
      until: Nullable(Type.String(), {
        description: 'Local time at which the last day was cut, `14:05`, as the period is not over either; null for the whole day.',
      }),
      same_weekday: Type.Boolean({ description: 'Whether it was moved to begin on the weekday of the period.' }),
    }),
    { description: 'The days that were compared with, in the time zone of the site; null without a comparison.' },
  ),
  imported: optional(ImportedMeta),
  visitors: OneOf(['daily_uniques_added_up'], {
    description: 'How visitors are counted: once a day each, so that who comes on two days counts twice in a longer period.',
  }),
  share_of: Nullable(OneOf(SHARES), {
    description: 'What `share` of rows is a percentage of; null if rows have no share, or have their base in a field of their own.',
  }),
  notes: Type.Array(
    Type.Object({
      code: Type.String({ description: 'What it is about, for programs.' }),
      message: Sentence({ description: 'What it is about, for people.' }),
    }),
    { description: 'What to know about these numbers.' },
  ),
})

/** For a report whose rows come in pages. */
export const RowsMeta = Type.Object({
  ...ReportMeta.properties,
  total: Type.Integer({ unit: 'count', description: 'Rows there are, on all pages.' }),
})
