/**
 * The service's own metrics: meters, shown by `/metrics` as `footfall_<name>`. Every call is counted, so counting is a
 * mere addition; the text is built only on request.
 */
import type { MetricObjectWithValues, MetricValue, MetricValueWithName, Registry } from 'prom-client'
import { expositionOf, type Family, type Sample } from './exposition.ts'

/** Each area declares its own, by its name in `/metrics`, and passes it to the code that counts. */
export interface Meter<Kind extends 'counter' | 'histogram' = 'counter' | 'histogram', L extends string = string> {
  readonly kind: Kind
  readonly help: string
  readonly labels: readonly L[]
}

export const counter = <const L extends string>(help: string, ...labels: L[]): Meter<'counter', L> =>
  Object.freeze({ kind: 'counter', help, labels })
/** For durations: observed in milliseconds, shown in seconds. */
export const histogram = <const L extends string>(help: string, ...labels: L[]): Meter<'histogram', L> =>
  Object.freeze({ kind: 'histogram', help, labels })

/** Meters of the runtime itself. */
export const meters = {
  requests_total: counter('Calls answered.', 'operation', 'surface', 'status'),
  request_duration_seconds: histogram('From the call to its answer.', 'operation'),
  task_runs_total: counter('Runs of tasks: `done`, `failed`, `stopped` or `lost` to another.', 'task', 'outcome'),
  task_duration_seconds: histogram('From the start of a task to its end.', 'task'),
  task_lateness_seconds: histogram('From when a task was due to its start.', 'task'),
} as const satisfies Record<string, Meter>

type LabelsOf<L extends string> = Readonly<Record<L, string | number>>

/** A value that is computed on request, such as the length of a queue. */
export interface Gauge {
  readonly name: string
  readonly help: string
  readonly values: ReadonlyArray<{ readonly labels: Readonly<Record<string, string>>; readonly value: number }>
}

export interface Metrics {
  /** @param by default 1 */
  add<L extends string>(meter: Meter<'counter', L>, labels: LabelsOf<L>, by?: number): void
  /** @param ms a duration in milliseconds */
  observe<L extends string>(meter: Meter<'histogram', L>, labels: LabelsOf<L>, ms: number): void
  /** `add` with the labels looked up once, for frequent calls. */
  adder<L extends string>(meter: Meter<'counter', L>, labels: LabelsOf<L>): (by?: number) => void
  /** `observe` with the labels looked up once. */
  observer<L extends string>(meter: Meter<'histogram', L>, labels: LabelsOf<L>): (ms: number) => void
  /** Loads the process metrics; their figures begin here. */
  open(): Promise<void>
  /** All metrics, including these gauges. */
  read(gauges?: readonly Gauge[]): Promise<Family[]>
  /** All metrics in Prometheus' text format, including these gauges. */
  expose(gauges?: readonly Gauge[]): Promise<{ contentType: string; text: string }>
}

/** Upper bounds of a histogram's buckets, ms. */
const bounds = [5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000]

/** The state for one set of labels. */
interface Series {
  readonly labels: Readonly<Record<string, string | number>>
  /** The value of a counter, or a histogram's total milliseconds. */
  sum: number
  /** Observations in each bucket of a histogram; the last one is above every bound. */
  readonly met: number[]
}

/** @param shown all meters by name: `table.meters` */
export function openMetrics(shown: Readonly<Record<string, Meter>> = meters): Metrics {
  const kept = new Map<Meter, Map<string, Series>>(Object.values(shown).map(meter => [meter, new Map()]))
  let loading: Promise<Registry> | undefined
  const load = () => (loading ??= openProcessMetrics())

  function seriesOf(meter: Meter, labels: Readonly<Record<string, string | number>>): Series {
    const known = kept.get(meter)
    if (!known) throw new Error(`No area declares this meter in its area.ts: ${meter.help}`)
    let key = ''
    for (const label of meter.labels) key += `${labels[label]}\n`
    const series = known.get(key) ?? { labels, sum: 0, met: [0, ...bounds.map(() => 0)] }
    known.set(key, series)
    return series
  }

  const metrics = Object.freeze<Metrics>({
    add: (meter, labels, by) => metrics.adder(meter, labels)(by),
    observe: (meter, labels, ms) => metrics.observer(meter, labels)(ms),
    adder(meter, labels) {
      const series = seriesOf(meter, labels)
      return (by = 1) => {
        series.sum += by
      }
    },
    observer(meter, labels) {
      const series = seriesOf(meter, labels)
      return ms => {
        let bucket = 0
        while (ms > (bounds[bucket] ?? Infinity)) bucket++
        series.met[bucket] = (series.met[bucket] ?? 0) + 1
        series.sum += ms
      }
    },
    open: async () => {
      await load()
    },
    async read(gauges = []) {
      const registry = await load()
      const ofProcess = (await registry.getMetricsAsJSON()).map(familyOf)
      return [...ofProcess, ...families(gauges)]
    },
    async expose(gauges = []) {
      const registry = await load()
      return { contentType: registry.contentType, text: (await registry.metrics()) + expositionOf(families(gauges)) }
    },
  })
  return metrics

  /** Our own meters and gauges. */
  function families(gauges: readonly Gauge[]): Family[] {
    const ours = Object.entries(shown).map(([name, meter]): Family => {
      if (meter.labels.length === 0) seriesOf(meter, {}) // shown as 0 from the start
      const all = [...(kept.get(meter)?.values() ?? [])]
      const samples = meter.kind === 'counter' ? all.map(({ labels, sum }) => ({ labels, value: sum })) : all.flatMap(histogramSamples)
      return { name: `footfall_${name}`, help: meter.help, type: meter.kind, samples }
    })
    const asked = gauges
      .filter(({ values }) => values.length > 0)
      .map(({ name, help, values }): Family => ({ name: `footfall_${name}`, help, type: 'gauge', samples: values }))
    return [...ours, ...asked]
  }
}

/** A metric of the process. Its samples of a histogram have names of their own. */
function familyOf({ name, help, type, values }: MetricObjectWithValues<MetricValue<string>>): Family {
  const samples = values.map((sample): Sample => {
    const { metricName = name, labels, value } = sample as MetricValueWithName<string> // without a name, the metric's
    return { suffix: metricName.slice(name.length), labels: labels as Sample['labels'], value } // every label has a value
  })
  const kind = `${type}` // as Prometheus' format names it
  return { name, help, type: kind === 'counter' || kind === 'histogram' ? kind : 'gauge', samples }
}

/** Buckets are cumulative. */
function histogramSamples({ labels, sum, met }: Series): Sample[] {
  let count = 0
  const buckets = met.map((times, i) => {
    const bound = bounds[i]
    const le = bound === undefined ? '+Inf' : bound / 1000
    return { suffix: '_bucket', labels: { le, ...labels }, value: (count += times) }
  })
  return [...buckets, { suffix: '_sum', labels, value: sum / 1000 }, { suffix: '_count', labels, value: count }]
}

/** The library loads slowly, and counting does not need it. */
async function openProcessMetrics(): Promise<Registry> {
  const { Registry, collectDefaultMetrics } = (await import('prom-client')).default
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 50 })
  // Gauges that are named like counters; those without `_total` count the same by kind.
  for (const of of ['handles', 'requests', 'resources']) registry.removeSingleMetric(`nodejs_active_${of}_total`)
  return registry
}
