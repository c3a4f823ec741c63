/**
 * Traces: which parts a request or a task had, and how long each took. There is no tracer unless `OTEL_EXPORTER_OTLP_ENDPOINT` is set
 * (docs/operations.md): then nothing of OpenTelemetry is loaded, and what could be traced costs one comparison.
 *
 * A span says what was done, never with what: no addresses, no values, no ids.
 */
import type { Awaitable } from '../../storage/values/awaitable.ts'

/** Named as OpenTelemetry's semantic conventions do, or `footfall.…`. */
export type Attributes = Readonly<Record<string, string | number>>

export interface SpanStart {
  readonly name: string
  /** `server`: a request from outside. `client`: a request to another server. */
  readonly kind: 'server' | 'client' | 'internal'
  readonly attributes?: Attributes
  /** Reads a header of the request, whose `traceparent` names the trace that this continues (w3.org/TR/trace-context). */
  header?(name: string): string | undefined
}

export interface Span {
  set(attributes: Attributes): void
  /** @param type a short name of the fault, such as an error code */
  fail(type: string): void
}

export interface Tracer {
  /** Queries and requests of `work` belong to the span. The span fails if it throws. */
  span<T>(start: SpanStart, work: (span: Span) => Promise<T>): Promise<T>
  /** A span of work that may be done at once: then there is none. */
  part(name: string, work: () => Awaitable<void>): Awaitable<void>
  /** A span that has ended, of the request or the task that is running. Outside of both there is none. */
  ended(start: SpanStart, took: { readonly ms: number; readonly fault?: string | undefined }): void
  /** Headers by which another server continues this trace. */
  headers(): Readonly<Record<string, string>>
}

let current: Tracer | undefined

/** The tracer of this process; undefined if it does not trace. */
export const tracer = (): Tracer | undefined => current

/** @param given undefined ends tracing */
export function traceWith(given: Tracer | undefined): void {
  current = given
}
