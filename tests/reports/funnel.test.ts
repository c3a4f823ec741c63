/** The report of a funnel: numbers checked by hand. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { table } from '../../operations/index.ts'
import { onAnyEngine } from '../support/engines.ts'
import { callHttp, makeWorld, startService, type TestService, type World } from '../support/world.ts'
import { hit, type Sent, store as keep } from '../storage/engine/traffic.ts'

onAnyEngine('the report of a funnel', engine => {
  let service: TestService
  let world: World
  let id: string
  before(async () => {
    service = await startService(engine)
    world = await makeWorld(service)
    const steps = [{ path: '/shop/**', name: 'Shop' }, { event: 'Checkout', property: 'plan', value: 'pro' }, { goal_id: world.ids.goal }]
    id = (await ask('funnels_create', { name: 'Purchase', steps })).data.id
    await send()
  })
  after(() => service.close())

  async function ask(name: string, input: Record<string, unknown>, status?: number) {
    const operation = table.operations.get(name)
    assert.ok(operation)
    const reply = await callHttp(service, operation, { site_id: world.ids.site, ...input }, world.token)
    assert.equal(reply.status, status ?? operation.status, reply.text)
    return reply.body
  }
  const report = (input: Record<string, unknown> = {}) => ask('funnels_report', { id, period: 'yesterday', ...input })

  const at = (time: string) => Date.parse(`2026-03-09T${time}:00+01:00`)
  const [shop, pro, signup] = [{ page: '/shop/a/b' }, { event: 'Checkout', props: { plan: 'pro' } }, { event: 'Signup' }]
  /** Hits of yesterday. `all` completes twice, `slow` over two visits; others have the wrong order or miss a step. */
  const send = () =>
    keep(
      service.store,
      [
        { who: 'all', at: at('09:00'), ...shop, visit: { country: 'DE', device: 'mobile' } },
        { who: 'all', at: at('09:01'), page: '/other' },
        { who: 'all', at: at('09:02'), ...pro },
        { who: 'all', at: at('09:03'), ...shop },
        { who: 'all', at: at('09:04'), ...signup },
        { who: 'all', at: at('15:00'), ...shop, visit: { country: 'DE', device: 'mobile' } },
        { who: 'all', at: at('15:01'), ...pro },
        { who: 'all', at: at('15:02'), ...signup },
        { who: 'slow', at: at('10:00'), ...shop, visit: { country: 'FR' } },
        { who: 'slow', at: at('10:05'), ...pro },
        { who: 'slow', at: at('12:00'), ...signup, visit: { country: 'FR' } },
        { who: 'turned', at: at('10:00'), ...signup, visit: { country: 'DE' } },
        { who: 'turned', at: at('10:01'), ...pro },
        { who: 'turned', at: at('10:02'), ...shop },
        { who: 'free', at: at('11:00'), ...shop, visit: { country: 'DE' } },
        { who: 'free', at: at('11:01'), event: 'Checkout', props: { plan: 'free' } },
        { who: 'free', at: at('11:02'), ...signup },
        { who: 'away', at: at('11:00'), page: '/', visit: { country: 'DE' } },
        { who: 'before', at: at('11:00') - 86_400_000, ...shop, visit: { country: 'DE' } },
        { who: 'before', at: at('11:01') - 86_400_000, ...pro },
      ].map(one => hit({ number: world.siteNumber, timezone: 'Europe/Berlin' }, one as Sent)),
    )

  test('funnels_explore counts steps that are not saved: strictly, within a time, and by a dimension', async () => {
    const explore = async (input: object) => {
      const steps = [{ path: '/shop/**' }, { event: 'Checkout' }, { event: 'Signup' }]
      const { data } = await ask('funnels_explore', { period: 'yesterday', steps, times: false, ...input })
      return { visitors: data.rows.map((row: { visitors: number }) => row.visitors), data }
    }
    assert.deepEqual((await explore({})).visitors, [4, 3, 2])
    assert.deepEqual((await explore({ order: 'strict' })).visitors, [4, 3, 2])
    assert.deepEqual((await explore({ order: 'strict', filters: [['device', 'is', 'mobile']] })).visitors, [1, 1, 1])
    assert.deepEqual((await explore({ window: '2m' })).visitors, [4, 2, 2])
    assert.deepEqual((await explore({ window: '1m', order: 'strict' })).visitors, [4, 2, 0])
    const { data } = await explore({ by: 'country' })
    const groups = data.by.rows.map((row: { value: string; steps: number[] }) => [row.value, ...row.steps])
    assert.deepEqual(groups, [
      ['DE', 3, 2, 2],
      ['FR', 1, 1, 0],
    ])
    for (const window of ['0m', '10', '91d', '3d', '9999h'])
      assert.equal(
        (await ask('funnels_explore', { steps: [{ path: '/' }, { path: '/a' }], window }, 422)).error.details[0].pointer,
        '/window',
      )
  })

  test('steps in order within a visit, with what was lost on the way', async () => {
    const { data, meta } = await report()
    assert.deepEqual(data, {
      period: { from: '2026-03-08T23:00:00.000Z', to: '2026-03-09T23:00:00.000Z', first_day: '2026-03-09', last_day: '2026-03-09' },
      funnel: { id, name: 'Purchase' },
      metrics: { visitors: 5, visits: 7, entered: 4, completed: 1, conversion_rate: 25 },
      counted: 'visits',
      rows: [
        {
          value: '/shop/**',
          label: 'Shop',
          visitors: 4,
          visits: 5,
          drop_off: 0,
          drop_off_rate: 0,
          conversion_rate: 100,
          step_conversion_rate: 100,
          time_median: null,
          time_p90: null,
        },
        {
          value: 'Checkout',
          label: 'Checkout',
          visitors: 2,
          visits: 3,
          drop_off: 2,
          drop_off_rate: 50,
          conversion_rate: 50,
          step_conversion_rate: 50,
          time_median: 120_000,
          time_p90: 264_000,
        },
        {
          value: world.ids.goal,
          label: 'Signup',
          visitors: 1,
          visits: 2,
          drop_off: 1,
          drop_off_rate: 50,
          conversion_rate: 25,
          step_conversion_rate: 50,
          time_median: 90_000,
          time_p90: 114_000,
        },
      ],
    })
    assert.deepEqual(meta, {
      timezone: 'Europe/Berlin',
      currency: 'EUR',
      filters: [],
      segment: null,
      comparison: null,
      visitors: 'daily_uniques_added_up',
      share_of: null,
      notes: [],
    })
  })

  test('filters, segments and goals keep visits', async () => {
    const reached = async (input: Record<string, unknown>) =>
      (await report(input)).data.rows.map(({ visitors, visits }: Record<string, number>) => [visitors, visits])
    assert.deepEqual(await reached({ filters: [['country', 'is', 'FR']] }), [
      [1, 1],
      [1, 1],
      [0, 0],
    ])
    assert.deepEqual(await reached({ segment_id: world.ids.segment }), [
      [3, 4],
      [1, 2],
      [1, 2],
    ])
    assert.deepEqual(await reached({ filters: [['goal', 'is', 'Signup']] }), [
      [3, 4],
      [1, 2],
      [1, 2],
    ])
    assert.deepEqual(await reached({ filters: [['event', 'is_not', 'Checkout']] }), [
      [0, 0],
      [0, 0],
      [0, 0],
    ])
    const { data } = await report({ filters: [['country', 'is', 'JP']] })
    assert.deepEqual(data.metrics, { visitors: 0, visits: 0, entered: 0, completed: 0, conversion_rate: 0 })
    assert.equal(data.rows[0].conversion_rate, 0)
  })

  test('a funnel compares with the same steps of the previous period; a step without earlier visitors has no percentage', async () => {
    const { data } = await report({ compare: 'previous_period' })
    assert.deepEqual(data.comparison, {
      period: { from: '2026-03-07T23:00:00.000Z', to: '2026-03-08T23:00:00.000Z', first_day: '2026-03-08', last_day: '2026-03-08' },
      metrics: { visitors: 1, visits: 1, entered: 1, completed: 0, conversion_rate: 0 },
      change: { visitors: 400, visits: 600, entered: 300, completed: null, conversion_rate: 25 },
    })
    assert.deepEqual(data.rows[1].comparison, {
      visitors: 1,
      visits: 1,
      drop_off: 0,
      drop_off_rate: 0,
      conversion_rate: 100,
      step_conversion_rate: 100,
      change: {
        visitors: 100,
        visits: 200,
        drop_off: null,
        drop_off_rate: 50,
        conversion_rate: -50,
        step_conversion_rate: -50,
      },
    })
  })

  test('only hits of the range take steps, and two steps alike take two hits', async () => {
    const step = { path: '/shop/**' }
    const twice = (await ask('funnels_create', { name: 'Twice', steps: [step, step] })).data
    const visits = async (input: object) =>
      (await ask('funnels_report', { id: twice.id, ...input })).data.rows.map((row: { visits: number }) => row.visits)
    assert.deepEqual(await visits({ period: 'yesterday' }), [5, 1])
    const { clock } = service
    const now = clock.now
    clock.now = at('09:01') + 86_400_000
    assert.deepEqual(await visits({ period: '24h' }), [5, 0], 'from 9:02 on the visit at 9:00 has one of its two left')
    clock.now = now
  })
})
