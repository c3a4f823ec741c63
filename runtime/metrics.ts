/**
 * What the service counts about itself. A row here is a meter; `/metrics` shows it as `footfall_<name>`. The library
 * that keeps them is slow to load, so it is loaded after the start and told what it missed.
 */
import type { Registry } from 'prom-client'

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
  /** @param by default 1 */
  add<N extends Named<'counter'>>(name: N, labels: LabelsOf<N>, by?: number): void
  /** @param ms a duration in milliseconds */
  observe<N extends Named<'histogram'>>(name: N, labels: LabelsOf<N>, ms: number): void
  /** Loads what keeps the meters; until then what is recorded waits. */
  open(): Promise<void>
  /** Everything in Prometheus' text format, with these gauges. */
  expose(gauges?: readonly Gauge[]): Promise<{ contentType: string; text: string }>
}

type Reading = readonly [name: keyof Meters, labels: Readonly<Record<string, string | number>>, value: number]
interface Keeper {
  record(...record: Reading): void
  expose: Metrics['expose']
}

/** More than this waiting, and the library is loaded unasked. */
const patience = 10_000

export function openMetrics(): Metrics {
  let waiting: Reading[] = []
  let keeper: Keeper | undefined
  let loading: Promise<Keeper> | undefined

  function record(...each: Reading): void {
    if (keeper) keeper.record(...each)
    else if (waiting.push(each) > patience) void load()
  }
  const load = () => loading ??= openKeeper().then(opened => {
    for (const each of waiting) opened.record(...each)
    waiting = []
    return keeper = opened
  })

  return Object.freeze<Metrics>({
    add: (name, labels, by = 1) => record(name, labels, by),
    observe: (name, labels, ms) => record(name, labels, ms / 1000),
    open: async () => { await load() },
    expose: async gauges => (await load()).expose(gauges),
  })
}

async function openKeeper(): Promise<Keeper> {
  const { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } = (await import('prom-client')).default
  const registry: Registry = new Registry()
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 50 })
  const recorders = Object.fromEntries(Object.entries(meters).map(([name, { kind, help, labels }]) => {
    const options = { name: `footfall_${name}`, help, labelNames: labels, registers: [registry] }
    if (kind === 'counter') {
      const meter = new Counter(options)
      return [name, (labels: Reading[1], value: number) => meter.inc(labels, value)]
    }
    const meter = new Histogram({ ...options, buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] })
    return [name, (labels: Reading[1], value: number) => meter.observe(labels, value)]
  }))
  return {
    record: (name, labels, value) => recorders[name]?.(labels, value),
    async expose(gauges = []) {
      const asked = new Registry()
      for (const { name, help, values } of gauges) {
        if (values.length === 0) continue // the library would say 0
        const labelNames = Object.keys(values[0]?.labels ?? {})
        const gauge = new Gauge({ name: `footfall_${name}`, help, labelNames, registers: [asked] })
        for (const { labels, value } of values) gauge.set(labels, value)
      }
      return { contentType: registry.contentType, text: await registry.metrics() + await asked.metrics() }
    },
  }
}
