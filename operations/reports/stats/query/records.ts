/** The answer of a table. */
import { Type } from '@sinclair/typebox'
import { OneOf, optional, record } from '../../../../runtime/table/schema.ts'
import { type MetricName, metrics } from '../../../../storage/engine/vocabulary/metrics.ts'
import { CHANGES, Period, someChangeFields, someMetricFields } from '../records.ts'
import { INTERVALS } from '../time/interval.ts'

const all = Object.keys(metrics) as MetricName[] // the object's own keys
const figures = someMetricFields(all)

export const QueryRow = record(
  'QueryRow',
  {
    values: Type.Array(Type.String(), {
      maxItems: 3,
      description:
        'A value for each dimension, in their order, as filters accept it; of time, the start of the point with the UTC offset of the site.',
    }),
    labels: Type.Array(Type.String(), { maxItems: 3, description: 'Display form of the values.' }),
    partial: optional(
      Type.Boolean({ description: 'With time: whether the period covers only a part of the point, or the point has not ended yet.' }),
    ),
    ...figures,
    comparison: optional(
      Type.Object(
        { ...figures, change: Type.Object(someChangeFields(all), { description: CHANGES }) },
        { description: 'The same row in the comparison, and the change.' },
      ),
    ),
  },
  'One combination of values with the requested metrics.',
)

export const QueryTable = record(
  'QueryTable',
  {
    period: Period,
    dimensions: Type.Array(Type.String(), { maxItems: 3, description: 'Dimensions of the rows, in the order of their values.' }),
    metrics: Type.Array(OneOf(all, { description: 'A metric.' }), { description: 'Metrics of the rows.' }),
    interval: optional(OneOf(INTERVALS, { description: 'With time: length of a point.' })),
    rows: Type.Array(QueryRow, { description: 'Rows of this page, in the requested order. Combinations without visits have none.' }),
    comparison: optional(Type.Object({ period: Period }, { description: 'The comparison range of the rows.' })),
  },
  'A table of metrics by up to three dimensions.',
)
