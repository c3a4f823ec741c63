/** Visits are deleted after RETENTION_DAYS: whole ones, a few at a time, and reports notice at once. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hits_expire } from '../../operations/sites/collection/tasks.ts'
import { readConfig } from '../../runtime/settings/config.ts'
import { createScheduler } from '../../runtime/tasks/scheduler.ts'
import { openBulk } from '../../storage/hits/bulk-hits.ts'
import { expiredDays, expireVisits } from '../../storage/hits/expiry.ts'
import { placesOfTexts, sampleValues } from '../support/bytes.ts'
import { randomBytes } from '../support/chance.ts'
import { onEachEngine } from '../support/engines.ts'
import { packAll } from '../support/packed.ts'
import { makeWorld, startService } from '../support/world.ts'
import { DAY, event, hit, HOUR, MIDNIGHT, MINUTE } from './new-hits.ts'
import { table } from '../../operations/index.ts'
import { RETENTION_DAYS } from '../../operations/sites/collection/settings.ts'

const tables = ['visits', 'hits', 'hit_props', 'vitals', 'clicks'] as const

onEachEngine('retention', engine => {
  test('a day goes in whole visits, and nothing else does', async () => {
    const { store, drop } = await engine.create()
    const put = openBulk(store, { now: () => MIDNIGHT, randomBytes })
    const traffic = (site: number, from: number) =>
      Array.from({ length: 25 }, (_, i) => {
        const who = { site, visitor: `v${i}`, at: from + i * MINUTE }
        return [
          event('e', { ...who, props: [['k', `${i}`, i]] }),
          hit({ ...who, kind: 'vitals', vitals: { lcp: i } }),
          hit({ ...who, kind: 'clicks', clicks: [{ selector: 'a', x: 1, y: 1 }] }),
        ]
      }).flat()
    const loose = hit({ at: MIDNIGHT - 50 * DAY + HOUR, visitor: 'nobody', kind: 'vitals', vitals: { lcp: 1 } })
    await put(
      [...traffic(1, MIDNIGHT - 50 * DAY + HOUR), loose, ...traffic(1, MIDNIGHT - 10 * DAY), ...traffic(2, MIDNIGHT - 50 * DAY + HOUR)],
      async () => {},
    )
    const count = async (table: (typeof tables)[number], site: number, day: number) =>
      (
        await store.read
          .selectFrom(table as 'hits')
          .select('day')
          .where('site_id', '=', site)
          .where('day', '=', day)
          .execute()
      ).length
    const rev = async () =>
      (await store.read.selectFrom('site_days').select('rev').where('site_id', '=', 1).orderBy('day').execute()).map(row => row.rev)

    const [old = 0, ...more] = await expiredDays(store, 1, 20_777 - 30)
    assert.deepEqual([old, more], [20_777 - 50, []])
    const [before] = await rev()
    let calls = 1
    for (; !(await expireVisits(store, { site: 1, day: old, limit: 10 })); calls++) {
      const [visits, hits, props] = await Promise.all(tables.map(table => count(table, 1, old)))
      assert.deepEqual([hits, props], [visits, visits], 'visits go whole')
    }
    assert.ok(calls >= 75 / 10 && calls < 15, `${calls} calls`)
    for (const table of tables) {
      assert.deepEqual(
        [await count(table, 1, old), await count(table, 1, 20_777 - 10), await count(table, 2, old)].map(rows => rows >= 25 || rows),
        [0, true, true],
        table,
      )
    }
    assert.deepEqual((await rev())[0], (before ?? 0) + calls)
    assert.deepEqual(await expiredDays(store, 1, 20_777 - 30), [])
    await drop()
  })

  for (const isPacked of [false, true])
    test(`once a week, texts are deleted that only expired visits${isPacked ? ' of packed days' : ''} had`, async () => {
      const service = await startService(engine, { RETENTION_DAYS: 40 })
      const { siteNumber: site } = await makeWorld(service)
      const put = openBulk(service.store, { now: () => service.clock.now, randomBytes })
      const on = (days: number, page: string) => ({ site, visitor: page, page, at: service.clock.now - days * DAY })
      const gone = [hit(on(43, '/gone')), event('gone-event', { ...on(42, '/stays'), props: [['key', 'gone-value', null]] })]
      await put([...gone, hit(on(41, '/stays')), hit(on(1, '/stays'))], async () => {})
      if (isPacked) await packAll(service.app)
      await sampleValues(service)
      const texts = ['/gone', 'gone-event', 'gone-value']
      const found = async () => {
        const placesOf = await placesOfTexts(service)
        return texts.filter(text => placesOf(text).length > 0)
      }
      const run = () => createScheduler(service.app, [hits_expire]).runDue(['hits_expire'])
      service.clock.now += ((8 - (Math.floor(service.clock.now / DAY) % 7)) % 7) * DAY
      await run()
      assert.deepEqual(await found(), texts)
      service.clock.now += 6 * DAY
      await run()
      assert.deepEqual(await found(), [])
      assert.ok((await placesOfTexts(service))('/stays').includes('dict'))
      await service.close()
    })

  test('the task takes what is older than the setting, and the reports no longer count it', async () => {
    const service = await startService(engine, { RETENTION_DAYS: 40 })
    const { ids, token, siteNumber } = await makeWorld(service)
    const { timezone } = await service.store.read
      .selectFrom('sites')
      .select('timezone')
      .where('number', '=', siteNumber)
      .executeTakeFirstOrThrow()
    const put = openBulk(service.store, { now: () => service.clock.now, randomBytes })
    await put(
      [41, 40, 39, 1].map(days => hit({ site: siteNumber, zone: timezone, at: service.clock.now - days * DAY })),
      async () => {},
    )
    const pageviews = async () => {
      const answer = await service.web.request(`/sites/${ids.site}/stats/aggregate.json?period=12mo`, {
        headers: { Authorization: `Bearer ${token}` },
      })
      return (await answer.json()).data.metrics.pageviews
    }
    assert.equal(await pageviews(), 4)
    await createScheduler(service.app, [hits_expire]).runDue(['hits_expire'])
    assert.equal(await pageviews(), 3)
    service.clock.now += HOUR
    await createScheduler(service.app, [hits_expire]).runDue(['hits_expire'])
    assert.equal(await pageviews(), 3)
    await service.close()
  })
})

test('a month that is still counted cannot be set to go', () => {
  assert.equal(readConfig({ RETENTION_DAYS: '31' }, table.settings).of(RETENTION_DAYS), 31)
  assert.throws(() => readConfig({ RETENTION_DAYS: '30' }, table.settings), /RETENTION_DAYS must be 0 or a whole number from 31/)
})
