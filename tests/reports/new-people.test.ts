/** `new_person`: which visits were the first of their person. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { table } from '../../operations/index.ts'
import { onEachEngine } from '../support/engines.ts'
import { callHttp, request, startService, type TestService } from '../support/world.ts'
import { type Asking, newSite } from './events/asking.ts'

const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'
const DAY = 24 * 3_600_000

onEachEngine('new people', engine => {
  let service: TestService
  let site: Omit<Asking, 'service'>
  before(async () => {
    service = await startService(engine)
  })
  beforeEach(async () => {
    site = await newSite(service)
  })
  after(() => service.close())

  async function send(page: string, device: string, user?: string) {
    service.clock.now += 2_000 // the settings of a site are known for a second
    const body = { n: 'pageview', u: `https://example.com${page}`, d: site.world.ids.site, ...(user !== undefined && { user }) }
    const reply = await request(service, 'POST', '/api/event', { body, headers: { 'User-Agent': chrome + device } })
    assert.ok(reply.status < 300, reply.text)
  }
  async function answerOf(name: string, input: object) {
    const operation = table.operations.get(name) ?? assert.fail(name)
    return callHttp(service, operation, { site_id: site.world.ids.site, ...input }, site.world.token)
  }
  const visitsWith = async (filters: unknown[]) =>
    (await site.get('stats_aggregate', { period: '7d', compare: 'none', filters })).data.metrics.visits

  test('the first visit of a person is new on whatever day it was, later ones are not, and others have no value', async () => {
    await site.get('sites_update', { identity: 'declared' })
    await send('/first', 'A', 'dan')
    await send('/other', 'B')
    service.clock.now += DAY
    await send('/again', 'A', 'dan')
    await send('/eva', 'C', 'eva')
    await send('/dan-elsewhere', 'D', 'dan')

    assert.equal(await visitsWith([['new_person', 'is', 'yes']]), 2)
    assert.equal(await visitsWith([['new_person', 'is', 'no']]), 2)
    assert.equal(await visitsWith([['new_person', 'is_not', 'yes']]), 3)
    assert.equal(await visitsWith([['new_person', 'is', '(not set)']]), 1)
    const { data } = await site.get('stats_breakdown', { period: '7d', dimension: 'new_person' })
    assert.deepEqual(data.rows.map(({ value, label, visits }: any) => [value, label, visits]).sort(), [
      ['', '(not set)', 1],
      ['no', 'Returning', 2],
      ['yes', 'New', 2],
    ])
    const day = { period: 'today', dimensions: ['new_person', 'page'], metrics: ['visits'], filters: [['new_person', 'is', 'yes']] }
    const { data: asked } = await site.get('stats_query', day)
    assert.deepEqual(
      asked.rows.map(({ values }: any) => values),
      [['yes', '/eva']],
    )
    const unset = await site.get('sites_update', { identity: 'off' })
    assert.ok(unset)
    const { meta } = await site.get('stats_aggregate', { period: '7d', filters: [['new_person', 'is', 'yes']] })
    assert.equal(meta.notes.filter(({ code }: any) => code === 'people_unknown').length, 1)
  })

  test('an erasure refuses it, since each deleted first visit makes another one the first', async () => {
    const filters = [['new_person', 'is', 'yes']]
    for (const name of ['visits_erase_preview', 'visits_erase']) {
      const { domain } = (await site.get('sites_get')).data
      const { status, body } = await answerOf(name, { period: '7d', filters, ...(name === 'visits_erase' && { confirm: domain }) })
      assert.equal(status, 422)
      assert.deepEqual(
        body.error.details.map(({ pointer, code }: any) => [pointer, code]),
        [['/filters/0', 'mismatch']],
      )
    }
  })
})
