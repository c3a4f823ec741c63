/**
 * Hits that are exported and imported into an empty site answer random questions as the site that they are from. The
 * seed is fixed; `QUESTIONS=300` asks more of them.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onAnyEngine } from '../../support/engines.ts'
import { isFull } from '../../support/full.ts'
import { type Site, siteBeside, siteIn, startImporting } from '../imports/site.ts'
import { traffic } from '../traffic.ts'

const count = Number(process.env.QUESTIONS ?? (isFull ? 40 : 4))
const dimensions = [
  ...['channel', 'source', 'referrer', 'utm_source', 'utm_medium', 'utm_campaign', 'page', 'entry_page', 'exit_page', 'hostname'],
  ...['country', 'region', 'city', 'language', 'device', 'screen', 'browser', 'browser_version', 'os', 'os_version', 'event'],
  'property:plan',
] as const
const periods = ['7d', '30d', '90d'] as const

onAnyEngine('an export of hits, imported', engine => {
  test(`answers ${count} random questions alike`, async () => {
    const service = await startImporting(engine)
    const site = await siteBeside(service, await siteIn(service))
    await site.load('footfall', 'hits.ndjson', traffic(isFull ? 500 : 250, service.clock.now))
    await site.get('event_properties_update', { key: 'plan', export_safe: true })
    const { data: made } = await site.get('exports_create', { kind: 'hits', format: 'parquet' })
    await service.run()
    const { data: done } = await site.get('exports_get', { id: made.id })
    const content = Buffer.from(await (await service.web.request(done.download_url)).arrayBuffer())
    const other = await siteBeside(service, site)
    assert.equal((await other.load('footfall', 'hits.parquet', content)).rows_refused, 0)

    let random = 2_026
    const chance = (max: number): number => (random = (random * 48_271) % 2_147_483_647) % max
    const one = <T>(list: readonly T[]): T => list[chance(list.length)] as T // lists here are not empty
    const values = new Map<string, readonly string[]>()
    for (const dimension of dimensions) {
      const { rows } = (await site.get('stats_breakdown', { period: '90d', dimension, limit: 20 })).data
      values.set(
        dimension,
        rows.map((row: any) => row.value).filter((value: unknown) => typeof value === 'string' && value !== ''),
      )
    }
    const condition = (): unknown => {
      const dimension = one(dimensions.filter(name => (values.get(name)?.length ?? 0) > 0))
      const value = one(values.get(dimension) ?? [])
      return one([
        [dimension, 'is', value],
        [dimension, 'is_not', value],
        [dimension, 'contains', value.slice(0, 1 + chance(4))],
        [dimension, 'is', [value, one(values.get(dimension) ?? [])]],
      ])
    }
    const question = (): readonly [string, Record<string, unknown>] => {
      const asked = { period: one(periods), filters: Array.from({ length: chance(3) }, condition) }
      return one([
        ['stats_aggregate', asked],
        [
          'stats_timeseries',
          { ...asked, interval: one(['hour', 'day', 'week'] as const), ...(asked.period === '90d' && { interval: 'day' }) },
        ],
        ['stats_breakdown', { ...asked, dimension: one(dimensions), limit: 1 + chance(100) }],
        ['stats_breakdown', { ...asked, dimension: one(dimensions), sort: one(['visitors', 'visits'] as const), limit: 50 }],
      ] as const)
    }
    let told = 0
    for (let i = 0; i < count; i++) {
      const [name, input] = question()
      const ask = async (of: Site) => {
        const { status, body } = await of.ask(name, input)
        return status === 200 ? body.data : { status, code: body.error.code }
      }
      const [here, there] = [await ask(site), await ask(other)]
      assert.deepEqual(there, here, JSON.stringify([name, input]))
      if (!('status' in here)) told++
    }
    assert.ok(told > count * 0.8, `${told} of ${count} were answered`)
    await service.close()
  })
})
