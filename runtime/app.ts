/** The service without its surfaces: called by adapters, shared by commands and tasks. */
import type { Store, Trx } from '../storage/store.ts'
import { StorageUnavailable } from '../storage/unavailable.ts'
import { authenticationGuard } from './authentication-guard.ts'
import type { Request } from './authenticator.ts'
import { callMeter } from './call-meter.ts'
import type { Call, CallRequest, Core, EntryRules } from './call/call.ts'
import { checkEndpointPermission, missingPermission } from './call/find-subjects.ts'
import { listedKinds, listedRecords } from './call/listed.ts'
import { limitBatch } from './call/limit-rate.ts'
import { arrivalOf, callOf, enter, passOf } from './call/pass.ts'
import type { Caller } from './caller.ts'
import type { Config } from './config.ts'
import { emitter } from './emitter.ts'
import type { Endpoint, EndpointAnswer, EndpointRequest } from './endpoint.ts'
import { type ErrorBody, errorBody, errors, Failure } from './errors.ts'
import type { Emit } from './event.ts'
import { type AnswerKind, isEnvelope } from './kinds.ts'
import type { Log } from './log.ts'
import { isOwnPath } from './wire-format.ts'
import { type Metrics, openMetrics } from './metrics.ts'
import { openOutages, type Outages, retryAfter } from './outages.ts'
import { rateCounter } from './rate.ts'
import { openResources, type Resource } from './resource.ts'
import type { NamedOperation, Table } from './table.ts'
import { useNotes } from './use-notes.ts'
import { wakingStore } from './wake.ts'

export type { CallRequest }

export interface Answer {
  readonly status: number
  /** Depends on `kind`: an envelope or an error, a plain value, a text, a file, a URL to redirect to. */
  readonly body: unknown
  /** Undefined if the call failed; the body is then an `ErrorBody`. */
  readonly kind: AnswerKind | undefined
  /** Rate limits, challenges, caching. */
  readonly headers: Readonly<Record<string, string>>
  /** Lines of `Set-Cookie`; none where the call failed. */
  readonly cookies?: readonly string[]
  /** Who called and where it was, as far as the call came: what a page shows beside the answer. */
  readonly caller?: Caller | undefined
  readonly place?: Call['place']
}

/** The answer of a failed call. */
export interface Refusal extends Answer {
  readonly body: ErrorBody
  readonly kind: undefined
}
export const isRefusal = (answer: Answer): answer is Refusal => answer.kind === undefined

export interface App {
  readonly table: Table
  readonly config: Config
  readonly log: Log
  readonly store: Store
  call(request: CallRequest): Promise<Answer>
  /** Runs an endpoint; thrown errors become error answers. @param surface name that the adapter gives itself */
  serve(endpoint: Endpoint, request: Omit<EndpointRequest, 'caller' | 'countBatch'>, surface: string): Promise<EndpointAnswer>
  /**
   * Authenticates a request that is not a single operation, such as a list of tools. @throws Failure as `call` answers
   */
  identify(request: Request): Promise<{ caller: Caller; headers: Readonly<Record<string, string>> }>
  /** Who is signed in and looks at a page: undefined for nobody, and for a session that has ended. @throws Failure `rate_limited` */
  visitor(request: Request): Promise<Caller | undefined>
  /** What anything thrown looks like to a caller. Logs what is our own fault. */
  answerTo(thrown: unknown, requestId: string, where: 'query' | 'body'): Refusal
  /** Whether the caller's permissions allow the operation; used to list tools. */
  allows(caller: Caller, operation: NamedOperation): boolean
  use<T>(resource: Resource<T>): T
  readonly metrics: Metrics
  readonly outages: Outages
  /** Emits in a transaction, like `emit` in operations. @param at the event's time */
  emitIn(trx: Trx, at: number): Emit
  /** The listener receives the name of a task when a committed transaction has created work for it. */
  onWake(listener: (task: string) => void): void
  now(): number
  random(size: number): Buffer
  /** True once the service shuts down: it finishes what is under way and should get no new requests. */
  closing(): boolean
  /** Makes `closing()` true. */
  beginClosing(): void
  /** Closes all open resources in reverse order, so that accepted hits are stored first. The store stays open. */
  close(): Promise<void>
}

/** Accepts any credential that is valid everywhere. */
const anyToken: EntryRules = { access: 'member', credential: undefined, rate: undefined, effect: 'read' }

const signedIn: EntryRules = { access: 'session', credential: undefined, rate: undefined, effect: 'read' }
const anybody: EntryRules = { ...signedIn, access: 'public' }

export function createApp({
  store: opened,
  config,
  table,
  log,
  now,
  random,
}: {
  store: Store
  config: Config
  table: Table
  log: Log
  now(): number
  random(size: number): Buffer
}): App {
  const wakened = new Set<(task: string) => void>()
  const store = wakingStore(opened, task => wakened.forEach(listener => listener(task)))
  const metrics = openMetrics(table.meters)
  const resources = openResources({ store, config, log, now, random })
  const rates = rateCounter()
  const uses = useNotes(store, log)
  const emitIn = emitter(table.subscribers, { config, random })
  const outages = openOutages(store, log, now)
  let closing = false

  const core: Core = Object.freeze({
    store,
    config,
    table,
    log,
    rates,
    uses,
    emitIn,
    now,
    random,
    limits: {
      token: { name: 'token', limit: config.RATE_TOKEN },
      anonymous: { name: 'anonymous', limit: config.RATE_ANONYMOUS },
      costly: { name: 'costly', limit: config.RATE_COSTLY },
      batch: { name: 'batch', limit: config.RATE_BATCH },
    },
    guard: authenticationGuard(rates, config),
    inFlight: new Set<string>(),
    use: resources.use,
    listed: listedRecords,
    listedKinds: listedKinds(table),
  })
  const ways = new Map(
    [...table.operations.values()].map(operation => [operation.id, { pass: passOf(operation), meter: callMeter(metrics, operation.id) }]),
  )
  const endpointMeters = new Map(table.endpoints.map(({ route }) => [route, callMeter(metrics, route)]))

  async function call(request: CallRequest): Promise<Answer> {
    const began = performance.now()
    const { operation } = request
    const way = ways.get(operation.id) ?? { pass: passOf(operation), meter: () => {} }
    const passing = callOf(core, request)
    const { headers } = passing
    if (operation.secrets.length > 0) headers['Cache-Control'] = 'no-store, no-transform' // compressed, its length would tell of the secret
    let answer: Answer
    try {
      await way.pass(passing)
      const { caller, place } = passing
      const body = isEnvelope(operation.answers) ? passing.answer : passing.answer?.data
      answer = { status: operation.status, body, kind: operation.answers, headers, cookies: passing.cookies, caller, place }
    } catch (thrown) {
      const refusal = answerTo(thrown, request.id, operation.method === 'GET' ? 'query' : 'body')
      answer = { ...refusal, headers: Object.assign(headers, refusal.headers), caller: passing.caller, place: passing.place }
    }
    way.meter(request.surface, answer.status, performance.now() - began)
    return answer
  }

  async function serve(
    endpoint: Endpoint,
    request: Omit<EndpointRequest, 'caller' | 'countBatch'>,
    surface: string,
  ): Promise<EndpointAnswer> {
    const began = performance.now()
    const arrival = arrivalOf(core, { header: request.header, ip: request.ip, surface }, endpoint)
    let answer: EndpointAnswer
    try {
      await enter(arrival)
      checkEndpointPermission(endpoint, arrival)
      answer = await endpoint.handle({ ...request, caller: arrival.caller, countBatch: size => limitBatch(arrival, size) }, app)
      answer = { ...answer, headers: Object.assign(arrival.headers, answer.headers) }
    } catch (thrown) {
      const refusal = answerTo(thrown, request.id, 'body')
      const { status, headers, body } = endpoint.wireFormat?.present(refusal, isOwnPath(request.url)) ?? refusal
      answer = {
        status,
        headers: { 'Content-Type': 'application/json; charset=utf-8', ...arrival.headers, ...headers },
        body: JSON.stringify(body),
      }
    }
    endpointMeters.get(endpoint.route)?.(surface, answer.status, performance.now() - began)
    return answer
  }

  async function identify(request: Request) {
    const { caller, headers } = await enter(arrivalOf(core, request, anyToken))
    if (!caller) throw new Failure('authentication_required')
    return { caller, headers }
  }

  async function visitor(request: Request) {
    try {
      return (await enter(arrivalOf(core, request, signedIn))).caller
    } catch (thrown) {
      if (!(thrown instanceof Failure) || errors[thrown.code].status !== 401) throw thrown
      await enter(arrivalOf(core, request, anybody)) // counted by the address
      return undefined
    }
  }

  function answerTo(thrown: unknown, requestId: string, where: 'query' | 'body'): Refusal {
    if (thrown instanceof Failure)
      return { status: errors[thrown.code].status, body: errorBody(thrown, where), kind: undefined, headers: thrown.headers }
    if (thrown instanceof StorageUnavailable) {
      outages.refused(thrown)
      return answerTo(
        new Failure('unavailable', thrown.reason === 'busy' ? thrown.message : undefined, [], {
          'Retry-After': String(retryAfter[thrown.reason]),
        }),
        requestId,
        where,
      )
    }
    log.error({ request: requestId, err: thrown }, 'a call failed')
    const failure = new Failure('internal_error', `${errors.internal_error.message} Request id: ${requestId}.`)
    return { status: 500, body: errorBody(failure, where), kind: undefined, headers: {} }
  }

  const app: App = Object.freeze({
    table,
    config,
    log,
    store,
    call,
    serve,
    identify,
    visitor,
    answerTo,
    now,
    random,
    use: resources.use,
    metrics,
    outages,
    emitIn,
    onWake(listener: (task: string) => void) {
      wakened.add(listener)
    },
    allows: (caller: Caller, operation: NamedOperation) => missingPermission(operation, caller) === undefined,
    closing: () => closing,
    beginClosing() {
      closing = true
    },
    async close() {
      closing = true
      await resources.close()
      await uses.close()
    },
  })
  return app
}
