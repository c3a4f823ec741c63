/** A day that is larger than a part. */
import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { openFiles } from '../../../operations/exchange/warehouse/s3.ts'
import type { DayToSend, Opening } from '../../../operations/exchange/warehouse/warehouse.ts'
import { table } from '../../../operations/index.ts'
import { readConfig } from '../../../runtime/settings/config.ts'
import type { WarehouseSyncRow } from '../../../storage/tables/warehouse.ts'
import { keys, startBuckets } from './buckets.ts'
import { filesIn } from './syncing.ts'

test('a large day has several parts; sent again with fewer, the others go, and files that are not ours stay', async () => {
  const buckets = await startBuckets()
  const row = {
    id: 'syn_1',
    endpoint: buckets.endpoint,
    region: 'eu-central-1',
    bucket: 'lake',
    prefix: '',
    access_key_id: keys.access_key_id,
    format: 'ndjson',
  } as WarehouseSyncRow // the fields that it reads
  const opening = { config: readConfig({ OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8' }, table.settings), now: Date.now } as Opening // as above
  const files = openFiles(row, keys.secret_access_key, opening)
  const day = (pieces: number, assertUnchanged = async () => {}): DayToSend => ({
    table: 'hits',
    columns: [{ name: 'url', type: 'text' }],
    site: 'pa_1',
    date: '2026-03-01',
    rev: pieces,
    async *rows() {
      for (let piece = 0; piece < pieces; piece++)
        yield Array.from({ length: 100 }, (_, i) => ({ url: `${piece} ${i} ${'x'.repeat(4_000)}` }))
    },
    assertLease: async () => {},
    assertUnchanged,
  })
  const names = () => [...filesIn(path.join(buckets.folder, 'lake')).keys()].map(name => path.basename(name)).sort()
  assert.deepEqual((await files.send(day(50))).rows, 5_000)
  assert.deepEqual(names(), ['_manifest.json', 'part-000.ndjson', 'part-001.ndjson', 'part-002.ndjson'])
  const { requests } = buckets
  assert.ok(
    requests.indexOf('PUT /lake/hits/site=pa_1/date=2026-03-01/_manifest.json') >
      requests.findLastIndex(line => line.includes('part-00') && line.startsWith('PUT')),
  )
  await assert.rejects(
    files.send(
      day(1, async () => {
        throw new Error('the day has changed')
      }),
    ),
  )
  assert.equal(names().length, 4, 'what the manifest does not name goes only after it')
  await files.send(day(1))
  assert.deepEqual(names(), ['_manifest.json', 'part-000.ndjson'])
  await files.send(day(0))
  assert.deepEqual(names(), ['_manifest.json'])
  await files.test()
  assert.deepEqual(names(), ['_manifest.json'])
  await buckets.close()
})
