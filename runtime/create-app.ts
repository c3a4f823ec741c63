/** Puts the service together from the table, the store and the configuration. */
import type { Awaitable } from '../storage/values/awaitable.ts'
import type { Store } from '../storage/store.ts'
import { StorageUnavailable } from '../storage/values/storage-unavailable.ts'
import { type Answer, isRefusal, type Refusal } from './table/answer.ts'
import type { App } from './app.ts'
import { authenticationGuard } from './call/authentication-guard.ts'
import type { Request } from './table/authenticator.ts'
import { callMeter } from './observability/call-meter.ts'
import type { Arrival, Call, CallRequest, Core, EntryRules } from './call/call.ts'
import { answerToForm } from './call/idempotency.ts'
import { checkEndpointPermission, missingPermission } from './call/find-subjects.ts'
import { listedKinds, listedRecords } from './call/list-records.ts'
import { readWithin } from './call/read-as-caller.ts'
import { limitBatch } from './call/limit-rate.ts'
import { arrivalOf, callOf, callRunner, runEntrySteps } from './call/run-steps.ts'
import type { Caller } from './table/caller.ts'
import type { Config } from './settings/config.ts'
import { emitter } from './events/emitter.ts'
import type { Endpoint, EndpointAnswer, EndpointRequest } from './table/endpoint.ts'
import { errorBody, errors, Failure, messageOf } from './table/errors.ts'
import type { Repeatable } from './call/idempotency-keys.ts'
import { isEnvelope } from './table/answer-kinds.ts'
import type { Log } from './observability/log.ts'
import { isOwnPath } from './table/wire-format.ts'
import { openMetrics } from './observability/metrics.ts'
import { tracer } from './observability/tracing.ts'
import { openOutages, retryAfter } from './observability/outages.ts'
import { rateCounter } from './call/rate.ts'
import type { OperationRequest } from './table/services.ts'
import { openResources } from './settings/resource.ts'
import type { NamedOperation, Table } from './table/table.ts'
import { sharedCounts } from './call/shared-counts.ts'
import { useNotes } from './call/last-used.ts'
import { wakingStore } from './tasks/wake.ts'
import { declareTextsOf } from './table/table-texts.ts'
import { m } from './call/messages.ts'
import { unavailableSentence } from './call/unavailable.ts'

/** Accepts any credential that is valid everywhere. */
const anyToken: EntryRules = { access: 'member', credential: undefined, rate: undefined, effect: 'read' }

const signedIn: EntryRules = { access: 'session', credential: undefined, rate: undefined, effect: 'read' }
const anyone: EntryRules = { ...signedIn, access: 'public' }

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
  declareTextsOf(table)
  const wakened = new Set<(task: string) => void>()
  const store = wakingStore(opened, task => wakened.forEach(listener => listener(task)))
  const metrics = openMetrics(table.meters)
  const resources = openResources({ store, config, log, now, random })
  const rates = rateCounter()
  const shared = sharedCounts(store, rates, log)
  const uses = useNotes(store, config, log)
  const emitIn = emitter(table.subscribers, { config, random })
  const outages = openOutages(store, log, now)
  let closing = false

  const core: Core = Object.freeze({
    store,
    config,
    table,
    log,
    rates,
    shared,
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
    guard: authenticationGuard(rates, shared, config),
    inFlight: new Map(),
    use: resources.use,
    listed: listedRecords,
    read: readWithin,
    listedKinds: listedKinds(table),
  })
  const runners = new Map(
    [...table.operations.values()].map(operation => [
      operation.id,
      { run: callRunner(operation), meter: callMeter(metrics, operation.id) },
    ]),
  )
  const endpointMeters = new Map(table.endpoints.map(({ route }) => [route, callMeter(metrics, route)]))

  function call(request: CallRequest): Promise<Answer> {
    const { operation, surface } = request
    const traced = tracer()
    if (!traced) return callUntraced(request)
    return traced.span({ name: operation.id, kind: 'internal', attributes: { 'footfall.surface': surface } }, async span => {
      const answer = await callUntraced(request)
      if (isRefusal(answer)) span.fail(answer.body.error.code)
      return answer
    })
  }

  async function callUntraced(request: CallRequest): Promise<Answer> {
    const began = performance.now()
    const { operation } = request
    const { run, meter } = runners.get(operation.id) ?? { run: callRunner(operation), meter: () => {} }
    const running = callOf(core, request)
    const { headers } = running
    if (operation.secrets.length > 0) headers['Cache-Control'] = 'no-store, no-transform' // the length of a compressed answer would reveal a part of the secret
    let answer: Answer
    try {
      await run(running)
      answer = answerOf(running)
    } catch (thrown) {
      const refusal = answerTo(thrown, request.id, operation.method === 'GET' ? 'query' : 'body')
      answer = { ...refusal, headers: Object.assign(headers, refusal.headers), caller: running.caller, place: running.place }
    }
    meter(request.surface, answer.status, performance.now() - began)
    return answer
  }

  function answerOf({ operation, caller, place, answer, cookies, headers }: Call): Answer {
    const body = isEnvelope(operation.answers) ? answer : answer?.data
    return { status: operation.status, body, kind: operation.answers, headers, cookies, caller, place }
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
      const entering = runEntrySteps(arrival)
      if (entering) await entering
      answer = await handle(endpoint, request, arrival)
    } catch (thrown) {
      const refusal = answerTo(thrown, request.id, 'body')
      const { status, headers, body } = endpoint.wireFormat?.present(refusal, isOwnPath(request.url)) ?? refusal
      answer = { status, headers: { 'Content-Type': 'application/json; charset=utf-8', ...headers }, body: JSON.stringify(body) }
    }
    endpointMeters.get(endpoint.route)?.(surface, answer.status, performance.now() - began)
    return { ...answer, headers: Object.assign(arrival.headers, answer.headers) }
  }

  function handle(
    endpoint: Endpoint,
    request: Omit<EndpointRequest, 'caller' | 'countBatch'>,
    arrival: Arrival,
  ): Awaitable<EndpointAnswer> {
    checkEndpointPermission(endpoint, arrival)
    const { method, url, header, ip, id, path, text, whole, bytes } = request // a spread takes several times as long
    const countBatch = (size: number) => limitBatch(arrival, size)
    return endpoint.handle({ method, url, header, ip, id, path, text, whole, bytes, caller: arrival.caller, countBatch }, app)
  }

  async function identify(request: Request) {
    const arrival = arrivalOf(core, request, anyToken)
    await runEntrySteps(arrival)
    const { caller, headers } = arrival
    if (!caller) throw new Failure('authentication_required')
    return { caller, headers }
  }

  async function callerWith(token: string, { header, ip }: Pick<Request, 'header' | 'ip'>) {
    const bearer = (name: string) => (name === 'authorization' ? `Bearer ${token}` : name === 'cookie' ? undefined : header(name))
    return (await identify({ header: bearer, ip, surface: 'http' })).caller
  }

  async function visitor(request: Arrival['request']) {
    const arrival = arrivalOf(core, request, signedIn)
    try {
      await runEntrySteps(arrival)
      return arrival.caller
    } catch (thrown) {
      if (!(thrown instanceof Failure) || errors[thrown.code].status !== 401) throw thrown
      await runEntrySteps(arrivalOf(core, request, anyone)) // counted by the address
      return undefined
    }
  }

  function answerTo(thrown: unknown, requestId: string, where: 'query' | 'body'): Refusal {
    if (thrown instanceof Failure)
      return { status: errors[thrown.code].status, body: errorBody(thrown, where), kind: undefined, headers: thrown.headers }
    if (thrown instanceof StorageUnavailable) {
      outages.refused(thrown)
      const after = retryAfter[thrown.reason]
      return answerTo(
        new Failure('unavailable', unavailableSentence(thrown), { headers: after === undefined ? {} : { 'Retry-After': String(after) } }),
        requestId,
        where,
      )
    }
    log.error({ request: requestId, err: thrown }, 'a call failed')
    const failure = new Failure('internal_error', m.failed_with_id({ message: messageOf('internal_error'), id: requestId }))
    return { status: 500, body: errorBody(failure, where), kind: undefined, headers: {} }
  }

  async function callOperation({ operation: id, ...request }: OperationRequest): Promise<Answer> {
    const operation = table.operations.get(id)
    if (!operation) throw new Error(`There is no operation ${id}`)
    return call({ ...request, operation, surface: 'http' })
  }

  const app: App = Object.freeze({
    table,
    config,
    log,
    store,
    call,
    callOperation,
    serve,
    answerToForm: (key: Repeatable) => answerToForm(core, key),
    identify,
    callerWith,
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
