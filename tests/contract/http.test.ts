/** HTTP rules of all operations (docs/decisions.md §1). */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { onAnyEngine } from '../support/engines.ts'
import { makeWorld, request, startService, type TestService, type World } from '../support/world.ts'

onAnyEngine('HTTP', engine => {
  let service: TestService
  let world: World
  let site: string
  before(async () => {
    service = await startService(engine)
  })
  after(() => service.close())
  beforeEach(async () => {
    world = await makeWorld(service)
    site = `/sites/${world.ids.site}`
  })
  const get = (path: string, headers: Record<string, string> = {}) => request(service, 'GET', path, { token: world.token, headers })

  test('.json, no suffix with Accept: application/json, and a browser’s Accept answer the same', async () => {
    const [suffix, json, html] = [
      await get(`${site}.json`),
      await get(site, { Accept: 'application/json' }),
      await get(site, { Accept: 'text/html' }),
    ]
    assert.deepEqual([json.text, html.text], [suffix.text, suffix.text])
  })

  test('every answer carries a request id, the sender’s own where it is harmless, and the security headers', async () => {
    const mine = await get(site, { 'X-Request-Id': 'deploy-42' })
    assert.equal(mine.headers.get('x-request-id'), 'deploy-42')
    for (const path of [site, '/nowhere', '/healthz', '/openapi.json', '/account']) {
      const { headers } = await get(path, { 'X-Request-Id': 'a b' })
      assert.match(headers.get('x-request-id') ?? '', /^[\da-f-]{36}$/, path)
      assert.equal(headers.get('x-content-type-options'), 'nosniff', path)
      assert.ok(headers.get('content-security-policy'), path)
    }
  })

  test('a read has an ETag, a weak one where nothing can be changed, and is 304 without a body while it is the same', async () => {
    const first = await get(site)
    const tag = first.headers.get('etag') ?? ''
    assert.match(tag, /^"/)
    assert.match((await get(`${site}/goals`)).headers.get('etag') ?? '', /^W\/"/)
    const same = await get(site, { 'If-None-Match': `"other", ${tag}` })
    assert.deepEqual([same.status, same.text, same.headers.get('etag')], [304, '', tag])
    await request(service, 'PATCH', site, { token: world.token, body: { name: 'Changed' } })
    assert.equal((await get(site, { 'If-None-Match': tag })).status, 200)
  })

  test('a secret is never cached', async () => {
    const made = await request(service, 'POST', `/workspaces/${world.ids.workspace}/api_tokens`, {
      token: world.token,
      body: { name: 'CI' },
    })
    assert.deepEqual([made.status, made.headers.get('cache-control'), made.headers.get('etag')], [201, 'no-store, no-transform', null])
  })

  test('lists of a query are read from repeats, brackets, commas and JSON', async () => {
    const list = (query: string) => get(`${site}/stats/aggregate?${query}`)
    const repeated = await get(`/workspaces/${world.ids.workspace}/alerts?state=nope&kind=never`)
    assert.deepEqual(
      repeated.body.error.details.map((detail: { pointer: string }) => detail.pointer),
      ['/state', '/kind'],
    )
    const filters = encodeURIComponent('[["country","is","DE"],["nope","is","x"],["page","regex","("]]')
    const bad = await list(`filters=${filters}&period=custom`)
    assert.deepEqual(bad.body.error.details.map((detail: { pointer: string }) => detail.pointer).sort(), [
      '/filters/1/0',
      '/filters/2/2',
      '/from',
      '/to',
    ])
    const unknown = await list('period=7d&no_such=1&filter=x')
    assert.deepEqual(
      unknown.body.error.details.map((detail: { in: string; pointer: string; code: string }) => [detail.in, detail.pointer, detail.code]),
      [
        ['query', '/no_such', 'unknown_field'],
        ['query', '/filter', 'unknown_field'],
      ],
    )
    assert.match(unknown.body.error.details[1].message, /^filter is not an argument; did you mean filters\?/)
    assert.equal((await list('period=7d&_=1&utm_source=x&_cache=2')).status, 200)
    for (const yes of ['true', '1'])
      assert.equal((await get(`/workspaces/${world.ids.workspace}/api_tokens?include_revoked=${yes}`)).status, 200)
    assert.equal((await get(`/workspaces/${world.ids.workspace}/api_tokens?include_revoked=yes`)).status, 422)
  })

  test('HEAD answers as GET does, without a body', async () => {
    const head = await request(service, 'HEAD', site, { token: world.token })
    assert.deepEqual([head.status, head.text], [200, ''])
  })

  test('an Idempotency-Key does a thing once: replayed, refused with another input, and forgotten after a day', async () => {
    const create = (name: string, key: string) =>
      request(service, 'POST', `${site}/notes`, { token: world.token, body: { text: name }, headers: { 'Idempotency-Key': key } })
    const first = await create('one', 'k1')
    assert.deepEqual([(await create('one', 'k1')).text, first.status], [first.text, 201])
    assert.deepEqual([(await create('two', 'k1')).body.error.code], ['idempotency_key_reused'])
    assert.equal((await create('one', 'a key with spaces')).status, 422)
    const notes = async () => (await get(`${site}/notes`)).body.meta.total
    const before = await notes()
    const both = await Promise.all([create('three', 'k2'), create('three', 'k2')])
    assert.deepEqual(both.map(each => each.status).sort(), both[0]?.status === 201 && both[1]?.status === 201 ? [201, 201] : [201, 409])
    assert.equal(await notes(), before + 1)
    service.clock.now += 25 * 3_600_000
    assert.notEqual((await create('one', 'k1')).body.data.id, first.body.data.id)
  })

  test('a refused write leaves its key unused', async () => {
    const create = (body: object) =>
      request(service, 'POST', `${site}/notes`, { token: world.token, body, headers: { 'Idempotency-Key': 'once' } })
    assert.equal((await create({})).status, 422)
    assert.equal((await create({ text: 'now right' })).status, 201)
  })

  test('a 401 points to the metadata of the resource, which is there', async () => {
    const refused = await request(service, 'GET', '/account')
    const [, address = ''] = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '') ?? []
    const metadata = await request(service, 'GET', new URL(address).pathname)
    assert.deepEqual([metadata.status, metadata.body.resource], [200, 'http://footfall.test'])
  })
})
