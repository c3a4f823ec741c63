/** Regions are called the same on every surface, and in the language of who looks at a page. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { hit, store as keep } from '../storage/engine/traffic.ts'
import { onAnyEngine } from '../support/engines.ts'
import { callTool } from '../support/mcp.ts'
import { makeWorld, request, startService, type TestService, type World } from '../support/world.ts'

onAnyEngine('names of regions', engine => {
  let service: TestService
  let world: World
  before(async () => {
    service = await startService(engine)
    world = await makeWorld(service)
    const site = { number: world.siteNumber, timezone: 'Europe/Berlin' }
    const regions = ['DE-BY', 'DE-BY', 'NL-LI', 'Bretagne']
    const hits = regions.map((region, i) =>
      hit(site, { who: `visitor ${i}`, at: service.clock.now - 60_000, page: '/', visit: { region } }),
    )
    await keep(service.store, hits)
  })
  after(() => service.close())

  const path = (ending: string, filters?: unknown) =>
    `/sites/${world.ids.site}/breakdown/region${ending}?period=7d${filters === undefined ? '' : `&filters=${encodeURIComponent(JSON.stringify(filters))}`}`
  const named = { 'DE-BY': 'Bavaria', 'NL-LI': 'Limburg (NL)', Bretagne: 'Bretagne' }

  test('in the API, as CSV and to agents', async () => {
    const labels = (rows: { value: string; label: string }[]) =>
      Object.fromEntries(rows.flatMap(({ value, label }) => (Object.hasOwn(named, value) ? [[value, label]] : [])))
    const { body } = await request(service, 'GET', path('.json'), { token: world.token })
    assert.deepEqual(labels(body.data.rows), named)
    const input = { site_id: world.ids.site, dimension: 'region', period: '7d' }
    const tool = (await callTool(service, 'stats_breakdown', input, world.token)).body
    assert.deepEqual(labels(tool.data.rows), named)
    const csv = await request(service, 'GET', path('.csv'), { token: world.token })
    assert.match(csv.text, /DE-BY,Bavaria,/)
  })

  test('pages show regions in the language of the account, also in conditions', async () => {
    await service.store.write.updateTable('accounts').set({ locale: 'de' }).where('id', '=', world.owner.accountId).execute()
    const { text } = await request(service, 'GET', path('', [['region', 'any_of', ['DE-BY', 'NL-LI']]]), {
      token: world.shown.session ?? '',
      headers: { Accept: 'text/html' },
    })
    for (const shown of ['>Bayern<', '>Limburg (NL)<', 'Region ist Bayern oder Limburg (NL)']) assert.ok(text.includes(shown), shown)
    assert.ok(!text.includes('Bavaria') && !text.includes('>Bretagne<'))
  })
})
