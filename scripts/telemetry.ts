/** Sends traces and metrics of a process to OpenTelemetry, if `OTEL_EXPORTER_OTLP_ENDPOINT` is set. */
import { randomUUID } from 'node:crypto'
import type { App } from '../runtime/app.ts'
import { traceWith, tracer } from '../runtime/observability/tracing.ts'
import type { Config } from '../runtime/settings/config.ts'
import { readVersion } from '../runtime/settings/version.ts'
import { readGauges } from '../runtime/tasks/gauges.ts'
import type { Telemetry } from '../runtime/telemetry/telemetry.ts'
import type { QueryListener } from '../storage/dialects/query-listener.ts'

/** Characters of a statement in a span. */
const MAX_SQL = 2_000

export const isTraced = ({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_EXPORTER }: Config): boolean =>
  OTEL_EXPORTER_OTLP_ENDPOINT !== '' && OTEL_TRACES_EXPORTER !== 'none'

/** Starts tracing, too. */
export async function sendTelemetry(app: App): Promise<Telemetry | undefined> {
  const { config, log, metrics } = app
  if (config.OTEL_EXPORTER_OTLP_ENDPOINT === '') return undefined
  const { openTelemetry } = await import('../runtime/telemetry/telemetry.ts')
  const telemetry = openTelemetry({
    config,
    version: readVersion().version,
    instance: randomUUID(),
    readMetrics: async () => metrics.read(await readGauges(app)),
    warn: message => log.warn({ reason: message }, 'traces or metrics could not be sent'),
  })
  traceWith(telemetry.tracer)
  return telemetry
}

/** The span of a query, such as `select sites`. */
export const traceQuery: QueryListener = ({ sql, ms, fault }) => {
  const [, verb = 'query'] = /^\s*(?:\/\*.*?\*\/\s*)?(\w+)/.exec(sql) ?? []
  const [, table] = /\b(?:from|into|update)\s+"?(\w+)/i.exec(sql) ?? []
  const name = table === undefined ? verb : `${verb} ${table}`
  tracer()?.ended({ name, kind: 'client', attributes: { 'db.query.text': sql.slice(0, MAX_SQL), 'db.query.summary': name } }, { ms, fault })
}
