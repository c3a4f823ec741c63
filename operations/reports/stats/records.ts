/** The common form of responses of reports. */
import { type SchemaOptions, type TInteger, type TProperties, Type } from '@sinclair/typebox'
import { CalendarDay, DateTime, Nullable, OneOf, optional, record, Sentence } from '../../../runtime/table/schema.ts'
import { NARROWED } from '../../../storage/engine/vocabulary/conditions.ts'
import { headline, type MetricName, metrics, ofRows, ofSeries, ofSomeRows } from '../../../storage/engine/vocabulary/metrics.ts'
import { ImportedMeta } from './imported.ts'
import { slot } from '../../../runtime/ui/slot.ts'
import { INTERVALS } from './time/interval.ts'

/** Paths of reports in other areas: about one page (`path`), about one event (`name`), and about current visitors. */
export const pagePath = slot<object, string>('path of the report about a page')
export const eventPath = slot<object, string>('path of the report about an event')
/** Keys of properties of recent events, most frequent first. */
export const propertyKeys = slot<object, readonly string[]>('keys of properties')
export const livePath = slot<object, string>('path of the report about current visitors')

/** Ways to keep the table of the explorer, which the page has in its address. */
export const tableKeeper = slot<{ readonly dimensions: readonly string[]; readonly metrics: readonly string[] }>('ways to keep a table')

/** Metrics for which less is better. For others, more is better or neither is. */
const lessIsBetter: ReadonlySet<MetricName> = new Set<MetricName>(['bounce_rate', 'exit_rate'])
const betterOf = (name: MetricName) => (lessIsBetter.has(name) ? ({ better: 'less' } as const) : {})

function number(name: MetricName) {
  const { unit, description } = metrics[name]
  const options: SchemaOptions = { unit: unit === 'money' ? 'minor_units' : unit, ...betterOf(name), description }
  if (unit === 'money')
    return Nullable(Type.Integer(options), { description: `${description} ${SEVERAL_CURRENCIES}` }) as unknown as TInteger // answers of sites have a number
  return unit === 'percent' || unit === 'ratio' ? Type.Number(options) : Type.Integer(options)
}
const SEVERAL_CURRENCIES = 'Null for a group of sites with several currencies.'
/** A metric that imported totals may lack. */
const known = (name: MetricName) => {
  const { description, ...field } = number(name)
  return Nullable(field, { description: `${description} Null if it is unknown in imported history.` })
}
/** Returns the field for the change of a figure from the comparison. @param of unit and `better` of the figure */
export const changeField = (name: string, { unit, better }: Pick<SchemaOptions, 'unit' | 'better'> = {}) =>
  Nullable(Type.Number(), {
    unit: unit === 'percent' ? 'percentage_points' : 'percent',
    ...(better && { better }),
    description:
      unit === 'percent'
        ? `Change of ${name} in percentage points; null if a value is unknown.`
        : `Change of ${name} in percent; null if the compared value is 0, or a value is unknown.`,
  })
const change = (name: MetricName) => changeField(name, { unit: metrics[name].unit === 'percent' ? 'percent' : 'count', ...betterOf(name) })
/** Describes an object of changes. */
export const CHANGES = 'Changes in percent; of rates and shares in percentage points.'

const each = <M extends MetricName, S>(names: readonly M[], of: (name: M) => S) =>
  Object.fromEntries(names.map(name => [name, of(name)])) as Record<M, S> // one entry for each name

/** Returns fields for these metrics, and for their changes. */
export const metricFields = <M extends MetricName>(names: readonly M[]) => each(names, number)
export const changeFields = <M extends MetricName>(names: readonly M[]) => each(names, change)
/** The same for responses that have only the requested metrics. */
export const someMetricFields = <M extends MetricName>(names: readonly M[]) => each(names, name => optional(number(name)))
export const someChangeFields = <M extends MetricName>(names: readonly M[]) => each(names, name => optional(change(name)))

export const Period = record(
  'Period',
  {
    from: DateTime({ description: 'Start of the range.' }),
    to: DateTime({ description: 'End of the range, exclusive.' }),
    first_day: CalendarDay({ description: 'First day of the range, in the time zone of the site.' }),
    last_day: CalendarDay({ description: 'Last day of the range, inclusive, in the time zone of the site.' }),
  },
  'The counted range, as instants and as days of the site.',
)

const ofPeople = {
  people: optional(Nullable(number('people'), { description: `${metrics.people.description} Only for sites that identify people.` })),
}
export const Metrics = record('Metrics', { ...each(headline, known), ...ofPeople }, 'Headline metrics.')
export const Changes = record('Changes', { ...each(headline, change), people: optional(change('people')) }, CHANGES)

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
        { description: 'The same in the comparison, and the change.' },
      ),
    ),
  },
  'Headline metrics of a period.',
)

export const Point = record(
  'Point',
  {
    at: DateTime({ description: 'Start of the point, with the UTC offset of the site.' }),
    partial: Type.Boolean({ description: 'Whether the period covers only a part of the point, or the point has not ended yet.' }),
    ...each(headline, known),
    ...ofPeople,
  },
  'Metrics of one point of a series.',
)
export const ComparedPoint = record(
  'ComparedPoint',
  {
    ...Point.properties,
    at: Nullable(DateTime(), { description: 'Start of the point; null if the comparison has no such point.' }),
  },
  'Metrics of the comparison’s point for a point of the series.',
)

/** With only the requested metrics. */
const { at, partial } = Point.properties
const chosen = { ...each(headline, name => optional(known(name))), ...each(ofSeries, name => optional(known(name))) }
export const SeriesPoint = record('SeriesPoint', { at, partial, ...chosen }, 'Metrics of one point of a series; only the requested ones.')
const SomeComparedPoint = record(
  'ComparedSeriesPoint',
  { ...SeriesPoint.properties, at: ComparedPoint.properties.at },
  ComparedPoint.description ?? '',
)
const DividedSeries = record(
  'DividedSeries',
  {
    value: Nullable(Type.String(), { description: 'The value, as filters accept it; null: all other values together.' }),
    label: Type.String({ description: 'Display form of the value.' }),
    series: Type.Array(SeriesPoint, { description: 'The points of the whole series, for this value.' }),
  },
  'The series of one value of a dimension.',
)

export const Timeseries = record(
  'Timeseries',
  {
    period: Period,
    interval: OneOf(INTERVALS, { description: 'Length of a point.' }),
    series: Type.Array(SeriesPoint, { description: 'Every point of the period in order, including points without hits.' }),
    by: optional(
      Type.Object(
        {
          dimension: Type.String({ description: 'Dimension that divides the series.' }),
          rows: Type.Array(DividedSeries, { description: 'Top values, most visitors first, then one row for all others.' }),
        },
        { description: 'The series divided by a dimension. A visitor with two of its values counts once for each.' },
      ),
    ),
    comparison: optional(
      Type.Object(
        {
          period: Period,
          series: Type.Array(SomeComparedPoint, { description: 'As many points as the series has, in the same order.' }),
        },
        { description: 'The series of the comparison.' },
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
      value: Type.String({ description: 'The value, as filters accept it; empty if it is missing.' }),
      label: Type.String({ description: 'Display form of the value.' }),
      ...metrics,
      comparison: optional(
        Type.Object(
          {
            ...metrics,
            change: Type.Object(changes, { description: CHANGES }),
          },
          { description: 'The same value in the comparison, and the change.' },
        ),
      ),
    },
    description,
  )
const someMetrics = each(ofSomeRows, name => optional(known(name)))
const someChanges = each(ofSomeRows, name => optional(change(name)))
export const Row = rowOf({
  name: 'PanelRow',
  metrics: { ...each(ofRows, known), ...someMetrics },
  changes: { ...each(ofRows, change), ...someChanges },
  description: 'One value of a dimension with its metrics.',
})
const ofBreakdown = {
  metrics: { ...each(ofRows, name => optional(known(name))), ...someMetrics },
  changes: { ...each(ofRows, name => optional(change(name))), ...someChanges },
}
const InnerRow = rowOf({
  name: 'InnerRow',
  ...ofBreakdown,
  description: 'One value of the second dimension, of the hits or visits that have the value of the row.',
})
export const BreakdownRow = record(
  'BreakdownRow',
  {
    ...rowOf({ name: 'BreakdownRow', ...ofBreakdown, description: '' }).properties,
    rows: optional(Type.Array(InnerRow, { description: 'With `by`: the top values of that dimension within this row.' })),
  },
  'One value of a dimension with the requested metrics.',
)

export const Breakdown = record(
  'Breakdown',
  {
    period: Period,
    dimension: Type.String({ description: 'Dimension of the rows.' }),
    by: optional(Type.String({ description: 'Dimension of the rows within rows.' })),
    rows: Type.Array(BreakdownRow, { description: 'Values of this page, in the requested order.' }),
    comparison: optional(Type.Object({ period: Period }, { description: 'The comparison range of the rows.' })),
  },
  'Top values of a dimension.',
)

const AppliedFilter = Type.Object({
  condition: Type.Unknown({ description: 'Condition as the client sent it: [dimension, operator, value], or {"any": [conditions]}.' }),
  from: OneOf(['filters', 'segment'], { description: 'Origin of the condition.' }),
  narrows: Type.Array(OneOf(NARROWED), {
    description:
      'What counts only the pages or hits it asks for: all other figures are of the whole visits that it keeps. `bounce_rate` and \
`visit_duration` are then of the visits that entered on such a page. Empty for a condition that only chooses visits.',
  }),
})

const SHARES = Object.freeze(['visitors_of_report', 'visitors_of_event', 'visitors_of_page', 'visits_of_journeys'] as const)

/** Notes on what was applied, ignored or approximated. */
export const ReportMeta = Type.Object({
  timezone: Type.String({ description: 'Time zone of the days.' }),
  currency: Type.String({ description: 'ISO 4217 currency of all amounts, which are in its minor units.' }),
  filters: Type.Array(AppliedFilter, { description: 'Applied conditions; those of the segment come last.' }),
  segment: Nullable(
    Type.Object({
      id: Type.String({ description: 'Prefix `seg_`.' }),
      name: Type.String({ description: 'Name of the segment.' }),
    }),
    { description: 'Applied segment.' },
  ),
  comparison: Nullable(
    Type.Object({
      from: CalendarDay({ description: 'First day.' }),
      to: CalendarDay({ description: 'Last day.' }),
      until: Nullable(Type.String(), {
        description: 'Local time at which the last day ends, for example `14:05`, if the period has not ended yet; null for the whole day.',
      }),
      same_weekday: Type.Boolean({ description: 'Whether the comparison was moved to begin on the weekday of the period.' }),
    }),
    { description: 'Days of the comparison, in the time zone of the site; null without a comparison.' },
  ),
  imported: optional(ImportedMeta),
  identified: optional(
    Nullable(Type.Number(), {
      unit: 'percent',
      description:
        'Share of the visits whose person is known, of which `people` is counted; null without visits. Only for sites that identify people.',
    }),
  ),
  visitors: OneOf(['daily_uniques_added_up'], {
    description: 'How visitors are counted: once per day. For example, a person who visits on two days counts twice in a longer period.',
  }),
  share_of: Nullable(OneOf(SHARES), {
    description: 'Total of which `share` of rows is a percentage; null if rows have no share, or have their total in another field.',
  }),
  notes: Type.Array(
    Type.Object({
      code: Type.String({ description: 'Code of the note, for programs.' }),
      message: Sentence({ description: 'Text of the note, for people.' }),
    }),
    { description: 'Notes on how to interpret the numbers.' },
  ),
})

/** `meta` of a report whose rows are divided into pages. */
export const RowsMeta = Type.Object({
  ...ReportMeta.properties,
  total: Type.Integer({ unit: 'count', description: 'Total number of rows on all pages.' }),
})
