/** Uploads and exports in a bucket, which two processes share. */
import assert from 'node:assert/strict'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { createWeb } from '../../../adapters/http/http.ts'
import type { Web } from '../../../adapters/http/web.ts'
import { mounts } from '../../../adapters/index.ts'
import { table } from '../../../operations/index.ts'
import type { App } from '../../../runtime/app.ts'
import { createApp } from '../../../runtime/create-app.ts'
import { readConfig } from '../../../runtime/settings/config.ts'
import { openLog } from '../../../runtime/observability/log.ts'
import { installationId } from '../../../storage/installation/installation-id.ts'
import { openStore, type Store } from '../../../storage/store.ts'
import { randomBytes } from '../../support/chance.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { type Importing, type Site, siteBeside, siteIn, startImporting } from '../imports/site.ts'
import { traffic } from '../traffic.ts'
import { type BucketServer, keys, startBuckets } from '../warehouse/buckets.ts'
import { filesIn } from '../warehouse/syncing.ts'

onAnyEngine('files in a bucket', engine => {
  let buckets: BucketServer
  let service: Importing
  let site: Site
  let store: Store
  let app: App
  let other: Web
  before(async () => {
    buckets = await startBuckets()
    const settings = {
      FILES_URL: `s3://${keys.access_key_id}:${keys.secret_access_key}@lake/files?region=eu-central-1&endpoint=${buckets.endpoint}`,
      BASE_URL: 'http://footfall.test',
    }
    service = await startImporting(engine, settings)
    service.clock.now = Date.now() // requests to a bucket are signed by the clock
    site = await siteIn(service)
    store = openStore(service.url)
    const config = readConfig(settings, table.settings)
    app = createApp({ store, table, config, log: openLog('fatal'), now: () => service.clock.now, random: randomBytes })
    other = createWeb(app, mounts)
  })
  after(async () => {
    await app.close()
    await store.close()
    await service.close()
    await buckets.close()
  })

  test('are uploaded in pieces to any process, imported, exported, fetched from any, and removed', async () => {
    const content = Buffer.from(traffic(150, service.clock.now, 10))
    const { data } = await site.get('imports_create', { source: 'footfall', filename: 'hits.ndjson' })
    const put = async (web: Web, from: number, to: number) => {
      const headers = { 'Content-Range': `bytes ${from}-${to - 1}/${content.length}` }
      const answer = await web.request(data.upload_url, { method: 'PUT', body: new Uint8Array(content.subarray(from, to)), headers })
      assert.equal(answer.status, 200, await answer.clone().text())
      return (await answer.json()).data.received
    }
    const third = Math.floor(content.length / 3)
    assert.equal(await put(service.web, 0, third), third)
    assert.equal(await put(other, third, 2 * third), 2 * third)
    assert.equal(await put(service.web, 2 * third, content.length), content.length)
    await site.get('imports_start', { id: data.id })
    await service.run()
    const done = (await site.get('imports_get', { id: data.id })).data
    assert.deepEqual([done.status, done.rows_read >= 150], ['completed', true], JSON.stringify(done))

    for (const [kind, source, filename] of [
      ['hits', 'footfall', 'hits.csv'],
      ['aggregates', 'plausible', 'totals.zip'],
    ] as const) {
      const made = (await site.get('exports_create', { kind, format: 'csv' })).data
      await service.run()
      const ready = (await site.get('exports_get', { id: made.id })).data
      assert.equal(ready.status, 'completed', JSON.stringify(ready))
      const answer = await other.request(ready.download_url)
      const file = Buffer.from(await answer.arrayBuffer())
      assert.deepEqual([answer.status, file.length], [200, ready.bytes])
      const empty = await siteBeside(service, site)
      const imported = await empty.load(source, filename, file)
      assert.deepEqual([imported.status, imported.rows_refused], ['completed', 0], JSON.stringify(imported))
      await site.get('exports_delete', { id: made.id })
    }
    await service.run(['imports_clean', 'exports_clean'])
    const left = [...filesIn(path.join(buckets.folder, 'lake')).keys()]
    const mark = `files/ins_${await installationId(store.read)}/000000`
    assert.deepEqual([buckets.uploads.size, left.sort()], [0, [`files/${site.world.ids.export}`, mark]], 'but that of the example')
  })

  test('an unreachable bucket makes uploads return 503, and jobs wait for it', async () => {
    const { data } = await site.get('imports_create', { source: 'footfall', filename: 'hits.ndjson' })
    const body = '{"timestamp":"2025-03-01T12:00:00Z","url":"/","visitor":"v"}'
    buckets.fail(3, 503)
    const refused = await site.put(data.upload_url, body)
    assert.deepEqual([refused.status, (await refused.json()).error.code], [503, 'unavailable'])
    assert.equal((await site.put(data.upload_url, body)).status, 200)
    await site.get('imports_start', { id: data.id })
    buckets.fail(3, 500)
    await service.run()
    assert.equal((await site.get('imports_get', { id: data.id })).data.status, 'running')
    for (let i = 0; i < 30; i++) {
      service.clock.now += 10_000 // a task that failed waits a little
      await service.run()
    }
    assert.equal((await site.get('imports_get', { id: data.id })).data.status, 'completed')
  })
})
