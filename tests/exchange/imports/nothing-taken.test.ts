/** An import of which no row could be imported has failed, everywhere it is seen. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onAnyEngine } from '../../support/engines.ts'
import { type Importing, type Site, siteIn, startImporting } from './site.ts'

onAnyEngine('a file of which every row is refused', engine => {
  let service: Importing
  let site: Site
  before(async () => {
    service = await startImporting(engine)
  })
  after(() => service.close())
  const behaviour = (name: string, run: () => Promise<void>) =>
    test(name, async () => {
      site = await siteIn(service)
      await run()
    })
  const emitted = async () =>
    (await service.store.read.selectFrom('events').select(['type', 'data']).where('site_id', '=', site.id).orderBy('id').execute())
      .filter(({ type }) => type.startsWith('import.'))
      .map(({ type, data }) => [type, JSON.parse(data).error ?? JSON.parse(data).rows])
  const csv = (...rows: string[]) => ['timestamp,url,visitor,when', ...rows, ''].join('\n')
  const mixed = csv('soon,/a,v,2025-03-02T10:00:00Z', '2025-03-02T10:01:00Z,/b,,2025-03-02T10:01:00Z', 'later,/c,v,2025-03-02T10:02:00Z')
  const reason =
    'No row can be imported: 3 rows were refused. The most frequent reason: timestamp must be ISO 8601, or epoch seconds or milliseconds.'

  behaviour('fails with the most frequent reason', async () => {
    for (const dry_run of [true, false]) {
      const done = await site.load('footfall', 'hits.csv', mixed, { dry_run })
      assert.deepEqual([done.status, done.rows_read, done.rows_taken, done.rows_refused], ['failed', 3, 0, 3])
      assert.deepEqual(done.error, { code: 'nothing_taken', message: reason })
      assert.equal((await site.get('imports_refused_list', { id: done.id })).data.length, 3)
    }
    assert.deepEqual(await emitted(), [
      ['import.failed', reason],
      ['import.failed', reason],
    ])
  })

  behaviour('can be imported with other settings', async () => {
    assert.equal((await site.load('footfall', 'hits.csv', mixed)).status, 'failed')
    const again = await site.load('footfall', 'hits.csv', mixed, { map: { timestamp: 'when' } })
    assert.deepEqual([again.status, again.rows_taken, again.rows_refused], ['completed', 2, 1])
  })

  behaviour('fails if its rows are totals', async () => {
    const totals = 'date,visitors,pageviews,bounces,visits,visit_duration\nsoon,1,1,1,1,1\n'
    const done = await site.load('plausible', 'imported_visitors_20250301_20250331.csv', totals)
    assert.deepEqual([done.status, done.error?.code], ['failed', 'nothing_taken'])
  })

  behaviour('is not failed if the other rows are left out on request', async () => {
    const file = csv('2025-03-02T10:00:00Z,/,v,', 'soon,/,v,')
    const done = await site.load('footfall', 'hits.csv', file, { from: '2025-03-03' })
    assert.deepEqual([done.status, done.rows_taken, done.rows_refused, done.error], ['completed', 0, 1, null])
  })
})
