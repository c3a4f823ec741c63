/**
 * What the service counts about itself. A row here is a meter; `/metrics` shows it as `footfall_<name>`. Counting
 * stands in the way of every call, so it is an addition to a number; only who asks pays for the text.
 */
import type { Registry } from 'prom-client'
import { expositionOf, type Family, type Sample } from './exposition.ts'

interface Meter {
  readonly kind: 'counter' | 'histogram'
  readonly help: string
  readonly labels: readonly string[]
}

const counter = <const L extends string>(help: string, ...labels: L[]) => ({ kind: 'counter', help, labels }) as const
/** Of durations: observed in milliseconds, shown in seconds. */
const histogram = <const L extends string>(help: string, ...labels: L[]) =>
  ({ kind: 'histogram', help, labels }) as const

export const meters = {
  requests_total: counter('Calls answered.', 'operation', 'surface', 'status'),
  request_duration_seconds: histogram('From the call to its answer.', 'operation'),
  hits_total: counter('Hits received: `stored`, or why they were dropped.', 'outcome'),
  task_runs_total: counter('Runs of tasks: `done`, `failed`, `stopped` or `lost` to another.', 'task', 'outcome'),
  task_duration_seconds: histogram('From the start of a task to its end.', 'task'),
  task_lateness_seconds: histogram('From when a task was due to its start.', 'task'),
  webhook_deliveries_total: counter('Attempts to deliver to a webhook: `succeeded`, `failed`.', 'outcome'),
  webhook_delivery_duration_seconds: histogram('From the start of an attempt to its end.'),
  notifications_total: counter('Messages to notification channels: `sent`, `failed`.', 'kind', 'outcome'),
  alert_evaluations_total: counter('Alerts evaluated: `ok`, `breach`, `unknown`, `failed`.', 'kind', 'outcome'),
  uptime_probes_total: counter('Probes of targets: `ok`, or the cause of the failure.', 'kind', 'outcome'),
  uptime_probe_lateness_seconds: histogram('From when a probe was due to its start.'),
} as const satisfies Record<string, Meter>

type Meters = typeof meters
type Named<K extends Meter['kind']> = { [N in keyof Meters]: Meters[N] extends { kind: K } ? N : never }[keyof Meters]
type LabelsOf<N extends keyof Meters> = Readonly<Record<Meters[N]['labels'][number], string | number>>

/** A value known only when it is asked for, such as the length of a queue. */
export interface Gauge {
  readonly name: string
  readonly help: string
  readonly values: ReadonlyArray<{ readonly labels: Readonly<Record<string, string>>; readonly value: number }>
}

export interface Metrics {
  /** @param by by default 1 */
  add<N extends Named<'counter'>>(name: N, labels: LabelsOf<N>, by?: number): void
  /** @param ms a duration in milliseconds */
  observe<N extends Named<'histogram'>>(name: N, labels: LabelsOf<N>, ms: number): void
  /** `add` for one set of labels, found once and for all: for what happens with every call. */
  adder<N extends Named<'counter'>>(name: N, labels: LabelsOf<N>): (by?: number) => void
  /** `observe`, likewise. */
  observer<N extends Named<'histogram'>>(name: N, labels: LabelsOf<N>): (ms: number) => void
  /** Loads what measures the process itself; its figures begin here. */
  open(): Promise<void>
  /** Everything in Prometheus' text format, with these gauges. */
  expose(gauges?: readonly Gauge[]): Promise<{ contentType: string; text: string }>
}

/** Upper bounds of a histogram's buckets, ms. */
const bounds = [5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000]

/** What is kept under one set of labels. */
interface Series {
  readonly labels: Readonly<Record<string, string | number>>
  /** What a counter counted, or a histogram's milliseconds. */
  sum: number
  /** How often each of a histogram's buckets was met; the last stands above every bound. */
  readonly met: number[]
}

export function openMetrics(): Metrics {
  const kept = new Map<string, Map<string, Series>>()
  let loading: Promise<Registry> | undefined
  const load = () => loading ??= openProcessMetrics()

  function seriesOf(name: string, { labels: names }: Meter, labels: Series['labels']): Series {
    const known = kept.get(name) ?? new Map<string, Series>()
    kept.set(name, known)
    let key = ''
    for (const label of names) key += `${labels[label]}\n`
    const series = known.get(key) ?? { labels, sum: 0, met: [0, ...bounds.map(() => 0)] }
    known.set(key, series)
    return series
  }

  const metrics = Object.freeze<Metrics>({
    add: (name, labels, by) => metrics.adder(name, labels)(by),
    observe: (name, labels, ms) => metrics.observer(name, labels)(ms),
    adder(name, labels) {
      const series = seriesOf(name, meters[name], labels)
      return (by = 1) => { series.sum += by }
    },
    observer(name, labels) {
      const series = seriesOf(name, meters[name], labels)
      return ms => {
        let bucket = 0
        while (ms > (bounds[bucket] ?? Infinity)) bucket++
        series.met[bucket] = (series.met[bucket] ?? 0) + 1
        series.sum += ms
      }
    },
    open: async () => { await load() },
    async expose(gauges = []) {
      const registry = await load()
      const ours = Object.entries(meters).map(([name, meter]): Family => {
        if (meter.labels.length === 0) seriesOf(name, meter, {}) // shown from the start, as 0
        const all = [...kept.get(name)?.values() ?? []]
        const samples = meter.kind === 'counter'
          ? all.map(({ labels, sum }) => ({ labels, value: sum }))
          : all.flatMap(histogramSamples)
        return { name: `footfall_${name}`, help: meter.help, type: meter.kind, samples }
      })
      const asked = gauges.filter(({ values }) => values.length > 0)
        .map(({ name, help, values }): Family => ({ name: `footfall_${name}`, help, type: 'gauge', samples: values }))
      return { contentType: registry.contentType, text: await registry.metrics() + expositionOf([...ours, ...asked]) }
    },
  })
  return metrics
}

/** Each bucket counts what the ones below it do, too. */
function histogramSamples({ labels, sum, met }: Series): Sample[] {
  let count = 0
  const buckets = met.map((times, i) => {
    const bound = bounds[i]
    const le = bound === undefined ? '+Inf' : bound / 1000
    return { suffix: '_bucket', labels: { le, ...labels }, value: count += times }
  })
  return [...buckets, { suffix: '_sum', labels, value: sum / 1000 }, { suffix: '_count', labels, value: count }]
}

/** The library is slow to load, and not needed for counting. */
async function openProcessMetrics(): Promise<Registry> {
  const { Registry, collectDefaultMetrics } = (await import('prom-client')).default
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 50 })
  return registry
}
