/** Rate limits: which callers are slowed down, and which are not. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Failure } from '../../runtime/table/errors.ts'
import { networkOf } from '../../runtime/outbound/network.ts'
import { rateCounter } from '../../runtime/call/rate.ts'
import { makeToken } from '../../runtime/call/tokens.ts'
import { randomBytes } from '../support/chance.ts'
import { onAnyEngine } from '../support/engines.ts'
import { makeWorld, request, startService, type TestService } from '../support/world.ts'

const office = '81.2.69.1'
const unknownToken = () => makeToken(randomBytes, 'pat_')

/** Runs sequentially. */
async function times(count: number, run: (i: number) => Promise<number>): Promise<number[]> {
  const statuses = []
  for (let i = 0; i < count; i++) statuses.push(await run(i))
  return statuses
}

/** Status of a read of the account. */
async function status(service: TestService, token: string | undefined, ip = office): Promise<number> {
  return (await request(service, 'GET', '/account', { token, headers: { 'X-Forwarded-For': ip } })).status
}

onAnyEngine('rates', engine => {
  const start = async (config: object) => {
    const service = await startService(engine, { TRUSTED_PROXIES: ['127.0.0.1'], RATE_FAILURES: 20, RATE_FAILURES_ADDRESS: 200, ...config })
    return { service, world: await makeWorld(service) }
  }

  test('a token has a number of requests a minute, which headers report', async () => {
    const { service, world } = await start({ RATE_TOKEN: 3 })
    const get = () => request(service, 'GET', '/account', { token: world.token })
    const left = []
    for (let i = 0; i < 3; i++) left.push((await get()).headers.get('ratelimit'))
    assert.deepEqual(
      left.map(header => /r=(\d+)/.exec(header ?? '')?.[1]),
      ['2', '1', '0'],
    )
    const limited = await get()
    assert.deepEqual([limited.status, limited.body.error.code], [429, 'rate_limited'])
    assert.match(limited.headers.get('retry-after') ?? '', /^\d+$/)
    assert.match(limited.headers.get('ratelimit-policy') ?? '', /^"token";q=3;w=60$/)
    service.clock.now += 60_000
    assert.equal((await get()).status, 200)
    await service.close()
  })

  test('without a token a batch counts by its hits', async () => {
    const { service, world } = await start({ RATE_BATCH: 1_500 })
    const message = { type: 'event', payload: { website: 'nobody.example', hostname: 'nobody.example', url: '/' } }
    const batch = (size: number, ip: string, token?: string) =>
      request(service, 'POST', '/api/batch', {
        body: Array.from({ length: size }, () => message),
        token,
        headers: { 'X-Forwarded-For': ip },
      })
    assert.equal((await batch(1_000, office)).status, 200)
    const limited = await batch(501, office)
    assert.deepEqual([limited.status, limited.body.error.code], [429, 'rate_limited'])
    assert.equal((await batch(500, office)).status, 200, 'what was refused does not count')
    assert.equal((await batch(1_000, '81.2.69.2')).status, 200)
    assert.equal((await batch(1_000, office, world.token)).status, 200)
    await service.close()
  })

  test('many requests without a token do not delay other callers', async () => {
    const { service, world } = await start({})
    assert.deepEqual(new Set(await times(300, () => status(service, undefined))), new Set([401]))
    assert.equal(await status(service, world.token), 200)
    await service.close()
  })

  test('a wrong token delays neither other tokens of its address nor itself from another address', async () => {
    const { service, world } = await start({})
    const wrong = unknownToken()
    assert.deepEqual(await times(22, () => status(service, wrong)), [...Array<number>(20).fill(401), 429, 429])
    const refused = await request(service, 'GET', '/account', { token: wrong, headers: { 'X-Forwarded-For': office } })
    assert.match(refused.headers.get('ratelimit-policy') ?? '', /^"authentication";q=20;w=60$/)
    assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/)
    assert.deepEqual([await status(service, world.token), await status(service, unknownToken())], [200, 401])
    assert.equal(await status(service, wrong, '81.2.69.2'), 401)
    // A request refused because of its own token does not count against the address.
    await times(300, () => status(service, wrong))
    assert.equal(await status(service, world.token), 200)
    service.clock.now += 60_000
    assert.equal(await status(service, wrong), 401)
    await service.close()
  })

  test('an address that guesses tokens waits with every token, and without a token learns that one is missing', async () => {
    const { service, world } = await start({})
    assert.deepEqual(new Set(await times(199, i => status(service, i % 2 ? unknownToken() : 'non_sense'.repeat(i + 1)))), new Set([401]))
    assert.equal(await status(service, world.token), 200)
    await status(service, unknownToken())
    assert.deepEqual([await status(service, world.token), await status(service, undefined)], [429, 401])
    assert.equal(await status(service, world.token, '81.2.69.2'), 200)
    service.clock.now += 60_000
    assert.equal(await status(service, world.token), 200)
    await service.close()
  })

  test('a /64 of IPv6 is one address; for who has no token as well', async () => {
    const { service, world } = await start({ RATE_FAILURES: 2, RATE_FAILURES_ADDRESS: 4, RATE_ANONYMOUS: 2 })
    const wrong = unknownToken()
    assert.deepEqual(await times(3, i => status(service, wrong, `2001:db8:1:2::${i}`)), [401, 401, 429])
    await times(2, i => status(service, unknownToken(), `2001:db8:1:2:${i}::1`))
    assert.deepEqual(
      [await status(service, world.token, '2001:db8:1:2::9'), await status(service, world.token, '2001:db8:1:3::9')],
      [429, 200],
    )
    const badge = async (ip: string) =>
      (await request(service, 'GET', `/badge/${world.ids.site}`, { headers: { 'X-Forwarded-For': ip } })).status
    const first = await badge('2001:db8:9:9::1')
    assert.notEqual(first, 429)
    assert.deepEqual(
      [await badge('2001:db8:9:9:8::1'), await badge('2001:db8:9:9:ffff::2'), await badge('2001:db8:9:a::1')],
      [first, 429, first],
    )
    await service.close()
  })

  test('hold for hits from a server, for MCP and for probes', async () => {
    const { service, world } = await start({ RATE_FAILURES: 2 })
    const hit = { n: 'pageview', u: `https://${world.ids.domain}/`, d: world.ids.domain }
    const ways = {
      collection: (token?: string) => request(service, 'POST', '/api/event', { token, body: hit, headers: { 'User-Agent': 'Server/1.0' } }),
      mcp: (token?: string) => request(service, 'POST', '/mcp', { token, body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } }),
      probe: (token?: string) => request(service, 'GET', '/uptime/probes/checks', { token }),
    }
    for (const [name, send] of Object.entries(ways)) {
      const wrong = makeToken(randomBytes, name === 'probe' ? 'prb_' : 'pat_')
      const bare = await times(30, async () => (await send()).status)
      assert.equal(bare.includes(429), false, name)
      assert.deepEqual(await times(3, async () => (await send(wrong)).status), [401, 401, 429], name)
      const right = await send(name === 'probe' ? world.shown.probe : world.token)
      assert.ok(right.status < 300, `${name} ${right.status} ${right.text}`)
    }
    await service.close()
  })
})

test('many different credentials and addresses take bounded memory, and push out no counter of another kind', () => {
  const rates = rateCounter(1_000)
  const [token, pair] = [
    { name: 'token', limit: 2 },
    { name: 'authentication', limit: 2 },
  ]
  rates.count(token, { who: 'tok_1', now: 0 })
  rates.count(token, { who: 'tok_1', now: 0 })
  const limited = (error: unknown) => error instanceof Failure && error.code === 'rate_limited'
  setFlagsFromString('--expose-gc') // what is not collected yet is not held
  const collect: () => void = runInNewContext('gc')
  collect()
  const before = process.memoryUsage().heapUsed
  for (let i = 0; i < 400_000; i++) rates.count(pair, { who: `2001:db8::/64 ${i} with a rest of 22 chars`, now: 0 })
  collect()
  const grown = process.memoryUsage().heapUsed - before
  assert.ok(grown < 50_000_000, `${grown} bytes`)
  assert.throws(() => rates.count(token, { who: 'tok_1', now: 0 }), limited)
  const last = '2001:db8::/64 399999 with a rest of 22 chars'
  rates.count(pair, { who: last, now: 0 })
  assert.throws(() => rates.refuse(pair, last, 0), limited)
})

test('the rate limit distinguishes networks', () => {
  assert.equal(networkOf('81.2.69.1'), '81.2.69.1')
  assert.equal(networkOf('::ffff:81.2.69.1'), '81.2.69.1')
  assert.equal(networkOf('2001:db8:1:2:3:4:5:6'), networkOf('2001:db8:1:2::'))
  assert.notEqual(networkOf('2001:db8:1:2::1'), networkOf('2001:db8:1:3::1'))
  assert.equal(networkOf('no address'), 'no address')
})
