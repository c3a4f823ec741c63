/**
 * Sends traces and metrics to an OpenTelemetry collector. A service loads this file only if `OTEL_EXPORTER_OTLP_ENDPOINT` is set, so
 * it is built as a file of its own (scripts/build/options.ts), and imports nothing of the service but types.
 */
import { diag, DiagLogLevel } from '@opentelemetry/api'
import { OTLPMetricExporter as JsonMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto'
import { OTLPTraceExporter as JsonTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { Family } from '../observability/exposition.ts'
import type { Tracer } from '../observability/tracing.ts'
import type { Config } from '../settings/config.ts'
import { producerOf } from './metrics.ts'
import { samplerOf, tracerOf } from './tracer.ts'

export interface Telemetry {
  /** Undefined if no traces are sent. */
  readonly tracer: Tracer | undefined
  /** Sends what has not been sent, for at most two seconds. */
  close(): Promise<void>
}

interface TelemetryOf {
  readonly config: Config
  readonly version: string
  /** An id of the process, as one installation may have several. */
  readonly instance: string
  /** All metrics, read as often as they are sent. */
  readMetrics(): Promise<readonly Family[]>
  /** Called at most once a minute: the collector does not answer, or refuses what was sent. */
  warn(message: string): void
}

const CLOSE_MS = 2_000
const WARN_EVERY_MS = 60_000

export function openTelemetry({ config, version, instance, readMetrics, warn }: TelemetryOf): Telemetry {
  diag.setLogger(atMostOncePerMinute(warn), { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true })
  const resource = resourceFromAttributes({
    'service.name': 'footfall',
    'service.version': version,
    'service.instance.id': instance,
  }).merge(detectResources({ detectors: [envDetector] })) // OTEL_SERVICE_NAME, OTEL_RESOURCE_ATTRIBUTES
  const isJson = config.OTEL_EXPORTER_OTLP_PROTOCOL === 'http/json'
  const spans =
    config.OTEL_TRACES_EXPORTER === 'none'
      ? undefined
      : new TracerProvider({
          resource,
          sampler: samplerOf(config.OTEL_TRACES_SAMPLER_ARG),
          spanProcessors: [new BatchSpanProcessor({ exporter: isJson ? new JsonTraceExporter() : new OTLPTraceExporter() })],
        })
  const metrics =
    config.OTEL_METRICS_EXPORTER === 'none'
      ? undefined
      : new MeterProvider({
          resource,
          readers: [
            new PeriodicExportingMetricReader({
              exporter: isJson ? new JsonMetricExporter() : new OTLPMetricExporter(),
              exportIntervalMillis: config.OTEL_METRIC_EXPORT_INTERVAL,
              exportTimeoutMillis: Math.min(config.OTEL_METRIC_EXPORT_INTERVAL, 10_000),
              metricProducers: [producerOf(readMetrics)],
            }),
          ],
        })
  return {
    tracer: spans && tracerOf(spans, version),
    async close() {
      const closed = Promise.allSettled([spans?.shutdown(), metrics?.shutdown()])
      await Promise.race([closed, new Promise(resolve => setTimeout(resolve, CLOSE_MS))])
    },
  }
}

/** Messages of the packages; those below a warning are of no use to an operator. */
function atMostOncePerMinute(warn: (message: string) => void) {
  let warnedAt = -Infinity
  const say = (message: string): void => {
    if (performance.now() < warnedAt + WARN_EVERY_MS) return
    warnedAt = performance.now()
    warn(message.slice(0, 500))
  }
  const nothing = (): void => {}
  return { error: say, warn: say, info: nothing, debug: nothing, verbose: nothing }
}
