/** Web vitals of a site over time and by dimension, of known page loads, through the API. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { table } from '../../operations/index.ts'
import { hit, store as keep } from '../storage/engine/traffic.ts'
import { onAnyEngine } from '../support/engines.ts'
import { callHttp, makeWorld, startService, type TestService, type World } from '../support/world.ts'

const DAY = 86_400_000

onAnyEngine('performance', engine => {
  let service: TestService
  let world: World
  /** LCP of the page loads of yesterday, in ms: forty on phones in Germany, thirty on desktops in France. */
  const phones = Array.from({ length: 40 }, (_, i) => 2_000 + i * 100)
  const desktops = Array.from({ length: 30 }, (_, i) => 1_000 + i * 10)
  before(async () => {
    service = await startService(engine)
    world = await makeWorld(service)
    const site = { number: world.siteNumber, timezone: 'Europe/Berlin' }
    const noon = Date.parse('2026-03-09T12:00:00+01:00')
    const load = (who: string, at: number, lcp: number, page: string, visit: { device: string; country: string }) => [
      hit(site, { who, at, page, visit }),
      hit(site, { who, at: at + 1_000, page, visit, kind: 'vitals', vitals: { lcp, cls: 0.05 } }),
    ]
    const [phone, desktop] = [
      { device: 'mobile', country: 'DE' },
      { device: 'desktop', country: 'FR' },
    ]
    await keep(service.store, [
      ...phones.flatMap((lcp, i) => load(`before ${i}`, noon - DAY + i * 1_000, lcp / 2, '/shop', phone)),
      ...phones.flatMap((lcp, i) => load(`phone ${i}`, noon + i * 1_000, lcp, '/shop', phone)),
      ...desktops.flatMap((lcp, i) => load(`desktop ${i}`, noon + 60_000 + i * 1_000, lcp, '/', desktop)),
      ...load('rare', noon + 120_000, 9_000, '/rare', desktop),
      hit(site, { who: 'ghost', at: noon, page: '/shop', kind: 'vitals', vitals: { lcp: 100 }, visit: { device: 'mobile' } }),
    ])
  })
  after(() => service.close())

  async function ask(name: string, input: Record<string, unknown> = {}) {
    const operation = table.operations.get(name) ?? assert.fail()
    const { status, body } = await callHttp(service, operation, { site_id: world.ids.site, period: 'yesterday', ...input }, world.token)
    assert.equal(status, 200, JSON.stringify(body))
    return body
  }
  const at = (values: readonly number[], percentile: number) =>
    values.toSorted((a, b) => a - b)[Math.ceil((values.length * percentile) / 100) - 1]

  test('every vital with its percentile, its shares and its series', async () => {
    const all = [...phones, ...desktops, 9_000, 100]
    for (const percentile of [50, 75, 90, 95]) {
      const { data } = await ask('performance_get', { percentile, interval: 'hour' })
      const [lcp, inp] = data.vitals
      assert.deepEqual([lcp.metric, lcp.samples, lcp.value, lcp.unit], ['lcp', 72, at(all, percentile), 'ms'])
      const poor = all.filter(one => one > 4_000).length
      assert.equal(lcp.poor, Math.round((1_000 * poor) / 72) / 10)
      assert.deepEqual([inp.samples, inp.value, inp.rating, inp.good], [0, null, null, null])
      assert.equal(lcp.series.length, 24)
      const atNoon = lcp.series[12]
      assert.deepEqual([atNoon.samples, lcp.series[11].samples, lcp.series[11].value], [71, 0, null]) // the ghost has no visit, and so no time
      assert.ok(data.uptime.checks > 0 && 'certificate_expires_at' in data.uptime)
    }
  })

  test('is compared with the day before, and narrowed by filters', async () => {
    const { data } = await ask('performance_get', { compare: 'previous_period', filters: [['device', 'is', 'mobile']] })
    const [lcp] = data.vitals
    assert.deepEqual([lcp.value, lcp.comparison.value, lcp.comparison.change.value], [at(phones, 75), (at(phones, 75) ?? 0) / 2, 100])
    assert.equal(lcp.rating, 'poor')
  })

  test('by page, with the most poor page loads first, and no value under 20 samples', async () => {
    const { data, meta } = await ask('performance_breakdown', { dimension: 'page' })
    assert.deepEqual(
      data.rows.map(({ value, samples, measured, impact }: Record<string, unknown>) => [value, samples, measured, impact]),
      [
        ['/shop', 41, at([...phones, 100], 75), phones.filter(one => one > 4_000).length],
        ['/rare', 1, null, 1],
        ['/', 30, at(desktops, 75), 0],
      ],
    )
    assert.equal(meta.total, 3)
    const slowest = await ask('performance_breakdown', { dimension: 'page', sort: 'measured', limit: 1 })
    assert.deepEqual([slowest.data.rows.length, slowest.data.rows[0].value, slowest.meta.total], [1, '/shop', 3])
    const second = await ask('performance_breakdown', { dimension: 'page', sort: 'samples', limit: 1, page: 2 })
    assert.equal(second.data.rows[0].value, '/')
  })

  test('by what is known of visits: those without one are left out', async () => {
    const { data } = await ask('performance_breakdown', { dimension: 'country', sort: 'samples', compare: 'previous_period' })
    assert.deepEqual(
      data.rows.map(({ value, label, samples }: Record<string, unknown>) => [value, label, samples]),
      [
        ['DE', 'Germany', 40],
        ['FR', 'France', 31],
      ],
    )
    const [germany, france] = data.rows
    assert.deepEqual([germany.comparison.change.measured, france.comparison], [100, undefined])
    const device = await ask('performance_breakdown', { dimension: 'device', metric: 'cls', sort: 'samples' })
    assert.deepEqual([device.data.unit, device.data.rows[0].measured, device.data.rows[0].good], ['score', 0.05, 100])
  })

  test('a site without a page load has no figures', async () => {
    const { data } = await ask('performance_get', { period: 'custom', from: '2026-01-01', to: '2026-01-02' })
    assert.ok(data.vitals.every((vital: { value: unknown; samples: number }) => vital.value === null && vital.samples === 0))
    assert.deepEqual(
      (await ask('performance_breakdown', { dimension: 'os', period: 'custom', from: '2026-01-01', to: '2026-01-02' })).data.rows,
      [],
    )
  })
})
