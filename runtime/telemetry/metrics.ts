/** The metrics of `/metrics` as OpenTelemetry's: the same names, labels and values (opentelemetry.io/docs/specs/otel/compatibility/prometheus_and_openmetrics). */
import { type Attributes, type HrTime, ValueType } from '@opentelemetry/api'
import { hrTime } from '@opentelemetry/core'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { AggregationTemporality, DataPointType, type Histogram, type MetricData, type MetricProducer } from '@opentelemetry/sdk-metrics'
import type { Family, Sample } from '../observability/exposition.ts'

/** @param read all metrics, as they are now; counters since the start of the process */
export function producerOf(read: () => Promise<readonly Family[]>): MetricProducer {
  const startTime = hrTime(0)
  return {
    async collect() {
      const errors: unknown[] = []
      const families = await read().catch((error: unknown) => {
        errors.push(error)
        return []
      })
      const metrics = families.map(family => metricOf(family, { startTime, endTime: hrTime() }))
      return { resourceMetrics: { resource: resourceFromAttributes({}), scopeMetrics: [{ scope: { name: 'footfall' }, metrics }] }, errors }
    },
  }
}

interface Times {
  readonly startTime: HrTime
  readonly endTime: HrTime
}

function metricOf({ name, help, type, samples }: Family, times: Times): MetricData {
  const described = {
    descriptor: { name, description: help, unit: unitOf(name), valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  }
  if (type === 'histogram') {
    const dataPoints = [...histogramsOf(samples).values()].map(({ labels, value }) => ({ ...times, attributes: labels, value }))
    return { ...described, dataPointType: DataPointType.HISTOGRAM, dataPoints }
  }
  const dataPoints = samples.map(({ labels, value }) => ({ ...times, attributes: labels, value }))
  return type === 'counter'
    ? { ...described, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }
    : { ...described, dataPointType: DataPointType.GAUGE, dataPoints }
}

/** Prometheus has a line for each bound, with the observations up to it; here are the observations between two bounds. */
function histogramsOf(samples: readonly Sample[]): Map<string, { labels: Attributes; value: Histogram }> {
  const found = new Map<string, { labels: Attributes; value: Histogram }>()
  for (const { suffix, labels: all, value } of samples) {
    const { le, ...labels } = all
    const key = JSON.stringify(labels)
    let series = found.get(key)
    if (!series) found.set(key, (series = { labels, value: { buckets: { boundaries: [], counts: [] }, count: 0, sum: 0 } }))
    const { buckets } = series.value
    if (suffix === '_sum') series.value.sum = value
    else if (suffix === '_count') series.value.count = value
    else {
      buckets.counts.push(value - buckets.counts.reduce((sum, count) => sum + count, 0))
      if (le !== '+Inf') buckets.boundaries.push(Number(le))
    }
  }
  return found
}

/** The unit (UCUM) of a metric, which Prometheus' conventions put at the end of its name. */
function unitOf(name: string): string {
  const [, unit = ''] = /_(seconds|bytes)(?:_total)?$/.exec(name) ?? []
  return unit === 'seconds' ? 's' : unit === 'bytes' ? 'By' : ''
}
