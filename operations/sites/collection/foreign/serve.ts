/** Serves requests in the formats of other products: unpacks the body, reads its messages, stores them, answers. */
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gunzip, inflate } from 'node:zlib'
import { endpoint, type Endpoint, type EndpointRequest } from '../../../../runtime/table/endpoint.ts'
import { fail } from '../../../../runtime/table/errors.ts'
import type { CallingServices } from '../../../../runtime/table/services.ts'
import type { Received } from '../collector.ts'
import type { SentHit } from '../hit.ts'
import { json, outcomeHeaders, receive, senderOf } from '../receive.ts'
import type { Sender } from '../sender.ts'
import type { ForeignRoute, Message, Wire } from './format.ts'

/** Hits to process before yielding to the event loop. */
const hitsAtOnce = 50
const DEFAULT_BYTES = 1024 * 1024
const TOKEN = /^[a-z]{3,4}_[0-9A-Za-z]{36}$/

/** A HEAD asks whether an address answers: no page is shown. */
const NOT_COUNTED = { status: 204 } as const

export function foreign({ route, summary, headers = [], maxBytes = DEFAULT_BYTES, ignoresBody, format }: ForeignRoute): Endpoint {
  return endpoint({
    route,
    summary,
    access: 'public',
    rate: 'none',
    crossOrigin: { headers },
    maxBytes,
    async handle(request, app) {
      if (request.method === 'HEAD') return NOT_COUNTED
      const { read, answer } = await format()
      const wire = await wireOf(request, ignoresBody ? 0 : maxBytes)
      const got = await read(wire)
      if ('errors' in got) return json(400, got, outcomeHeaders([{ dropped: 'invalid' }]))
      const token = [got.token, bearerIn(wire)].find(each => each !== undefined && TOKEN.test(each))
      const caller = token === undefined ? undefined : await app.callerWith(token, request)
      if (caller === undefined && got.messages.length > 1) request.countBatch(got.messages.length)
      const received = await receiveAll(got.messages, senderOf({ ...request, caller }), app)
      const given = answer(received, wire)
      return { ...given, headers: { ...given.headers, ...outcomeHeaders(received) } }
    },
  })
}

const bearerIn = ({ header }: Wire): string | undefined => /^bearer +(\S+)/i.exec(header('authorization') ?? '')?.[1]

/** The outcome of each message, in order. */
async function receiveAll(messages: readonly Message[], sender: Sender, app: CallingServices): Promise<Received[]> {
  const received: Received[] = []
  for (let from = 0; from < messages.length; from += hitsAtOnce) {
    const some = messages.slice(from, from + hitsAtOnce)
    const hits = some.filter((each): each is SentHit => each !== 'invalid')
    const outcomes = hits.length === 0 ? [] : await receive(hits, sender, app)
    let next = 0
    received.push(...some.map(each => (each === 'invalid' ? undefined : outcomes[next++]) ?? ({ dropped: 'invalid' } as const)))
    await setImmediate()
  }
  return received
}

/** @param maxBytes 0: without the body */
async function wireOf(request: EndpointRequest, maxBytes: number): Promise<Wire> {
  const { pathname, searchParams } = new URL(request.url, 'http://nowhere.invalid')
  const bytes = request.method === 'POST' && maxBytes > 0 ? await request.whole() : new Uint8Array()
  const origin = request.header('origin') ?? ''
  return {
    method: request.method,
    path: pathname,
    query: searchParams,
    header: request.header,
    body: textOf(await unpacked(bytes, maxBytes)),
    page: request.header('referer') ?? (origin === 'null' ? '' : origin),
  }
}

const gunzipped = promisify(gunzip)
const inflated = promisify(inflate)

/** Scripts compress bodies without saying so in a header, so the first bytes decide (RFC 1952 §2.3.1, RFC 1950 §2.2). */
async function unpacked(bytes: Uint8Array, max: number): Promise<Uint8Array> {
  const unpack = bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipped : bytes[0] === 0x78 && bytes[1] !== 0x22 ? inflated : undefined
  if (unpack === undefined) return bytes
  try {
    return await unpack(bytes, { maxOutputLength: max })
  } catch (thrown) {
    if (thrown instanceof RangeError) fail('payload_too_large')
    return bytes
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })
function textOf(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    return ''
  }
}
