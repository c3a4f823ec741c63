/** Repeated kill -9 during a deletion, while hits arrive: visits always match their hits. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requestDeletion } from '../../operations/reports/events/deletion.ts'
import { addSite, hit, store as keep } from '../storage/engine/traffic.ts'
import { chanceOf } from '../support/chance.ts'
import { onSharedEngine } from '../support/engines.ts'
import { isFull } from '../support/full.ts'
import { visitsAddUp } from '../reports/events/visits.ts'
import { runWorkers, startWorker } from './workers.ts'

const kills = isFull ? 3 : 1
const visits = isFull ? 6_000 : 3_000
const chance = chanceOf('event deletion')
const MAX_STATEMENTS = 100
const noon = Date.parse('2026-03-09T12:00:00Z')

onSharedEngine('an event being deleted', engine => {
  test(`survives ${kills} kills`, async () => {
    const { store, url, drop } = await engine.create()
    const site = await addSite(store, 'UTC')
    const hits = Array.from({ length: visits }, (_, i) => [
      ...(i % 3 === 0 ? [] : [hit(site, { who: `v${i}`, at: noon + i, page: '/' })]),
      hit(site, { who: `v${i}`, at: noon + 60_000 + i, event: 'junk', revenue: 5, props: { i } }),
    ]).flat()
    await keep(store, hits, 500)
    await store.transaction(trx => requestDeletion(trx, { store, site, name: 'junk', now: noon }))

    const work = { DATABASE_URL: url, TASKS: 'events_erase' }
    let interrupted = 0
    for (let kill = 0; kill < kills; kill++) {
      const worker = startWorker({ ...work, KILL_AT: String(chance.int(1, MAX_STATEMENTS)) })
      if (!(await worker.ended)) interrupted++
      await visitsAddUp(store, site.number)
      await keep(store, [hit(site, { who: `new${kill}`, at: noon + kill, event: 'junk', revenue: 1 })])
    }
    assert.ok(interrupted > 0, 'it was killed in the middle')
    await runWorkers(work, 1)
    await visitsAddUp(store, site.number)

    const { hits: gone, finished_at } = await store.read.selectFrom('event_deletions').selectAll().executeTakeFirstOrThrow()
    assert.deepEqual([gone, finished_at !== null], [visits, true])
    const { left, revenue } = await store.read
      .selectFrom('hits')
      .select(({ fn }) => [fn.countAll<number>().as('left'), fn.sum<number>('revenue').as('revenue')])
      .executeTakeFirstOrThrow()
    assert.deepEqual([left, revenue], [visits - visits / 3 + kills, kills])
    await drop()
  })
})
