/** A site moves to a zone where it is still yesterday: today's hits stay in every range that ends now. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { table } from '../../../operations/index.ts'
import { onEachEngine } from '../../support/engines.ts'
import { callHttp, makeSite, request, startService, type TestService, type World } from '../../support/world.ts'
import { hit, store as keep } from './traffic.ts'

onEachEngine('a site that moved to the west', engine => {
  let service: TestService
  let world: World
  const moved = Date.parse('2026-03-10T00:30:00Z') // 6:15 of the 10th in Kathmandu, 20:30 of the 9th in New York
  before(async () => {
    service = await startService(engine)
    service.clock.now = moved
    world = await makeSite(service)
    await zone('Asia/Kathmandu')
    await keep(
      service.store,
      [
        { who: 'old', at: moved - 10 * 3_600_000, page: '/9th' },
        { who: 'anna', at: moved - 60_000, page: '/10th' },
      ].map(one => hit({ number: world.siteNumber, timezone: 'Asia/Kathmandu' }, one)),
    )
    await zone('America/New_York')
    service.clock.now += 60_000
    await keep(service.store, [
      hit({ number: world.siteNumber, timezone: 'America/New_York' }, { who: 'ben', at: service.clock.now, page: '/10th' }),
    ])
  })
  after(() => service.close())

  async function zone(timezone: string): Promise<void> {
    const { status } = await request(service, 'PATCH', `/sites/${world.ids.site}.json`, { token: world.token, body: { timezone } })
    assert.equal(status, 200)
  }
  const ask = async (name: string, input: Record<string, unknown>) => {
    const operation = table.operations.get(name)
    assert.ok(operation)
    const { status, body } = await callHttp(service, operation, { site_id: world.ids.site, ...input }, world.token)
    assert.equal(status, 200, JSON.stringify(body))
    return body.data
  }
  const views = async (input: Record<string, unknown>) => (await ask('stats_aggregate', input)).metrics.pageviews

  for (const [period, expected] of [
    ['today', 3],
    ['24h', 3],
    ['7d', 3],
    ['30d', 3],
    ['mtd', 3],
    ['all', 3],
    ['yesterday', 0],
  ] as const) {
    test(`${period} has ${expected} of the hits, and so have its points and pages`, async () => {
      assert.equal(await views({ period }), expected)
      const { series } = await ask('stats_timeseries', { period })
      assert.equal(
        series.reduce((sum: number, point: { pageviews: number }) => sum + point.pageviews, 0),
        expected,
      )
      const { rows } = await ask('stats_breakdown', { period, dimension: 'page' })
      assert.equal(
        rows.reduce((sum: number, row: { pageviews: number }) => sum + row.pageviews, 0),
        expected,
      )
    })
  }

  test('days later all of them are on the day that it was in New York', async () => {
    service.clock.now += 5 * 86_400_000
    const days = ['2026-03-08', '2026-03-09', '2026-03-10', '2026-03-11']
    assert.deepEqual(await Promise.all(days.map(day => views({ period: 'custom', from: day, to: day }))), [0, 3, 0, 0])
    assert.equal(await views({ period: '30d' }), 3)
  })
})
