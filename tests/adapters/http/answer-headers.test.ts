/** Headers that follow from the operation of an answer: Location, Link, Vary, accepted types, a mark of repetitions. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { headersOf } from '../../../adapters/http/answer-headers.ts'
import { table } from '../../../operations/index.ts'
import { carriedBy } from '../../../adapters/surfaces.ts'
import { engines } from '../../support/engines.ts'
import {
  fill,
  makeWorld,
  makeWorldOf,
  callHttp,
  refusals,
  request,
  startService,
  type TestService,
  tokenOf,
  type World,
} from '../../support/world.ts'

const [sqlite] = engines
const creating = [...table.operations.values()].filter(
  each =>
    carriedBy('http', each) &&
    each.status === 201 &&
    each.access !== 'session' &&
    each.access !== 'public' &&
    !(each.id in refusals) &&
    !each.wireFormat,
)

describe('headers of answers', () => {
  let service: TestService
  let world: World
  before(async () => {
    service = await startService(sqlite!, { API_ORIGINS: 'https://app.example.com' })
    world = await makeWorld(service)
  })
  after(() => service.close())
  const ask = (method: string, path: string, more: { headers?: Record<string, string>; body?: object } = {}) =>
    request(service, method, path, { token: world.token, ...more })

  test('Location of a created record leads to that record', async () => {
    const without: string[] = []
    for (const operation of creating) {
      const fresh = await makeWorldOf(service, operation)
      const made = await callHttp(service, operation, fill(operation.examples[0]!.input, fresh), tokenOf(fresh, operation))
      assert.equal(made.status, 201, made.text)
      const location = made.headers.get('location')
      if (location === null) {
        without.push(operation.id)
        continue
      }
      if (operation.id === 'workspaces_create') continue // a token reads only its own workspace
      const read = await request(service, 'GET', location, { token: fresh.token })
      assert.equal(read.status, 200, `${operation.id}: ${location}`)
      assert.equal(read.body.data.id, made.body.data.id, operation.id)
    }
    assert.ok(without.length < creating.length / 4, without.join(', '))
    for (const id of ['alerts_create', 'goals_create', 'sites_create', 'webhooks_create', 'dashboards_create', 'uptime_checks_create'])
      assert.ok(!without.includes(id), id)
  })

  test('Link leads through all pages of a list', async () => {
    const path = `/workspaces/${world.ids.workspace}/alerts.json`
    for (const name of ['b', 'c']) await ask('POST', path, { body: { name, kind: 'no_data', site_id: world.ids.site } })
    const seen: string[] = []
    let next: string | undefined = `${path}?per_page=1&kind=no_data`
    while (next) {
      const { body, headers } = await ask('GET', next)
      seen.push(...body.data.map(({ id }: { id: string }) => id))
      next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
      if (next) assert.match(next, /kind=no_data/)
    }
    const all = (await ask('GET', `${path}?kind=no_data`)).body.data.map(({ id }: { id: string }) => id)
    assert.ok(all.length >= 2)
    assert.deepEqual(seen, all)
    assert.equal((await ask('GET', `${path}?kind=no_data`)).headers.get('link'), null, 'one page has no others')
  })

  test('Link cannot be forged by a hostile query', () => {
    const operation = table.operations.get('alerts_list')!
    const answer = { status: 200, body: { data: [], meta: { page: 2, total_pages: 3 } }, kind: operation.answers, headers: {} }
    const url = 'http://x/alerts?q=%0d%0aSet-Cookie:a%3E;rel="next"\r\n>,<http://evil.example>&page=2&page=9&__proto__=1'
    const link = headersOf(table, operation, 'http://x')?.(answer, { url, parameters: {} }).Link ?? ''
    assert.deepEqual(
      link.split(', ').map(each => /^<\/alerts\?[\w%.=&*-]+&page=(\d)&__proto__=1>; rel="(\w+)"$/.exec(each)?.slice(1)),
      [
        ['3', 'next'],
        ['1', 'prev'],
        ['1', 'first'],
        ['3', 'last'],
      ],
    )
  })

  test('Vary names the headers that choose between answers of one address', async () => {
    for (const path of [`/sites/${world.ids.site}/goals`, `/sites/${world.ids.site}/goals.csv`, '/nowhere'])
      assert.match((await ask('GET', path)).headers.get('vary') ?? '', /\bAccept\b(?!-)/, path)
    const other = await ask('GET', `/sites/${world.ids.site}/goals`, { headers: { Origin: 'https://app.example.com' } })
    assert.match(other.headers.get('vary') ?? '', /Origin, Accept/)
    assert.match(other.headers.get('access-control-expose-headers') ?? '', /Location, Link, Idempotency-Replayed/)
  })

  test('415 names the accepted type', async () => {
    const send = (method: string, path: string) =>
      service.web.request(path, { method, body: 'a=b', headers: { Authorization: `Bearer ${world.token}`, 'Content-Type': 'text/plain' } })
    const post = await send('POST', `/sites/${world.ids.site}/goals.json`)
    assert.deepEqual(
      [post.status, post.headers.get('accept'), post.headers.get('accept-post')],
      [415, 'application/json', 'application/json'],
    )
    const patch = await send('PATCH', `/sites/${world.ids.site}.json`)
    assert.deepEqual([patch.status, patch.headers.get('accept-patch'), patch.headers.get('accept-post')], [415, 'application/json', null])
  })

  test('a repeated answer is marked, the first one is not', async () => {
    const create = () =>
      ask('POST', `/sites/${world.ids.site}/notes.json`, { headers: { 'Idempotency-Key': 'marked' }, body: { text: 'Once' } })
    const [first, second] = [await create(), await create()]
    assert.equal(first.status, 201, first.text)
    assert.deepEqual([first.headers.get('idempotency-replayed'), second.headers.get('idempotency-replayed')], [null, 'true'])
    assert.deepEqual([second.text, second.headers.get('location')], [first.text, first.headers.get('location')])
  })
})
