/** `fields`: every read keeps only what it is asked for, on every surface. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { table } from '../../../operations/index.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { faultsOf } from '../../support/replies.ts'
import { callTool } from '../../support/mcp.ts'
import { callHttp, makeWorld, request, startService, type TestService, type World } from '../../support/world.ts'

onAnyEngine('fields of answers', engine => {
  let service: TestService
  let world: World
  before(async () => {
    service = await startService(engine)
    world = await makeWorld(service)
  })
  after(() => service.close())

  const get = (path: string) => request(service, 'GET', path, { token: world.token })
  const site = () => `/sites/${world.ids.site}`

  test('a report keeps the named fields, through lists', async () => {
    const answer = (await get(`${site()}/stats/timeseries?period=7d&fields=series.at,series.visitors&fields=period.first_day`)).body
    assert.deepEqual(Object.keys(answer.data).sort(), ['period', 'series'])
    assert.deepEqual(Object.keys(answer.data.period), ['first_day'])
    for (const point of answer.data.series) assert.deepEqual(Object.keys(point), ['at', 'visitors'])
    assert.ok(answer.meta)
  })

  test('records of a list keep theirs, and meta stays', async () => {
    const whole = (await get(`${site()}/goals`)).body
    const { data, meta } = (await get(`${site()}/goals?fields=id,name`)).body
    assert.deepEqual(
      data,
      whole.data.map(({ id, name }: { id: string; name: string }) => ({ id, name })),
    )
    assert.deepEqual(meta, whole.meta)
  })

  test('an unknown field is a fault that names the known ones', async () => {
    const reply = await get(`${site()}/goals?fields=id,nam`)
    assert.deepEqual(faultsOf(reply), ['/fields/1 not_in_enum'])
    assert.match(reply.body.error.details[0].message, /name/)
    assert.deepEqual(faultsOf(await get(`${site()}/goals?fields=id.x`)), ['/fields/0 not_in_enum'])
    assert.deepEqual(faultsOf(await get(`${site()}/goals?fields=__proto__`)), ['/fields/0 not_in_enum'])
    assert.equal(
      (await request(service, 'PATCH', `${site()}/goals/${world.ids.goal}`, { token: world.token, body: { fields: ['id'] } })).status,
      422,
    )
  })

  test('tools accept chosen fields', async () => {
    const operation = table.operations.get('stats_breakdown') ?? assert.fail()
    const input = { site_id: world.ids.site, dimension: 'country', fields: ['rows.value', 'rows.visitors'] }
    const [http, tool] = [await callHttp(service, operation, input, world.token), await callTool(service, operation.id, input, world.token)]
    assert.deepEqual(Object.keys(http.body.data), ['rows'])
    assert.deepEqual(tool.body.data, http.body.data)
  })
})
