/**
 * Settings of traces and metrics over OTLP, named as OpenTelemetry specifies them
 * (opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables). Its packages read further ones themselves, such as
 * `OTEL_EXPORTER_OTLP_HEADERS`, `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES`.
 */
import { oneOf, setting, whole } from './setting.ts'

export const telemetrySettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: setting({
    default: '',
    description: '`http(s)://…` of an OpenTelemetry collector, which gets traces and metrics; default: none, and nothing is loaded for it',
    parse: text => (text === '' || /^https?:\/\/[^/?#@]+(\/[^?#]*)?$/.test(text) ? text : undefined),
    wants: 'an http:// or https:// address without a user',
  }),
  OTEL_EXPORTER_OTLP_PROTOCOL: setting({
    default: 'http/protobuf',
    description: 'How it is sent: `http/protobuf` or `http/json`',
    ...oneOf('http/protobuf', 'http/json'),
  }),
  OTEL_TRACES_EXPORTER: setting({ default: 'otlp', description: '`none` sends no traces', ...oneOf('otlp', 'none') }),
  OTEL_METRICS_EXPORTER: setting({ default: 'otlp', description: '`none` sends no metrics', ...oneOf('otlp', 'none') }),
  OTEL_TRACES_SAMPLER_ARG: setting({
    default: '1',
    description: 'Share of the traces that are kept, from 0 to 1. A request that another service traces is kept as often',
    parse: text => (/^(0(\.\d+)?|1(\.0+)?)$/.test(text) ? Number(text) : undefined),
    wants: 'a number from 0 to 1',
  }),
  OTEL_METRIC_EXPORT_INTERVAL: setting({
    default: '60000',
    description: 'Milliseconds between two sendings of the metrics',
    ...whole(1_000, 3_600_000),
  }),
} as const
