/** Makes a Hono route of every operation. It only translates; `app.call` decides. */
import { type Context, Hono } from 'hono'
import { getPath } from 'hono/utils/url'
import { type Answer, isRefusal, type Refusal } from '../../runtime/table/answer.ts'
import type { App, CallRequest } from '../../runtime/app.ts'
import { m } from '../../runtime/call/messages.ts'
import { mayDownload } from '../../runtime/table/caller.ts'
import type { Endpoint } from '../../runtime/table/endpoint.ts'
import { Failure } from '../../runtime/table/errors.ts'
import { isObject } from '../../runtime/values/json.ts'
import { text } from '../../runtime/table/answer-kinds.ts'
import { basePath, outside } from '../../runtime/values/base-path.ts'
import { isOwnPath } from '../../runtime/table/wire-format.ts'
import type { NamedOperation } from '../../runtime/table/table.ts'
import type { Versioned } from '../../runtime/table/record-versions.ts'
import type { Pages } from '../pages/pages.tsx'
import { carriedBy, hasForm, hasPage } from '../surfaces.ts'
import { asksForPage, isForm } from './browser-requests.ts'
import { bytesOf, readForm, readObject, readText, readWhole } from './body.ts'
import { admittingOrigins, crossOrigin, operationPreflight, preflight } from './cross-origin.ts'
import { csvName, csvOf, type CsvTable, csvTableOf, takeOptions } from './csv.ts'
import { type HeadersOf, headersOf } from './answer-headers.ts'
import { matchesTag, tagOf } from './etag.ts'
import { ifMatch, matchesStrongly, recordTag, taggedBy } from './if-match.ts'
import { atHost, byHostedPath, type HostedRoute } from './hosts.ts'
import { bodyInit, documentHeaders, isDocument, payloadOf, type Receiver } from './payload.ts'
import { decodeQuery } from './query.ts'
import { respond } from './respond.ts'
import { SegmentRouter } from './router.ts'
import { securityHeaders } from './security.ts'
import { type Handler, type Watch, watching } from './watch.ts'
import { addressOf, type Env, headerOf, type Mount, requestId, type Web } from './web.ts'

export function createWeb(app: App, mounts: readonly Mount[] = []): Web {
  // Callers may append `.json` to every path (docs/decisions.md §1) and `.csv` to the path of a table. Both are removed before routing.
  const web: Web = new Hono<Env>({
    router: new SegmentRouter(),
    getPath: request => getPath(request).replace(isReading(request.method) ? /\.(json|csv)$/ : /\.json$/, ''),
  })
  const rest: Web = new Hono<Env>({ getPath: request => getPath(request).replace(/\.json$/, '') })
  const always = securityHeaders(app.config.BASE_URL)
  const admit = admittingOrigins(app.config.API_ORIGINS)
  const base = basePath(app.config.BASE_URL)

  /** Responses are made with all their headers: adding one later costs as much as the rest of the call. */
  const send: Send = (c, { status, headers, body, cookies, isReport }) => {
    const cors = admit?.(headerOf(c, 'origin'))
    const all: Record<string, string> = Object.assign({ 'X-Request-Id': requestId(c) }, always, cors, headers) // a spread takes 20 times as long
    if (cors?.Vary !== undefined && headers.Vary !== undefined) all.Vary = `${cors.Vary}, ${headers.Vary}`
    if (base !== '') {
      if (headers.Location !== undefined) all.Location = outside(headers.Location, base)
      if (headers.Link !== undefined) all.Link = headers.Link.replace(/<(?=\/)/g, `<${base}`)
    }
    return respond(c, { status, headers: all, body, cookies, isReport })
  }
  const answer = (c: Context<Env>, given: Answer, { versioned, further }: AnswerOptions = {}) => {
    const { status } = given
    const { headers, body } = payloadOf(given, receiverOf(c, app))
    Object.assign(headers, given.headers, further)
    // The same address answers a page, JSON or CSV.
    if (isReading(c.req.method)) headers.Vary ??= 'Accept'
    const record = versioned && status === 200 && isObject(given.body) ? given.body.data : undefined
    if (versioned && isObject(record) && typeof body === 'string') headers.ETag = recordTag(versioned, record, body)
    // HEAD has the headers that GET has (RFC 9110 §9.3.2).
    if (isReading(c.req.method) && status === 200 && typeof body === 'string') {
      const isCacheable = !('Cache-Control' in given.headers)
      if (isCacheable) {
        headers.ETag ??= tagOf(body)
        headers['Cache-Control'] ??= 'private, no-cache'
      }
      const wanted = headerOf(c, 'if-match')
      if (wanted !== undefined && !matchesStrongly(wanted, headers.ETag)) throw new Failure('precondition_failed')
      if (isCacheable && matchesTag(headerOf(c, 'if-none-match'), headers.ETag ?? '')) return send(c, { status: 304, headers, body: null })
    }
    return send(c, { status, headers, body, cookies: given.cookies })
  }
  const refusal = async (c: Context<Env>, thrown: unknown) => {
    const refused = app.answerTo(thrown, requestId(c), 'body')
    if (!asksForPage(c)) return answer(c, refused)
    try {
      return await (await pages()).refused(c, refused)
    } catch (fault) {
      return answer(c, app.answerTo(fault, requestId(c), 'body')) // no page can be drawn, including the page of this refusal
    }
  }

  let opened: Promise<Pages> | undefined
  /** Loaded with the first page: an installation that only collects hits and answers tokens needs none. */
  const pages = () => (opened ??= import('../pages/pages.tsx').then(({ openPages }) => openPages(app, send)))
  /** Answers a refusal for a document with a page or, inside a frame, with a text. */
  const refusedDocument = async (c: Context<Env>, refused: Refusal) =>
    headerOf(c, 'sec-fetch-dest') === 'iframe'
      ? send(c, {
          status: refused.status,
          headers: { ...documentHeaders(), 'Content-Type': 'text/plain; charset=utf-8' },
          body: String(refused.body.error.message),
        })
      : (await pages()).refused(c, refused)

  const watched = watching(app, refusal)

  // The router takes one handler for each route.
  const routes = new Map<string, Handler>()
  for (const operation of app.table.operations.values()) {
    if (!carriedBy('http', operation)) continue
    const { wireFormat } = operation
    const csv = csvTableOf(operation)
    const versioned = taggedBy(app.table, operation)
    const further = headersOf(app.table, operation, app.config.BASE_URL)
    const program: Handler = async c => {
      const wanted = formOf(c)
      if (wanted === 'csv at its path' && !csv) throw new Failure('not_found')
      return present(c, await app.call(callOf(app, { operation, c, wanted })), wanted)
    }
    const present = (c: Context<Env>, given: Answer, wanted: Wanted) => {
      if (isDocument(operation) && isRefusal(given) && asksForPage(c)) return refusedDocument(c, given)
      const isFile = (csv && wanted !== 'json') || isKeyed(operation)
      if (isFile && given.caller && !mayDownload(given.caller)) throw new Failure('permission_denied', m.not_as_files())
      const own = { versioned, further: further?.(given, { url: c.req.url, parameters: c.req.param() }) }
      if (csv && wanted !== 'json' && !isRefusal(given))
        return answer(c, asCsv({ given, operation, table: csv, c }), { further: own.further })
      return wireFormat ? answer(c, wireFormat.present(given, isOwnPath(c.req.url))) : answer(c, given, own)
    }
    const browser: Handler = async c => (await pages()).project(operation, c)
    routes.set(`${operation.method} ${operation.path}`, hasPage(operation) ? pageOr(program, browser, asksForPage) : program)
  }
  for (const page of app.table.pages)
    routes.set(
      page.route,
      pageOr(routes.get(page.route), async c => (await pages()).show(page, c), asksForPage),
    )
  const otherwise: Handler = c => rest.fetch(c.req.raw, c.env)
  const onlyForms = new Set<string>()
  for (const [path, operations] of formsByPath(app)) {
    const submit: Handler = async c => (await pages()).submit(operations, c)
    const program = routes.get(`POST ${path}`)
    if (!program) onlyForms.add(honoPath(path))
    routes.set(
      `POST ${path}`,
      pageOr(program ?? otherwise, submit, c => isForm(c) && headerOf(c, 'authorization') === undefined),
    )
  }
  // A signed-in user starts at their sites; other visitors get the page that an area declares for `/`. Load balancers request
  // it with `*/*`, and consider the service broken unless the answer is 200.
  routes.set(
    'GET /',
    pageOr(
      c =>
        send(c, {
          status: 200,
          headers: { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-cache' },
          body: beginning(app),
        }),
      async c => (await pages()).home(c),
      asksForPage,
    ),
  )
  const hosted: HostedRoute[] = [
    ...app.table.pages.flatMap(page =>
      page.hosted ? [{ hosted: page.hosted, serve: async (c: Context<Env>, path: Params) => (await pages()).show(page, c, path) }] : [],
    ),
    ...app.table.endpoints.flatMap(each =>
      each.hosted
        ? [{ hosted: each.hosted, serve: (c: Context<Env>, path: Params) => serveEndpoint(app, { endpoint: each, c, send, path }) }]
        : [],
    ),
  ]
  for (const [path, there] of byHostedPath(hosted)) {
    const usual = routes.get(`GET ${path}`)
    routes.set(`GET ${path}`, async c => (await atHost(app, there, c)) ?? (usual ? usual(c) : refusal(c, new Failure('not_found'))))
  }
  refuseTakenBase(base, [...routes.keys(), ...app.table.endpoints.map(endpoint => endpoint.route)])
  const inOrder = [...routes]
    .map(([route, handler]) => ({ route, handler, at: concreteFirst(route) }))
    .sort((a, b) => (a.at < b.at ? -1 : 1))
  for (const { route, handler } of inOrder) {
    const [method = '', path = ''] = route.split(' ')
    web.on(method, honoPath(path), watched(route, handler))
  }
  for (const endpoint of app.table.endpoints) mountEndpoint(web, { app, endpoint, send, watched })
  web.onError((thrown, c) => refusal(c, thrown))

  // Routes other than operations make their own responses; this adds the common headers.
  rest.use(async (c, next) => {
    await next()
    for (const [name, value] of Object.entries({ ...always, 'X-Request-Id': requestId(c) }))
      if (!c.res.headers.has(name)) c.header(name, value)
  })
  for (const mount of mounts) mount(rest, app)
  web.notFound(byOwnPath(rest, route => watched(route, otherwise)))
  for (const [path, all] of methodsByPath(web, rest)) {
    const methods = all.filter(method => method !== 'POST' || !onlyForms.has(path)) // a POST for forms is not listed for programs
    // Pages of other origins that may call this path may also read this refusal.
    const headers = { Allow: methods.join(', '), ...(methods.includes('OPTIONS') && crossOrigin) }
    rest.all(path, c =>
      admit && c.req.method === 'OPTIONS'
        ? send(c, { status: 204, headers: operationPreflight(methods), body: null })
        : refusal(c, new Failure('method_not_allowed', undefined, { headers })),
    )
  }
  rest.notFound(c => refusal(c, new Failure('not_found')))
  rest.onError((thrown, c) => refusal(c, thrown))
  return web
}

/** @throws Error if the path of BASE_URL begins as a path of the service does: a request could mean either */
function refuseTakenBase(base: string, routes: readonly string[]): void {
  const [, first = ''] = base.split('/')
  const taken = routes.find(route => first !== '' && route.replace(/^\w+ \//, '').split(/[/.]/)[0] === first)
  if (taken !== undefined)
    throw new Error(
      `Configuration: BASE_URL has the path ${base}, but Footfall itself has addresses that begin with /${first}. Choose another path, such as /analytics`,
    )
}

/** The answer to a program at `/`: links to the documentation and the other interfaces. */
const beginning = ({ config: { BASE_URL } }: App): string =>
  JSON.stringify({ data: { docs: `${BASE_URL}/docs`, openapi: `${BASE_URL}/openapi.json`, mcp: `${BASE_URL}/mcp` }, meta: {} })

const isReading = (method: string): boolean => method === 'GET' || method === 'HEAD'

interface AnswerOptions {
  /** The record in the answer, if callers can change it. */
  readonly versioned?: Versioned | undefined
  /** Headers that follow from the operation. */
  readonly further?: ReturnType<HeadersOf> | undefined
}

type Wanted = 'json' | 'csv' | 'csv at its path'
function formOf(c: Context<Env>): Wanted {
  if (!isReading(c.req.method)) return 'json'
  if (/^[^?#]*\.csv(?:[?#]|$)/.test(c.req.url)) return 'csv at its path'
  return /^\s*text\/csv\b/i.test(headerOf(c, 'accept') ?? '') && !/^[^?#]*\.json(?:[?#]|$)/.test(c.req.url) ? 'csv' : 'json'
}

interface AsCsv {
  readonly given: Answer
  readonly operation: NamedOperation
  readonly table: CsvTable
  readonly c: Context<Env>
}

function asCsv({ given, operation, table, c }: AsCsv): Answer {
  const content = given.body as { data: unknown; meta: unknown } // tables have an envelope
  const name = csvName(operation, c.req.param())
  const headers = { ...given.headers, 'Content-Disposition': `attachment; filename="${name}"` }
  return {
    ...given,
    kind: text('text/csv'),
    body: csvOf(table, content, takeOptions(queryOf(c.req.url) ?? new URLSearchParams())),
    headers,
  }
}

function callOf(app: App, { operation, c, wanted }: { operation: NamedOperation; c: Context<Env>; wanted: Wanted }): CallRequest {
  const { accepts, wireFormat } = operation
  const key = wanted === 'csv at its path' || isKeyed(operation) ? keyIn(app, c) : undefined
  const header = (name: string) => (key !== undefined && name === 'authorization' ? `Bearer ${key}` : headerOf(c, name))
  const condition = operation.effect === 'read' || wireFormat ? undefined : header('if-match') // another protocol has its own
  // A browser follows a link of a page to its CSV or a document with the cookie of the session.
  const isLink =
    (wanted === 'csv at its path' && hasPage(operation) && header('authorization') === undefined) ||
    (isDocument(operation) && asksForPage(c))
  return {
    operation,
    surface: isLink ? 'pages' : 'http',
    header,
    ip: addressOf(c, app),
    id: requestId(c),
    idempotencyKey: header('idempotency-key'),
    completes: 'at domain',
    ...(condition !== undefined && { precondition: ifMatch(condition) }),
    path: c.req.param(),
    input() {
      const given = inputOf(operation, c, { wanted, isKeyed: key !== undefined })
      if (!wireFormat) return given
      const read = (each: Record<string, unknown>) => wireFormat.read(each, isOwnPath(c.req.url))
      return given instanceof Promise ? given.then(read) : read(given)
    },
    ...(accepts === 'upload' && { body: bytesOf(c.req.raw) }),
  }
}

const isKeyed = ({ answers }: NamedOperation): boolean => answers.kind === 'text' && answers.keyed === true

const KEY = 'key'
/** The credential in the address of a CSV or a feed, if its kind may be sent so. */
function keyIn({ table }: App, c: Context<Env>): string | undefined {
  const key = headerOf(c, 'authorization') === undefined ? queryOf(c.req.url)?.get(KEY) : undefined
  if (!key) return undefined
  return table.authenticators.some(({ inAddress, sentAs }) => inAddress && 'bearer' in sentAs && key.startsWith(sentAs.bearer))
    ? key
    : undefined
}

function inputOf(
  { method, accepts, input }: NamedOperation,
  c: Context<Env>,
  { wanted, isKeyed }: { readonly wanted: Wanted; readonly isKeyed: boolean },
): Record<string, unknown> | Promise<Record<string, unknown>> {
  if (method === 'GET' || accepts === 'upload') {
    const query = queryOf(c.req.url)
    if (query && wanted !== 'json') takeOptions(query)
    if (isKeyed) query?.delete(KEY)
    return decodeQuery(input, query)
  }
  if (accepts === 'form') return readForm(c).then(fields => decodeQuery(input, fields))
  return readObject(c)
}

function receiverOf(c: Context<Env>, { log, outages }: App): Receiver {
  return {
    wantsBody: c.req.method !== 'HEAD',
    brokeOff(thrown) {
      outages.note(thrown)
      log.error({ request: requestId(c), err: thrown }, 'an answer broke off half-way')
      const socket = c.env?.incoming?.socket
      socket?.destroy()
      return socket !== undefined
    },
  }
}

/** Undefined without a query, the usual case. */
function queryOf(url: string): URLSearchParams | undefined {
  const start = url.indexOf('?')
  return start < 0 ? undefined : new URLSearchParams(url.slice(start))
}

type Params = Readonly<Record<string, string>>
interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: BodyInit | null
  readonly cookies?: readonly string[] | undefined
  readonly isReport?: boolean | undefined
}
type Send = (c: Context<Env>, sent: Reply) => Response | Promise<Response>

/** One handler for a path that answers browsers and programs differently. */
function pageOr(program: Handler | undefined, browser: Handler, isBrowser: (c: Context<Env>) => boolean): Handler {
  return program ? c => (isBrowser(c) ? browser(c) : program(c)) : browser
}

/** HTML forms only use POST: the operations that forms may call, by path and by their real method. */
function formsByPath({ table }: App): Map<string, Map<string, NamedOperation>> {
  const forms = new Map<string, Map<string, NamedOperation>>()
  for (const operation of table.operations.values()) {
    if (!operation.form && !hasForm(operation)) continue
    const { method, path } = operation
    forms.set(path, (forms.get(path) ?? new Map()).set(method, operation))
  }
  return forms
}

interface MountEndpoint {
  readonly app: App
  readonly endpoint: Endpoint
  readonly send: Send
  readonly watched: Watch
}

function mountEndpoint(web: Web, { app, endpoint, send, watched }: MountEndpoint): void {
  const [method = '', path = ''] = endpoint.route.split(' ')
  const route = endpoint.pattern === undefined ? honoPath(path) : patternPath(path, endpoint.pattern)
  const serve: Handler = c => serveEndpoint(app, { endpoint, c, send, path: c.req.param() })
  web.on(method, route, watched(endpoint.route, serve))
  if (endpoint.crossOrigin) {
    const admitted = preflight(method, ['Content-Type', ...endpoint.crossOrigin.headers])
    web.options(route, c => send(c, { status: 204, headers: admitted, body: null }))
  }
}

interface ServeEndpoint {
  readonly endpoint: Endpoint
  readonly c: Context<Env>
  readonly send: Send
  readonly path: Params
}

async function serveEndpoint(app: App, { endpoint, c, send, path }: ServeEndpoint): Promise<Response> {
  const cors = endpoint.crossOrigin ? crossOrigin : {}
  const { status, headers, body, cookies } = await app.serve(
    endpoint,
    {
      method: c.req.method,
      url: c.req.url,
      header: name => headerOf(c, name),
      ip: addressOf(c, app),
      id: requestId(c),
      path,
      text: () => readText(c, endpoint.maxBytes),
      whole: () => readWhole(c, endpoint.maxBytes),
      bytes: () => bytesOf(c.req.raw),
    },
    'http',
  )
  const content = typeof body === 'string' ? body : bodyInit(body, receiverOf(c, app))
  return send(c, { status, headers: Object.assign({}, cors, headers), body: content, cookies })
}

/** Creates one handler for each route of `rest`, such as `/mcp`, and one for all other paths, whose route is `*`. */
function byOwnPath(rest: Web, handlerOf: (route: string) => Handler): Handler {
  const own = new Set(rest.routes.map(({ path }) => path).filter(path => !/[:*]/.test(path)))
  const handlers = new Map<string, Handler>()
  return c => {
    const route = `${c.req.method} ${own.has(c.req.path) ? c.req.path : '*'}`
    let handler = handlers.get(route)
    if (!handler) handlers.set(route, (handler = handlerOf(route)))
    return handler(c)
  }
}

/** The methods of each path, for 405 with `Allow` (RFC 9110 §15.5.6). */
function methodsByPath(...webs: readonly Web[]): Map<string, string[]> {
  const methods = new Map<string, string[]>()
  for (const { path, method } of webs.flatMap(web => web.routes)) {
    if (method === 'ALL' || path.includes('*')) continue
    const known = methods.get(path) ?? []
    methods.set(path, known)
    for (const each of method === 'GET' ? ['GET', 'HEAD'] : [method]) if (!known.includes(each)) known.push(each)
  }
  return methods
}

/** Sorts concrete paths before templated ones (OpenAPI 3.1, Paths Object): Hono, which answers wrong methods, takes the first match. */
const concreteFirst = (route: string): string => route.replace(/\{\w+\+?\}/g, '\uffff')

/** Makes the ending a part of the parameter: Hono has no parameters within a segment. */
function patternPath(path: string, pattern: string): string {
  return path.replace(/\{(\w+)\}(\.\w+)?$/, (_, name: string, ending = '') => `:${name}{${pattern}${ending.replace('.', '\\.')}}`)
}

function honoPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1').replace(/\{(\w+)\+\}/g, ':$1{.+}')
}
