/** Texts that only erased rows had: no byte of them is left in the database, and all other rows read as before. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { createScheduler } from '../../../runtime/tasks/scheduler.ts'
import { openDictionaries } from '../../../storage/engine/days/dictionary.ts'
import { dictionaryOf } from '../../../storage/hits/dictionaries.ts'
import { forgetTexts, sitesWithErasedTexts } from '../../../storage/hits/forget-texts.ts'
import { openHitStore, type HitStore } from '../../../storage/hits/hit-store.ts'
import { recutDay } from '../../../storage/hits/recut-day.ts'
import { placesOfTexts, sampleValues } from '../../support/bytes.ts'
import { randomBytes } from '../../support/chance.ts'
import { onEachEngine } from '../../support/engines.ts'
import { packAll } from '../../support/packed.ts'
import { startService, type TestService } from '../../support/world.ts'
import { type Asking, at, newSite } from '../../reports/events/asking.ts'
import { hit, type Sent } from './traffic.ts'

const { signal } = new AbortController()

onEachEngine('texts of erased visits', engine => {
  let service: TestService
  let site: Omit<Asking, 'service'>
  /** One writer for all tests, as in a service that runs for months. */
  let hits: HitStore
  let now = 0
  before(async () => {
    service = await startService(engine)
    hits = openHitStore(service.store, { now: () => now, randomBytes })
  })
  beforeEach(async () => {
    site = await newSite(service)
  })
  after(async () => {
    await hits.close()
    await service.close()
  })

  async function send(...sent: Sent[]): Promise<void> {
    const of = { number: site.world.siteNumber, timezone: 'Europe/Berlin' }
    for (const one of sent) {
      now = Math.max(now, one.at)
      const [outcome] = await hits.append([hit(of, one)])
      assert.ok(outcome?.stored)
    }
  }
  /** A visit with a text of its own in every place that has texts. */
  const visitOf = (who: string, own: string, time = '11:00'): Sent[] => [
    {
      who,
      at: at(time),
      page: `/page-${own}`,
      visit: {
        country: 'US',
        referrer: `ref-${own}.example`,
        source: `source-${own}`,
        utm_campaign: `campaign-${own}`,
        city: `city-${own}`,
        hostname: `host-${own}.example`,
        screen: `screen-${own}`,
      },
    },
    { who, at: at(time) + 60_000, event: `event-${own}`, revenue: 500, props: { [`key-${own}`]: `value-${own}`, plan: `plan-${own}` } },
    { who, at: at(time) + 60_000, kind: 'vitals', page: `/slow-${own}`, vitals: { lcp: 1200 } },
    { who, at: at(time) + 60_000, kind: 'clicks', page: `/page-${own}`, clicks: [{ selector: `#button-${own}`, x: 1, y: 2 }] },
  ]
  async function erase(filters: unknown): Promise<void> {
    const { data } = await site.get('sites_get')
    await site.get('visits_erase', { period: '7d', filters, confirm: data.domain })
    service.clock.now += 5 * 60_000
    await createScheduler(service.app).runDue(['visits_erasing'])
    assert.equal((await site.get('visits_erasures_list')).data[0].state, 'finished')
  }
  const inUS = [['country', 'is', 'US']]
  const dimensions = ['page', 'source', 'referrer', 'utm_campaign', 'city', 'hostname', 'screen', 'event']
  async function reports(): Promise<unknown> {
    const day = { from: '2026-03-09', to: '2026-03-09' }
    const found: unknown[] = [(await site.get('stats_aggregate', day)).data]
    for (const dimension of dimensions) found.push((await site.get('stats_breakdown', { ...day, dimension })).data)
    found.push((await site.get('events_get', { ...day, name: 'event-shared' })).data)
    return found
  }
  const shared = async (): Promise<void> => {
    await send(
      ...visitOf('a', 'shared'),
      ...visitOf('b', 'stays', '12:00').map(one => ({ ...one, visit: { ...one.visit, country: 'DE' } })),
    )
    await send({ who: 'c', at: at('13:00'), page: '/page-shared', visit: { country: 'FR' } })
  }

  for (const isPacked of [false, true]) {
    test(`are deleted with the visits${isPacked ? ' of packed days' : ''}, unless other visits have them`, async () => {
      await shared()
      await send(...visitOf('k', 'shared', '15:00').map(one => ({ ...one, visit: { ...one.visit, country: 'DE' } })))
      const expected = await reports()
      const own = `gone${site.world.siteNumber}x`
      await send(...visitOf('d', own, '14:00'))
      assert.ok((await placesOfTexts(service))(`page-${own}`).includes('dict'))
      await reports() // the engine knows the texts
      await sampleValues(service)
      if (isPacked) {
        service.clock.now += 4 * 86_400_000
        await packAll(service.app)
      }
      await erase([
        ['screen', 'is', 'screen-shared'],
        ['country', 'is', 'US'],
      ])
      await erase(inUS)
      const placesOf = await placesOfTexts(service)
      for (const name of [
        'page',
        'slow',
        'ref',
        'source',
        'campaign',
        'city',
        'host',
        'screen',
        'event',
        'key',
        'value',
        'plan',
        'button',
      ]) {
        assert.deepEqual(placesOf(`${name}-${own}`), [], name)
        assert.ok(placesOf(`${name}-shared`).includes('dict'), name)
      }
      assert.deepEqual(await sitesWithErasedTexts(service.store), [])
      if (!isPacked) {
        await send(...visitOf('a', 'shared')) // as before the erasure, by a writer that knew the ids
        assert.deepEqual(await reports(), expected)
      }
    })
  }

  test('come again with new visits, under an id that never had another text', async () => {
    const own = `back${site.world.siteNumber}x`
    await shared()
    await send(...visitOf('d', own))
    await reports()
    await erase(inUS)
    await send(...visitOf('e', `other-${own}`, '15:00'), ...visitOf('f', own, '16:00'))
    const { data } = await site.get('stats_breakdown', { period: '7d', dimension: 'page' })
    assert.deepEqual(
      data.rows.map(({ value }: any) => value).sort(),
      ['/', '/page-shared', '/page-stays', `/page-${own}`, `/page-other-${own}`].sort(),
    )
    const { data: places } = await site.get('stats_breakdown', { period: '7d', dimension: 'city' })
    assert.ok(places.rows.some(({ value }: any) => value === `city-other-${own}`))
  })

  test('are not among the values that a property is known to have', async () => {
    await shared()
    await send(...visitOf('d', `known${site.world.siteNumber}x`))
    await erase(inUS)
    const { data: goal } = await site.get('goals_create', { kind: 'page', path: '/' })
    const { body } = await site.call('experiments_report', { period: '7d', goal_id: goal.id, property: 'plan', control: 'none' })
    const [{ message }] = body.error.details
    assert.match(message, /"plan-stays"/)
    assert.doesNotMatch(message, /""/)
  })

  /** Notes all texts of the site, as if rows with them had been erased. */
  async function noteAll(): Promise<void> {
    await service.store.write
      .insertInto('erased_texts')
      .columns(['site_id', 'dim', 'id', 'watch'])
      .expression(db =>
        db
          .selectFrom('dict')
          .select(({ lit }) => ['site_id', 'dim', 'id', lit(0).as('watch')])
          .where('site_id', '=', site.world.siteNumber),
      )
      .execute()
  }

  test('stay if a writer uses them while the rows are searched', async () => {
    const own = `race${site.world.siteNumber}x`
    await send({ who: 'a', at: at('10:00'), page: '/', visit: { country: 'DE' } }, ...visitOf('d', own))
    const number = site.world.siteNumber
    await noteAll()
    for (const table of ['visits', 'hits', 'hit_props', 'vitals', 'clicks'] as const) {
      await service.store.write.deleteFrom(table).where('site_id', '=', number).execute()
    }
    let sent = false
    const searched = async () => {
      if (sent) return
      sent = true
      await send(...visitOf('e', own, '15:00'))
    }
    assert.equal(await forgetTexts(service.store, number, { signal, searched }), true)
    const { rows } = (await site.get('stats_breakdown', { period: '7d', dimension: 'page' })).data
    assert.ok(
      rows.some(({ value }: any) => value === `/page-${own}`),
      JSON.stringify(rows),
    )
  })

  test('stay if their visits move to a day that has been searched', async () => {
    const { store } = service
    const number = site.world.siteNumber
    const own = `moves${number}x`
    await send({ who: 'a', at: at('10:00'), page: '/' })
    await send(...visitOf('d', own, '23:30').map(one => ({ ...one, at: one.at - 86_400_000 })))
    await noteAll()
    const day = Date.parse('2026-03-08') / 86_400_000
    const cutting = { site: number, zone: 'Asia/Tokyo', now: service.clock.now, signal, mayCut: async () => true }
    let searches = 0
    const searched = async (days: number) => {
      if (days === 1 && searches++ === 0) assert.equal(await recutDay(store, cutting, day), true)
    }
    while (!(await forgetTexts(store, number, { signal, searched }))) assert.ok(searches < 3)
    const kept = await store.read.selectFrom('dict').select('value').where('site_id', '=', number).execute()
    for (const name of ['/page', 'source', 'event', 'key', 'value', '#button', '/slow'])
      assert.ok(
        kept.some(({ value }) => value === `${name}-${own}`),
        name,
      )
    assert.deepEqual(await store.read.selectFrom('erased_texts').select('id').where('site_id', '=', number).execute(), [])
  })

  test('are searched after a call that has locked the row of the site, and the call gets the lock of its hits', async () => {
    const { store } = service
    if (!store.isShared) return
    const number = site.world.siteNumber
    await store.write.insertInto('erased_texts').values({ site_id: number, dim: 1, id: 1, watch: 0 }).execute()
    const isWaiting = async () => {
      const { rows } = await sql`
        select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(store.read)
      return rows.length > 0
    }
    const { forgotten } = await store.transaction(async trx => {
      await sql`select 1 from sites where number = ${number} for share`.execute(trx)
      const forgotten = forgetTexts(store, number, { signal })
      while (!(await isWaiting())) await wait(5)
      await store.dialect.lockSites(trx, [number])
      return { forgotten }
    })
    assert.equal(await forgotten, true)
  })

  test('leave the memory of the engine, too', async () => {
    const own = `known${site.world.siteNumber}x`
    const dictionaries = openDictionaries(1_000_000)
    const pages = () => dictionaries.read(service.store.read, site.world.siteNumber, dictionaryOf.page)
    await shared()
    await send(...visitOf('d', own))
    assert.ok((await pages()).includes(`/page-${own}`))
    await erase([['city', 'is', `city-${own}`]])
    const after = await pages()
    assert.ok(!after.includes(`/page-${own}`))
    assert.ok(after.includes('/page-shared'))
    assert.ok(after.every(text => text.length < 100))
  })
})
