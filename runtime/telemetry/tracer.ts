/** Makes spans of OpenTelemetry (opentelemetry.io/docs/specs/otel/trace/api). */
import { type Context, context, ROOT_CONTEXT, type Span as OpenSpan, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  type TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Span, SpanStart, Tracer } from '../observability/tracing.ts'

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const

/**
 * A trace is kept or not as a whole. Anyone can send a `traceparent` that says "keep this", so the share decides for such a trace, too.
 * @param share 0 to 1
 */
export function samplerOf(share: number): Sampler {
  const root = share >= 1 ? new AlwaysOnSampler() : new TraceIdRatioBasedSampler(share)
  return new ParentBasedSampler({ root, remoteParentSampled: root, remoteParentNotSampled: new AlwaysOffSampler() })
}

export function tracerOf(provider: TracerProvider, version: string): Tracer {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  const propagator = new W3CTraceContextPropagator()
  const opened = provider.getTracer('footfall', version)

  const begin = ({ name, kind, attributes, header }: SpanStart, within: Context, startTime?: number): OpenSpan => {
    const read = header && { keys: () => [], get: (_: unknown, key: string) => header(key) }
    const parent = read ? propagator.extract(ROOT_CONTEXT, undefined, read) : within
    return opened.startSpan(
      name,
      { kind: kinds[kind], ...(attributes && { attributes }), ...(startTime !== undefined && { startTime }) },
      parent,
    )
  }
  const run = <T>(span: OpenSpan, work: () => T): T => context.with(trace.setSpan(context.active(), span), work)

  return {
    span(start, work) {
      const span = begin(start, context.active())
      return run(span, () => work(ours(span))).then(
        value => {
          span.end()
          return value
        },
        (thrown: unknown) => {
          endFailed(span, nameOf(thrown))
          throw thrown
        },
      )
    },
    part(name, work) {
      const span = begin({ name, kind: 'internal' }, context.active())
      const working = run(span, work) // a span that never ends is not sent
      if (!(working instanceof Promise)) return undefined
      return working.then(
        () => span.end(),
        (thrown: unknown) => {
          endFailed(span, nameOf(thrown))
          throw thrown
        },
      )
    },
    ended(start, { ms, fault }) {
      if (trace.getActiveSpan() === undefined) return
      const span = begin(start, context.active(), Date.now() - ms)
      if (fault === undefined) span.end()
      else endFailed(span, fault)
    },
    headers() {
      const carrier: Record<string, string> = {}
      propagator.inject(context.active(), carrier, { set: (to, key, value) => void (to[key] = value) })
      return carrier
    },
  }
}

const ours = (span: OpenSpan): Span => ({
  set: attributes => void span.setAttributes(attributes),
  fail: type => void span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR }),
})

function endFailed(span: OpenSpan, type: string): void {
  ours(span).fail(type)
  span.end()
}

/** The code or the class of a fault. Its message may hold values. */
function nameOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return 'unknown'
  return 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : thrown.name
}
