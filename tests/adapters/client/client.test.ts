/** The typed client against servers that refuse, stall and break off, its pages, its size and its types. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { serve } from '@hono/node-server'
import { build } from 'esbuild'
import { etagOf, methodsOf } from '../../../adapters/client/core.ts'
import { table } from '../../../operations/index.ts'
import { clientFiles } from '../../../scripts/client-files.ts'
import { launchChromium, withoutChromium } from '../../support/chromium.ts'
import { engines } from '../../support/engines.ts'
import { makeWorld, startService, type TestService } from '../../support/world.ts'
import { tools } from '../../../tools/paths.mjs'

type Handler = (request: IncomingMessage, response: ServerResponse) => void
const json = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) =>
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body))
const error = (code: string) => ({ error: { code, message: `It is ${code}.`, details: [] } })

let folder: string
let server: string
let handle: Handler
let asked: IncomingMessage[] = []
/** Of the clients made by `against`: the requests of each have a path of their own. */
let clients = 0
const http = createServer((request, response) => {
  const [, client, url] = /^\/(\d+)(\/.*)$/.exec(request.url ?? '') ?? []
  if (client !== undefined && Number(client) !== clients) return // one that was given up arrives late
  request.url = url ?? request.url
  asked.push(request)
  handle(request, response)
})
before(async () => {
  await mkdir('node_modules/.cache', { recursive: true })
  folder = await mkdtemp(path.resolve('node_modules/.cache/client-'))
  for (const [name, text] of Object.entries(clientFiles(table))) await writeFile(path.join(folder, name), text)
  await new Promise<void>(done => http.listen(0, '127.0.0.1', done))
  server = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
})
after(async () => {
  http.closeAllConnections()
  http.close()
  await rm(folder, { recursive: true, force: true })
})

/** Calls with each answer in turn. */
function against(answers: readonly Handler[], options: { token?: string; timeout?: number } = { token: 'pat_x' }) {
  asked = []
  clients++
  handle = (request, response) => (answers[asked.length - 1] ?? assert.fail('one request too many'))(request, response)
  const routes = { read: 'GET /things/{id}', make: 'POST /things', remove: 'DELETE /things/{id}', all: 'GET /things list' }
  return methodsOf(routes, { server: `${server}/${clients}/`, ...options }) as Record<string, (input?: object, options?: object) => any>
}
const keys = () => asked.map(({ headers }) => headers['idempotency-key'])

test('a temporarily refused request is repeated after Retry-After, a write with the same key', async () => {
  const client = against([
    (_, response) => json(response, 429, error('rate_limited'), { 'Retry-After': '0' }),
    (_, response) => json(response, 503, error('unavailable'), { 'Retry-After': '0' }),
    (_, response) => json(response, 201, { data: 1, meta: {} }),
  ])
  assert.deepEqual(await client.make!({ name: 'x' }), { data: 1, meta: {} })
  const [first, ...others] = keys()
  assert.match(String(first), /^[\da-f]{32}$/)
  assert.deepEqual(others, [first, first])
})

test('a request without an answer is repeated where that changes nothing twice, and only there', async () => {
  const breaks: Handler = request => request.socket.destroy()
  const ok: Handler = (_, response) => json(response, 200, { data: 1, meta: {} })
  const isUnreachable = { name: 'FootfallError', code: 'unreachable', status: 0 }
  await against([breaks, ok]).read!({ id: 'a' })
  await against([breaks, ok]).make!()
  await assert.rejects(against([breaks]).remove!({ id: 'a' }), isUnreachable)
  await assert.rejects(against([breaks], {}).make!(), isUnreachable)
  await assert.rejects(against([breaks, breaks, breaks]).read!({ id: 'a' }), isUnreachable)
})

test('a change is made to the version that was read', async () => {
  const tag = '"version.bytes"'
  const ok: Handler = (_, response) => json(response, 200, { data: 1, meta: {} }, { ETag: tag })
  const gone: Handler = (_, response) => json(response, 412, error('precondition_failed'))
  const client = against([ok, ok, gone])
  const read = await client.read!({ id: 'a' })
  assert.equal(etagOf(read), tag)
  assert.equal(etagOf({ ...read }), undefined)
  await client.remove!({ id: 'a' }, { ifMatch: etagOf(read) })
  await assert.rejects(client.remove!({ id: 'a' }, { ifMatch: tag }), { name: 'FootfallError', status: 412, code: 'precondition_failed' })
  assert.deepEqual(
    asked.map(({ headers }) => headers['if-match']),
    [undefined, tag, tag],
  )
})

test('the page of a proxy or of another server is reported as an error', async () => {
  const page: Handler = (_, response) => response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end('<!doctype html>')
  await assert.rejects(against([page]).read!({ id: 'a' }), { name: 'FootfallError', status: 200, code: 'http_200', message: /web page/ })
})

test('a server that was not given is named', () => {
  const server = process.env.FOOTFALL_SERVER_THAT_IS_NOT_SET as string // what a program in JavaScript would pass
  assert.throws(() => methodsOf({}, { server }), { name: 'TypeError', message: /^server is missing/ })
})

test('a refusal has its code, faults and request id, and is not repeated', async () => {
  const fault = { in: 'body', pointer: '/name', code: 'required', message: 'name is missing' }
  const refused = { error: { code: 'validation_failed', message: 'No.', details: [fault] } }
  const client = against([(_, response) => json(response, 422, refused, { 'X-Request-Id': 'r1' })])
  await assert.rejects(client.make!(), { status: 422, code: 'validation_failed', message: 'No.', details: [fault], requestId: 'r1' })
})

test('a long Retry-After is reported instead of awaited, and the page of a proxy is an error', async () => {
  const later = against([(_, response) => json(response, 429, error('rate_limited'), { 'Retry-After': '3600' })])
  await assert.rejects(later.read!({ id: 'a' }), { code: 'rate_limited', retryAfter: 3600 })
  const proxy = against([(_, response) => response.writeHead(403, { 'Content-Type': 'text/html' }).end('<h1>No')])
  await assert.rejects(proxy.read!({ id: 'a' }), { status: 403, code: 'http_403', details: [] })
  const page = against([0, 1, 2].map(() => (_, response) => response.writeHead(200, { 'Content-Type': 'application/json' }).end('<h1>')))
  await assert.rejects(page.read!({ id: 'a' }), { code: 'unreachable', message: /not JSON/ })
})

test('a stalled answer ends by the timeout, and a caller may end it before', async () => {
  const stalls: Handler = () => {}
  await assert.rejects(against([stalls], { timeout: 30 }).remove!({ id: 'a' }), { code: 'timeout' })
  const ending = new AbortController()
  const client = against([
    () => {
      ending.abort(new Error('enough'))
    },
  ])
  await assert.rejects(client.read!({ id: 'a' }, { signal: ending.signal }), { message: 'enough' })
  await assert.rejects(client.read!({ id: 'a' }, { signal: ending.signal }), { message: 'enough' })
  assert.equal(asked.length, 1)
})

test('a parameter that would name another path is refused before it is sent', async () => {
  const client = against([])
  for (const id of [undefined, '', '.', '..']) await assert.rejects(client.read!({ id }), TypeError)
  await against([(_, response) => json(response, 200, {})]).read!({ id: 'a/../b?c' })
  assert.equal(asked[0]?.url, '/things/a%2F..%2Fb%3Fc.json')
})

test('a list is one page where it is awaited and every record where it is iterated', async () => {
  const pages: Handler = (request, response) => {
    const page = Number(new URL(request.url ?? '', server).searchParams.get('page') ?? 1)
    json(response, 200, { data: [page * 10, page * 10 + 1], meta: { page, per_page: 2, total: 6, total_pages: 3 } })
  }
  const client = against([pages, pages, pages])
  const every: number[] = []
  for await (const each of client.all!()) every.push(each)
  assert.deepEqual(every, [10, 11, 20, 21, 30, 31])
  const single = against([pages])
  assert.deepEqual((await single.all!({ page: 2 })).data, [20, 21])
  const early = against([pages])
  for await (const each of early.all!()) if (each === 11) break
  assert.equal(asked.length, 1)
  assert.equal(await against([(_, response) => json(response, 404, error('not_found'))]).all!().catch(({ code }: any) => code), 'not_found')
})

test('it is at most 10 KB, compressed, imports nothing and knows nothing of Node', () => {
  const { 'client.js': script } = clientFiles(table)
  const size = gzipSync(script, { level: 9 }).length
  assert.ok(size <= 10_240, `${size} bytes`)
  assert.doesNotMatch(script, /^import |\bimport\(|require\(|\bprocess\.|\bBuffer\b/m)
})

test('its types know inputs, answers, pages and codes', async () => {
  const file = path.join(folder, 'use.ts')
  await writeFile(
    file,
    `import { createClient, FootfallError } from './client.js'
export async function use() {
  const footfall = createClient({ server: 'https://stats.example.com', token: 'pat_x' })
  const { data: site } = await footfall.sites_create({ workspace_id: 'ws_x', domain: 'example.com' })
  const domain: string | null = site.domain
  for await (const alert of footfall.alerts_list({ workspace_id: 'ws_x' })) alert.name.toUpperCase()
  const { meta } = await footfall.sites_list({ workspace_id: 'ws_x' })
  const total: number = meta.total
  const badge: string = await footfall.badges_get({ site_id: site.id })
  // @ts-expect-error a domain is required
  await footfall.sites_create({ workspace_id: 'ws_x' })
  // @ts-expect-error there is no such field
  await footfall.sites_get({ site_id: 'pa_x', colour: 'red' })
  // @ts-expect-error there is no such operation
  await footfall.sites_paint({})
  try { await footfall.account_get() } catch (thrown) {
    if (thrown instanceof FootfallError && thrown.code === 'not_found') return thrown.details[0]?.pointer
  }
  return [domain, total, badge]
}
`,
  )
  const arguments_ = [
    ...'--ignoreConfig --noEmit --strict --target es2022 --module nodenext --lib es2023,dom,dom.iterable --types node'.split(' '),
    file,
  ]
  const { stdout } = spawnSync(process.execPath, tools.tsc(...arguments_), { encoding: 'utf8' })
  assert.equal(stdout, '')
})

for (const admitted of [true, false]) {
  test(`a page of another origin ${admitted ? 'calls it' : 'does not, if it is not admitted'}`, { skip: withoutChromium }, async () => {
    const [engine] = engines
    const service: TestService = await startService(engine ?? assert.fail(), {
      API_ORIGINS: admitted ? `https://other.test,${server}` : '',
    })
    const api = serve({ fetch: service.web.fetch, port: 0, hostname: '127.0.0.1' })
    const chromium = await launchChromium()
    try {
      await new Promise<void>(done => (api.listening ? done() : api.once('listening', done)))
      const address = `http://127.0.0.1:${(api.address() as AddressInfo).port}` // it listens on TCP
      const { token, ids } = await makeWorld(service)
      const entry = `import { createClient } from './client.js'
        const footfall = createClient({ server: ${JSON.stringify(address)}, token: ${JSON.stringify(token)}, retries: 0 })
        const names = []
        try {
          for await (const site of footfall.sites_list({ workspace_id: ${JSON.stringify(ids.workspace)} })) names.push(site.id)
          const { data } = await footfall.notes_create({ site_id: names[0], text: 'Launch' })
          const { code, requestId } = await footfall.sites_get({ site_id: 'pa_unknown' }).catch(refused => refused)
          globalThis.seen = { names, text: data.text, code, hasId: requestId !== undefined }
        } catch (thrown) {
          globalThis.seen = { names, code: thrown.code }
        }`
      const bundle = { bundle: true, write: false, format: 'esm', platform: 'browser', target: 'es2022' } as const
      const { outputFiles } = await build({ ...bundle, stdin: { contents: entry, resolveDir: folder } })
      handle = ({ url }, response) =>
        url === '/bundle.js'
          ? response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(outputFiles[0]?.text)
          : response.writeHead(200, { 'Content-Type': 'text/html' }).end('<script type=module src=/bundle.js></script>')
      const page = await chromium.newPage()
      await page.goto(`${server}/page`)
      const seen = await page.waitForFunction(() => (globalThis as any).seen)
      const { names, text, code, hasId } = (await seen.jsonValue()) as any
      if (admitted) assert.deepEqual([names.includes(ids.site), text, code, hasId], [true, 'Launch', 'not_found', true])
      else assert.deepEqual([names, code], [[], 'unreachable'])
    } finally {
      await chromium.close()
      api.close()
      await service.close()
    }
  })
}

test('only admitted origins are, and never with cookies', async () => {
  const [engine] = engines
  const service: TestService = await startService(engine ?? assert.fail(), { API_ORIGINS: 'https://a.test' })
  try {
    const ask = (method: string, origin: string, url = '/website.json') => service.web.request(url, { method, headers: { Origin: origin } })
    const [ours, others] = [await ask('GET', 'https://a.test'), await ask('GET', 'https://b.test')]
    assert.deepEqual(
      [ours, others].map(({ headers }) => headers.get('access-control-allow-origin')),
      ['https://a.test', null],
    )
    assert.deepEqual(
      [ours, others].map(({ headers }) => headers.get('vary')?.includes('Origin')),
      [true, true],
    )
    const preflight = await ask('OPTIONS', 'https://a.test', '/workspaces.json')
    assert.equal(preflight.status, 204)
    assert.match(preflight.headers.get('access-control-allow-methods') ?? '', /GET/)
    assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /Authorization/)
    for (const { headers } of [ours, others, preflight]) assert.equal(headers.get('access-control-allow-credentials'), null)
  } finally {
    await service.close()
  }
})
