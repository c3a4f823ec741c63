/** Two exports of one product that share days: refused by default, or the days are skipped, replaced or added. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { files } from '../../../operations/exchange/files/index.ts'
import { checkFile } from '../../../operations/exchange/imports/check.ts'
import { startImport } from '../../../operations/exchange/imports/new-import.ts'
import { replaceDay } from '../../../operations/exchange/imports/overlap.ts'
import { removeHits } from '../../../operations/exchange/imports/days-of-hits.ts'
import type { LiveSite } from '../../../operations/sites/sites/records.ts'
import type { Trx } from '../../../storage/store.ts'
import { onAnyEngine, onSharedEngine } from '../../support/engines.ts'
import { during, overtaken } from '../../support/overtaken.ts'
import { type Importing, type Site, siteBeside, siteIn, startImporting, zipOf } from './site.ts'

const hitsOf = (days: readonly string[], more = '') =>
  days
    .flatMap(day =>
      Array.from({ length: 4 }, (_, i) =>
        JSON.stringify({ timestamp: `${day}T${10 + i * 2}:00:00Z`, url: `/${i}${more}`, visitor: `v${i}` }),
      ),
    )
    .join('\n')
const csvOf = (days: readonly string[], visitors: number) =>
  `date,visitors,pageviews,bounces,visits,visit_duration\n${days.map(day => `${day},${visitors},9,1,5,60`).join('\n')}\n`

const first = ['2026-01-01', '2026-01-02', '2026-01-03']
const second = ['2026-01-03', '2026-01-04']

onAnyEngine('overlapping imports', engine => {
  let service: Importing
  let world: Site
  before(async () => {
    service = await startImporting(engine)
    world = await siteIn(service)
  })
  after(() => service.close())

  const views = async (site: Site, from = '2025-12-01', to = '2026-01-31') =>
    (await site.get('stats_aggregate', { from, to })).data.metrics.pageviews

  /** A site with the first export. */
  async function begun(): Promise<Site> {
    const site = await siteBeside(service, world)
    const { status, error } = await site.load('footfall', 'a.ndjson', hitsOf(first))
    assert.equal(status, 'completed', JSON.stringify(error))
    assert.equal(await views(site), 12)
    return site
  }

  test('a file that shares a day is refused by default, names the day, and stores nothing; a dry run reports the same', async () => {
    const site = await begun()
    for (const dry_run of [true, false]) {
      const found = await site.load('footfall', 'b.ndjson', hitsOf(second, 'b'), { dry_run })
      assert.deepEqual([found.status, found.error?.code, found.rows_taken], ['failed', 'overlapping_days', 0])
      assert.match(found.error.message, /2026-01-03/)
      assert.doesNotMatch(found.error.message, /2026-01-0[124]/)
    }
    assert.equal(await views(site), 12)
    const other = await site.load('footfall', 'c.ndjson', hitsOf(['2026-01-04'], 'c'))
    assert.equal(other.status, 'completed', 'another day is free')
  })

  test('days of an import follow a merge into a site of another time zone, where its hits are on other days', async () => {
    const [site, into] = [await begun(), await siteBeside(service, world)]
    await into.get('sites_update', { timezone: 'Pacific/Kiritimati' })
    const { domain } = (await site.get('sites_get')).data
    await site.get('sites_merge', { into_site_id: into.id, confirm: domain })
    await service.run(['sites_merging'])
    assert.equal(await views(into), 12)
    const found = await into.load('footfall', 'b.ndjson', hitsOf(['2026-01-03'], 'b'))
    assert.deepEqual([found.status, found.error?.code], ['failed', 'overlapping_days'])
    assert.match(found.error.message, /2026-01-04/)
    const free = await into.load('footfall', 'c.ndjson', hitsOf(['2025-12-31', '2026-01-04'], 'c'))
    assert.equal(free.status, 'completed', JSON.stringify(free.error))
  })

  test('days of an import whose times are not known, or are none of the day, follow a merge as they are', async () => {
    const [site, into] = [await begun(), await siteBeside(service, world)]
    await into.get('sites_update', { timezone: 'Pacific/Pago_Pago' })
    const { domain } = (await site.get('sites_get')).data
    const times = (date: string, values: { first_at: number | null; last_at: number | null }) =>
      service.store.write
        .updateTable('import_days')
        .set(values)
        .where('import_id', 'in', eb => eb.selectFrom('imports').select('id').where('site_id', '=', site.id))
        .where('day', '=', Date.parse(date) / 86_400_000)
        .execute()
    await times('2026-01-01', { first_at: null, last_at: null })
    await times('2026-01-03', { first_at: 0, last_at: 9e15 })
    await site.get('sites_merge', { into_site_id: into.id, confirm: domain })
    await service.run(['sites_merging'])
    assert.equal(await views(into), 12)
    for (const day of first) {
      const found = await into.load('footfall', `${day}.ndjson`, hitsOf([day], 'b'))
      assert.deepEqual([found.status, found.error?.code], ['failed', 'overlapping_days'], day)
    }
  })

  test('skip leaves the shared days out, replace deletes them first, add counts both', async () => {
    for (const [overlap, expected, ofDay] of [
      ['skip', 16, 4],
      ['replace', 16, 4],
      ['add', 20, 8],
    ] as const) {
      const site = await begun()
      const found = await site.load('footfall', 'b.ndjson', hitsOf(second, 'b'), { overlap })
      assert.deepEqual([found.status, found.overlap], ['completed', overlap], JSON.stringify(found.error))
      assert.deepEqual([await views(site), await views(site, '2026-01-03', '2026-01-03')], [expected, ofDay], overlap)
      const { rows } = (await site.get('stats_breakdown', { from: '2026-01-03', to: '2026-01-03', dimension: 'page' })).data
      assert.equal(
        rows.some(({ value }: { value: string }) => value.endsWith('b')),
        overlap !== 'skip',
        overlap,
      )
      if (overlap !== 'replace') continue
      const { data: again } = await site.get('imports_get', { id: found.id })
      assert.equal(again.undoable, true, 'a replaced day belongs to the new import')
      await site.get('imports_delete', { id: found.id })
      await service.run()
      assert.equal(await views(site), 8)
    }
  })

  test('replace is refused if a shared day has other hits', async () => {
    const site = await begun()
    await site.load('goatcounter_csv', 'g.csv', goatcounter('2026-01-03'))
    assert.equal(await views(site), 13, 'another product is no overlap')
    const found = await site.load('footfall', 'b.ndjson', hitsOf(second, 'b'), { overlap: 'replace' })
    assert.deepEqual([found.status, found.error?.code], ['failed', 'overlapping_days'])
    assert.match(found.error.message, /2026-01-03/)
    assert.equal(await views(site), 13)
  })

  const { signal } = new AbortController()
  const shared = Date.parse('2026-01-03') / 86_400_000
  const importOf = (site: Site) =>
    service.store.read.selectFrom('imports').selectAll().where('site_id', '=', site.id).orderBy('created_at', 'desc').limit(1)

  test('a run that replaces a day deletes nothing of another run that replaces it meanwhile', async () => {
    await overtaken(service.store, async slowly => {
      const site = await begun()
      const id = await site.upload('footfall', 'b.ndjson', hitsOf(second, 'b'), { overlap: 'replace' })
      await site.get('imports_start', { id })
      const row = { ...(await importOf(site).executeTakeFirstOrThrow()), site: site.number }
      assert.equal(await replaceDay(slowly(service.run), { row, day: shared, signal }), 'replaced')
      await service.run()
      const { data } = await site.get('imports_get', { id })
      assert.deepEqual([data.status, await views(site)], ['completed', 16])
    })
  })

  test('hits that others store on a day while it is replaced, or its import deleted, are kept', async () => {
    for (const what of ['replaced', 'deleted'] as const) {
      await overtaken(service.store, async slowly => {
        const site = await begun()
        const row = await importOf(site).executeTakeFirstOrThrow()
        const slow = slowly(() => site.load('goatcounter_csv', 'g.csv', goatcounter('2026-01-03')))
        if (what === 'deleted') await removeHits(slow, { row, site: site.number, signal })
        else {
          const another = { ...row, id: 'imp_another', fingerprint: 'another', site: site.number, overlap: 'replace' } as const
          await replaceDay(slow, { row: another, day: shared, signal }).catch(error => assert.equal(error.code, 'overlapping_days'))
        }
        const { rows } = (await site.get('stats_breakdown', { from: '2026-01-01', to: '2026-01-31', dimension: 'page' })).data
        const others = await importOf(site).where('source', '=', 'goatcounter_csv').executeTakeFirst()
        const kept = rows.find(({ value }: { value: string }) => value === '/g')?.pageviews
        assert.equal(kept, others && 1, `${what}: ${JSON.stringify(rows)}`)
      })
    }
  })

  test('replace keeps a day of which the file has only engagements, which are refused', async () => {
    const site = await begun()
    const engagement = { timestamp: '2026-01-03T10:00:30Z', url: '/0', visitor: 'other', name: 'engagement', engaged_ms: 900 }
    const file = [JSON.stringify(engagement), hitsOf(['2026-01-02', '2026-01-04'], 'b')].join('\n')
    const found = await site.load('footfall', 'b.ndjson', file, { overlap: 'replace' })
    assert.deepEqual([found.status, found.rows_taken, found.rows_refused], ['completed', 8, 1], JSON.stringify(found.error))
    assert.deepEqual([await views(site), await views(site, '2026-01-03', '2026-01-03')], [16, 4])
  })

  test('a file that continues another one within a day, or the last visit of it, is no overlap', async () => {
    const site = await begun()
    const at = (timestamp: string) => JSON.stringify({ timestamp, url: '/late', visitor: 'v9' })
    const next = await site.load(
      'footfall',
      'n.ndjson',
      [at('2026-01-03T16:00:00Z'), at('2026-01-03T20:00:00Z'), at('2026-01-04T09:00:00Z')].join('\n'),
    )
    assert.equal(next.status, 'completed', JSON.stringify(next.error))
    const last = await site.load('footfall', 'o.ndjson', [at('2026-01-03T18:00:00Z'), at('2026-01-05T09:00:00Z')].join('\n'))
    assert.equal(last.status, 'failed')
  })

  test('the same file again is the same import, also after it was cancelled in the middle', async () => {
    const site = await siteBeside(service, world)
    const id = await site.upload('footfall', 'a.ndjson', hitsOf(first))
    await site.get('imports_start', { id })
    await site.get('imports_cancel', { id })
    assert.equal((await site.load('footfall', 'a.ndjson', hitsOf(first))).status, 'completed')
    assert.equal(await views(site), 12)
    assert.match(await site.refusal('footfall', 'a.ndjson', hitsOf(first)), /imported/)
  })

  test('days in the future, whose hits are refused, are no days of the file', async () => {
    const site = await siteBeside(service, world)
    const later = Array.from({ length: 3 }, (_, i) => JSON.stringify({ timestamp: `299${i}-01-01T10:00:00Z`, url: '/', visitor: 'v' }))
    const { id, status, rows_taken } = await site.load('footfall', 'a.ndjson', [hitsOf(['2026-01-01']), ...later].join('\n'))
    assert.deepEqual([status, rows_taken], ['completed', 4])
    const days = await service.store.read.selectFrom('import_days').select('rev').where('import_id', '=', id).execute()
    assert.deepEqual(days, [{ rev: 1 }])
  })

  describe('totals', () => {
    const name = 'imported_visitors_20260101_20260131.csv'
    const totals = async (site: Site) =>
      (await site.get('stats_aggregate', { from: '2025-12-30', to: '2026-01-31', include_imported: true })).data.metrics.visitors

    async function begunTotals(): Promise<Site> {
      const site = await siteBeside(service, world)
      assert.equal((await site.load('plausible', name, csvOf(first, 10))).status, 'completed')
      return site
    }

    test('are refused by default, and can be skipped or replaced but not added', async () => {
      const site = await begunTotals()
      assert.match(await site.refusal('plausible', name, csvOf(second, 7)), /2026-01-04/)
      const skipped = await site.load('plausible', name, csvOf(second, 7), { overlap: 'skip' })
      assert.deepEqual([skipped.status, skipped.from, skipped.to, await totals(site)], ['completed', '2026-01-04', '2026-01-04', 37])
      const { status, body } = await site.ask('imports_create', { source: 'plausible', filename: name, overlap: 'add' })
      assert.deepEqual([status, body.error.details[0].pointer], [422, '/overlap'], JSON.stringify(body))
    })

    test('replace takes the place of imports whose days the file has', async () => {
      const site = await begunTotals()
      const all = [...first, '2026-01-04']
      const found = await site.load('plausible', name, csvOf(all, 1), { overlap: 'replace' })
      assert.deepEqual([found.status, await totals(site)], ['completed', 4])
      const wider = await site.upload('plausible', name, csvOf(second, 3), { overlap: 'replace' })
      const refused = await site.ask('imports_start', { id: wider })
      assert.equal(refused.status, 422)
      assert.equal(await totals(site), 4)
    })

    test('that are replaced stay until the import succeeds: one that fails or is cancelled leaves them', async () => {
      const site = await begunTotals()
      for (const end of ['fails', 'is cancelled']) {
        const id = await site.upload('plausible', name, csvOf([...first, '2026-01-04'], end.length), { overlap: 'replace' })
        assert.equal((await site.ask('imports_start', { id })).status, 200)
        assert.equal(await totals(site), 30, 'while it waits')
        if (end === 'fails') await service.app.use(files).remove(id)
        else await site.get('imports_cancel', { id })
        await service.run()
        const { data } = await site.get('imports_get', { id })
        assert.deepEqual([data.status, await totals(site)], [end === 'fails' ? 'failed' : 'cancelled', 30])
      }
      assert.equal((await site.load('plausible', name, csvOf([...first, '2026-01-04'], 5), { overlap: 'replace' })).status, 'completed')
      assert.equal(await totals(site), 20)
    })

    test('of one export are imported file by file: families do not overlap with each other', async () => {
      const site = await begunTotals()
      const sources = (days: readonly string[], visitors: number) =>
        `date,source,utm_medium,visitors,pageviews,visits,visit_duration,bounces\n${days.map(day => `${day},Google,,${visitors},9,5,60,1`).join('\n')}\n`
      const file = 'imported_sources_20260101_20260131.csv'
      const loaded = await site.load('plausible', file, sources(first, 4))
      assert.equal(loaded.status, 'completed', JSON.stringify(loaded.error))
      assert.equal(await totals(site), 30)
      const report = async () =>
        (
          await site.get('stats_breakdown', {
            from: '2026-01-01',
            to: '2026-01-03',
            dimension: 'source',
            include_imported: true,
          })
        ).data
      const { rows } = await report()
      assert.deepEqual([rows.length, rows[0].visitors, rows[0].share], [1, 12, 40], JSON.stringify(rows))
      assert.match(await site.refusal('plausible', file, sources(second, 7)), /2026-01-04/)
      const both = await zipOf({ [name]: csvOf(first, 8), [file]: sources(first, 2) })
      const refused = await site.upload('plausible', name, csvOf(first, 3), { overlap: 'replace' })
      assert.equal((await site.ask('imports_start', { id: refused })).status, 200, 'it replaces only its family')
      await service.run()
      assert.deepEqual([await totals(site), (await report()).rows[0].visitors], [9, 12])
      assert.equal((await site.load('plausible', 'export.zip', both, { overlap: 'replace' })).status, 'completed')
      assert.deepEqual([await totals(site), (await report()).rows[0].visitors], [24, 6])
      const narrow = await site.upload('plausible', name, csvOf(first, 1), { overlap: 'replace' })
      assert.equal((await site.ask('imports_start', { id: narrow })).status, 422, 'the zip has sources as well')
    })
  })
})

const goatcounter = (day: string) =>
  `2Path,Title,Event,UserAgent,Browser,System,Session,Bot,Referrer,Referrer scheme,Screen size,Location,FirstVisit,Date
/g,G,0,,Firefox 120,Linux,aa,0,,,"1920,1080,1",DE,1,${day}T11:00:00Z
`

onSharedEngine('imports that start at once', engine => {
  test('have no days of totals in common, whichever of them is fetched and which is uploaded', async () => {
    const service = await startImporting(engine)
    try {
      const { store, app } = service
      const { dialect } = store
      const of = await siteIn(service)
      const name = 'imported_visitors_20260101_20260131.csv'
      const [fetched, uploaded] = [
        await of.upload('plausible', name, csvOf(first, 1)),
        await of.upload('plausible', name, csvOf(second, 2)),
      ]
      const row = await store.read.selectFrom('imports').selectAll().where('id', '=', fetched).executeTakeFirstOrThrow()
      const site = (await store.read.selectFrom('sites').selectAll().where('id', '=', of.id).executeTakeFirstOrThrow()) as LiveSite
      const checked = await checkFile(app.use(files), row, Math.floor(app.now() / 86_400_000))
      const starting = async (trx: Trx) => {
        await dialect.lockSites(trx, [of.number])
        await startImport(trx, { dialect, site, row, checked, now: app.now() })
      }
      const { status, body } = await during(store, starting, () => of.ask('imports_start', { id: uploaded }))
      assert.deepEqual([status, body.error?.code], [422, 'invalid_state'])
    } finally {
      await service.close()
    }
  })
})
