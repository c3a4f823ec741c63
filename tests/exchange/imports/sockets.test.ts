/** Uploads over a real connection: slow, broken off, two at once, of an enormous line. */
import assert from 'node:assert/strict'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as later } from 'node:timers/promises'
import { serverOf } from '../../../adapters/http/server.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { type Importing, type Site, siteIn, startImporting } from './site.ts'

const MB = 1024 * 1024

onAnyEngine('an upload over a connection', engine => {
  let service: Importing
  let site: Site
  let server: http.Server
  let port: number
  let elapsed = 0 // what the limit of slow bodies measures: only a test lets time pass
  let checks = 0
  before(async () => {
    service = await startImporting(engine, { IMPORT_MAX_MB: 64 })
    site = await siteIn(service)
    const now = () => {
      checks++
      return elapsed
    }
    const bodies = { minMs: 500, bytesPerSecond: MB, checkIntervalMs: 50, now }
    server = serverOf(service.web, { app: service.app, hostname: 'localhost', bodies })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    port = (server.address() as AddressInfo).port // it listens on TCP
  })
  after(async () => {
    server.closeAllConnections()
    server.close()
    await service.close()
  })

  const awaited = async () => (await site.get('imports_create', { source: 'footfall', filename: 'hits.ndjson', overlap: 'add' })).data
  const lines = (count: number) =>
    Buffer.from(
      Array.from({ length: count }, (_, i) => `{"timestamp":"2025-03-01T12:00:00Z","url":"/${i % 9}","visitor":"v${i}"}`).join('\n'),
    )
  interface Answer {
    readonly status: number
    readonly body: any
  }
  function opened(url: string, headers: Record<string, string | number>) {
    const { pathname, search } = new URL(url)
    const request = http.request({ host: '127.0.0.1', port, method: 'PUT', path: pathname + search, headers })
    const answer = new Promise<Answer>((resolve, reject) => {
      request.on('error', reject).on('response', response => {
        let text = ''
        response.on('data', piece => (text += piece)).on('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) }))
      })
    })
    answer.catch(() => {}) // a connection that is broken off on purpose
    return { request, answer }
  }
  const sent = (url: string, content: Buffer, headers: Record<string, string | number> = {}) => {
    const { request, answer } = opened(url, { 'Content-Length': content.length, ...headers })
    request.end(content)
    return answer
  }
  const heldOf = async (url: string, size: number) =>
    (await sent(url, Buffer.alloc(0), { 'Content-Range': `bytes */${size}` })).body.data.received
  const until = async (reached: () => Promise<boolean>) => {
    while (!(await reached())) await later(20)
  }

  test('that is broken off in the middle goes on where it was, by Content-Range', async () => {
    const { id, upload_url: url } = await awaited()
    const content = lines(6_000)
    let at = 0
    for (const cut of [50_000, 150_001, 300_000]) {
      const { request, answer } = opened(url, {
        'Content-Length': content.length - at,
        'Content-Range': `bytes ${at}-${content.length - 1}/${content.length}`,
      })
      request.write(content.subarray(at, cut))
      await until(async () => (await heldOf(url, content.length)) === cut)
      request.destroy()
      await assert.rejects(answer)
      await until(async () => {
        const row = await service.store.read.selectFrom('imports').select('upload_by').where('id', '=', id).executeTakeFirstOrThrow()
        return row.upload_by === null
      })
      at = await heldOf(url, content.length)
      assert.equal(at, cut)
      assert.equal((await site.ask('imports_start', { id })).status, 422, 'it is not whole')
    }
    const last = await sent(url, content.subarray(at), { 'Content-Range': `bytes ${at}-${content.length - 1}/${content.length}` })
    assert.deepEqual([last.status, last.body.data.complete], [200, true])
    await site.get('imports_start', { id })
    await service.run()
    assert.equal((await site.get('imports_get', { id })).data.rows_taken, 6_000)
  })

  test('that is slow but goes on has its time; one that hardly moves is ended', async () => {
    const { upload_url: url } = await awaited()
    const content = Buffer.alloc(6 * MB, 'x')
    const steady = opened(url, { 'Content-Length': content.length })
    let at = 0
    for (; at < content.length - MB; at += MB) {
      steady.request.write(content.subarray(at, at + MB))
      await until(async () => (await heldOf(url, content.length)) === at + MB)
      elapsed += 1_000
      const before = checks
      await until(async () => checks > before)
    }
    steady.request.end(content.subarray(at))
    assert.equal((await steady.answer).body.data.received, content.length, '5 s of a body, beyond the least time')
    const { upload_url: other } = await awaited()
    const stuck = opened(other, { 'Content-Length': content.length })
    stuck.request.write('x')
    await until(async () => (await heldOf(other, content.length)) === 1)
    elapsed += 501
    const answer = await stuck.answer.catch((error: Error) => ({ status: 408, body: error.message }))
    assert.equal(answer.status, 408)
  })

  test('a second concurrent upload of the same file is refused, and neither upload damages the file', async () => {
    const { id, upload_url: url } = await awaited()
    const content = lines(5_000)
    const first = opened(url, { 'Content-Length': content.length })
    first.request.write(content.subarray(0, 70_000))
    await until(async () => (await heldOf(url, content.length)) === 70_000)
    const second = await sent(url, Buffer.from('something else'))
    assert.deepEqual([second.status, second.body.error.code], [422, 'invalid_state'])
    assert.match((await site.ask('imports_start', { id })).body.error.message, /being uploaded/)
    first.request.end(content.subarray(70_000))
    assert.equal((await first.answer).status, 200)
    service.clock.now += 1
    await site.get('imports_start', { id })
    await service.run()
    assert.equal((await site.get('imports_get', { id })).data.rows_taken, 5_000)
  })

  test('that stopped without a word is taken over after half a minute', async () => {
    const { upload_url: url } = await awaited()
    const silent = opened(url, { 'Content-Length': 100 })
    silent.request.write('silent')
    await until(async () => (await heldOf(url, 100)) === 6)
    assert.equal((await sent(url, Buffer.from('x'))).status, 422)
    service.clock.now += 31_000
    const taken = await sent(url, Buffer.from('new'))
    assert.deepEqual([taken.status, taken.body.data.received], [200, 3])
    silent.request.write('more')
    await silent.answer.catch(() => {})
    assert.equal(await heldOf(url, 3), 3, 'what the other one sends is not written any more')
  })

  test('whose Content-Range does not fit what it sends is refused', async () => {
    const { upload_url: url } = await awaited()
    const ten = Buffer.alloc(10, 'x')
    for (const [range, status] of [
      ['bytes 0-4/100', 422], // more than it says
      ['bytes 5-14/100', 422], // a gap
      ['bytes 9-0/100', 422],
      ['bytes 0-99/50', 422],
      ['bytes 0-9/99999999999999', 413],
      ['bytes 0-9/99999999999999999999', 422],
      ['bytes -9/10', 422],
      ['bytes 0-9', 422],
      ['0-9/10', 422],
    ] as const) {
      const { status: got, body } = await sent(url, ten, { 'Content-Range': range })
      assert.deepEqual([got, typeof body.error?.message], [status, 'string'], range)
    }
    assert.equal((await sent(url, ten, { 'Content-Range': 'bytes 0-9/*' })).status, 200, 'the whole size may be told with the last piece')
  })

  test('an upload with a line of 10 MB refuses only that line', async () => {
    const { id, upload_url: url } = await awaited()
    const content = Buffer.concat([lines(3), Buffer.from(`\n{"url":"${'x'.repeat(10 * MB)}"}\n`), lines(2)])
    assert.equal((await sent(url, content)).status, 200)
    await site.get('imports_start', { id })
    await service.run()
    const { data } = await site.get('imports_get', { id })
    assert.deepEqual([data.status, data.rows_taken, data.rows_refused], ['completed', 5, 1])
    const [refused] = (await site.get('imports_refused_list', { id })).data
    assert.deepEqual([refused.line, /longer than 65536/.test(refused.reason)], [4, true])
  })
})
