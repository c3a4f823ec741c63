/** Which metrics an answer has: all there are of what was asked about, or those somebody wants. */
import { Type } from '@sinclair/typebox'
import type { Fault } from '../../../runtime/table/errors.ts'
import { limitedBy } from '../../../runtime/table/report-limits.ts'
import { OneOf } from '../../../runtime/table/schema.ts'
import { isConverting } from '../../../storage/engine/vocabulary/conditions.ts'
import type { Dimension } from '../../../storage/engine/vocabulary/dimensions.ts'
import { headline, type MetricName, ofRows, ofSeries, ofSomeRows } from '../../../storage/engine/vocabulary/metrics.ts'
import type { Condition } from '../../../storage/engine/vocabulary/scope.ts'
import { hiddenMetrics } from './limited.ts'
import { fieldTerm, type MessageValue } from '../../../runtime/texts/message.ts'
import { m } from './messages.ts'

const input = <const M extends readonly MetricName[]>(names: M) =>
  Type.Array(OneOf(names, { description: 'A metric.' }), {
    default: [],
    maxItems: names.length,
    [limitedBy]: hiddenMetrics,
    description: 'Only these figures, for a shorter answer; default: all.',
  })
export const rowMetricsInput = input([...ofRows, ...ofSomeRows])
export const pointMetricsInput = input([...headline, ...ofSeries])

/** The metrics that rows of a dimension have. */
export function metricsOf(dimension: Dimension, where: readonly Condition[]): MetricName[] {
  const converting: MetricName[] = isConverting(dimension.name, where) ? ['conversion_rate'] : []
  return [...new Set([...ofRows, ...dimension.metrics, ...converting])]
}

/** The metrics that points of a series have; of one that is divided, those too that are counted hit by hit. */
export const pointMetricsOf = (by: Dimension | null): MetricName[] => [
  ...headline,
  ...ofSeries.filter(name => (by?.metrics as readonly MetricName[] | undefined)?.includes(name)),
]

/** Those of them that are wanted, in their own order; all where none is. */
export const chosenOf = <M extends MetricName>(there: readonly M[], wanted: readonly MetricName[]): readonly M[] =>
  wanted.length === 0 ? there : there.filter(name => wanted.includes(name))

/** A name that does not exist is an error: an answer without it would not say why. */
export const missing = (wanted: readonly MetricName[], there: readonly MetricName[], of: MessageValue): Fault[] =>
  wanted.flatMap((name, i) => {
    if (there.includes(name)) return []
    const say = name === 'conversion_rate' ? m.unknown_conversion_rate : m.unknown_metric
    const message = say({ field: `metrics.${i}`, known: there.map(fieldTerm), of, received: JSON.stringify(name) })
    return [{ pointer: `/metrics/${i}`, code: 'not_in_enum', message }]
  })
