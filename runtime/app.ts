/**
 * The one way through a call, for every surface:
 * authenticate → rate → container → permission → object → idempotency → validate → run → validate output → audit.
 */
import type { TSchema } from '@sinclair/typebox'
import type { Store, Trx } from '../storage/store.ts'
import { StorageUnavailable } from '../storage/unavailable.ts'
import { audit, redacted } from './audit.ts'
import { authenticationGuard } from './authentication-guard.ts'
import { callMeter } from './call-meter.ts'
import { authenticate, bearer, type Caller, maySee } from './caller.ts'
import type { Config } from './config.ts'
import { type Credential, showsCredential } from './credential.ts'
import { emitter } from './emitter.ts'
import { type ErrorBody, errorBody, errors, fail, Failure, failWith, type Fault } from './errors.ts'
import type { Emit } from './event.ts'
import { claim, idempotencyKey, keepAnswer } from './idempotency.ts'
import { makeId } from './ids.ts'
import type { Log } from './log.ts'
import { type Metrics, openMetrics } from './metrics.ts'
import { networkOf } from './network.ts'
import type { Services, Surface } from './operation.ts'
import { openOutages, type Outages, retryAfter } from './outages.ts'
import { type RateLimit, rateCounter } from './rate.ts'
import { openResources, type Resource } from './resource.ts'
import type { Found } from './subject.ts'
import type { NamedOperation, Table } from './table.ts'
import { tokenUse } from './token-use.ts'
import { checkFaults, faultsOf, isDeeper, matches, textFaults, withDefaults } from './validate.ts'
import { wakingStore } from './wake.ts'

const maxNesting = 32

/** A call as an adapter hands it over: translated, not judged. */
export interface CallRequest {
  readonly operation: NamedOperation
  readonly surface: Surface
  /** The Authorization header. */
  readonly authorization: string | undefined
  readonly ip: string
  readonly requestId: string
  readonly idempotencyKey?: string | undefined
  /** Path parameters; over MCP they may be missing or of any type. */
  readonly path: Readonly<Record<string, unknown>>
  /** Reads the rest of the input; asked for only once the caller may do this. May throw a Failure. */
  input(): Promise<Readonly<Record<string, unknown>>>
}

export interface Answer {
  readonly status: number
  /** Of an operation that is `bare`, its data alone. */
  readonly body: { data: unknown; meta: Record<string, unknown> } | ErrorBody | object
  /** In HTTP's words: rate, challenge, caching. */
  readonly headers: Readonly<Record<string, string>>
}

export interface App {
  readonly table: Table
  readonly config: Config
  readonly log: Log
  readonly store: Store
  call(request: CallRequest): Promise<Answer>
  /** Who calls, for what is no single operation (a list of tools, hits from a server). Throws as `call` answers. */
  identify(authorization: string | undefined, ip: string): Promise<{ caller: Caller; headers: Readonly<Record<string, string>> }>
  /** What anything thrown looks like to a caller. Logs what is our own fault. */
  answerTo(thrown: unknown, requestId: string, where: 'query' | 'body'): Answer
  /** Whether this caller's permissions reach the operation: what a list of tools shows. */
  allows(caller: Caller, operation: NamedOperation): boolean
  use<T>(resource: Resource<T>): T
  readonly metrics: Metrics
  readonly outages: Outages
  /** Emits in a transaction, as operations do. @param at the event's time */
  emitIn(trx: Trx, at: number): Emit
  /** Hears which task a committed transaction has made work for. */
  onWake(listener: (task: string) => void): void
  now(): number
  random(size: number): Buffer
  /** True once the service goes down: it takes what is under way, and asks to be sent nothing more. */
  closing(): boolean
  /** From here on `closing()`. */
  beginClosing(): void
  /** Ends what is open, in reverse order: accepted hits are stored first. Leaves the store to whoever opened it. */
  close(): Promise<void>
}

export function createApp({ store: opened, config, table, log, now, random }: {
  store: Store; config: Config; table: Table; log: Log; now(): number; random(size: number): Buffer
}): App {
  const wakened = new Set<(task: string) => void>()
  const store = wakingStore(opened, task => wakened.forEach(listener => listener(task)))
  const metrics = openMetrics()
  const meters = new Map([...table.operations.keys()].map(id => [id, callMeter(metrics, id)]))
  const resources = openResources({ store, config, log, now, random })
  const rates = rateCounter()
  const guard = authenticationGuard(rates, config)
  const uses = tokenUse(store, log)
  const outages = openOutages(store, log, now)
  const inFlight = new Set<string>()
  let closing = false
  const limits = {
    token: { name: 'token', limit: config.RATE_TOKEN },
    anonymous: { name: 'anonymous', limit: config.RATE_ANONYMOUS },
    costly: { name: 'costly', limit: config.RATE_COSTLY },
  } as const satisfies Record<string, RateLimit>

  const emit = emitter(table.subscribers, random)

  async function identify(authorization: string | undefined, ip: string) {
    const at = now()
    const token = bearer(authorization)
    guard.refuse(token, ip, at)
    try {
      const caller = await authenticate(store.read, token, ip, at)
      const headers = rates.count(limits.token, caller.tokenId, at)
      uses.note(caller, at)
      return { caller, headers }
    } catch (thrown) {
      throw challenged(thrown, token, ip, at)
    }
  }

  /** Who shows the credential that the operation asks for. */
  async function identifyAs(as: Credential, { authorization, ip }: CallRequest) {
    const at = now()
    const token = bearer(authorization)
    guard.refuse(token, ip, at)
    try {
      const { row, hash } = await showsCredential(store.read, as, token)
      return { shown: { [as.name]: row }, headers: rates.count(limits.token, hash, at) }
    } catch (thrown) {
      throw challenged(thrown, token, ip, at)
    }
  }

  /** A failed authentication is counted, and told how to do better. */
  function challenged(thrown: unknown, token: string | undefined, ip: string, at: number): unknown {
    if (!(thrown instanceof Failure) || errors[thrown.code].status !== 401) return thrown
    guard.failed(token, ip, at)
    return new Failure(thrown.code, thrown.message, [], { 'WWW-Authenticate': challenge(config.BASE_URL, thrown.code) })
  }

  async function call(request: CallRequest): Promise<Answer> {
    const began = performance.now()
    const { operation } = request
    const headers: Record<string, string> = {}
    let answer: Answer
    try {
      let caller: Caller | undefined
      let shown = {}
      if (operation.as) {
        const identified = await identifyAs(operation.as, request)
        shown = identified.shown
        Object.assign(headers, identified.headers)
      } else if (operation.access === 'public') Object.assign(headers, rates.count(limits.anonymous, networkOf(request.ip), now()))
      else {
        const identified = await identify(request.authorization, request.ip)
        caller = identified.caller
        Object.assign(headers, identified.headers)
        if (operation.costly) Object.assign(headers, rates.count(limits.costly, caller.tokenId, now()))
      }
      const { body, status } = await authorised(request, caller, shown)
      if (operation.secrets.length > 0) headers['Cache-Control'] = 'no-store'
      answer = { status, body: operation.bare ? Object(body.data) : body, headers }
    } catch (thrown) {
      const refusal = answerTo(thrown, request.requestId, operation.method === 'GET' ? 'query' : 'body')
      answer = { ...refusal, headers: { ...headers, ...refusal.headers } }
    }
    meters.get(operation.id)?.(request.surface, answer.status, performance.now() - began)
    return answer
  }

  async function authorised(request: CallRequest, caller: Caller | undefined, shown: Readonly<Record<string, unknown>>) {
    const { operation } = request
    failWith(missingInPath(request))
    const handed = await findSubjects(store, request, caller)
    const pathFaults = faultsInPath(request)

    const given = await request.input()
    if (isDeeper(given, maxNesting)) fail('invalid_json', `The input nests deeper than ${maxNesting} levels.`)
    const key = request.idempotencyKey !== undefined && caller && ['POST', 'PATCH'].includes(operation.method)
      ? idempotencyKey(caller.tokenId, operation.id, request.idempotencyKey, { ...request.path, ...given })
      : undefined
    const { input, unknown } = withDefaults(operation.input, given)
    const faults = faultsOf(operation.input, input, operation.secrets)
    const unkept = textFaults(input).filter(({ pointer }) => !faults.some(fault => fault.pointer === pointer))
    const wrong = [...pathFaults, ...faults, ...unkept, ...unknownFields(table, operation, unknown)]
    if (wrong.length > 0) {
      const inPath = checkFaults(operation.pathInput, request.path, wrong)
      failWith([...wrong, ...inPath, ...checkFaults(operation.input.properties, input, wrong)])
    }

    const at = now()
    const servicesOn = (db: Services['db']) => ({
      db, store, now: at, config, log, input: Object.assign(input, request.path), caller,
      request: { id: request.requestId, ip: request.ip, surface: request.surface },
      emit: emit(db, at), newId: kind => makeId(kind, at, random(14)), random, use: resources.use,
    } satisfies Services & Record<string, unknown>)
    const answered = async (db: Services['db']) => {
      const services = Object.assign(servicesOn(db), shown, handed.rows)
      const { data, meta } = await operation.run(services as never) // `run` was typed against exactly this declaration
      if (!matches(operation.output, data)) throw new Error(`${operation.id}: its answer does not fit its schema: ${faultsOf(operation.output, data)[0]?.message}`)
      return { data, meta: operation.method === 'GET' && unknown.length > 0 ? { ...meta, ignored_parameters: unknown } : meta }
    }
    if (operation.effect === 'read') return { status: operation.status, body: await answered(store.read) }
    if (!caller) return { status: operation.status, body: await store.transaction(answered) }

    const write = (trx: Trx) => async () => {
      const replayed = key && await claim(trx, key, at)
      if (replayed !== undefined) return JSON.parse(replayed) as { data: unknown; meta: Record<string, unknown> } // kept by keepAnswer
      const body = await answered(trx)
      const about = idAndPlace(body.data)
      await audit(trx, {
        id: makeId('audit', at, random(14)), at, operation, caller, surface: request.surface, ip: request.ip, requestId: request.requestId,
        input: { ...request.path, ...input }, workspaceId: handed.workspaceId ?? caller.workspaceId,
        siteId: handed.siteId ?? about.siteId, subjectId: about.id ?? handed.id,
      })
      if (key) await keepAnswer(trx, key, withoutSecrets(body, operation.secrets))
      return body
    }
    const claimed = key && `${key.token_id} ${key.operation} ${key.key}`
    if (claimed !== undefined && inFlight.has(claimed)) fail('idempotency_in_progress')
    if (claimed !== undefined) inFlight.add(claimed)
    try {
      return { status: operation.status, body: await store.transaction(trx => write(trx)()) }
    } finally {
      if (claimed !== undefined) inFlight.delete(claimed)
    }
  }

  function answerTo(thrown: unknown, requestId: string, where: 'query' | 'body'): Answer {
    if (thrown instanceof Failure) return { status: errors[thrown.code].status, body: errorBody(thrown, where), headers: thrown.headers }
    if (thrown instanceof StorageUnavailable) {
      outages.refused(thrown)
      return answerTo(new Failure('unavailable', thrown.reason === 'busy' ? thrown.message : undefined, [], { 'Retry-After': String(retryAfter[thrown.reason]) }), requestId, where)
    }
    log.error({ request: requestId, err: thrown }, 'a call failed')
    const failure = new Failure('internal_error', `${errors.internal_error.message} Request id: ${requestId}.`)
    return { status: 500, body: errorBody(failure, where), headers: {} }
  }

  return Object.freeze({
    table, config, log, store, call, identify, answerTo, now, random, use: resources.use,
    metrics, outages, emitIn: emit, onWake(listener: (task: string) => void) { wakened.add(listener) },
    allows: (caller: Caller, operation: NamedOperation) => lacking(operation, caller) === undefined,
    closing: () => closing,
    beginClosing() { closing = true },
    async close() {
      closing = true
      await resources.close()
      await uses.close()
    },
  })
}

interface Handed {
  rows: Record<string, unknown>
  workspaceId: string | undefined
  siteId: string | null
  id: string | null
}

/** Over MCP a path parameter may be missing or of another type than text. */
function missingInPath({ operation, path }: CallRequest): Fault[] {
  const faults: Fault[] = []
  for (const name in operation.pathInput) {
    if (typeof path[name] === 'string') continue
    const code = name in path ? 'invalid_type' : 'required'
    faults.push({ in: 'path', pointer: `/${name}`, code, message: `${name} must be a string in the path.` })
  }
  return faults
}

function faultsInPath({ operation, path }: CallRequest): Fault[] {
  const faults: Fault[] = []
  for (const name in operation.pathInput) {
    const schema = operation.pathInput[name]
    if (schema === undefined || matches(schema, path[name])) continue
    for (const fault of faultsOf(schema, path[name])) {
      faults.push({ ...fault, in: 'path', pointer: `/${name}`, message: fault.message.replace('The input', name) })
    }
  }
  return faults
}

/** Containers first, then the permission, then the object: a caller learns of nothing it may not see. */
async function findSubjects(store: Store, { operation, path }: CallRequest, caller: Caller | undefined): Promise<Handed> {
  const handed: Handed = { rows: {}, workspaceId: undefined, siteId: null, id: null }
  for (const [depth, subject] of operation.on.entries()) {
    const innermost = depth === operation.on.length - 1
    if (innermost && operation.on.length > 1) demand(operation, caller)
    const id = path[operation.onParameters[depth] ?? '']
    const found: Found<unknown> | undefined = typeof id === 'string' && isPlausibleId(id) ? await subject.find(store.read, id) : undefined
    const inside = found && (handed.workspaceId === undefined || found.workspaceId === handed.workspaceId) && (handed.siteId === null || found.siteId === handed.siteId)
    if (!found || !inside || (caller && !maySee(caller, found.workspaceId, found.siteId)) || (found.unrestricted && caller && caller.siteIds.length > 0)) fail('not_found')
    handed.rows[subject.name] = found.row
    handed.workspaceId = found.workspaceId
    handed.siteId = found.siteId
    handed.id = String(id)
  }
  if (operation.on.length < 2) demand(operation, caller)
  return handed
}

/** An id no database need be asked for: it would not fit, or (NUL) not be taken. */
function isPlausibleId(id: string): boolean {
  return id.length <= 64 && /^[\w-]+$/.test(id)
}

/** @throws Failure `permission_denied`, naming the permission (RFC 6750 §3.1) */
function demand(operation: NamedOperation, caller: Caller | undefined): void {
  const lacks = caller && lacking(operation, caller)
  if (lacks === undefined) return
  fail('permission_denied', lacks === 'site_ids' ? 'A token restricted to sites cannot do this.' : `This needs the permission ${lacks}.`, [],
    { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${lacks === 'site_ids' ? operation.access : lacks}"` })
}

function lacking({ access, effect }: NamedOperation, caller: Caller): string | undefined {
  if (access === 'public' || access === 'member') return undefined
  if (access === 'account') return effect !== 'read' && caller.siteIds.length > 0 ? 'site_ids' : undefined
  return caller.permissions.has(access) ? undefined : access
}

/** In a body an unknown field is a fault, but what the record shows, here or where it is read, and cannot be changed is let pass. */
function unknownFields(table: Table, operation: NamedOperation, unknown: readonly string[]): Fault[] {
  if (operation.method === 'GET' || unknown.length === 0) return []
  const read = [...table.operations.values()].find(({ method, path }) => method === 'GET' && path === operation.path)
  const shown = (name: string) => [operation.output, read?.output].some((output: TSchema | undefined) =>
    Object.hasOwn((output?.type === 'array' ? output.items : output)?.properties ?? {}, name))
  return unknown.filter(name => !shown(name)).map(name => ({
    pointer: `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, code: 'unknown_field',
    message: `${name.slice(0, 80)} is not a field here; fields are ${Object.keys(operation.input.properties).join(', ') || '(none)'}.`,
  }))
}

function idAndPlace(data: unknown): { id: string | null; siteId: string | null } {
  const field = (name: string) => (typeof data === 'object' && data !== null && name in data ? Reflect.get(data, name) : null)
  const [id, siteId]: unknown[] = [field('id'), field('site_id')]
  return { id: typeof id === 'string' ? id : null, siteId: typeof siteId === 'string' ? siteId : null }
}

function withoutSecrets(body: { data: unknown; meta: unknown }, secrets: readonly string[]): unknown {
  if (secrets.length === 0 || typeof body.data !== 'object' || body.data === null) return body
  return { ...body, data: Object.fromEntries(Object.entries(redacted({ ...body.data }, secrets)).map(([name, value]) => [name, value === '[secret]' ? null : value])) }
}

function challenge(baseUrl: string, code: string): string {
  const metadata = `resource_metadata="${baseUrl}/.well-known/oauth-protected-resource"`
  return code === 'authentication_required' ? `Bearer ${metadata}` : `Bearer error="invalid_token", ${metadata}`
}
