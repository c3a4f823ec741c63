/** Two processes on one database: what one of them has acknowledged holds in the other at once. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { makeToken } from '../../runtime/call/tokens.ts'
import { openStore } from '../../storage/store.ts'
import { randomBytes } from '../support/chance.ts'
import { type Engine, engines } from '../support/engines.ts'
import { makeWorld, request, startService, type TestService, type World } from '../support/world.ts'

/** The database of another service, which drops it. */
const shared = (url: string): Engine => ({
  name: 'postgres',
  async create() {
    const store = openStore(url)
    return { store, url, drop: () => store.close() }
  },
})

const settings = { RATE_COSTLY: 6, RATE_FAILURES: 6, RATE_FAILURES_ADDRESS: 20, TRUSTED_PROXIES: ['127.0.0.1'] }

describe('two processes on one postgres', { skip: !engines.some(({ name }) => name === 'postgres') }, () => {
  let [one, other]: TestService[] = []
  let world: World
  before(async () => {
    const engine = engines.find(({ name }) => name === 'postgres')
    assert.ok(engine)
    one = await startService(engine, settings)
    world = await makeWorld(one)
    other = await startService(shared(one.url), settings)
  })
  after(async () => {
    await other?.close()
    await one?.close()
  })
  const at = (service: TestService | undefined, ...asked: [string, string, object?]) => {
    assert.ok(service)
    return request(service, ...asked)
  }

  test('a site that one has renamed has its new name in the other, at each of twenty times', async () => {
    const path = `/sites/${world.ids.site}`
    for (let i = 0; i < 20; i++) {
      const [by, asked] = i % 2 === 0 ? [one, other] : [other, one]
      assert.equal((await at(by, 'PATCH', path, { token: world.token, body: { name: `Name ${i}` } })).status, 200)
      assert.equal((await at(asked, 'GET', path, { token: world.token })).body.data.name, `Name ${i}`)
    }
  })

  test('a token that one has revoked is refused by the other, whatever it remembers', async () => {
    const made = await at(one, 'POST', `/workspaces/${world.ids.workspace}/api_tokens`, {
      token: world.token,
      body: { name: 'Short', permissions: ['analytics.read'] },
    })
    assert.equal(made.status, 201, made.text)
    const { id, token } = made.body.data
    const read = () => at(other, 'GET', `/sites/${world.ids.site}`, { token })
    for (let i = 0; i < 3; i++) assert.equal((await read()).status, 200)
    const meanwhile = Array.from({ length: 20 }, read)
    assert.equal((await at(one, 'DELETE', `/workspaces/${world.ids.workspace}/api_tokens/${id}`, { token: world.token })).status, 200)
    assert.equal((await read()).status, 401)
    for (const { status } of await Promise.all(meanwhile)) assert.ok(status === 200 || status === 401)
  })

  const guess = async (service: TestService | undefined, ip: string, token = makeToken(randomBytes, 'pat_')) => {
    assert.ok(service)
    return (await request(service, 'GET', '/account', { token, headers: { 'X-Forwarded-For': ip } })).status
  }

  test('wrong tokens of an address are counted by both, also those that come at once', async () => {
    const ip = '81.2.69.7'
    const inTurn = []
    for (let i = 0; i < 24; i++) inTurn.push(await guess(i % 2 === 0 ? one : other, ip))
    assert.deepEqual(inTurn, [...Array<number>(20).fill(401), 429, 429, 429, 429])
    assert.deepEqual([await guess(one, ip, world.token), await guess(other, ip, world.token)], [429, 429])
    assert.deepEqual([await guess(one, '81.2.69.8'), await guess(other, '81.2.69.8', world.token)], [401, 200])
    const atOnce = await Promise.all(Array.from({ length: 60 }, (_, i) => guess(i % 2 === 0 ? one : other, '81.2.69.9')))
    assert.equal(atOnce.filter(status => status === 401).length, 20)
    assert.equal(atOnce.filter(status => status === 429).length, 40)
  })

  test('the counts of another process expire with their minute', async () => {
    const ip = '81.2.69.10'
    for (let i = 0; i < 20; i++) await guess(one, ip)
    assert.equal(await guess(other, ip), 429)
    for (const service of [one, other]) if (service) service.clock.now += 60_000
    assert.deepEqual([await guess(other, ip), await guess(one, ip), await guess(other, ip, world.token)], [401, 401, 200])
  })

  test('costly calls of a token are counted by both; cheap ones by each', async () => {
    const costly = (service: TestService | undefined) =>
      at(service, 'POST', '/feedback', { token: world.token, body: { kind: 'idea', message: 'Count together.' } })
    const answers = []
    for (let i = 0; i < 8; i++) answers.push(await costly(i % 2 === 0 ? one : other))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [...Array<number>(6).fill(201), 429, 429],
    )
    assert.deepEqual(
      answers.slice(0, 6).map(({ headers }) => /r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]),
      ['5', '4', '3', '2', '1', '0'],
    )
    assert.match(answers[6]?.headers.get('retry-after') ?? '', /^\d+$/)
    assert.equal((await at(other, 'GET', `/sites/${world.ids.site}`, { token: world.token })).status, 200)
  })

  test('a good token asks the database for no counts', async () => {
    assert.ok(other)
    const counted = () => other?.store.read.selectFrom('attempts').select(['count']).execute()
    const before = await counted()
    for (let i = 0; i < 5; i++) assert.equal((await at(other, 'GET', `/sites/${world.ids.site}`, { token: world.token })).status, 200)
    assert.deepEqual(await counted(), before)
  })
})
