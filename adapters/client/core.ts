/**
 * The part of the typed client that is the same for every operation: requests, pages, errors and retries. It runs
 * in Node, Deno, Bun and browsers, so it imports no code and uses only what the web platform has.
 */
import type { ErrorCode } from '../../runtime/table/errors.ts'

/** One fault of an input. */
export interface Fault {
  in: 'path' | 'query' | 'body' | 'header'
  /** Its place there: a JSON Pointer (RFC 6901). */
  pointer: string
  code: string
  /** Says what failed, the received value and the accepted values. */
  message: string
}

export interface ClientOptions {
  /** Address of the installation: `https://stats.example.com`. */
  server: string
  /** An API token. Pages of the installation itself may leave it out: the browser sends the session. */
  token?: string
  /** Defaults to the `fetch` of the platform. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>
  /** How often a request is retried that was temporarily refused or got no answer. Defaults to 2. */
  retries?: number
  /** Time limit of one attempt, ms. Defaults to 60,000. */
  timeout?: number
}

export interface CallOptions {
  /** Ends the call and its retries. */
  signal?: AbortSignal
  /** For POST and PATCH. Defaults to a new key for each call, so that a retry changes nothing twice. */
  idempotencyKey?: string
  /** For a change: the version of the record that is changed, from `etagOf`. If the record has changed since, the code is `precondition_failed`. */
  ifMatch?: string
}

/** Other codes come from proxies: `http_502`. */
export type Code = ErrorCode | 'unreachable' | 'timeout' | (string & {})

/** A call that was refused or got no answer. Without an answer, `status` is 0 and `code` is `unreachable` or `timeout`. */
export class FootfallError extends Error {
  readonly status: number
  readonly code: Code
  /** Every fault of the input; empty for other errors. */
  readonly details: readonly Fault[]
  /** The id by which the server's log knows the request. */
  readonly requestId: string | undefined
  /** Seconds after which the call may be retried. */
  readonly retryAfter: number | undefined

  constructor(
    message: string,
    fields: { status: number; code: Code; details?: readonly Fault[]; requestId?: string; retryAfter?: number; cause?: unknown },
  ) {
    super(message, { cause: fields.cause })
    this.name = 'FootfallError'
    this.status = fields.status
    this.code = fields.code
    this.details = fields.details ?? []
    this.requestId = fields.requestId
    this.retryAfter = fields.retryAfter
  }
}

const tags = new WeakMap<object, string>()
/** The version of a record, for `ifMatch`. @param answer of a call, as it was returned */
export function etagOf(answer: object): string | undefined {
  return tags.get(answer)
}

/** A page of a list. */
export interface Page<T, M = object> {
  data: T[]
  meta: M & { page: number; per_page: number; total: number; total_pages: number }
}

/** A list. `await` returns the requested page, `for await` every record from there on. */
export interface Listing<T, M = object> extends Promise<Page<T, M>>, AsyncIterable<T> {}

/** @internal */
export type Input = Readonly<Record<string, unknown>>
/**
 * Sends one request: `GET /sites/{site_id}` with the input that its path, query and body are made of.
 * @internal
 */
export type Send = (route: string, input: Input, options?: CallOptions) => Promise<unknown>

/** The longest wait before a retry, in seconds. If the server asks for more, the call fails. */
const maxWait = 60

/**
 * Its promises fail with FootfallError, and with TypeError for a path parameter that is missing.
 * @internal
 */
export function sender(options: ClientOptions): Send {
  const { server, token, retries = 2, timeout = 60_000, fetch = (url, init) => globalThis.fetch(url, init) } = options
  if (typeof server !== 'string') throw new TypeError('server is missing: the address of the installation, https://…')
  const base = server.replace(/\/+$/, '')

  return async (route, input, { signal, idempotencyKey = randomKey(), ifMatch } = {}) => {
    const { method, url, body } = requestOf(route, input)
    const hasKey = method === 'POST' || method === 'PATCH'
    const headers: Record<string, string> = {
      Accept: 'application/json, */*;q=0.5',
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(hasKey && { 'Idempotency-Key': idempotencyKey }),
      ...(ifMatch !== undefined && { 'If-Match': ifMatch }),
    }
    // The server stores keys by token. Without a token, it cannot recognize a retry.
    const canRetry = method === 'GET' || (hasKey && token !== undefined)
    for (let attempt = 0; ; attempt++) {
      try {
        return await once(`${base}${url}`, { method, headers, body }, signal)
      } catch (thrown) {
        if (!(thrown instanceof FootfallError) || attempt >= retries) throw thrown
        const { status, code, retryAfter = 0.5 * 2 ** attempt * (0.5 + Math.random()) } = thrown
        const wasRefused = status === 429 || status === 503 || code === 'idempotency_in_progress'
        const gotLost = status === 0 || status === 502 || status === 504
        if (!(wasRefused || (gotLost && canRetry)) || retryAfter > maxWait) throw thrown
        await pause(retryAfter * 1000, signal)
      }
    }
  }

  async function once(url: string, init: RequestInit, signal: AbortSignal | undefined): Promise<unknown> {
    signal?.throwIfAborted()
    const ending = new AbortController()
    const abort = () => ending.abort()
    const timer = setTimeout(abort, timeout)
    signal?.addEventListener('abort', abort)
    try {
      const response = await fetch(url, { ...init, signal: ending.signal })
      const type = response.headers.get('content-type') ?? ''
      // Every answer of Footfall has a request id. An answer without one comes from another server, such as a sign-in proxy.
      const isForeign = type.startsWith('text/html') && !response.headers.has('x-request-id')
      if (response.ok && isForeign)
        throw new FootfallError('The answer is a web page, not one of Footfall’s API', {
          status: response.status,
          code: `http_${response.status}`,
        })
      const isText = response.ok && !/json/.test(type)
      if (isText) return /^text\/|xml/.test(type) ? await response.text() : await response.blob()
      const text = await response.text()
      if (!response.ok) throw refusalOf(response, text)
      const answer: unknown = text === '' ? undefined : JSON.parse(text)
      const tag = response.headers.get('etag')
      if (tag !== null && typeof answer === 'object' && answer !== null) tags.set(answer, tag)
      return answer
    } catch (thrown) {
      if (thrown instanceof FootfallError) throw thrown
      signal?.throwIfAborted()
      const [code, message] = ending.signal.aborted
        ? ['timeout', `No answer within ${timeout} ms`]
        : ['unreachable', thrown instanceof SyntaxError ? 'The answer is not JSON' : 'The server cannot be reached']
      throw new FootfallError(`${message}: ${url.split('?')[0]}`, { status: 0, code, cause: thrown })
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    }
  }
}

/**
 * Creates a method for each route, for example `{ sites_get: 'GET /sites/{site_id}' }`. Routes of lists end with ` list`.
 * @internal
 */
export function methodsOf(routes: Readonly<Record<string, string>>, options: ClientOptions): Record<string, unknown> {
  const send = sender(options)
  return Object.fromEntries(
    Object.entries(routes).map(([id, route]) => {
      const ask = route.replace(/ list$/, '')
      const call = (input: Input = {}, called?: CallOptions) => send(ask, input, called)
      if (ask === route) return [id, call]
      return [id, (input?: Input, called?: CallOptions) => listing((given: Input) => call(given, called), input)]
    }),
  )
}

/**
 * Sends no request before it is awaited or iterated, so iterating does not request the first page twice.
 * @internal
 */
export function listing(ask: (input: Input) => Promise<unknown>, input: Input = {}): Listing<unknown> {
  let asked: Promise<Page<unknown>> | undefined
  const page = () => (asked ??= ask(input) as Promise<Page<unknown>>) // the routes say which are lists
  async function* records(): AsyncGenerator<unknown> {
    let number = typeof input.page === 'number' ? input.page : 1
    for (let last = number; number <= last; number++) {
      const { data, meta } = (await ask({ per_page: 100, ...input, page: number })) as Page<unknown>
      yield* data
      last = meta.total_pages
    }
  }
  return {
    // biome-ignore lint/suspicious/noThenProperty: it is awaited like the promises of other calls
    then: (done, failed) => page().then(done, failed),
    catch: failed => page().catch(failed),
    finally: done => page().finally(done),
    [Symbol.toStringTag]: 'Listing',
    [Symbol.asyncIterator]: records,
  }
}

function requestOf(route: string, input: Input): { method: string; url: string; body?: string } {
  const [method = '', template = ''] = route.split(' ')
  const rest = new Map(Object.entries(input))
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(rest.get(name) ?? '')
    // A segment of dots would name another path (RFC 3986 §5.2.4).
    if (/^\.{0,2}$/.test(value)) throw new TypeError(`${route}: ${name} is missing`)
    rest.delete(name)
    return encodeURIComponent(value)
  })
  const url = `${path}.json`
  if (method !== 'GET') return { method, url, body: JSON.stringify(Object.fromEntries(rest)) }
  const query = new URLSearchParams()
  for (const [name, value] of rest)
    if (value !== undefined && value !== null) query.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  return { method, url: query.size > 0 ? `${url}?${query}` : url }
}

/** Messages for refusals of proxies. Footfall's own refusals have a message. */
const ofProxies: Readonly<Record<number, string>> = {
  413: 'A proxy in front of the server refuses a request of this size (413). Allow larger ones there: client_max_body_size of nginx',
}

function refusalOf(response: Response, text: string): FootfallError {
  const { status, headers } = response
  const common = { status, requestId: headers.get('x-request-id') ?? undefined, retryAfter: secondsOf(headers.get('retry-after')) }
  let error: { code?: unknown; message?: unknown; details?: unknown } = {}
  try {
    error = JSON.parse(text).error ?? {}
  } catch {
    // a proxy's own page
  }
  const { code, message, details } = error
  return new FootfallError(typeof message === 'string' ? message : (ofProxies[status] ?? `The server answered ${status}`), {
    ...common,
    code: typeof code === 'string' ? code : `http_${status}`,
    details: Array.isArray(details) ? details : [],
  })
}

/** Reads a `Retry-After`: seconds, or a date (RFC 9110 §10.2.3). */
function secondsOf(header: string | null): number | undefined {
  if (header === null) return undefined
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((done, failed) => {
    const ended = () => {
      clearTimeout(timer)
      failed(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', ended)
      done()
    }, milliseconds)
    signal?.addEventListener('abort', ended, { once: true })
  })
}

/** `crypto.randomUUID` is missing in pages without HTTPS. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')
}
