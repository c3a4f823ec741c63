/** Shared by all endpoints for hits: the sender, the body, and the outcome of the hits. */
import { after, type Awaitable } from '../../../storage/values/awaitable.ts'
import type { HandlerServices } from '../../../runtime/table/services.ts'
import type { EndpointAnswer, EndpointRequest } from '../../../runtime/table/endpoint.ts'
import { Failure } from '../../../runtime/table/errors.ts'
import { addressIn } from '../../../runtime/outbound/network.ts'
import { collector, type Received } from './collector.ts'
import { clientHintsIn } from './enrich/client-hints.ts'
import type { SentHit } from './hit.ts'
import type { Sender } from './sender.ts'
import { hits_total } from './meters.ts'

/** Limit for one hit, bytes. */
export const hitBytes = 64 * 1024

export function receive(hits: readonly SentHit[], sender: Sender, app: HandlerServices): Awaitable<Received[]> {
  return after(app.use(collector).receive(hits, sender), received => {
    for (const each of received) app.metrics.add(hits_total, { outcome: outcomeOf(each) })
    return received
  })
}

function outcomeOf(received: Received): string {
  if ('dropped' in received) return received.dropped
  if ('ignored' in received) return received.ignored
  return 'waits' in received ? 'waits' : 'stored'
}

/** Describes the sender. A sender with a token is a server: it may name the visitor's address in the hit or in X-Forwarded-For. */
export function senderOf({ header, ip, caller }: EndpointRequest): Sender {
  return {
    ip: (caller && addressIn(header('x-forwarded-for')?.split(',')[0]?.trim() ?? '')) ?? ip,
    userAgent: header('user-agent') ?? '',
    acceptLanguage: header('accept-language') ?? '',
    hints: clientHintsIn(header),
    caller,
  }
}

/** Returns headers for the sender with the reasons for dropped hits, for revenue that is not counted, and for ids of persons that are ignored. */
export function outcomeHeaders(received: readonly Received[]): Record<string, string> {
  if (received.every(each => 'site' in each && !each.revenueFault && !each.identityFault)) return {}
  const dropped = new Set(received.flatMap(each => ('dropped' in each ? [each.dropped] : [])))
  const moneyless = new Set(received.flatMap(each => ('site' in each ? (each.revenueFault ?? []) : [])))
  const unidentified = new Set(
    received.flatMap(each => ('site' in each ? (each.identityFault ?? []) : 'ignored' in each ? each.ignored : [])),
  )
  return {
    ...(dropped.size > 0 && { 'x-plausible-dropped': '1', 'X-Footfall-Dropped': [...dropped].join(', ') }),
    ...(moneyless.size > 0 && { 'X-Footfall-Revenue-Dropped': [...moneyless].join(', ') }),
    ...(unidentified.size > 0 && { 'X-Footfall-Identity-Ignored': [...unidentified].join(', ') }),
  }
}

/**
 * Returns undefined if the body is not JSON in UTF-8, or is excessive; each format has its own error for that.
 * @throws Failure `payload_too_large`
 */
export function bodyOf(request: EndpointRequest, parse: (text: string) => unknown): Promise<unknown> {
  return request
    .text()
    .then(parse)
    .catch((thrown: unknown) => {
      if (thrown instanceof SyntaxError || (thrown instanceof Failure && thrown.code === 'invalid_json')) return undefined
      throw thrown
    })
}

export function json(status: number, body: object, headers: Readonly<Record<string, string>> = {}): EndpointAnswer {
  return { status, headers: { 'Content-Type': 'application/json; charset=utf-8', ...headers }, body: JSON.stringify(body) }
}
