/** Names of events and properties: what is shown, while stored data stays unchanged. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { onAnyEngine } from '../../support/engines.ts'
import { startService, type TestService } from '../../support/world.ts'
import { type Asking, at, newSite } from './asking.ts'

onAnyEngine('settings of events', engine => {
  let service: TestService
  let site: Omit<Asking, 'service'>
  before(async () => {
    service = await startService(engine)
  })
  beforeEach(async () => {
    site = await newSite(service)
    await site.send(
      { who: 'ann', at: at('10:00:00'), page: '/' },
      { who: 'ann', at: at('10:01:00'), event: 'signup', revenue: 100, props: { plan: 'pro', debug: 'x' } },
      { who: 'ann', at: at('10:02:00'), event: 'sign-up', revenue: 20, props: { plan: 'free' } },
      { who: 'bob', at: at('11:00:00'), event: 'sign-up', props: { plan: 'pro' } },
      { who: 'cat', at: at('12:00:00'), event: 'debug', interactive: false },
    )
  })
  after(() => service.close())

  const yesterday = { period: 'yesterday' }
  const listed = async (input = {}) =>
    (await site.get('events_list', { ...yesterday, ...input })).data.rows.map((row: any) => [
      row.value,
      row.visitors,
      row.visits,
      row.events,
    ])
  const broken = async (input = {}) =>
    (await site.get('stats_breakdown', { ...yesterday, dimension: 'event', ...input })).data.rows
      .map((row: any) => [row.value, row.visitors, row.visits, row.events])
      .sort()
  const totals = async (input = {}) => (await site.get('stats_aggregate', { ...yesterday, ...input })).data.metrics
  const merge = () => site.get('events_merge', { names: ['signup', 'sign-up'], into: 'Signup' })

  test('a renamed event has its new name everywhere, its history included; empty undoes it', async () => {
    const { data } = await site.get('events_update', { name: 'signup', display_name: 'Registered' })
    assert.deepEqual(data, {
      name: 'signup',
      display_name: 'Registered',
      hidden: false,
      currency: null,
      updated_at: new Date(service.clock.now).toISOString(),
    })
    assert.deepEqual(await listed(), [
      ['sign-up', 2, 2, 2],
      ['Registered', 1, 1, 1],
      ['debug', 1, 1, 1],
    ])
    assert.deepEqual(await broken(), [
      ['Registered', 1, 1, 1],
      ['debug', 1, 1, 1],
      ['sign-up', 2, 2, 2],
    ])
    const detail = await site.get('events_get', { ...yesterday, name: 'Registered' })
    assert.deepEqual([detail.data.metrics.events, detail.data.names], [1, ['signup']])
    const overview = await site.get('stats_overview', { ...yesterday, panels: ['event'] })
    assert.ok(overview.data.panels[0].rows.some((row: any) => row.value === 'Registered'))

    const undone = await site.get('events_update', { name: 'signup', display_name: '' })
    assert.equal(undone.data.display_name, null)
    assert.deepEqual(await listed(), [
      ['sign-up', 2, 2, 2],
      ['debug', 1, 1, 1],
      ['signup', 1, 1, 1],
    ])
  })

  test('a field left out stays as it is', async () => {
    await site.get('events_update', { name: 'signup', display_name: 'A', currency: 'EUR' })
    const { data } = await site.get('events_update', { name: 'signup', hidden: true })
    assert.deepEqual([data.display_name, data.hidden, data.currency], ['A', true, 'EUR'])
    const cleared = await site.get('events_update', { name: 'signup', currency: '' })
    assert.deepEqual([cleared.data.display_name, cleared.data.hidden, cleared.data.currency], ['A', true, null])
  })

  test('merged events count visitors and visits once', async () => {
    const { data } = await merge()
    assert.deepEqual([data.name, data.display_name], ['signup', 'Signup'])
    assert.deepEqual(await listed(), [
      ['Signup', 2, 2, 3],
      ['debug', 1, 1, 1],
    ])
    assert.deepEqual(await broken(), [
      ['Signup', 2, 2, 3],
      ['debug', 1, 1, 1],
    ])
    const [row] = (await site.get('events_list', yesterday)).data.rows
    assert.deepEqual([row.names, row.revenue], [['sign-up', 'signup'], 120])
    const detail = (await site.get('events_get', { ...yesterday, name: 'Signup', properties: ['plan'] })).data
    assert.deepEqual([detail.metrics.visitors, detail.metrics.events, detail.metrics.revenue], [2, 3, 120])
    assert.deepEqual(
      detail.properties[0].rows.map((one: any) => [one.value, one.visitors, one.events]),
      [
        ['pro', 2, 2],
        ['free', 1, 1],
      ],
    )

    await site.get('events_update', { name: 'sign-up', display_name: '' })
    assert.deepEqual(
      await listed(),
      [
        ['sign-up', 2, 2, 2],
        ['Signup', 1, 1, 1],
        ['debug', 1, 1, 1],
      ],
      'one is taken out again',
    )
  })

  test('an event that comes under the name others are merged into counts with them', async () => {
    await merge()
    await site.send({ who: 'dan', at: at('13:00:00'), event: 'Signup' })
    assert.deepEqual(await listed(), [
      ['Signup', 3, 3, 4],
      ['debug', 1, 1, 1],
    ])
  })

  test('filters take the name that is shown and the one that is sent', async () => {
    await merge()
    const visits = async (...filter: unknown[]) => (await totals({ filters: [filter] })).visits
    assert.equal(await visits('event', 'is', 'Signup'), 2)
    assert.equal(await visits('event', 'is', 'signup'), 1)
    assert.equal(await visits('event', 'is_not', 'Signup'), 1)
    assert.equal(await visits('event', 'any_of', ['Signup', 'debug']), 3)
    assert.equal(await visits('event', 'regex', '^S'), 2)
    assert.equal(await visits('event', 'starts_with', 'sign-'), 2)
    assert.deepEqual(await broken({ filters: [['event', 'is', 'sign-up']] }), [['Signup', 2, 2, 2]], 'only what came under it')
    const raw = await site.get('events_get', { ...yesterday, name: 'sign-up' })
    assert.equal(raw.data.metrics.events, 2)
    assert.deepEqual(await listed({ search: 'UP' }), [['Signup', 2, 2, 3]])
    assert.deepEqual(await listed({ search: 'sign-' }), [['Signup', 2, 2, 2]])
  })

  test('goals go by the name that is sent', async () => {
    const goal = await site.get('goals_create', { kind: 'event', event: 'signup', name: 'G' })
    const conversions = async () =>
      (await site.get('stats_breakdown', { ...yesterday, dimension: 'goal' })).data.rows
        .filter((row: any) => row.value === goal.data.id)
        .map((row: any) => row.conversions)
    assert.deepEqual(await conversions(), [1])
    await merge()
    await site.get('events_update', { name: 'signup', hidden: true })
    assert.deepEqual(await conversions(), [1])
  })

  test('hidden events leave the lists; totals, filters and goals know them, and their own report', async () => {
    const before = await totals()
    await site.get('events_update', { name: 'sign-up', hidden: true })
    const { data, meta } = await site.get('events_list', yesterday)
    assert.deepEqual(
      data.rows.map((row: any) => row.value),
      ['debug', 'signup'],
    )
    assert.deepEqual([meta.total, meta.notes], [2, [{ code: 'hidden_events', message: 'Hidden events are left out: sign-up.' }]])
    assert.deepEqual(
      (await broken()).map(([value]: string[]) => value),
      ['debug', 'signup'],
    )
    assert.deepEqual(await totals(), before)
    assert.equal((await totals({ filters: [['event', 'is', 'sign-up']] })).visits, 2)
    const detail = await site.get('events_get', { ...yesterday, name: 'sign-up' })
    assert.deepEqual([detail.data.hidden, detail.data.metrics.events], [true, 2])
    for (const name of ['signup', 'debug']) await site.get('events_update', { name, hidden: true })
    const [note] = (await site.get('events_list', yesterday)).meta.notes
    assert.equal(note.message, 'Hidden events are left out: debug, sign-up, signup.', 'sorted')
    for (const name of ['signup', 'debug', 'sign-up']) await site.get('events_update', { name, hidden: false })
    assert.deepEqual(await listed(), [
      ['sign-up', 2, 2, 2],
      ['debug', 1, 1, 1],
      ['signup', 1, 1, 1],
    ])
  })

  test('of merged events only those that are not hidden show', async () => {
    await merge()
    await site.get('events_update', { name: 'sign-up', hidden: true })
    assert.deepEqual(await listed(), [
      ['Signup', 1, 1, 1],
      ['debug', 1, 1, 1],
    ])
  })

  test('a name that another event is shown under is refused: that is what merging is for', async () => {
    await site.get('events_update', { name: 'signup', display_name: 'A' })
    for (const display_name of ['A', 'debug']) {
      const { status, body } = await site.call('events_update', { name: 'sign-up', display_name })
      assert.deepEqual([status, body.error.code], [422, 'already_exists'])
      assert.match(body.error.message, /events_merge/)
    }
    await site.get('events_update', { name: 'sign-up', display_name: 'signup' }) // it can be used now: that event is shown as A
    await site.get('events_update', { name: 'signup', display_name: 'A' }) // back to the first state
  })

  test('properties: renamed, hidden, cleared for export', async () => {
    const { data } = await site.get('event_properties_update', { key: 'plan', display_name: 'Plan', export_safe: true })
    assert.deepEqual(data, {
      key: 'plan',
      display_name: 'Plan',
      hidden: false,
      export_safe: true,
      updated_at: new Date(service.clock.now).toISOString(),
    })
    await site.get('event_properties_update', { key: 'debug', hidden: true })
    const properties = (await site.get('event_properties_list')).data.map((row: any) => [
      row.key,
      row.display_name,
      row.hidden,
      row.export_safe,
    ])
    assert.deepEqual(properties, [
      ['plan', 'Plan', false, true],
      ['debug', null, true, false],
    ])
    const detail = (await site.get('events_get', { ...yesterday, name: 'signup', properties: ['Plan'] })).data
    assert.deepEqual(detail.keys, [{ key: 'plan', label: 'Plan', events: 1 }])
    assert.deepEqual([detail.properties[0].key, detail.properties[0].label, detail.properties[0].rows.length], ['plan', 'Plan', 1])

    const taken = await site.call('event_properties_update', { key: 'debug', display_name: 'Plan' })
    assert.deepEqual([taken.status, taken.body.error.code], [422, 'already_exists'])
    const removed = await site.get('event_properties_update', { key: 'plan', display_name: '' })
    assert.deepEqual([removed.data.display_name, removed.data.export_safe], [null, true])
  })

  test('settings of one site are none of another', async () => {
    await merge()
    const other = await newSite(service)
    await other.send({ who: 'ann', at: at('10:00:00'), event: 'signup' })
    assert.deepEqual(
      (await other.get('events_list', yesterday)).data.rows.map((row: any) => row.value),
      ['signup'],
    )
  })
})
