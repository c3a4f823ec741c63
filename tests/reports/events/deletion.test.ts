/** Deleting an event: what is deleted, what stays, and correct reports throughout. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { eraseEvents } from '../../../operations/reports/events/deletion.ts'
import type { TaskContext } from '../../../runtime/table/task.ts'
import { eventEraser } from '../../../storage/hits/erase-event.ts'
import { onEachEngine } from '../../support/engines.ts'
import { startService, type TestService } from '../../support/world.ts'
import { type Asking, at, newSite } from './asking.ts'

onEachEngine('the deletion of an event', engine => {
  let service: TestService
  let site: Omit<Asking, 'service'>
  before(async () => {
    service = await startService(engine)
  })
  beforeEach(async () => {
    site = await newSite(service)
  })
  after(() => service.close())

  const yesterday = { period: 'yesterday' }
  const remove = (name: string) => site.get('events_delete', { name, confirm: name })
  const totals = async () => (await site.get('stats_aggregate', yesterday)).data.metrics
  const names = async () => (await site.get('events_list', yesterday)).data.rows.map((row: any) => [row.value, row.events])
  const visits = () =>
    service.store.read
      .selectFrom('visits')
      .select(['started_at', 'duration', 'pageviews', 'events', 'bounce', 'revenue', 'entry_after', 'exit_after'])
      .where('site_id', '=', site.world.siteNumber)
      .orderBy('started_at')
      .execute()
  const count = async (table: 'hits' | 'hit_props' | 'vitals' | 'clicks') =>
    (await service.store.read.selectFrom(table).select('visit_id').where('site_id', '=', site.world.siteNumber).execute()).length
  const revs = async () =>
    (
      await service.store.read
        .selectFrom('site_days')
        .select(['day', 'rev'])
        .where('site_id', '=', site.world.siteNumber)
        .orderBy('day')
        .execute()
    ).map(row => row.rev)

  test('the name must be given twice', async () => {
    const { status, body } = await site.call('events_delete', { name: 'junk', confirm: 'Junk' })
    assert.deepEqual([status, body.error.code, body.error.details[0].pointer], [422, 'confirmation_mismatch', '/confirm'])
    assert.deepEqual((await site.get('event_deletions_list')).data, [])
  })

  test('an event that never came is gone already', async () => {
    const { data } = await remove('never')
    assert.deepEqual([data.state, data.progress, data.hits], ['done', 100, 0])
    assert.deepEqual((await site.get('event_deletions_list')).data, [])
  })

  test('a name that others are only shown under is refused, and they are named', async () => {
    await site.send({ who: 'ann', at: at('10:00:00'), event: 'signup' })
    await site.get('events_merge', { names: ['signup', 'sign-up'], into: 'Signup' })
    const { status, body } = await site.call('events_delete', { name: 'Signup', confirm: 'Signup' })
    assert.deepEqual([status, body.error.details[0].code, body.error.details[0].pointer], [422, 'not_found', '/name'])
    assert.match(body.error.details[0].message, /sign-up, signup/)
  })

  test('reports exclude it at once; its hits are deleted and the visits repaired', async () => {
    await site.send(
      // a visit that begins and ends with the event
      { who: 'ann', at: at('10:00:00'), page: '/', event: 'junk', revenue: 50, props: { a: 1, b: 2 } },
      { who: 'ann', at: at('10:01:00'), page: '/' },
      { who: 'ann', at: at('10:03:00'), page: '/b' },
      { who: 'ann', at: at('10:09:00'), page: '/b', event: 'junk', revenue: 7 },
      // a visit with nothing else
      { who: 'bob', at: at('11:00:00'), event: 'junk' },
      // a visit that is no bounce only because of it
      { who: 'cat', at: at('12:00:00'), page: '/' },
      { who: 'cat', at: at('12:00:30'), page: '/', event: 'junk' },
      { who: 'cat', at: at('12:01:00'), page: '/', event: 'kept', interactive: false, revenue: 100, props: { a: 1 } },
      // a visit held together by it, which stays one
      { who: 'dan', at: at('14:00:00'), page: '/' },
      { who: 'dan', at: at('14:20:00'), event: 'junk' },
      { who: 'dan', at: at('14:40:00'), page: '/' },
    )
    await site.send({ who: 'eve', at: at('09:00:00', '2026-03-10'), page: '/' })
    const [busy = 0, other] = await revs()
    const { data } = await remove('junk')
    assert.deepEqual(data, {
      name: 'junk',
      state: 'running',
      progress: 0,
      hits: 0,
      requested_at: new Date(service.clock.now).toISOString(),
      finished_at: null,
    })
    assert.deepEqual(await names(), [['kept', 1]])
    assert.deepEqual(
      (await site.get('stats_breakdown', { ...yesterday, dimension: 'event' })).data.rows.map((row: any) => row.value),
      ['kept'],
    )
    const detail = await site.get('events_get', { ...yesterday, name: 'junk' })
    assert.equal(detail.data.metrics.events, 0)
    const { meta } = await site.get('events_list', yesterday)
    assert.deepEqual(meta.notes, [{ code: 'event_deletion', message: 'The event "junk" is being deleted; 0 % of the days are done.' }])
    assert.equal((await totals()).visits, 4, 'the hits are still there')
    for (const name of ['junk', '(not set)', '']) {
      const kept = await site.get('stats_aggregate', { ...yesterday, filters: [['event', 'is', name]] })
      assert.equal(kept.data.metrics.visits, 0, `no filter finds them: "${name}"`)
    }
    const under = async (filter: unknown) => {
      const { visits, revenue } = (await site.get('stats_aggregate', { ...yesterday, filters: [filter] })).data.metrics
      return { visits, revenue }
    }
    const valuesOf = async (dimension: string) =>
      (await site.get('stats_breakdown', { ...yesterday, dimension })).data.rows.map((row: any) => row.value)
    const properties = async () => ({
      a: await under(['property:a', 'is', '1']),
      b: await under(['property:b', 'is', '2']),
      withoutB: (await under(['property:b', 'is_not', '2'])).visits > 0,
      values: [await valuesOf('property:a'), await valuesOf('property:b')],
    })
    const gone = { visits: 0, revenue: 0 }
    assert.deepEqual(await properties(), { a: { visits: 1, revenue: 100 }, b: gone, withoutB: true, values: [['1'], []] })

    await site.erase()
    assert.deepEqual(await properties(), { a: { visits: 1, revenue: 100 }, b: gone, withoutB: true, values: [['1'], []] }, 'the same')
    const minute = 60_000
    assert.deepEqual(await visits(), [
      {
        started_at: at('10:01:00'),
        duration: 2 * minute,
        pageviews: 2,
        events: 0,
        bounce: 0,
        revenue: 0,
        entry_after: 0,
        exit_after: 2 * minute,
      },
      { started_at: at('12:00:00'), duration: minute, pageviews: 1, events: 1, bounce: 1, revenue: 100, entry_after: 0, exit_after: 0 },
      {
        started_at: at('14:00:00'),
        duration: 40 * minute,
        pageviews: 2,
        events: 0,
        bounce: 0,
        revenue: 0,
        entry_after: 0,
        exit_after: 40 * minute,
      },
      {
        started_at: at('09:00:00', '2026-03-10'),
        duration: 0,
        pageviews: 1,
        events: 0,
        bounce: 1,
        revenue: 0,
        entry_after: 0,
        exit_after: 0,
      },
    ])
    assert.deepEqual([await count('hits'), await count('hit_props')], [7, 1])
    assert.deepEqual(await totals(), {
      visitors: 3,
      visits: 3,
      pageviews: 5,
      views_per_visit: 1.67,
      bounce_rate: 33.3,
      visit_duration: 14 * minute,
      revenue: 100,
      purchases: 1,
      average_order: 100,
    })
    assert.deepEqual(await revs(), [busy + 1, other], 'only the day that changed')
    const [deletion] = (await site.get('event_deletions_list')).data
    assert.deepEqual([deletion.state, deletion.progress, deletion.hits], ['done', 100, 5])
    assert.ok(deletion.finished_at > deletion.requested_at)
    assert.deepEqual((await site.get('events_list', yesterday)).meta.notes, [])
  })

  test('a visit lasts as if the event had never come: until its last hit or attention', async () => {
    await site.send(
      { who: 'ann', at: at('10:00:00'), page: '/' },
      { who: 'ann', at: at('10:01:00'), page: '/', kind: 'engagement', engagedMs: 40_000 },
      { who: 'ann', at: at('10:02:00'), event: 'junk' },
      { who: 'bob', at: at('11:00:00'), page: '/' },
      { who: 'bob', at: at('11:01:00'), event: 'junk' },
      { who: 'bob', at: at('11:05:00'), page: '/', kind: 'engagement', engagedMs: 1_000 },
    )
    await remove('junk')
    await site.erase()
    assert.deepEqual(
      (await visits()).map(visit => visit.duration),
      [60_000, 5 * 60_000],
    )
  })

  test('hits of the name that arrive after the deletion request stay, whatever their time', async () => {
    await site.send({ who: 'ann', at: at('10:00:00'), page: '/' }, { who: 'ann', at: at('10:01:00'), event: 'junk', revenue: 5 })
    await remove('junk')
    await site.send({ who: 'ann', at: at('10:00:30'), event: 'junk', revenue: 9 }, { who: 'bob', at: at('08:00:00'), event: 'junk' })
    assert.deepEqual(await names(), [['junk', 2]])
    await site.erase()
    assert.deepEqual(await names(), [['junk', 2]])
    assert.equal((await totals()).revenue, 9)
    await site.erase()
    assert.deepEqual(await names(), [['junk', 2]])

    await remove('junk')
    assert.deepEqual(await names(), [])
    await site.erase()
    assert.deepEqual([await totals().then(found => found.visits), await count('hits')], [1, 1])
    assert.deepEqual(
      (await site.get('event_deletions_list')).data.map((one: any) => one.hits),
      [2, 1],
    )
  })

  test('asked for twice, it is deleted once', async () => {
    await site.send({ who: 'ann', at: at('10:00:00'), event: 'junk' })
    await remove('junk')
    await remove('junk')
    await site.erase()
    assert.deepEqual((await site.get('event_deletions_list')).data.map((one: any) => [one.state, one.hits]).sort(), [
      ['done', 0],
      ['done', 1],
    ])
  })

  test('settings of the event stay', async () => {
    await site.send({ who: 'ann', at: at('10:00:00'), event: 'junk' })
    await site.get('events_update', { name: 'junk', display_name: 'Junk' })
    await remove('junk')
    await site.erase()
    await site.send({ who: 'ann', at: at('10:00:00'), event: 'junk' })
    assert.deepEqual(await names(), [['Junk', 1]])
  })

  test('vitals and clicks of a visit that goes are kept without one', async () => {
    await site.send(
      { who: 'ann', at: at('10:00:00'), event: 'junk' },
      { who: 'ann', at: at('10:00:10'), kind: 'vitals', vitals: { lcp: 1_200 } },
      {
        who: 'ann',
        at: at('10:00:20'),
        kind: 'clicks',
        clicks: [
          { selector: 'a', x: 1, y: 1 },
          { selector: 'b', x: 1, y: 1 },
        ],
      },
      { who: 'bob', at: at('10:00:00'), event: 'junk' },
      { who: 'bob', at: at('10:00:20'), kind: 'clicks', clicks: [{ selector: 'a', x: 1, y: 1 }] },
      { who: 'nobody', at: at('10:00:20'), kind: 'clicks', clicks: [{ selector: 'a', x: 1, y: 1 }] },
    )
    await remove('junk')
    await site.erase()
    assert.deepEqual([await count('hits'), await count('vitals'), await count('clicks')], [0, 1, 4])
    assert.equal((await totals()).visits, 0)
    await site.send(
      { who: 'ann', at: at('10:05:00'), page: '/' },
      { who: 'ann', at: at('10:05:20'), kind: 'clicks', clicks: [{ selector: 'a', x: 1, y: 1 }] },
    )
    assert.deepEqual([await count('clicks'), (await totals()).visits], [5, 1], 'the visitor comes back')
  })

  test('cut short anywhere, visits add up to their hits, and the rest goes later', async () => {
    const hits = Array.from({ length: 700 }, (_, i) => [
      { who: `v${i}`, at: at('10:00:00') + i, page: '/' },
      { who: `v${i}`, at: at('10:01:00') + i, event: i % 2 === 0 ? 'junk' : 'kept', revenue: 1 },
    ]).flat()
    await site.send(...hits)
    await remove('junk')
    const stopping = new AbortController()
    const context = {
      store: {
        ...service.store,
        transaction: <T>(run: (trx: never) => Promise<T>) => {
          stopping.abort()
          return service.store.transaction(run as never) as Promise<T>
        },
      },
      now: () => service.clock.now,
      signal: stopping.signal,
      progress() {},
    }
    assert.equal(await eraseEvents(context as unknown as TaskContext), true, 'after one piece')
    const [deletion] = (await site.get('event_deletions_list')).data
    assert.deepEqual([deletion.state, deletion.hits], ['running', 200])
    assert.equal(await count('hits'), 1_200)
    assert.equal((await totals()).revenue, 500)
    assert.deepEqual(await names(), [['kept', 350]])

    // A batch that is not committed changes nothing.
    await assert.rejects(
      service.store.transaction(async trx => {
        const { day } = await trx
          .selectFrom('site_days')
          .select('day')
          .where('site_id', '=', site.world.siteNumber)
          .executeTakeFirstOrThrow()
        const { event } = await trx
          .selectFrom('event_deletions')
          .select('event')
          .where('site_id', '=', site.world.ids.site ?? '')
          .executeTakeFirstOrThrow()
        assert.equal(await eventEraser(service.store)(trx, { site: site.world.siteNumber, day, event }, { limit: 100 }), 100)
        throw new Error('killed')
      }),
      /killed/,
    )
    assert.equal((await totals()).revenue, 500)

    await site.erase()
    assert.deepEqual([await count('hits'), (await totals()).revenue, (await totals()).visits], [1_050, 350, 700])
    assert.equal((await site.get('event_deletions_list')).data[0].hits, 350)
  })

  test('needs sites.manage', async () => {
    const { token } = await site.world.join('analyst')
    assert.equal((await site.call('events_delete', { name: 'a', confirm: 'a' }, token)).status, 403)
    assert.equal((await site.call('event_deletions_list', {}, token)).status, 200)
  })
})
