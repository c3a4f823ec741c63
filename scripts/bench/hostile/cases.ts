/** Hostile requests to every operation and endpoint, on every surface. */
import type { TSchema } from '@sinclair/typebox'
import { carriedBy, surfacesOf } from '../../../adapters/surfaces.ts'
import { table } from '../../../operations/index.ts'
import type { NamedOperation } from '../../../runtime/table/table.ts'
import { fill, shownAs, tokenOf, type World } from '../../../tests/support/world.ts'
import { anything, bodies, type Hostile, likeIt, validConditions } from './values.ts'

export interface Case {
  readonly what: string
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

const maxBody = 1024 * 1024
const maxHit = 64 * 1024
/** Node refuses requests whose head is longer than 16 KB. */
const maxHead = 15_000

/** @param newWorld called for each operation, and for each deleting request, so that others keep their records */
export async function* cases(newWorld: () => Promise<World>): AsyncGenerator<Case> {
  const seen = new Set<string>()
  for (const row of table.operations.values()) {
    let world = await newWorld()
    for (const each of ofOperation(row, () => world, seen)) {
      yield each
      if (row.effect === 'delete') world = await newWorld()
    }
  }
  const world = await newWorld()
  yield* ofCollection(world)
  yield* ofMcp(world)
  yield* ofHeads(world)
}

/** Number of fields so far: alternating fields get alternating halves of the generic values. */
let tried = 0

/**
 * Fields shared by many operations are tried with one of them. Behind the adapters both surfaces run the same code, so
 * MCP gets every sixth value.
 */
function* ofOperation(row: NamedOperation, at: () => World, seen: Set<string>): Generator<Case> {
  const inputOf = (example = row.examples[0]) => fill(example?.input ?? {}, at())
  const isOverMcp = carriedBy('mcp', row)
  const send = function* (what: string, json: string, overMcp = isOverMcp): Generator<Case> {
    if (row.method !== 'GET') yield http({ row, world: at(), input: inputOf(), what: `${row.id}, ${what}`, body: json })
    if (overMcp && isOverMcp) yield mcp(at(), { what: `${row.id} over MCP, ${what}`, body: calling(row.id, json) })
  }
  const restOf = (input = inputOf(), keepsPath = row.method === 'GET') =>
    Object.fromEntries(Object.entries(input).filter(([name]) => keepsPath || !Object.hasOwn(row.pathInput, name)))
  for (const { what, json } of bodies)
    if (first(seen, `${row.method} ${what} ${surfacesOf(row).length}`, 1)) yield* send(`the whole: ${what}`, json)
  for (const { what, json } of bodies) {
    if (json.startsWith('{') && json.endsWith('}') && first(seen, `beside ${what} ${row.method}`, 1))
      yield* send(`beside its fields: ${what}`, withEverything(restOf(), json))
  }
  for (const [name, schema] of Object.entries<TSchema>(row.input.properties)) {
    if (!first(seen, `${name} ${JSON.stringify(schema)}`, 1)) continue
    const isOpen = /"(string|array|object)"/.test(JSON.stringify(schema))
    const nth = ++tried
    // A field that is declared like another one meets the same checks; what its operation does with it is its own.
    const every = first(seen, shapeOf(schema), 1) ? 2 : 10
    const generic = anything.filter((_, i) => (i + nth) % ((isOpen ? 2 : 6) * Math.min(every, 4)) === 0)
    const all: readonly Hostile[] = [...generic, ...likeIt(schema).filter((_, i) => (i + nth) % every === 0)]
    for (const [i, { what, json }] of all.entries()) {
      yield* send(`${name}: ${what}`, withField(restOf(), name, json), (i + nth) % (row.method === 'GET' ? 2 : 6) === 0)
      if (row.method === 'GET') yield inQuery({ row, world: at(), input: inputOf(), name, what, value: json })
    }
  }
  for (const [i, example] of row.examples.entries())
    yield* ofLargest({ row, world: at(), input: restOf(inputOf(example), true), which: `example ${i + 1}` })
  const names = Object.keys(row.input.properties)
  if (names.length === 0 || row.method === 'GET' || !first(seen, names.join(), 1)) return
  for (const { what, json } of [...anything].filter(({ json }) => json.length * names.length < 40 * maxBody && /^[[{"]/.test(json))) {
    const part = smaller(json, Math.floor(Math.min(900_000, json.length * 0.99) / names.length))
    yield* send(`every field: ${what}`, `{${names.map(name => `${JSON.stringify(name)}:${part}`).join(',')}}`)
  }
}

interface OfLargest {
  readonly row: NamedOperation
  readonly world: World
  readonly input: Readonly<Record<string, unknown>>
  readonly which: string
}

/** Valid inputs of maximum size: lists, texts and filters as long as allowed. */
function* ofLargest({ row, world, input, which }: OfLargest): Generator<Case> {
  const send = function* (what: string, given: Readonly<Record<string, unknown>>): Generator<Case> {
    const body = Object.fromEntries(Object.entries(given).filter(([name]) => !Object.hasOwn(row.pathInput, name)))
    if (row.method !== 'GET') yield http({ row, world, input, what: `${row.id}, ${what}`, body: JSON.stringify(body) })
    if (carriedBy('mcp', row)) yield mcp(world, { what: `${row.id} over MCP, ${what}`, body: calling(row.id, JSON.stringify(given)) })
  }
  const fields = Object.entries<TSchema>(row.input.properties)
  for (const [name, schema] of fields) {
    if (schema.type !== 'array' || !('items' in schema)) continue
    if (JSON.stringify(schema).includes('operator')) {
      for (const { what, json } of validConditions())
        yield* send(`${which} with ${what}`, { ...input, [name]: JSON.parse(json) as unknown })
      continue
    }
    const given = Object.hasOwn(input, name) ? input[name] : undefined
    const items: readonly unknown[] = Array.isArray(given) && given.length > 0 ? given : [allowed(schema.items) ?? `{{${name}}}`]
    const max = Number(schema.maxItems)
    const repeated = Array.from({ length: max }, (_, i) => items[i % items.length])
    const distinct = repeated.map((item, i) => numbered(item, i))
    yield* send(`${which} with ${max} ${name}`, { ...input, [name]: repeated })
    yield* send(`${which} with ${max} different ${name}`, { ...input, [name]: distinct })
  }
  const longest = fields.flatMap(([name, { type, enum: values, format, pattern, maxLength }]) =>
    type === 'string' && (values ?? format ?? pattern) === undefined && maxLength !== undefined && Object.hasOwn(input, name)
      ? [[name, 'é'.repeat(maxLength)]]
      : [],
  )
  if (longest.length > 0) yield* send(`${which} with the longest texts`, { ...input, ...(Object.fromEntries(longest) as object) })
}

function allowed(schema: TSchema): unknown {
  return Array.isArray(schema.enum) ? schema.enum[0] : undefined
}

/** A distinct item for each number, by its texts or its time. */
function numbered(item: unknown, i: number): unknown {
  if (typeof item === 'string') return `${item}${i}`
  if (typeof item !== 'object' || item === null) return item
  return Object.fromEntries(
    Object.entries(item).map(([name, value]) => {
      if (name === 'checked_at') return [name, new Date(Date.parse(String(value)) - i * 1_000).toISOString()]
      return [name, ['title', 'name', 'path', 'event'].includes(name) ? `${String(value)}${i}` : value]
    }),
  )
}

/** A shorter JSON text: the beginning of a list or text, closed again. */
function smaller(json: string, max: number): string {
  if (json.length <= max) return json
  const first = json[0] ?? ''
  if (first === '"') return `${json.slice(0, Math.floor((max - 2) / 12) * 12 + 1).replace(/\\(u[0-9a-f]{0,3})?$/, '')}"`
  const end = json.lastIndexOf(',', max)
  const cut = json.slice(0, Math.max(end, 1))
  try {
    JSON.parse(`${cut}${first === '[' ? ']' : '}'}`)
    return `${cut}${first === '[' ? ']' : '}'}`
  } catch {
    return first === '[' ? '[]' : '{}'
  }
}

/** A schema without what is said of it. */
function shapeOf(schema: TSchema): string {
  return `shape ${JSON.stringify(schema, (key, value: unknown) => (['description', 'default', 'examples', 'unit'].includes(key) ? undefined : value))}`
}

function first(seen: Set<string>, key: string, times: number): boolean {
  for (let i = 0; i < times; i++) {
    const nth = `${i} ${key}`
    if (seen.has(nth)) continue
    seen.add(nth)
    return true
  }
  return false
}

function withField(rest: Readonly<Record<string, unknown>>, name: string, json: string): string {
  const others = Object.entries(rest)
    .filter(([other]) => other !== name)
    .map(([other, value]) => `${JSON.stringify(other)}:${JSON.stringify(value)},`)
  return `{${others.join('')}${JSON.stringify(name)}:${json}}`
}

function withEverything(rest: Readonly<Record<string, unknown>>, json: string): string {
  const own = JSON.stringify(rest)
  return own === '{}' || json === '{}' ? json : `${own.slice(0, -1)},${json.slice(1)}`
}

const json = (token: string) => ({ ...shownAs(token), 'Content-Type': 'application/json' })

function pathOf(row: NamedOperation, input: Readonly<Record<string, unknown>>): string {
  return row.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name])))
}

interface Http {
  readonly row: NamedOperation
  readonly world: World
  readonly input: Readonly<Record<string, unknown>>
  readonly what: string
  readonly body: string | null
}

function http({ row, world, input, what, body }: Http): Case {
  return { what, method: row.method, path: pathOf(row, input), headers: json(tokenOf(world, row)), body }
}

interface InQuery {
  readonly row: NamedOperation
  readonly world: World
  readonly input: Readonly<Record<string, unknown>>
  readonly name: string
  readonly what: string
  readonly value: string
}

function inQuery({ row, world, input, name, what, value }: InQuery): Case {
  let text: string
  try {
    text = encodeURIComponent(smaller(value, maxHead / 3).replace(/^"|"$/g, ''))
  } catch {
    text = 'x'
  }
  return {
    what: `${row.id}, ${name} in the query: ${what}`,
    method: 'GET',
    path: `${pathOf(row, input)}?${name}=${text.slice(0, maxHead).replace(/%.?$/, '')}`,
    headers: json(tokenOf(world, row)),
    body: null,
  }
}

const calling = (name: string, args: string, id: string | number = 1) =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"tools/call","params":{"name":${JSON.stringify(name)},"arguments":${args}}}`

function mcp({ token }: World, { what, body, query = '' }: { what: string; body: string; query?: string | undefined }): Case {
  return { what, method: 'POST', path: `/mcp${query}`, headers: json(token), body }
}

interface Post {
  readonly path: string
  readonly what: string
  readonly body: string
  readonly headers?: Readonly<Record<string, string>> | undefined
}

function* ofCollection(world: World): Generator<Case> {
  const domain = world.ids.domain ?? ''
  const plain = { 'User-Agent': chrome, 'Content-Type': 'text/plain' }
  const post = ({ path, what, body, headers = plain }: Post): Case => ({
    what: `${path}, ${what}`,
    method: 'POST',
    path,
    headers,
    body,
  })
  const known = { Authorization: `Bearer ${world.token}` }
  const event = { n: 'pageview', u: `https://${domain}/`, d: domain }
  const message = { website: world.ids.site, url: '/', hostname: domain }
  const fields = ['n', 'u', 'd', 'r', 'p', '$', 'sd', 'e', 'vt', 'c', 'w', 'sc', 'l', 't', 'ip', 'user_agent', 'timestamp']
  const payload = [
    'website',
    'hostname',
    'url',
    'referrer',
    'name',
    'tag',
    'title',
    'data',
    'language',
    'screen',
    'timestamp',
    'ip',
    'userAgent',
  ]
  for (const [i, { what, json }] of [...bodies, ...anything].entries()) {
    const small = smaller(json, maxHit - 500)
    for (const path of ['/api/event', '/api/send']) yield post({ path, what: `the whole: ${what}`, body: small })
    yield post({ path: '/api/batch', what: `the whole: ${what}`, body: json })
    yield post({ path: '/api/batch', what: `one message: ${what}`, body: `[${json}]` })
    for (const [n, field] of fields.entries()) {
      if ((i + n) % 4 !== 0) continue
      for (const kind of ['pageview', 'engagement', 'vitals', 'click']) {
        // whose measures are read by different code
        if (kind !== 'pageview' && !['sd', 'e', 'vt', 'c'].includes(field)) continue
        yield post({
          path: '/api/event',
          what: `${field} of ${kind}: ${what}`,
          body: withField({ ...event, n: kind }, field, small),
          headers: { ...plain, ...known },
        })
      }
    }
    for (const [n, field] of payload.entries()) {
      if ((i + n) % 4 !== 0) continue
      const one = `{"type":"event","payload":${withField(message, field, small)}}`
      yield post({ path: '/api/send', what: `${field}: ${what}`, body: one, headers: { ...plain, ...known } })
      if (json !== small)
        yield post({
          path: '/api/batch',
          what: `${field}: ${what}`,
          body: `[{"type":"event","payload":${withField(message, field, json)}}]`,
          headers: {
            ...plain,
            ...known,
          },
        })
      if (!json.startsWith('"') && !['data', 'url'].includes(field)) continue
      const short = `{"type":"event","payload":${withField(message, field, smaller(json, 700))}}`
      yield post({
        path: '/api/batch',
        what: `1,000 messages, ${field}: ${what}`,
        body: `[${Array.from({ length: 1_000 }, () => short).join(',')}]`,
      })
    }
  }
  const many = (make: (i: number) => object) =>
    JSON.stringify(Array.from({ length: 1_000 }, (_, i) => ({ type: 'event', payload: make(i) })))
  const props = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`key${i}`, `value ${i}`]))
  const batches: ReadonlyArray<readonly [string, string]> = [
    ['1,000 hits', many(() => message)],
    ['1,000 unknown sites', many(i => ({ website: `nobody${i}.example`, url: '/' }))],
    ['1,000 hits of 100 unknown sites', many(i => ({ website: `nobody${i % 100}.example`, url: '/' }))],
    [
      '1,000 hits with 30 new properties each',
      many(i => ({ ...message, name: 'x', data: Object.fromEntries(Object.entries(props).map(([key, value]) => [key, `${value} ${i}`])) })),
    ],
    ['1,000 new pages', many(i => ({ ...message, url: `/${i}/${'é'.repeat(300)}` }))],
    [
      '1,000 user agents',
      many(i => ({ ...message, userAgent: `Mozilla/5.0 (Linux; Android ${i}; ${'SM-x '.repeat(90)}) AppleWebKit/537.36` })),
    ],
    ['1,000 referrers', many(i => ({ ...message, referrer: `https://${'a.'.repeat(200)}example${i}.com/` }))],
    ['1,000 faulty messages', many(() => ({}))],
    ['no messages', `[${'0,'.repeat(999)}0]`],
  ]
  for (const [what, body] of batches) {
    yield post({ path: '/api/batch', what: `${what}, without a token`, body })
    yield post({ path: '/api/batch', what: `${what}, with one`, body, headers: { ...plain, ...known } })
  }
  yield post({ path: '/api/event', what: 'many domains', body: JSON.stringify({ ...event, d: 'a,'.repeat(30_000) }) })
  yield post({
    path: '/api/event',
    what: 'many long domains',
    body: JSON.stringify({ ...event, d: Array.from({ length: 20 }, (_, i) => `${i}${'é'.repeat(480)}`).join(',') }),
  })
}

const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

function* ofMcp(world: World): Generator<Case> {
  for (const [i, { what, json }] of [...bodies, ...anything].entries()) {
    yield mcp(world, { what: `/mcp, the whole: ${what}`, body: json })
    for (const field of ['jsonrpc', 'id', 'method', 'params'])
      yield mcp(world, {
        what: `/mcp, ${field}: ${what}`,
        body: withField({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'sites_get' } }, field, json),
      })
    const members: ReadonlyArray<readonly [string, readonly string[]]> = [
      ['tools/call', ['name', 'arguments', '_meta']],
      ['tools/list', ['_meta', 'cursor']],
      ['initialize', ['_meta', 'protocolVersion']],
    ]
    for (const [method, fields] of members) {
      for (const [n, field] of fields.entries()) {
        if ((i + n) % 3 !== 0) continue
        yield mcp(world, {
          what: `/mcp, ${method}, ${field}: ${what}`,
          body: `{"jsonrpc":"2.0","id":1,"method":"${method}","params":${withField({ name: 'sites_get' }, field, json)}}`,
        })
      }
    }
    for (const tool of ['tools_search', 'tools_call']) {
      yield mcp(world, { what: `/mcp, ${tool}: ${what}`, body: calling(tool, json), query: '?mode=search' })
      for (const field of tool === 'tools_call' ? ['name', 'arguments'] : ['query', 'limit'])
        yield mcp(world, {
          what: `/mcp, ${tool}, ${field}: ${what}`,
          body: calling(tool, withField({ name: 'sites_get' }, field, json)),
          query: '?mode=search',
        })
    }
    const fifty = calling('notes_create', withField({ site_id: world.ids.site }, 'text', smaller(json, 19_000)))
    yield mcp(world, { what: `/mcp, 50 messages: ${what}`, body: `[${Array.from({ length: 50 }, () => fifty).join(',')}]` })
  }
  const unknown = `{${Array.from({ length: 190 }, (_, i) => `"${String(i).padStart(90, 'k')}":1`).join(',')}}`
  yield mcp(world, {
    what: '/mcp, 50 messages of 190 unknown fields',
    body: `[${Array.from({ length: 50 }, () => calling('notes_create', unknown)).join(',')}]`,
  })
  const reports = calling('stats_overview', JSON.stringify({ site_id: world.ids.site }))
  const filters = calling(
    'stats_aggregate',
    JSON.stringify({ site_id: world.ids.site, filters: [['page', 'regex', '[^a-z]'.repeat(160)]] }),
  )
  yield mcp(world, { what: '/mcp, 50 reports with a great pattern', body: `[${Array.from({ length: 50 }, () => filters).join(',')}]` })
  yield mcp(world, { what: '/mcp, 50 reports', body: `[${Array.from({ length: 50 }, () => reports).join(',')}]` })
}

/** Long addresses and headers. */
function* ofHeads({ token, ids }: World): Generator<Case> {
  const get = (what: string, path: string, headers: Readonly<Record<string, string>> = {}): Case => ({
    what,
    method: 'GET',
    path,
    headers: { ...json(token), ...headers },
    body: null,
  })
  const stats = `/sites/${ids.site}/stats/aggregate.json`
  const sites = `/sites/${ids.site}.json`
  for (const part of ['a', '/', '%2F', '..%2F', '%', '%00', 'é', '.json']) {
    const long = encodeURI(part)
      .replace(/%25(?=[0-9A-F]{2})/g, '%')
      .repeat(Math.floor(maxHead / encodeURI(part).length))
    yield get(`a long path of ${part}`, `/${long}`)
    yield get(`a long id of ${part}`, `/sites/${long}.json`)
    yield get(`a long query of ${part}`, `${stats}?${long}`)
    for (const path of ['/docs', '/openapi.json', '/mcp', '/js/footfall.js'])
      yield get(`${path} with a long query of ${part}`, `${path}?${long}`)
  }
  for (const path of [stats, sites]) {
    yield get(`${path}, many parameters`, `${path}?${Array.from({ length: 2_500 }, (_, i) => `k${i}`).join('&')}`)
    yield get(`${path}, one parameter many times`, `${path}?${'period=7d&'.repeat(1_400)}`)
    yield get(`${path}, a list many times`, `${path}?${'filters[]=1&'.repeat(1_200)}`)
  }
  for (const name of [
    'If-None-Match',
    'Authorization',
    'X-Forwarded-For',
    'Accept-Language',
    'User-Agent',
    'Idempotency-Key',
    'X-Request-Id',
    'Mcp-Name',
    'Origin',
  ]) {
    for (const part of ['a', ',', '"', ' ', '1.', '::', ';q=', '(', 'Android ', 'Bearer ', 'W/"x", ']) {
      const value = part.repeat(Math.floor(maxHead / part.length)).trim()
      yield get(`${name} of ${part}`, sites, { [name]: value })
      yield {
        what: `a hit with ${name} of ${part}`,
        method: 'POST',
        path: '/api/event',
        headers: { 'User-Agent': chrome, [name]: value },
        body: JSON.stringify({ n: 'pageview', u: `https://${ids.domain}/` }),
      }
    }
  }
}
