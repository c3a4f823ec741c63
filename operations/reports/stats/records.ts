/** What reports answer: one family, so that whoever reads one reads them all. */
import { type SchemaOptions, Type } from '@sinclair/typebox'
import { DateTime, Nullable, OneOf, optional, record } from '../../../runtime/schema.ts'
import { headline, type MetricName, metrics, ofRows, ofSomeRows } from '../../../storage/engine/vocabulary/metrics.ts'
import { NARROWED } from '../../../storage/engine/vocabulary/conditions.ts'
import { INTERVALS } from './time/interval.ts'

/** Metrics of which less is better; of the others more is, or neither. */
const lessIsBetter: ReadonlySet<MetricName> = new Set<MetricName>(['bounce_rate', 'exit_rate'])
const betterOf = (name: MetricName) => (lessIsBetter.has(name) ? ({ better: 'less' } as const) : {})

function number(name: MetricName) {
  const { unit, description } = metrics[name]
  const options: SchemaOptions = { unit: unit === 'money' ? 'minor_units' : unit, ...betterOf(name), description }
  return unit === 'percent' || unit === 'ratio' ? Type.Number(options) : Type.Integer(options)
}
/** The change of a figure since the comparison. @param better as of the figure */
export const changeField = (name: string, better?: 'less' | 'more') =>
  Nullable(Type.Number(), {
    unit: 'percent',
    ...(better && { better }),
    description: `Change of ${name} in percent; null where there was nothing before.`,
  })
const change = (name: MetricName) => changeField(name, betterOf(name).better)

const each = <M extends MetricName, S>(names: readonly M[], of: (name: M) => S) =>
  Object.fromEntries(names.map(name => [name, of(name)])) as Record<M, S> // one entry a name

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
  'Metrics of the point of the comparison that stands beside one of the series.',
)

export const Timeseries = record(
  'Timeseries',
  {
    period: Period,
    interval: OneOf(INTERVALS, { description: 'Length of a point.' }),
    series: Type.Array(Point, { description: 'Every point of the period in order, those without a hit too.' }),
    comparison: optional(
      Type.Object(
        {
          period: Period,
          series: Type.Array(ComparedPoint, { description: 'As many points as the series has, each beside its own.' }),
        },
        { description: 'The series of the range compared with.' },
      ),
    ),
  },
  'Headline metrics over time.',
)

const rowMetrics = { ...each(ofRows, number), ...each(ofSomeRows, name => optional(number(name))) }
const rowChanges = { ...each(ofRows, change), ...each(ofSomeRows, name => optional(change(name))) }
export const Row = record(
  'BreakdownRow',
  {
    value: Type.String({ description: 'The value, as filters take it; empty where there is none.' }),
    label: Type.String({ description: 'The value as it is shown.' }),
    ...rowMetrics,
    comparison: optional(
      Type.Object(
        {
          ...rowMetrics,
          change: Type.Object(rowChanges, { description: 'Changes in percent.' }),
        },
        { description: 'The same value over the range compared with, and the change since.' },
      ),
    ),
  },
  'One value of a dimension with its metrics.',
)

export const Breakdown = record(
  'Breakdown',
  {
    period: Period,
    dimension: Type.String({ description: 'What the rows are values of.' }),
    rows: Type.Array(Row, { description: 'The top values of this page, highest first.' }),
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

/** What was applied, ignored or approximated. */
export const ReportMeta = Type.Object({
  timezone: Type.String({ description: 'Time zone that days are cut by.' }),
  filters: Type.Array(AppliedFilter, { description: 'Conditions that were applied, those of the segment last.' }),
  segment: Nullable(
    Type.Object({
      id: Type.String({ description: 'Prefix `seg_`.' }),
      name: Type.String({ description: 'Its name.' }),
    }),
    { description: 'Segment that was applied.' },
  ),
  notes: Type.Array(
    Type.Object({
      code: Type.String({ description: 'What it is about, for programs.' }),
      message: Type.String({ description: 'What it is about, for people.' }),
    }),
    { description: 'What to know about these numbers.' },
  ),
})
