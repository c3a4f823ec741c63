/** Imports over the API: the upload in pieces, the job, what it says, and undoing it. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { files } from '../../../operations/exchange/files/index.ts'
import { importBySource } from '../../../operations/exchange/imports/import-by-source.ts'
import type { LiveSite } from '../../../operations/sites/sites/records.ts'
import type { Resource } from '../../../runtime/settings/resource.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { ownPage } from '../../support/world.ts'
import { type Importing, nobody, type Site, siteIn, startImporting, zipOf } from './site.ts'

onAnyEngine('an import over the API', engine => {
  let service: Importing
  let site: Site
  before(async () => {
    service = await startImporting(engine, { IMPORT_MAX_MB: 1 })
  })
  after(() => service.close())
  const fresh = async () => {
    site = await siteIn(service)
  }
  const hits = (count: number, day = '2025-03-01') =>
    Array.from({ length: count }, (_, i) =>
      JSON.stringify({ timestamp: `${day}T${String(i % 24).padStart(2, '0')}:00:00Z`, url: `/${i % 5}`, visitor: `v${i % 7}` }),
    ).join('\n')
  const pageviews = async (period: Record<string, unknown> = { period: 'custom', from: '2025-02-01', to: '2025-03-31' }) =>
    (await site.get('stats_aggregate', period)).data.metrics.pageviews
  const told = async () =>
    (await service.store.read.selectFrom('events').select(['type', 'data']).where('site_id', '=', site.id).orderBy('created_at').execute())
      .filter(({ type }) => type.startsWith('import.'))
      .map(({ type, data }) => [type, JSON.parse(data)])

  test('takes a file in pieces, which may be sent again, and reads it once it is started', async () => {
    await fresh()
    const content = Buffer.from(hits(200))
    const { data } = await site.get('imports_create', { source: 'footfall', filename: 'hits.ndjson' })
    assert.deepEqual([data.status, data.kind, data.undoable], ['awaiting_upload', 'hits', false])
    const piece = async (from: number, to: number) => {
      const answer = await site.put(data.upload_url, content.subarray(from, to), {
        'Content-Range': `bytes ${from}-${to - 1}/${content.length}`,
      })
      return [answer.status, await answer.json()] as const
    }
    const [, first] = await piece(0, 5_000)
    assert.deepEqual(first.data, { received: 5_000, total: content.length, complete: false })
    const early = await site.ask('imports_start', { id: data.id })
    assert.equal(early.status, 422)
    assert.match(early.body.error.message, /5000 of \d+ bytes/)
    const [gap, why] = await piece(9_000, 9_500)
    assert.equal(gap, 422)
    assert.match(why.error.message, /only 5000 bytes were received/)
    const question = await site.put(data.upload_url, '', { 'Content-Range': `bytes */${content.length}` })
    assert.equal((await question.json()).data.received, 5_000)
    await piece(4_000, 8_000)
    const [, last] = await piece(8_000, content.length)
    assert.equal(last.data.complete, true)

    const started = (await site.get('imports_start', { id: data.id })).data
    assert.deepEqual([started.status, started.upload_url], ['pending', null])
    assert.match(started.fingerprint, /^[\da-f]{64}$/)
    assert.equal((await site.put(data.upload_url, content)).status, 422, 'a started import keeps its file')
    await service.run()
    const done = (await site.get('imports_get', { id: data.id })).data
    assert.deepEqual(
      [done.status, done.progress, done.rows_read, done.rows_taken, done.rows_refused, done.from, done.to],
      ['completed', 100, 200, 200, 0, '2025-03-01', '2025-03-02'],
    )
    assert.equal(await pageviews(), 200)
    assert.deepEqual(await told(), [['import.completed', { import_id: data.id, rows: 200 }]])
    assert.deepEqual(
      fs.readdirSync(service.folder).filter(name => name.startsWith(data.id)),
      [],
      'the upload is gone',
    )
  })

  test('a form of our own page sends the whole file; any other form changes nothing', async () => {
    await fresh()
    const { data } = await site.get('imports_create', { source: 'footfall', filename: 'hits.ndjson' })
    const post = (content: BodyInit, { name = 'hits.ndjson', headers = {}, url = data.upload_url as string } = {}) => {
      const form = new FormData()
      if (typeof content === 'string') form.set('file', new Blob([content]), name)
      const body = typeof content === 'string' ? form : content
      return service.web.request(url, { method: 'POST', body, headers: { ...ownPage, ...headers } })
    }
    const content = hits(20)
    assert.equal((await post(content, { headers: { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' } })).status, 403)
    assert.ok([403, 404].includes((await post(content, { url: `${data.upload_url}x` })).status))
    assert.equal((await post(content, { name: 'hits.csv' })).status, 422)
    assert.equal((await post(new URLSearchParams({ file: content }))).status, 415)
    assert.equal((await post('x'.repeat(1_100_000))).status, 413)
    const broken = '--b\r\nContent-Disposition: form-data; name="file"; filename="hits.ndjson"\r\n\r\n'
    const half = await post(new Blob([broken + content]), { headers: { 'Content-Type': 'multipart/form-data; boundary=b' } })
    assert.equal(half.status, 400)
    assert.equal((await site.ask('imports_start', { id: data.id })).status, 422, 'a part of a file passed for all of it')
    const whole = await post(content)
    assert.equal(whole.status, 303)
    assert.equal(new URL(whole.headers.get('location') ?? '', data.upload_url).pathname, `/sites/${site.id}/imports/${data.id}`)
    assert.equal((await site.get('imports_start', { id: data.id })).data.status, 'pending')
    assert.equal((await post(content)).status, 422, 'a started import keeps its file')
    await service.run()
    assert.equal((await site.get('imports_get', { id: data.id })).data.rows_taken, 20)
  })

  test('the same file is refused a second time under any name; a dry run stores nothing', async () => {
    await fresh()
    const content = hits(20)
    const tried = await site.load('footfall', 'hits.ndjson', content, { dry_run: true })
    assert.deepEqual([tried.status, tried.rows_taken, tried.undoable, await pageviews()], ['completed', 20, false, 0])
    await site.load('footfall', 'hits.ndjson', content)
    const again = await site.upload('footfall', 'other.ndjson.gz', gzipSync(content))
    const reply = await site.ask('imports_start', { id: again })
    assert.deepEqual([reply.status, reply.body.error.code], [422, 'already_exists'])
    assert.equal(await pageviews(), 20)
  })

  test('lists what it refused, with line, reason and text', async () => {
    await fresh()
    const content = [
      hits(2),
      '{"timestamp":"never","url":"/","visitor":"v"}',
      'no json',
      '{"timestamp":"2025-03-01T00:00:00Z","url":"/\u0000","visitor":"v\u0000"}',
      `{"url":"${'x'.repeat(70_000)}"}`,
      '{"timestamp":"2099-03-01T00:00:00Z","url":"/","visitor":"v"}',
    ].join('\n')
    const done = await site.load('footfall', 'hits.ndjson', content)
    assert.deepEqual([done.status, done.rows_read, done.rows_taken, done.rows_refused], ['completed', 7, 2, 5])
    const refused = (await site.get('imports_refused_list', { id: done.id })).data
    assert.deepEqual(
      refused.map((line: { line: number }) => line.line),
      [3, 4, 5, 6, 7],
    )
    assert.match(refused[0].reason, /timestamp/)
    assert.match(refused[0].text, /never/)
    assert.deepEqual([/not JSON/.test(refused[1].reason), refused[1].text], [true, 'no json'])
    assert.match(refused[3].reason, /longer than 65536/)
    assert.match(refused[4].reason, /ahead/)
    const file = await service.web.request(`/sites/${site.id}/imports/${done.id}/refused.csv?per_page=10000`, {
      headers: { Authorization: `Bearer ${site.world.token}` },
    })
    assert.deepEqual([file.status, file.headers.get('content-type')], [200, 'text/csv; charset=utf-8'])
    const csv = await file.text()
    assert.equal(csv.split('\r\n').length, 7)
    assert.match(csv, /^file,line,reason,text\r\nhits.ndjson,3,"timestamp /)
  })

  test('deleting it takes its hits out while their days hold nothing else, and the file may come again', async () => {
    await fresh()
    const content = hits(50)
    const done = await site.load('footfall', 'hits.ndjson', content)
    assert.equal(done.undoable, true)
    const other = await site.load('footfall', 'more.ndjson', hits(10, '2025-02-10'))
    assert.equal(await pageviews(), 60)
    await site.get('imports_delete', { id: done.id })
    await service.run()
    assert.equal(await pageviews(), 10)
    assert.equal((await site.ask('imports_get', { id: done.id })).status, 404)
    const again = await site.load('footfall', 'hits.ndjson', content)
    assert.deepEqual([again.status, await pageviews()], ['completed', 60])

    await site.load('footfall', 'mixed.ndjson', hits(3, '2025-02-10'), { overlap: 'add' })
    const mixed = (await site.get('imports_get', { id: other.id })).data
    assert.equal(mixed.undoable, false)
    const reply = await site.ask('imports_delete', { id: other.id })
    assert.deepEqual([reply.status, reply.body.error.code], [422, 'invalid_state'])
    assert.equal(await pageviews(), 63)
  })

  test('only the days asked for are taken', async () => {
    await fresh()
    const content = [hits(5, '2025-03-01'), hits(5, '2025-03-10'), hits(5, '2025-03-20')].join('\n')
    const done = await site.load('footfall', 'hits.ndjson', content, { from: '2025-03-05', to: '2025-03-15' })
    assert.deepEqual([done.rows_read, done.rows_taken, done.from, done.to, await pageviews()], [15, 5, '2025-03-10', '2025-03-10', 5])
  })

  test('an import can be cancelled; an import that is not started waits for a day', async () => {
    await fresh()
    const id = await site.upload('footfall', 'hits.ndjson', hits(5))
    await site.get('imports_start', { id })
    assert.equal((await site.get('imports_cancel', { id })).data.status, 'cancelled')
    await service.run()
    assert.deepEqual([(await site.get('imports_get', { id })).data.status, await pageviews()], ['cancelled', 0])
    assert.equal((await site.ask('imports_cancel', { id })).status, 422)
    const late = await site.upload('footfall', 'hits.ndjson', hits(5))
    service.clock.now += 25 * 3_600_000
    await service.run(['imports_clean'])
    const expired = (await site.get('imports_get', { id: late })).data
    const left = fs.readdirSync(service.folder).filter(name => name.startsWith('imp_'))
    assert.deepEqual([expired.status, expired.error.code, left], ['failed', 'expired', []])
  })

  test('the file of the command stays while the service deletes files that no import needs', async () => {
    await fresh()
    const file = path.join(service.folder, 'given.ndjson')
    fs.writeFileSync(file, hits(5))
    const kept = service.app.use(files)
    const write: typeof kept.write = async (...given) => {
      const fits = await kept.write(...given)
      service.clock.now += 600_000
      await service.run(['imports_clean'])
      return fits
    }
    const use = <T>(of: Resource<T>) => ((of as unknown) === files ? { ...kept, write } : service.app.use(of)) as T
    const row = await service.store.read.selectFrom('sites').selectAll().where('id', '=', site.id).executeTakeFirstOrThrow()
    const asked = { source: 'footfall', map: {}, timezone: 'UTC', from: null, to: null, dry_run: false, overlap: 'refuse' } as const
    const done = await importBySource({ ...service.app, use }, { site: row as LiveSite, file, asked, onProgress() {} })
    assert.deepEqual([done.status, done.rows_taken, await pageviews()], ['completed', 5, 5])
  })

  test('an upload link opens only one import, for a day', async () => {
    await fresh()
    const { data } = await site.get('imports_create', { source: 'footfall', filename: 'hits.ndjson' })
    const other = (await site.get('imports_create', { source: 'footfall', filename: 'hits.ndjson' })).data
    const url = new URL(data.upload_url)
    const statusOf = async (change: (url: URL) => void) => {
      const changed = new URL(url)
      change(changed)
      const answer = await site.put(changed.href, 'x')
      return [answer.status, await answer.text()] as const
    }
    const unknown = await statusOf(changed => (changed.pathname = `/imports/${nobody('imp_', service.clock.now)}/file`))
    const foreign = await statusOf(changed => (changed.pathname = `/imports/${other.id}/file`))
    assert.equal(unknown[0], 404)
    const bytes = ([status, text]: readonly [number, string]) => [status, text.replace(/"request_id":"[^"]+"/, '')]
    assert.deepEqual(bytes(foreign), bytes(unknown))
    assert.equal((await statusOf(changed => changed.searchParams.set('expires', '99999999999')))[0], 404)
    assert.equal((await statusOf(changed => changed.searchParams.set('signature', 'é')))[0], 404)
    assert.equal((await statusOf(changed => (changed.search = '')))[0], 404)
    assert.equal((await site.put(url.href, Buffer.alloc(1_048_577))).status, 413)
    assert.equal((await site.put(url.href, 'x', { 'Content-Range': 'bytes 0-0/9999999999' })).status, 413)
    assert.equal((await site.put(url.href, 'x', { 'Content-Range': 'lines 1' })).status, 422)
    assert.equal((await site.put(url.href, 'xyz', { 'Content-Range': 'bytes 0-1/2' })).status, 422)
    service.clock.now += 25 * 3_600_000
    assert.equal((await site.put(url.href, 'x')).status, 404)
    assert.equal((await site.get('imports_get', { id: data.id })).data.upload_url, null, 'shown once')
  })

  test('hostile files are refused with a reason, never as a fault of ours', async () => {
    await fresh()
    const bomb = gzipSync(Buffer.alloc(30_000_000))
    assert.match(await site.refusal('footfall', 'a.ndjson.gz', bomb), /200 times/)
    assert.match(
      await site.refusal('umami', 'a.zip', await zipOf({ 'website_event.csv': Buffer.alloc(30_000_000) })),
      /200 times|header|column/,
    )
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`imported_pages_${i}.csv`, 'date\n']))
    assert.match(await site.refusal('plausible', 'a.zip', await zipOf(many)), /101 files/)
    const cut = gzipSync(Buffer.from(hits(3_000))).subarray(0, 300)
    assert.match(await site.refusal('footfall', 'a.ndjson.gz', cut), /damaged/)
    const zip = await zipOf({ 'website_event.csv': 'session_id\n' })
    assert.match(await site.refusal('umami', 'a.zip', zip.subarray(0, zip.length - 30)), /damaged/)
    const outside = Buffer.from(zip.toString('latin1').replaceAll('website_event.csv', '../../../../evil.csv'.slice(0, 17)), 'latin1')
    assert.match(await site.refusal('umami', 'a.zip', outside), /damaged/)
    assert.match(await site.refusal('plausible', 'notes.zip', await zipOf({ 'notes.txt': 'hello' })), /not a file of Plausible/)
    assert.match(await site.refusal('umami', 'a.zip', await zipOf({ 'pages.csv': 'x,y' })), /totals without dates/)
    assert.match(await site.refusal('simple_analytics', 'a.csv', 'added_iso,path\n'), /datapoint, session_id/)
    assert.match(await site.refusal('goatcounter_csv', 'a.csv', '3Path,Title\n'), /version 3/)
    assert.match(await site.refusal('footfall', 'a.csv', ''), /empty/)
    assert.match(await site.refusal('footfall', 'a.csv', '\n\n'), /empty|header/)
    assert.match(await site.refusal('footfall', 'a.csv', 'a,a\n'), /twice/)
    assert.match(await site.refusal('footfall', 'a.parquet', Buffer.from('PAR1xxxxPAR1')), /damaged/)
    assert.equal((await told()).filter(([type]) => type === 'import.completed').length, 0)
  })
})
