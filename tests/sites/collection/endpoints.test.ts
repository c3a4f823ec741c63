/** Hits sent over HTTP, and what is stored of them. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { onAnyEngine } from '../../support/engines.ts'
import { makeSite, makeWorld, request, startService, type TestService, type World } from '../../support/world.ts'

const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

onAnyEngine('collection', engine => {
  let service: TestService
  let world: World
  let domain: string
  before(async () => {
    service = await startService(engine)
  })
  after(() => service.close())
  beforeEach(async () => {
    world = await makeSite(service)
    domain = (await request(service, 'GET', `/sites/${world.ids.site}`, { token: world.token })).body.data.domain
  })

  const plausible = (body: unknown, headers: Record<string, string> = {}) =>
    request(service, 'POST', '/api/event', { body, headers: { 'Content-Type': 'text/plain', 'User-Agent': chrome, ...headers } })
  const umami = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    request(service, 'POST', path, { body, headers: { 'User-Agent': chrome, ...headers } })
  const visits = () =>
    service.store.read.selectFrom('visits').selectAll().where('site_id', '=', world.siteNumber).orderBy('visit_id').execute()
  const hits = () => service.store.read.selectFrom('hits').selectAll().where('site_id', '=', world.siteNumber).execute()
  const drops = async () => {
    await service.app
      .use((await import('../../../operations/sites/collection/collector.ts')).collector)
      .receive([], { ip: '', userAgent: '', acceptLanguage: '', caller: undefined })
    for (let i = 0; i < 400; i++) {
      const { body } = await request(service, 'GET', `/sites/${world.ids.site}/collection/drops`, { token: world.token })
      if (body.data.length > 0) return body.data
      await new Promise(resolve => setTimeout(resolve, 50))
    }
    return []
  }

  test('a pageview is durable when it is acknowledged', async () => {
    const answer = await plausible({
      n: 'pageview',
      u: `https://${domain}/pricing?utm_source=news`,
      d: domain,
      r: 'https://www.google.com/',
    })
    assert.deepEqual([answer.status, answer.text], [202, 'ok'])
    assert.equal(answer.headers.get('access-control-allow-origin'), '*')
    const [visit] = await visits()
    assert.deepEqual([visit?.pageviews, visit?.bounce, (await hits()).length], [1, 1, 1])
  })

  test('every spelling of the site reaches it: www, several domains, the id', async () => {
    const other = await makeWorld(service)
    const { body } = await request(service, 'GET', `/sites/${other.ids.site}`, { token: other.token })
    await plausible({ n: 'pageview', u: `https://www.${domain}/`, d: `www.${domain},${body.data.domain}` })
    await plausible({ n: 'pageview', u: `https://${domain}/`, d: world.ids.site })
    await plausible({ n: 'pageview', u: `https://${domain}/` })
    assert.equal((await hits()).length, 3)
    assert.equal((await service.store.read.selectFrom('hits').selectAll().where('site_id', '=', other.siteNumber).execute()).length, 1)
  })

  test('an unknown site, a malformed and an oversized hit get a clear answer and leave nothing', async () => {
    const unknown = await plausible({ n: 'pageview', u: 'https://nobody.example/', d: 'nobody.example' })
    assert.equal(unknown.status, 400)
    assert.equal(unknown.headers.get('x-footfall-dropped'), 'unknown_site')
    assert.match(unknown.text, /nobody\.example/)
    for (const body of [
      '{',
      '[]',
      '""',
      '{}',
      { n: 'pageview' },
      { n: 'x'.repeat(121), u: `https://${domain}/` },
      { n: 'pageview', u: 'data:text/html,x', d: domain },
    ]) {
      const answer = await plausible(body)
      assert.equal(answer.status, 400, answer.text)
      assert.ok(Object.keys(answer.body.errors).length > 0)
    }
    assert.equal((await plausible({ n: 'pageview', u: `https://${domain}/`, d: domain, p: { big: 'x'.repeat(70_000) } })).status, 413)
    assert.deepEqual([await visits(), await hits()], [[], []])
  })

  test('a bot is dropped, gets the reason, and is counted', async () => {
    const answer = await plausible(
      { n: 'pageview', u: `https://${domain}/`, d: domain },
      { 'User-Agent': 'Googlebot/2.1 (+http://www.google.com/bot.html)' },
    )
    assert.deepEqual(
      [answer.status, answer.headers.get('x-plausible-dropped'), answer.headers.get('x-footfall-dropped')],
      [202, '1', 'bot'],
    )
    assert.deepEqual(await visits(), [])
    assert.deepEqual(await drops(), [{ date: '2026-03-10', reason: 'bot', count: 1 }])
  })

  test('revenue in another currency is left out and counted, the event kept', async () => {
    const buy = (currency: string) => plausible({ n: 'Purchase', u: `https://${domain}/`, d: domain, $: { currency, amount: '12.50' } })
    assert.equal((await buy('EUR')).headers.get('x-footfall-revenue-dropped'), null)
    const abroad = await buy('USD')
    assert.deepEqual(
      [abroad.status, abroad.headers.get('x-footfall-revenue-dropped'), abroad.headers.get('x-footfall-dropped')],
      [202, 'other_currency', null],
      'the event is kept, and the answer says what is not',
    )
    assert.deepEqual((await hits()).map(hit => hit.revenue).sort(), [0, 1250])
    assert.deepEqual(
      (await drops()).map((drop: { reason: string }) => drop.reason),
      ['other_currency'],
    )
  })

  test('an invalid amount, or one above 10^12 minor units, is reported and counted, never changed', async () => {
    const buy = (amount: unknown) => plausible({ n: 'Purchase', u: `https://${domain}/`, d: domain, $: { currency: 'EUR', amount } })
    for (const amount of ['a lot', 10_000_000_000.01, 2e12, -1e300]) {
      assert.equal((await buy(amount)).headers.get('x-footfall-revenue-dropped'), 'invalid_revenue', String(amount))
    }
    assert.equal((await buy(10_000_000_000)).headers.get('x-footfall-revenue-dropped'), null)
    assert.deepEqual((await hits()).map(hit => hit.revenue).sort(), [0, 0, 0, 0, 1e12])
    assert.deepEqual(
      (await drops()).map((drop: { reason: string; count: number }) => [drop.reason, drop.count]),
      [['invalid_revenue', 4]],
    )
    await plausible({ n: 'Purchase', u: `https://${domain}/`, d: domain, $: { currency: 'USD', amount: 1 } })
    const notes = async (period: string) => {
      const path = `/sites/${world.ids.site}/stats/aggregate?period=${period}`
      return (await request(service, 'GET', path, { token: world.token })).body.meta.notes
    }
    const [note, ...more] = await notes('today')
    assert.deepEqual([note.code, more], ['revenue_not_counted', []])
    assert.match(note.message, /: 1 in a currency other than EUR, which are not converted; 4 with no amount/)
    const before = await notes('yesterday')
    assert.deepEqual(
      before.map(({ code }: { code: string }) => code),
      ['before_first_day'],
    )
  })

  test('a hit after its site is deleted is answered so, at once; after a rename it is stored', async () => {
    const view = () => plausible({ n: 'pageview', u: `https://${domain}/`, d: domain })
    const change = (method: string, site: string, token: string, body?: object) =>
      request(service, method, `/sites/${site}`, { token, ...(body && { body }) })
    await view() // from here on the site is known for a second
    assert.equal((await change('PATCH', world.ids.site ?? '', world.token, { domain: `new-${domain}` })).status, 200)
    assert.deepEqual([(await view()).status, (await hits()).length], [202, 2])

    const removed = await change('DELETE', world.ids.site ?? '', world.token, { confirm: `new-${domain}` })
    assert.equal(removed.status, 200, removed.text)
    const first = await view()
    assert.deepEqual([first.status, first.headers.get('x-footfall-dropped')], [400, 'unknown_site'])
    assert.equal((await hits()).length, 2)

    const heir = await makeWorld(service)
    assert.equal((await change('PATCH', heir.ids.site ?? '', heir.token, { domain })).status, 200)
    assert.equal((await view()).headers.get('x-footfall-dropped'), null, 'the domain is another site’s now')
    const stored = await service.store.read.selectFrom('hits').selectAll().where('site_id', '=', heir.siteNumber).execute()
    assert.equal(stored.length, 1)
  })

  test('a body that is no UTF-8 is refused, wherever it goes', async () => {
    const broken = Buffer.concat([
      Buffer.from(`{"n":"pageview","d":"${domain}","u":"https://${domain}/","t":"`),
      Buffer.from([0xe9]),
      Buffer.from('"}'),
    ])
    const send = (path: string, headers: Record<string, string> = {}) =>
      service.web.request(path, {
        method: 'POST',
        body: broken,
        headers: { 'User-Agent': chrome, 'Content-Type': 'application/json', ...headers },
      })
    for (const path of ['/api/event', '/api/send', '/api/batch']) {
      const answer = await send(path)
      assert.equal(answer.status, 400)
      assert.match(JSON.stringify(await answer.json()), /UTF-8/)
    }
    const note = await send(`/sites/${world.ids.site}/notes`, { Authorization: `Bearer ${world.token}` })
    assert.equal(note.status, 422)
    assert.deepEqual((await note.json()).error, { code: 'invalid_json', message: 'The request body is not UTF-8.', details: [] })
    assert.deepEqual(await hits(), [])
  })

  test('an amount without a currency is in the one of its event', async () => {
    const setting = (name: string, currency: string) =>
      request(service, 'PATCH', `/sites/${world.ids.site}/events/settings`, { token: world.token, body: { name, currency } })
    await setting('Purchase', 'EUR')
    await setting('Abroad', 'USD')
    const buy = (n: string, $: object) => plausible({ n, u: `https://${domain}/`, d: domain, $ })
    await buy('Purchase', { amount: 3 })
    await buy('Purchase', { amount: 4, currency: 'USD' }) // the sent currency applies
    await buy('Abroad', { amount: 5 })
    await buy('Unset', { amount: 6 })
    assert.deepEqual((await hits()).map(hit => hit.revenue).sort(), [0, 0, 0, 300])
    assert.deepEqual(
      (await drops()).map((drop: { reason: string; count: number }) => [drop.reason, drop.count]),
      [
        ['invalid_revenue', 1],
        ['other_currency', 2],
      ],
    )
  })

  test('a preflight admits what trackers send, and only collection answers one', async () => {
    const preflight = await request(service, 'OPTIONS', '/api/send', {
      headers: { Origin: 'https://x.example', 'Access-Control-Request-Method': 'POST' },
    })
    assert.equal(preflight.status, 204)
    assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /x-umami-cache/)
    const report = await request(service, 'OPTIONS', `/sites/${world.ids.site}/stats/aggregate`, {
      headers: { Origin: 'https://x.example' },
    })
    assert.equal(report.headers.get('access-control-allow-origin'), null)
  })

  test('X-Debug-Request shows the address used and stores nothing', async () => {
    const answer = await plausible({ n: 'pageview', u: `https://${domain}/`, d: domain }, { 'X-Debug-Request': 'true' })
    assert.deepEqual([answer.status, answer.body], [200, { ip: '127.0.0.1' }])
    assert.deepEqual(await hits(), [])
  })

  describe('a server that sends with a token', () => {
    const at = '2026-03-10T10:00:00Z'
    const sent = () => ({ n: 'pageview', u: `https://${domain}/`, d: domain, ip: '81.2.69.160', user_agent: chrome, timestamp: at })

    test('may say whose hit it is and when it was', async () => {
      const answer = await plausible(sent(), { Authorization: `Bearer ${world.token}`, 'User-Agent': 'my-backend/1.0' })
      assert.equal(answer.status, 202)
      assert.equal(answer.headers.get('x-footfall-dropped'), null)
      const [visit] = await visits()
      assert.equal(visit?.started_at, Date.parse(at))
      const country = await service.store.read
        .selectFrom('dict')
        .select('value')
        .where('site_id', '=', world.siteNumber)
        .where('value', '=', 'GB')
        .execute()
      assert.equal(country.length, 1)
    })

    test('names one visitor, however the address is spelled', async () => {
      const spellings = [
        ['203.0.113.9', '::ffff:203.0.113.9', '::FFFF:cb00:7109', ' 203.0.113.9:443 '],
        ['2001:db8::a', '2001:DB8:0:0::A', '2001:0db8:0000:0000:0000:0000:0000:000a', '[2001:db8::a]:443'],
      ]
      for (const ip of spellings.flat()) {
        const answer = await plausible({ ...sent(), ip }, { Authorization: `Bearer ${world.token}` })
        assert.equal(answer.status, 202, ip)
      }
      assert.deepEqual(
        (await visits()).map(({ pageviews }) => pageviews),
        [4, 4],
      )
    })

    test('without a token the same claims count for nothing', async () => {
      await plausible(sent())
      assert.equal((await visits())[0]?.started_at, service.clock.now)
    })

    test('needs sites.manage on that very site', async () => {
      const viewer = await world.tokenFor('viewer')
      assert.equal((await plausible(sent(), { Authorization: `Bearer ${viewer}` })).status, 403)
      const foreign = await makeWorld(service)
      assert.equal((await plausible(sent(), { Authorization: `Bearer ${foreign.token}` })).status, 403)
      assert.equal((await plausible(sent(), { Authorization: 'Bearer pat_nope' })).status, 401)
      assert.deepEqual(await hits(), [])
    })

    test('a hit of a day that is long closed, or of tomorrow, is refused with its reason', async () => {
      const authorized = { Authorization: `Bearer ${world.token}` }
      assert.equal(
        (await plausible({ ...sent(), timestamp: '2026-03-12T10:00:00Z' }, authorized)).headers.get('x-footfall-dropped'),
        'in_future',
      )
    })
  })

  describe('Umami', () => {
    const website = 'b59e9c65-ae32-47f1-8400-119fcf4861c4'
    const payload = () => ({
      website,
      hostname: domain,
      url: '/about?utm_source=x',
      referrer: '',
      language: 'de-DE',
      screen: '1920x1080',
      title: 'About',
    })
    const adopt = () =>
      request(service, 'PATCH', `/sites/${world.ids.site}`, {
        token: world.token,
        body: { umami_id: crypto.randomUUID().replace(/.*/, website) },
      })
    beforeEach(async () => {
      await service.store.write.updateTable('sites').set({ umami_id: null }).where('umami_id', '=', website).execute()
    })

    test('a pageview and an event of one visit get the same names', async () => {
      assert.equal((await adopt()).status, 200)
      await new Promise(resolve => setTimeout(resolve, 1_050)) // sites are cached for a second
      const first = await umami('/api/send', { type: 'event', payload: payload() })
      assert.equal(first.status, 200, first.text)
      assert.deepEqual(Object.keys(first.body), ['cache', 'sessionId', 'visitId'])
      const second = await umami(
        '/api/send',
        { type: 'event', payload: { ...payload(), name: 'signup', data: { plan: 'pro' } } },
        { 'x-umami-cache': first.body.cache },
      )
      assert.deepEqual(second.body, first.body)
      const [visit] = await visits()
      assert.deepEqual([visit?.pageviews, visit?.events], [1, 1])
    })

    test('an unknown website returns 400, and a bot gets the same answer as from Umami', async () => {
      assert.equal(
        (await umami('/api/send', { type: 'event', payload: { ...payload(), website: '00000000-0000-4000-8000-000000000000' } })).status,
        400,
      )
      await adopt()
      const bot = await umami('/api/send', { type: 'event', payload: payload() }, { 'User-Agent': 'curl/8.0' })
      assert.deepEqual([bot.status, bot.body, bot.headers.get('x-footfall-dropped')], [200, { beep: 'boop' }, 'bot'])
    })

    test('a batch says what became of each', async () => {
      await adopt()
      const answer = await umami('/api/batch', [
        { type: 'event', payload: payload() },
        { type: 'nope', payload: payload() },
        { type: 'event', payload: { ...payload(), name: 'x' } },
      ])
      assert.equal(answer.status, 200)
      assert.deepEqual(
        [answer.body.size, answer.body.processed, answer.body.errors, answer.body.details.map((each: { index: number }) => each.index)],
        [3, 2, 1, [1]],
      )
    })
  })

  test('the script is served for any page', async () => {
    const script = await request(service, 'GET', '/js/footfall.js')
    assert.equal(script.status, 200)
    assert.match(script.headers.get('content-type') ?? '', /javascript/)
    assert.equal(script.headers.get('cross-origin-resource-policy'), 'cross-origin')
    assert.match(script.text, /api\/event/)
  })

  test('Plausible’s script is served by its names, in which every word is known', async () => {
    for (const [path, words] of [
      ['/script.js', ''],
      ['/js/script.js', ''],
      ['/js/plausible.js', ''],
      ['/js/pa-gYyxvZhkMz_dzX.js', 'init'],
      ['/js/script.hash.outbound-links.js', 'hash.outbound-links'],
      ['/js/script.tagged-events.revenue.pageview-props.file-downloads.outbound-links.hash.manual.local.compat.exclusions.js', undefined],
    ] as const) {
      const script = await request(service, 'GET', path)
      assert.equal(script.status, 200, path)
      assert.match(script.headers.get('content-type') ?? '', /javascript/)
      assert.match(script.text, /plausible/)
      const asked = words ?? path.slice('/js/script.'.length, -'.js'.length)
      assert.ok(script.text.includes(`"${asked}".split(".")`), path)
    }
    for (const path of [
      '/js/script.outbound-link.js',
      '/js/script',
      '/js/script..js',
      '/js/script.js.js',
      '/js/other.js',
      '/js/script.hash.map',
    ]) {
      const missing = await request(service, 'GET', path)
      assert.deepEqual([missing.status, missing.body.error.code], [404, 'not_found'], path)
      assert.match(missing.body.error.message, /\.outbound-links/)
    }
  })
})
