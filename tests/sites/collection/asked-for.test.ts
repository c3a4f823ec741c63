/** Whatever was collected can be asked for: as a report shows it, and as it was sent. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { table } from '../../../operations/index.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { callHttp, makeSite, request, startService, type TestService, type World } from '../../support/world.ts'

const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

onAnyEngine('filters on stored values', engine => {
  let service: TestService
  let world: World
  before(async () => {
    service = await startService(engine)
    world = await makeSite(service)
  })
  after(() => service.close())

  const send = async (body: object) => {
    const headers = { 'User-Agent': chrome, 'Content-Type': 'text/plain' }
    const { status } = await request(service, 'POST', '/api/event', { body: { d: world.ids.site, ...body }, headers })
    assert.equal(status, 202)
  }
  async function ask(name: string, input: Record<string, unknown>) {
    const operation = table.operations.get(name) ?? assert.fail()
    const { status, body } = await callHttp(service, operation, { site_id: world.ids.site, period: 'today', ...input }, world.token)
    assert.equal(status, 200, JSON.stringify(body))
    return body
  }
  /** The visits that a filter keeps. */
  async function kept(dimension: string, value: string, operator = 'is') {
    const { data, meta } = await ask('stats_aggregate', { filters: [[dimension, operator, operator === 'any_of' ? [value] : value]] })
    const isNoted = meta.notes.some(({ code }: { code: string }) => code === 'no_such_value')
    assert.equal(isNoted, false, `${dimension} ${operator} ${JSON.stringify(value.slice(0, 40))}`)
    return data.metrics.visits
  }
  const valuesOf = async (dimension: string): Promise<string[]> =>
    (await ask('stats_breakdown', { dimension })).data.rows.map((row: { value: string }) => row.value)

  test('a value of up to 1,024 characters, as it is shown', async () => {
    for (const [i, length] of [1_000, 1_001, 1_024, 5_000].entries()) {
      await send({ n: 'Search', u: 'https://example.com/', p: { [`q${i}`]: 'x'.repeat(length) } })
      const [shown = ''] = (await valuesOf(`property:q${i}`)).filter(Boolean)
      assert.equal(shown.length, Math.min(length, 1_024))
      for (const operator of ['is', 'any_of', 'contains', 'starts_with']) assert.equal(await kept(`property:q${i}`, shown, operator), 1)
    }
    const tooLong = await callHttp(
      service,
      table.operations.get('stats_aggregate') ?? assert.fail(),
      { site_id: world.ids.site, filters: [['page', 'is', 'x'.repeat(1_025)]] },
      world.token,
    )
    assert.equal(tooLong.status, 422)
    const goal = { kind: 'event', event: 'Search', property: 'q2', value: 'x'.repeat(1_024), name: 'Long' }
    const made = await request(service, 'POST', `/sites/${world.ids.site}/goals`, { token: world.token, body: goal })
    assert.equal(made.status, 201, made.text)
  })

  test('filters find names and values with invisible characters, as they were sent and as they are shown', async () => {
    const [sent, shown] = ['Sign\u2028up\u202e\u200b', 'Signup']
    await send({ n: sent, u: 'https://example.com/signup', p: { plan: 'p\u2028ro\ufeff' } })
    assert.ok((await valuesOf('event')).includes(shown))
    for (const name of [sent, shown]) {
      assert.equal(await kept('event', name), 1)
      assert.equal((await ask('events_get', { name })).data.metrics.events, 1)
    }
    for (const value of ['p\u2028ro\ufeff', 'pro']) assert.equal(await kept('property:plan', value), 1)
    const goal = await request(service, 'POST', `/sites/${world.ids.site}/goals`, {
      token: world.token,
      body: { kind: 'event', event: sent, name: 'Hidden' },
    })
    assert.equal(goal.body.data.event, shown)
    assert.equal(await kept('goal', 'Hidden'), 1)
  })

  test('pages with escapes: as the browser has them, and as people write them', async () => {
    const [sent, shown] = ['/caf%C3%A9/au%20lait%2F1', '/café/au lait%2F1']
    await send({ n: 'pageview', u: `https://example.com${sent}` })
    assert.ok((await valuesOf('page')).includes(shown))
    for (const path of [sent, shown]) {
      for (const dimension of ['page', 'exit_page']) assert.equal(await kept(dimension, path, 'any_of'), 1)
      assert.equal((await ask('pages_detail', { path })).data.metrics.pageviews, 1)
      assert.equal((await ask('journeys_explore', { path })).data.visits, 1)
    }
    const goal = { kind: 'page', path: '/caf%C3%A9/*', name: 'Coffee' }
    const made = await request(service, 'POST', `/sites/${world.ids.site}/goals`, { token: world.token, body: goal })
    assert.equal(made.body.data.path, '/café/*')
    assert.equal(await kept('goal', 'Coffee'), 1)
  })

  test('numbers as large as there are have their sums', async () => {
    for (const n of [1e308, 1e308, -1e308, 1e16]) await send({ n: 'Measured', u: 'https://example.com/', p: { n, huge: Math.abs(n) } })
    const { aggregates } = (await ask('events_get', { name: 'Measured' })).data
    const [huge, n] = ['huge', 'n'].map(key => aggregates.find((one: { key: string }) => one.key === key))
    assert.deepEqual([n.count, n.min, n.max, n.sum, n.median], [4, -1e308, 1e308, 1e308, 5e307])
    assert.deepEqual([huge.count, huge.min, huge.max, huge.sum], [4, 1e16, 1e308, Number.MAX_VALUE])
    assert.ok(huge.mean > 7e307 && huge.mean < 8e307)
  })
})
