import { Type } from '@sinclair/typebox'
import { Nullable, OneOf, record, Sentence } from '../../../runtime/table/schema.ts'
import type { MetricName } from '../../../storage/engine/vocabulary/metrics.ts'
import { Period } from '../stats/records.ts'

/** Dimensions whose values are compared, beside the metrics of the whole site. */
export const KINDS = Object.freeze(['page', 'source', 'country', 'device', 'utm_campaign', 'event', 'goal'] as const)
export type Kind = (typeof KINDS)[number]

/** The figures of the whole site that are looked at. A handful of purchases more or less is chance, and revenue tells of the rest. */
export const METRICS = [
  'visitors',
  'visits',
  'pageviews',
  'views_per_visit',
  'bounce_rate',
  'visit_duration',
  'revenue',
] as const satisfies readonly MetricName[]

const Insight = record(
  'Insight',
  {
    message: Sentence({ description: 'What changed, in a sentence.' }),
    dimension: Nullable(OneOf(KINDS), { description: 'What it is a value of; null where it is about the whole site.' }),
    value: Nullable(Type.String(), { description: 'As filters take it; null where it is about the whole site.' }),
    label: Nullable(Type.String(), { description: 'The value as it is shown.' }),
    metric: OneOf(METRICS, { description: 'What changed.' }),
    current: Type.Number({ description: 'The metric in the period.' }),
    previous: Type.Number({ description: 'The metric in the period before.' }),
    change: Nullable(Type.Number(), { unit: 'percent', description: 'Change in percent; null where there was nothing before.' }),
    impact: Type.Number({
      description:
        'What rows are ranked by: the change in percent, without its sign, times the square root of the \
visitors it is about, in the period that had more of them. What grew from nothing counts as grown from one.',
    }),
    query: Type.Object(
      {
        operation: OneOf(['stats_aggregate'], { description: 'Operation to call.' }),
        input: Type.Object(
          {
            site_id: Type.String({ description: 'The site.' }),
            period: OneOf(['custom'], { description: 'The days in `from` and `to`.' }),
            from: Type.String({ description: 'First day.' }),
            to: Type.String({ description: 'Last day, included.' }),
            compare: OneOf(['previous_period'], { description: 'As many days before.' }),
            filters: Type.Array(Type.Array(Type.String()), { description: 'Keeps the visits it is about.' }),
          },
          { description: 'Its input, ready to be sent.' },
        ),
      },
      { description: 'What shows it: `metric` is among `metrics` of its answer and of its comparison.' },
    ),
  },
  'A notable change.',
)

export const Insights = record(
  'Insights',
  {
    period: Period,
    comparison: Type.Object({ period: Period }, { description: 'As many days before.' }),
    rows: Type.Array(Insight, { description: 'What matters most first.' }),
  },
  'What changed against the days before.',
)
