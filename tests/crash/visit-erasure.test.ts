/** Repeated kill -9 during an erasure, while hits arrive: visits always match their hits, and each is counted once. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addSite, hit, store as keep } from '../storage/engine/traffic.ts'
import { chanceOf } from '../support/chance.ts'
import { onSharedEngine } from '../support/engines.ts'
import { isFull } from '../support/full.ts'
import { visitsAddUp } from '../reports/events/visits.ts'
import { runWorkers, startWorker } from './workers.ts'

const kills = isFull ? 12 : 1
const visits = isFull ? 6_000 : 1_200
const chance = chanceOf('visit erasure')
const MAX_STATEMENTS = 80
const noon = Date.parse('2026-03-09T12:00:00Z')
const DAY = 86_400_000

onSharedEngine('visits being erased', engine => {
  test(`survive ${kills} kills`, async () => {
    const { store, url, drop } = await engine.create()
    const site = await addSite(store, 'UTC')
    const hits = Array.from({ length: visits }, (_, i) => {
      const at = noon + i + (i % 2) * DAY
      const own = { who: `v${i}`, visit: { country: i % 3 === 0 ? 'FR' : 'DE' } }
      return [hit(site, { ...own, at, page: '/' }), hit(site, { ...own, at: at + 60_000, event: 'junk', revenue: 5, props: { i } })]
    }).flat()
    await keep(store, hits, 500)
    const where = [{ dimension: 'country', operator: 'is', values: ['DE'], pointer: '' }]
    await store.write
      .insertInto('visit_erasures')
      .values({
        id: 'vis_1',
        site_id: site.id,
        ...{ from_day: 20_000, to_day: 30_000, filters: '[]', segment_id: null, rule: null },
        scope: JSON.stringify({ where, hits: null, goals: [] }),
        ...{ visits: 0, pageviews: 0, events: 0, revenue: 0, next_day: null, progress: 0 },
        ...{ requested_at: noon + 2 * DAY, finished_at: null },
      })
      .execute()

    const work = { DATABASE_URL: url, TASKS: 'visits_erasing' }
    let interrupted = 0
    for (let kill = 0; kill < kills; kill++) {
      const worker = startWorker({ ...work, KILL_AT: String(chance.int(1, MAX_STATEMENTS)) })
      if (!(await worker.ended)) interrupted++
      await visitsAddUp(store, site.number)
      await keep(store, [hit(site, { who: `new${kill}`, at: noon + kill, page: '/', visit: { country: 'FR' } })])
    }
    assert.ok(interrupted > 0, 'it was killed in the middle')
    await runWorkers(work, 2)
    await visitsAddUp(store, site.number)

    const done = await store.read.selectFrom('visit_erasures').selectAll().executeTakeFirstOrThrow()
    const gone = (visits * 2) / 3
    assert.deepEqual([done.visits, done.pageviews, done.events, done.revenue, done.progress], [gone, gone, gone, gone * 5, 100])
    const { left } = await store.read
      .selectFrom('visits')
      .select(({ fn }) => fn.countAll<number>().as('left'))
      .executeTakeFirstOrThrow()
    assert.equal(left, visits / 3 + kills)
    await drop()
  })
})
