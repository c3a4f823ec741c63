/** Files that are fetched from an address: whole, by ranges after a break, and not from everywhere. */
import assert from 'node:assert/strict'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { onAnyEngine } from '../../support/engines.ts'
import { type Importing, type Site, siteIn, startImporting } from './site.ts'

const ROWS = 3_000
const content = Buffer.from(
  Array.from(
    { length: ROWS },
    (_, i) => `{"timestamp":"2025-03-01T12:00:00Z","url":"/${i % 9}","visitor":"v${i}","filler":"${'x'.repeat(600)}"}`,
  ).join('\n'),
)

onAnyEngine('an import from an address', engine => {
  let service: Importing
  let site: Site
  let base: string
  let asked: (string | undefined)[] = []
  let server: http.Server
  /** Behaviour of the server, by path. */
  const answers: Record<string, (request: http.IncomingMessage, response: http.ServerResponse, nth: number) => void> = {
    '/whole.ndjson': (_, response) => response.writeHead(200, { 'Content-Length': content.length }).end(content),
    '/endless.ndjson': (_, response) => response.writeHead(200).end(content),
    '/ranges.ndjson': (request, response, nth) => ranged(request, response, nth, '"one"'),
    '/changes.ndjson': (request, response, nth) => ranged(request, response, nth, `"${nth}"`),
    '/weak.ndjson': (request, response, nth) => ranged(request, response, nth, 'W/"one"'),
    '/moved': (_, response) => response.writeHead(302, { Location: '/whole.ndjson' }).end(),
    '/inward': (_, response) => response.writeHead(302, { Location: 'http://[::1]:1/' }).end(),
    '/gone': (_, response) => response.writeHead(404).end('<h1>Not here</h1>'),
    '/large': (_, response) => response.writeHead(200, { 'Content-Length': 10 ** 12 }).write('x'),
    '/grows': (_, response) => response.writeHead(200).end(Buffer.alloc(9 * 1024 * 1024)),
    '/lies': (_, response) => response.writeHead(206, { 'Content-Range': 'bytes 700-800/900' }).end('x'),
    '/html': (_, response) => response.writeHead(200).end('<!doctype html><p>Sign in first'),
  }
  /** Breaks off twice; goes on where it is asked to, if it is the same file still. */
  function ranged(request: http.IncomingMessage, response: http.ServerResponse, nth: number, tag: string) {
    const [, from = '0'] = /^bytes=(\d+)-$/.exec(request.headers.range ?? '') ?? []
    const isSame = request.headers.range !== undefined && request.headers['if-range'] === tag
    const rest = content.subarray(isSame ? Number(from) : 0)
    const range = isSame ? { 'Content-Range': `bytes ${from}-${content.length - 1}/${content.length}` } : {}
    response.writeHead(isSame ? 206 : 200, { 'Content-Length': rest.length, ETag: tag, ...range })
    if (nth > 2) return response.end(rest)
    response.write(rest.subarray(0, 500_000), () => setTimeout(() => response.destroy(), 50))
  }
  before(async () => {
    server = http.createServer((request, response) => {
      const path = (request.url ?? '').replace(/\?.*/, '')
      asked.push(request.headers.range)
      const answer = answers[path]
      if (answer) answer(request, response, asked.length)
      else response.writeHead(500).end()
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // it listens on TCP
    service = await startImporting(engine, { OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8', IMPORT_MAX_MB: 8 })
    site = await siteIn(service)
  })
  after(async () => {
    server.closeAllConnections()
    server.close()
    await service.close()
  })
  async function fetched(path: string, more: Record<string, unknown> = {}) {
    asked = []
    const { data } = await site.get('imports_create', { source: 'footfall', url: base + path, ...more })
    assert.deepEqual([data.status, data.upload_url], ['pending', null])
    await service.run()
    return (await site.get('imports_get', { id: data.id })).data
  }

  test('is started by itself, and neither its key nor the address with it is ever shown', async () => {
    const done = await fetched('/whole.ndjson?key=s3cret')
    assert.deepEqual(
      [done.status, done.rows_taken, done.filename, done.url],
      ['completed', ROWS, 'whole.ndjson', `${base}/whole.ndjson`],
      JSON.stringify(done),
    )
    assert.match(done.fingerprint, /^[\da-f]{64}$/)
    const { imports, audited } = {
      imports: await service.store.read.selectFrom('imports').selectAll().execute(),
      audited: await service.store.read.selectFrom('audit_entries').select('input').execute(),
    }
    assert.ok(!JSON.stringify([imports, audited, await site.get('imports_list')]).includes('s3cret'))
    const again = await fetched('/endless.ndjson')
    assert.deepEqual([again.status, again.error.code], ['failed', 'already_exists'])
  })

  test('goes on where it broke off, with a server that knows ranges and the same file still', async () => {
    site = await siteIn(service)
    const done = await fetched('/ranges.ndjson', { dry_run: true })
    assert.deepEqual([done.status, done.rows_taken], ['completed', ROWS], JSON.stringify(done))
    const begins = asked.map(range => Number(/\d+/.exec(range ?? '0')?.[0]))
    assert.equal(begins.length, 3)
    assert.ok(begins[1]! > 0 && begins[2]! > begins[1]!, String(begins))
  })

  test('a fetch starts over if the file has changed, or if the server cannot tell', async () => {
    for (const path of ['/changes.ndjson', '/weak.ndjson']) {
      site = await siteIn(service)
      const done = await fetched(path)
      assert.deepEqual([done.status, done.rows_taken], ['completed', ROWS], JSON.stringify(done))
    }
  })

  test('follows redirects, each of them guarded', async () => {
    site = await siteIn(service)
    assert.equal((await fetched('/moved', { filename: 'hits.ndjson' })).status, 'completed')
    const inward = await fetched('/inward')
    assert.deepEqual([inward.status, inward.error.code, /blocked/.test(inward.error.message)], ['failed', 'fetch_failed', true])
  })

  test('a failed fetch reports the reason', async () => {
    for (const [path, code, message] of [
      ['/gone', 'fetch_failed', /status 404/],
      ['/large', 'too_large', /8388608 bytes/],
      ['/grows', 'too_large', /8388608 bytes/],
      ['/lies', 'fetch_failed', /status 206/],
      ['/html', 'wrong_columns', /column/],
    ] as const) {
      const done = await fetched(path)
      assert.deepEqual([done.status, done.error.code], ['failed', code], path)
      assert.match(done.error.message, message)
    }
    const files = await service.store.read.selectFrom('imports').select('id').where('status', '=', 'failed').execute()
    assert.ok(files.length > 4)
    for (const [url, status] of [
      ['ftp://example.com/x', 422],
      ['https://user:pass@example.com/x', 422],
      ['https://10.0.0.1/x', 422],
      ['https://localhost.:1/\u0000', 422],
      ['x', 422],
    ] as const)
      assert.equal((await site.ask('imports_create', { source: 'footfall', url })).status, status, url)
    const neither = await site.ask('imports_create', { source: 'footfall' })
    assert.deepEqual([neither.status, neither.body.error.details[0].pointer], [422, '/filename'])
  })

  test('can be cancelled while it is fetched', async () => {
    let open: http.ServerResponse | undefined
    answers['/slow'] = (_, response) => {
      open = response
      response.writeHead(200, { 'Content-Length': content.length }).write(content.subarray(0, 100))
    }
    const { data } = await site.get('imports_create', { source: 'footfall', url: `${base}/slow` })
    const running = service.run()
    while (!open) await new Promise(resolve => setTimeout(resolve, 10))
    assert.equal((await site.get('imports_cancel', { id: data.id })).data.status, 'cancelled')
    open.destroy()
    await running
    assert.equal((await site.get('imports_get', { id: data.id })).data.status, 'cancelled')
    assert.equal((await site.put(`http://footfall.test/imports/${data.id}/file`, 'x')).status, 404)
  })
})
