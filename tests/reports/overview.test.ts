/** The overview through the API: it equals the reports it combines, from one snapshot. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from '../support/properties.ts'
import { table } from '../../operations/index.ts'
import { onAnyEngine } from '../support/engines.ts'
import { callHttp, makeWorld, type Reply, startService, type TestService, type World } from '../support/world.ts'
import { hit, type Sent, store as keep } from '../storage/engine/traffic.ts'

const DAY = 86_400_000

onAnyEngine('the overview', engine => {
  let service: TestService
  let world: World
  before(async () => {
    service = await startService(engine)
    world = await makeWorld(service)
    const site = { number: world.siteNumber, timezone: 'Europe/Berlin' }
    const { now } = service.clock
    const countries = ['DE', 'FR', '']
    const sent = Array.from(
      { length: 300 },
      (_, i): Sent => ({
        who: `v${i % 23}`,
        at: now - 20 * DAY + i * 5_700_000,
        page: `/${(i * 7) % 14}`,
        ...(i % 9 === 0 ? { event: i % 2 ? 'Signup' : 'Buy', revenue: i } : {}),
        visit: { country: countries[i % 3] ?? '', utm_campaign: i % 5 ? '' : 'spring' },
      }),
    )
    const lately: Sent[] = [
      { who: 'gone', at: now - 6 * 60_000 },
      { who: 'here', at: now - 2 * 60_000, page: '/now', visit: { country: 'DE' } },
      { who: 'reading', at: now - 9 * 60_000, page: '/long', visit: { country: 'FR' } },
      { who: 'reading', at: now - 60_000, page: '/long', kind: 'engagement', engagedMs: 400_000 },
    ]
    await keep(
      service.store,
      [...sent, ...lately].map(one => hit(site, one)),
      7,
    )
  })
  after(() => service.close())

  async function ask(name: string, input: Record<string, unknown> = {}): Promise<Reply> {
    const operation = table.operations.get(name)
    assert.ok(operation)
    return callHttp(service, operation, { site_id: world.ids.site, ...input }, world.token)
  }
  const get = async (name: string, input: Record<string, unknown> = {}) => {
    const { status, body } = await ask(name, input)
    assert.equal(status, 200, JSON.stringify(body))
    return body
  }
  const names = (panels: { dimension: string }[]) => panels.map(panel => panel.dimension)

  test('shows the panels of the API unless others are asked for, each once; none for an empty list', async () => {
    assert.deepEqual(names((await get('stats_overview')).data.panels), [
      'channel',
      'referrer',
      'page',
      'entry_page',
      'country',
      'device',
      'browser',
      'os',
      'utm_campaign',
      'event',
      'goal',
    ])
    const panels = ['property:plan', 'page', 'page', 'city']
    assert.deepEqual(names((await get('stats_overview', { panels })).data.panels), ['property:plan', 'page', 'city'])
    assert.deepEqual((await get('stats_overview', { panels: [] })).data.panels, [])
    assert.equal('comparison' in (await get('stats_overview', { panels: [] })).data, false)
  })

  test('says the same as the reports it is made of, whatever is asked', () =>
    fc.assert(
      fc.asyncProperty(
        fc.record({
          period: fc.constantFrom('today', '24h', '7d', '30d', 'mtd', 'all'),
          compare: fc.constantFrom('none', 'previous_period', 'previous_year'),
          interval: fc.constantFrom('auto', 'day', 'week'),
          filters: fc.subarray([
            ['country', 'is', 'DE'],
            ['page', 'starts_with', '/1'],
            ['goal', 'is', 'Signup'],
            ['event', 'is_not', 'Buy'],
          ]),
          panels: fc.subarray(['page', 'country', 'utm_campaign', 'event', 'goal', 'exit_page']),
        }),
        async ({ interval, panels, ...asked }) => {
          const { data, meta } = await get('stats_overview', { ...asked, interval, panels })
          const aggregate = (await get('stats_aggregate', asked)).data
          const timeseries = (await get('stats_timeseries', { ...asked, interval })).data
          assert.deepEqual(data.period, aggregate.period)
          assert.deepEqual(data.metrics, aggregate.metrics)
          assert.equal(data.interval, timeseries.interval)
          assert.deepEqual(data.series, timeseries.series)
          const comparison = aggregate.comparison && { ...aggregate.comparison, series: timeseries.comparison.series }
          assert.deepEqual(data.comparison, comparison)
          for (const { dimension, rows } of data.panels) {
            const breakdown = await get('stats_breakdown', { ...asked, dimension })
            assert.deepEqual(rows, breakdown.data.rows, dimension)
            const told = new Set(meta.notes.map((note: object) => JSON.stringify(note)))
            for (const note of breakdown.meta.notes) assert.ok(told.has(JSON.stringify(note)))
          }
          assert.deepEqual(
            meta.filters.map(({ condition }: { condition: unknown }) => condition),
            asked.filters,
          )
        },
      ),
      { numRuns: Number(process.env.ORACLE_RUNS ?? 25) },
    ))

  test('counts who is there now by the last activity, whatever the period, under the filters', async () => {
    const live = async (input: Record<string, unknown>) => (await get('stats_overview', { panels: [], ...input })).data.live_visitors
    assert.equal(await live({}), 2)
    assert.equal(await live({ period: 'yesterday' }), 2)
    assert.equal(await live({ filters: [['country', 'is', 'FR']] }), 1)
  })

  test('has the notes of the period in order, and no other', async () => {
    const { now } = service.clock
    const at = (days: number, id: string) => ({ id, text: id, at: now - days * DAY, author: 'x', created_at: now, updated_at: now })
    const other = await makeWorld(service)
    await service.store.write
      .insertInto('notes')
      .values([
        { ...at(3, 'note_late'), site_id: world.ids.site! },
        { ...at(4, 'note_early'), site_id: world.ids.site! },
        { ...at(9, 'note_before'), site_id: world.ids.site! },
        { ...at(3, 'note_foreign'), site_id: other.ids.site! },
      ])
      .execute()
    const { notes } = (await get('stats_overview', { period: '7d', panels: [] })).data
    assert.deepEqual(
      notes.map((one: { text: string }) => one.text),
      ['note_early', 'note_late', 'Deployed 2.0'],
    )
  })

  test('all faults of an overview are reported at once, with examples', async () => {
    const panels = ['page', 'land', 'property:']
    const { status, body } = await ask('stats_overview', { period: 'custom', from: '2026-01-02', panels })
    assert.equal(status, 422)
    assert.deepEqual(
      body.error.details.map(({ in: where, pointer, code }: Record<string, string>) => [where, pointer, code]),
      [
        ['query', '/to', 'required'],
        ['query', '/panels/1', 'not_in_enum'],
        ['query', '/panels/2', 'not_in_enum'],
      ],
    )
    assert.match(body.error.details[1].message, /panels\.1 must be one of channel, .* received "land"/)
  })
})
