/** Arguments that are not written as they should be: taken where there is one meaning, else named with what would do. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { nearest } from '../../../runtime/values/nearest.ts'
import { engines } from '../../support/engines.ts'
import { callTool } from '../../support/mcp.ts'
import { makeSite, startService, type TestService, type World } from '../../support/world.ts'

const [sqlite] = engines
let service: TestService
let world: World
before(async () => {
  service = await startService(sqlite!)
  world = await makeSite(service)
})
after(() => service.close())

const call = async (name: string, args: Record<string, unknown>) => (await callTool(service, name, args, world.token)).body

const same: ReadonlyArray<readonly [string, Record<string, unknown>, Record<string, unknown>]> = [
  ['sites_list', { per_page: '3' }, { per_page: 3 }],
  ['api_tokens_list', { include_revoked: 'True' }, { include_revoked: true }],
  ['stats_aggregate', { filters: '[["country","is","DE"]]' }, { filters: [['country', 'is', 'DE']] }],
  ['stats_aggregate', { filters: [['country', '==', 'Germany']] }, { filters: [['country', 'is', 'DE']] }],
  ['stats_aggregate', { filters: [['country', 'is', 'Allemagne']] }, { filters: [['country', 'is', 'DE']] }],
  ['stats_aggregate', { filters: ['device', 'is', 'Mobile'] }, { filters: [['device', 'is', 'mobile']] }],
  ['stats_aggregate', { period: 'last 7 days' }, { period: '7d' }],
  ['stats_aggregate', { period: 'Last month' }, { period: 'last_month' }],
  ['stats_aggregate', { period: 'this_year' }, { period: 'ytd' }],
  [
    'stats_aggregate',
    { period: 'custom', from: '2026-01-01T00:00:00Z', to: '2026-01-31' },
    { period: 'custom', from: '2026-01-01', to: '2026-01-31' },
  ],
  ['stats_breakdown', { dimension: 'Countries', limit: '5' }, { dimension: 'country', limit: 5 }],
  ['stats_breakdown', { dimension: 'campaigns' }, { dimension: 'utm_campaign' }],
  ['stats_overview', { panels: 'page, source' }, { panels: ['page', 'source'] }],
  ['stats_timeseries', { interval: 'Day' }, { interval: 'day' }],
]

for (const [name, given, meant] of same) {
  test(`${name} takes ${JSON.stringify(given)} for ${JSON.stringify(meant)}`, async () => {
    const answer = await call(name, given)
    assert.equal(answer.error, undefined, JSON.stringify(answer.error))
    const { data } = await call(name, meant)
    const { generated_at: _, ...one } = { ...answer.data }
    const { generated_at: __, ...other } = { ...data }
    assert.deepEqual(one, other)
  })
}

test('numbers in a list of texts are the texts', async () => {
  const { data } = await call('uptime_checks_create', { url: 'https://example.com/', accepted_statuses: [204, '4xx'] })
  assert.deepEqual(data.accepted_statuses, ['204', '4xx'])
})

test('a day stands for its beginning where the site is', async () => {
  await call('sites_update', { timezone: 'Europe/Berlin' })
  const note = await call('notes_create', { text: 'Deploy', at: '2026-11-16' })
  assert.equal(note.data.at, '2026-11-15T23:00:00.000Z')
  await call('sites_update', { timezone: 'UTC' })
})

test('an argument without a plain meaning is refused with a suggestion', async () => {
  const fault = async (name: string, args: Record<string, unknown>) => (await call(name, args)).error.details[0]
  assert.match((await fault('journeys_explore', { page: '/' })).message, /^page is not an argument; did you mean path\?/)
  assert.match((await fault('stats_aggregate', { start_date: '2026-01-01' })).message, /did you mean from\?/)
  assert.match((await fault('stats_aggregate', { filter: [] })).message, /did you mean filters\?/)
  assert.match((await fault('stats_aggregate', { siteId: world.ids.site })).message, /did you mean site_id\?/)
  assert.match((await fault('stats_aggregate', { xyzzy: 1 })).message, /^xyzzy is not an argument\. Arguments are period, from/)
  assert.match((await fault('stats_aggregate', { period: 'a while' })).message, /must be one of today, yesterday/)
  assert.match((await fault('stats_aggregate', { filters: '[["country"' })).message, /must be a list/)
  assert.match((await fault('stats_aggregate', { filters: [['country', 'is', 'Atlantis']] })).message, /ISO 3166-1 code, for example DE/)
  assert.equal((await fault('sites_list', { per_page: '3.5' })).code, 'invalid_type')
  for (const args of [{ __proto__x: 1 }, { constructor: 1 }, { toString: 'x' }])
    assert.equal((await fault('stats_aggregate', args)).code, 'unknown_field')
})

test('the nearest name is one that is there, or none', () => {
  assert.equal(nearest('perioid', ['period', 'from']), 'period')
  assert.equal(nearest('workspaceId', ['workspace_id']), 'workspace_id')
  assert.equal(nearest('colour', ['period', 'from', 'to']), undefined)
  assert.equal(nearest('x'.repeat(1_000_000), ['period']), undefined)
})
