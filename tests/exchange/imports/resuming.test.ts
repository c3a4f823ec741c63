/** Imports that continue after an earlier run: records that depend on earlier ones are read as in one run. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { mostOn, onEachEngine } from '../../support/engines.ts'
import { type Importing, siteIn, startImporting } from './site.ts'

const csv = [
  '2Path,Title,Event,UserAgent,Browser,System,Session,Bot,Referrer,Referrer scheme,Screen size,Location,FirstVisit,Date',
  '/pricing,,0,,Chrome 120,Windows 10,s1,0,,o,,DE,1,2026-01-05T10:00:00Z',
  '/blog,,0,,Chrome 120,Windows 10,s2,0,,o,,DE,1,2026-01-05T10:00:10Z',
  'bought,,1,,Chrome 120,Windows 10,s1,0,,o,,DE,0,2026-01-05T10:01:00Z',
  'read,,1,,Chrome 120,Windows 10,s2,0,,o,,DE,0,2026-01-05T10:01:10Z',
].join('\n')

const visit = (id: number, url: string) => ({
  idSite: 1,
  idVisit: id,
  visitorId: `v${id}`,
  actionDetails: [{ type: 'action', url: `https://example.com${url}`, timestamp: Date.parse('2026-01-05T10:00:00Z') / 1000 + id }],
})
const json = JSON.stringify([visit(1, '/a'), visit(2, '/b'), visit(1, '/a'), visit(2, '/b'), visit(3, '/c')])

const files = {
  goatcounter_csv: ['export.csv', csv, 4],
  matomo: ['visits.json', json, 5],
} as const

onEachEngine('an import that continues', engine => {
  let service: Importing
  before(async () => {
    service = await startImporting(engine)
  })
  after(() => service.close())

  for (const [source, [filename, content, records]] of mostOn(engine, Object.entries(files), 1))
    test(`has the hits of one run, wherever the earlier run ended: ${source}`, async () => {
      const over = { period: 'custom', from: '2026-01-05', to: '2026-01-05' }
      const whole = await siteIn(service)
      const done = await whole.load(source, filename, content)
      assert.equal(done.status, 'completed', JSON.stringify(done))
      const journal = await service.store.read
        .selectFrom('hit_imports')
        .selectAll()
        .where('site_id', '=', whole.number)
        .executeTakeFirstOrThrow()
      const countedIn = async (site: Awaited<ReturnType<typeof siteIn>>, filters: unknown[] = []) =>
        (await site.get('stats_breakdown', { ...over, dimension: 'event', filters })).data.rows.map((row: any) => [row.value, row.events])
      const ofAll = {
        all: [
          ['page', 'is', '/pricing'],
          ['event', 'is', 'bought'],
        ],
      }
      if (source === 'goatcounter_csv') assert.deepEqual(await countedIn(whole, [ofAll]), [['bought', 1]])

      for (let ended = 1; ended < records; ended++) {
        const site = await siteIn(service)
        const id = await site.upload(source, filename, content)
        await site.get('imports_start', { id })
        // As a run leaves it that was killed after so many records. Their hits are not needed here.
        await service.store.write
          .insertInto('hit_imports')
          .values({ ...journal, site_id: site.number, records: ended, hits: 0, refused: 0, finished_at: null })
          .execute()
        await service.run()
        const { data } = await site.get('imports_get', { id })
        assert.equal(data.status, 'completed', JSON.stringify(data))
        const found = (await site.get('stats_aggregate', over)).data.metrics
        if (source === 'matomo')
          assert.equal(found.pageviews, new Set([1, 2, 1, 2, 3].slice(ended)).size - againOf(ended), `after ${ended}`)
        else {
          assert.deepEqual(await countedIn(site, [ofAll]), ended < 3 ? [['bought', 1]] : [], `after ${ended}`)
          const read = {
            all: [
              ['page', 'is', '/blog'],
              ['event', 'is', 'read'],
            ],
          }
          assert.deepEqual(await countedIn(site, [read]), [['read', 1]], `after ${ended}`)
        }
      }
    })
})

/** Visits that the earlier run stored, and the rest of the file has again. */
const againOf = (ended: number): number => {
  const [stored, rest] = [new Set([1, 2, 1, 2, 3].slice(0, ended)), new Set([1, 2, 1, 2, 3].slice(ended))]
  return [...rest].filter(id => stored.has(id)).length
}
