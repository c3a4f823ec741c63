import { Type } from '@sinclair/typebox'
import { Nullable, OneOf, record, Sentence, optional } from '../../../runtime/table/schema.ts'
import type { MetricName } from '../../../storage/engine/vocabulary/metrics.ts'
import { Period } from '../stats/records.ts'

/** Dimensions whose values are compared, in addition to the metrics of the whole site. */
export const KINDS = Object.freeze(['page', 'source', 'country', 'device', 'utm_campaign', 'event', 'goal'] as const)
export type Kind = (typeof KINDS)[number]

/** Compared metrics of the whole site. Purchases are left out, because small numbers vary by chance and revenue covers the others. */
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
    message: Sentence({ description: 'The change in a sentence.' }),
    dimension: Nullable(OneOf(KINDS), { description: 'Dimension of the value; null for the whole site.' }),
    value: Nullable(Type.String(), { description: 'Value, as filters accept it; null for the whole site.' }),
    label: Nullable(Type.String(), { description: 'Display form of the value.' }),
    metric: OneOf(METRICS, { description: 'Metric that changed.' }),
    current: Type.Number({ description: 'Value of the metric in the period.' }),
    previous: Type.Number({ description: 'Value of the metric in the previous period.' }),
    change: Nullable(Type.Number(), {
      description: 'Change in percent; null if the previous value was 0. Of a rate, the change in percentage points.',
    }),
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
            period: Type.String({ description: 'The period: `custom` with `from` and `to` for a number of complete days.' }),
            from: optional(Type.String({ description: 'First day.' })),
            to: optional(Type.String({ description: 'Last day, inclusive.' })),
            compare: OneOf(['previous_period'], { description: 'Compares with the period before.' }),
            filters: Type.Array(Type.Array(Type.String()), { description: 'Filters for the visits of the change.' }),
          },
          { description: 'Input of the operation, ready to send.' },
        ),
      },
      { description: 'Query that shows the change: its response contains `metric` in `metrics`, also of the comparison.' },
    ),
  },
  'A notable change.',
)

export const Insights = record(
  'Insights',
  {
    period: Period,
    comparison: Type.Object({ period: Period }, { description: 'The same number of days before.' }),
    rows: Type.Array(Insight, { description: 'Changes, most important first.' }),
  },
  'Notable changes from the days before.',
)
