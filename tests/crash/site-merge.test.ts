/** Repeated kill -9 during a merge of sites, while hits arrive at both: no visit is lost or counted twice, and visits match their hits. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addSite, hit, store as keep } from '../storage/engine/traffic.ts'
import { chanceOf } from '../support/chance.ts'
import { onSharedEngine } from '../support/engines.ts'
import { isFull } from '../support/full.ts'
import { visitsAddUp } from '../reports/events/visits.ts'
import { runWorkers, startWorker } from './workers.ts'

const kills = isFull ? 12 : 1
const visits = isFull ? 1_500 : 240
const chance = chanceOf('site merge')
const MAX_STATEMENTS = 80
const noon = Date.parse('2026-03-09T12:00:00Z')
const DAY = 86_400_000

onSharedEngine('a merge of sites', engine => {
  test(`survives ${kills} kills`, async () => {
    const { store, url, drop } = await engine.create()
    const [from, into] = [
      await addSite(store, 'UTC', { identity: 'declared' }),
      await addSite(store, 'America/New_York', { identity: 'declared' }),
    ]
    const visitOf = (site: typeof from, i: number) => {
      const [who, at] = [`v${i}`, noon + i + (i % 3) * DAY]
      return [
        hit(site, { who, at, page: `/${i % 7}`, user: { hash: `p${i % 90}`, name: null, traits: {} } }),
        hit(site, { who, at: at + 60_000, event: 'buy', revenue: 5, props: { i } }),
        hit(site, { who, at: at + 61_000, kind: 'vitals', page: `/${i % 7}`, vitals: { lcp: i } }),
        hit(site, { who: `loose${i}`, at, kind: 'clicks', clicks: [{ selector: `#${i % 5}`, x: i, y: 1 }] }),
      ]
    }
    const all = Array.from({ length: visits }, (_, i) => i)
    await keep(
      store,
      all.flatMap(i => visitOf(from, i)),
      500,
    )
    await keep(
      store,
      all.slice(0, 50).flatMap(i => visitOf(into, i)),
      500,
    )
    await store.write
      .insertInto('site_merges')
      .values({
        ...{ id: 'mrg_1', site_id: from.id, domain: 'x', into_site_id: into.id },
        ...{ visits: 0, hits: 0, progress: 0, requested_at: noon, finished_at: null },
      })
      .execute()

    const work = { DATABASE_URL: url, TASKS: 'sites_merging' }
    let interrupted = 0
    for (let kill = 0; kill < kills; kill++) {
      const worker = startWorker({ ...work, KILL_AT: String(chance.int(1, MAX_STATEMENTS)) })
      if (!(await worker.ended)) interrupted++
      for (const site of [from, into]) {
        await visitsAddUp(store, site.number)
        await keep(store, [hit(site, { who: `new${kill}`, at: noon + kill, page: '/' })])
      }
    }
    assert.ok(interrupted > 0, 'it was killed in the middle')
    await runWorkers(work, 2)

    const count = async (table: 'visits' | 'hits' | 'hit_props' | 'vitals' | 'clicks', site: number) => {
      const rows = store.read.selectFrom(table).select(({ fn }) => fn.countAll<number>().as('count'))
      return (await rows.where('site_id', '=', site).executeTakeFirstOrThrow()).count
    }
    const counts = async (site: number) => [
      await count('visits', site),
      await count('hits', site),
      await count('hit_props', site),
      await count('vitals', site),
      await count('clicks', site),
    ]
    const both = visits + 50
    await visitsAddUp(store, into.number)
    assert.deepEqual(await counts(from.number), [0, 0, 0, 0, 0])
    assert.deepEqual(await counts(into.number), [both + 2 * kills, 2 * both + 2 * kills, both, both, both])
    const { revenue } = await store.read
      .selectFrom('hits')
      .select(({ fn }) => fn.sum<number>('revenue').as('revenue'))
      .where('site_id', '=', into.number)
      .executeTakeFirstOrThrow()
    assert.equal(Number(revenue), 5 * both)
    // Both sites have persons under the same hashes: each is one.
    const persons = await store.read.selectFrom('persons').select(['site_id', 'person', 'hash', 'moved_to']).execute()
    assert.equal(persons.length, 90)
    assert.ok(persons.every(({ site_id, moved_to }) => site_id === into.number && moved_to === 0))
    const found = await store.read.selectFrom('visits').select('person').where('site_id', '=', into.number).execute()
    for (const { person, hash } of persons) {
      const own = [...all, ...all.slice(0, 50)].filter(i => hash === `p${i % 90}`)
      assert.equal(found.filter(row => row.person === person).length, own.length, hash)
    }
    const done = await store.read.selectFrom('site_merges').selectAll().executeTakeFirstOrThrow()
    assert.deepEqual([done.visits, done.progress], [visits + kills, 100])
    const texts = await store.read.selectFrom('dict').select('id').where('site_id', '=', from.number).where('dim', '=', 1).execute()
    assert.ok(texts.length <= 1, 'the site that was emptied has no texts')
    await drop()
  })
})
