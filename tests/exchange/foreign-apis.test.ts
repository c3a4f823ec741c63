/** APIs of other products: they return the numbers of our reports, errors have the other form, and hostile input is refused. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { foreignApiEndpoints } from '../../operations/exchange/foreign-apis/routes.ts'
import { onAnyEngine } from '../support/engines.ts'
import { someOf } from '../support/full.ts'
import { makeSite, request, startService, type TestService, type World } from '../support/world.ts'

const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'
const DAY = 86_400_000

onAnyEngine('APIs of other products', engine => {
  let service: TestService
  let world: World
  let domain: string
  let site: string
  before(async () => {
    service = await startService(engine, { RATE_TOKEN: 1_000_000 }) // far away, but answers say what is left
    world = await makeSite(service)
    site = `/sites/${world.ids.site}`
    domain = (await ours(site)).domain
    const hit = async (visitor: string, body: object) => {
      const headers = { 'User-Agent': chrome, 'X-Forwarded-For': visitor, 'Content-Type': 'application/json' }
      const { status } = await request(service, 'POST', '/api/event', {
        token: world.token,
        headers,
        body: { domain, ip: visitor, ...body },
      })
      assert.equal(status, 202)
    }
    service.clock.now -= DAY
    for (const [i, page] of ['/', '/a', '/b|c'].entries()) {
      await hit(`203.0.113.${i}`, { name: 'pageview', url: `https://${domain}${page}?utm_source=news&utm_campaign=c${i}` })
    }
    await hit('203.0.113.1', { name: 'Signup', url: `https://${domain}/a`, props: { plan: 'pro' } })
    service.clock.now += DAY
    await hit('203.0.113.9', { name: 'pageview', url: `https://${domain}/a` })
    await request(service, 'POST', `${site}/goals`, { token: world.token, body: { kind: 'event', event: 'Signup', name: 'Signed up' } })
  })
  after(() => service.close())
  beforeEach(() => {
    service.clock.now += 1_000
  })

  const ours = async (path: string) => (await request(service, 'GET', path, { token: world.token })).body.data
  const read = async (path: string, token = world.token) => {
    const { status, body } = await request(service, 'GET', path, { token })
    return { status, body }
  }
  const query = (body: object, token = world.token) =>
    request(service, 'POST', '/api/v2/query', { token, body: { site_id: domain, date_range: 'day', metrics: ['visitors'], ...body } })
  const range = () => `startAt=${service.clock.now - 2 * DAY}&endAt=${service.clock.now}`

  test('a refusal names what was sent, by the names of the other product', async () => {
    const v2 = async (body: object) => String((await query(body)).body.error)
    const v1 = async (path: string) => String((await read(`/api/v1/stats/${path}&site_id=${domain}`)).body.error)
    const umami = async (path: string) => String((await read(`/api/websites/${world.ids.site}/${path}&${range()}`)).body.error?.message)
    const page = (at: string) => ({ date_range: at, metrics: ['visitors'] })
    const sentences = [
      [await v2({ date_range: ['1900-01-01', '2026-01-02'] }), 'date_range must not be before'],
      [await v2({ ...page('7d'), dimensions: ['time:minute'] }), 'time:minute would divide'],
      [await v2({ filters: [['and', [['is', 'event:goal', ['none']]]]] }), 'filters must be the id or name of a goal'],
      [await v2({ filters: [['matches', 'event:page', ['((']]] }), 'filters is not an RE2 pattern'],
      [await v2({ metrics: ['pageviews', 'time_on_page'] }), "Metric 'time_on_page' is not available with these dimensions"],
      [await v1('aggregate?period=custom&date=1900-01-01,2026-01-02'), 'date must not be before'],
      [await v1('aggregate?period=custom&from=1900-01-01&to=2026-01-02'), 'from must not be before'],
      [await v1('timeseries?period=12mo&interval=minute'), 'interval=minute would divide'],
      [await v1('breakdown?property=visit:source&metrics=conversion_rate'), "Metric 'conversion_rate' is not available with these dim"],
      [await umami('stats?country2=eq.Atlantis&country=eq.DE&path=/a'), 'country2 must be a country'],
      [await umami('stats?path=/a&country7=eq.Atlantis&match=any'), 'country7 must be a country'],
      [await umami('metrics?type=country&search=a&browser=re.(('), 'browser is not an RE2 pattern'],
      [await umami('event-data/values?propertyName='), 'propertyName is required'],
    ] as const
    for (const [sentence, begin] of sentences) assert.equal(sentence.slice(0, begin.length), begin, sentence)
    const long = await read(`/api/websites/${world.ids.site}/pageviews?unit=minute&startAt=1700000000000&endAt=${service.clock.now}`)
    assert.match(long.body.error.message, /^unit=minute would divide/)
    const goal = { site_id: domain, goal_type: 'page', page_path: 'x'.repeat(3_000) }
    const { body } = await request(service, 'PUT', '/api/v1/sites/goals', { token: world.token, body: goal })
    assert.match(body.error, /page_path/)
  })

  test('Plausible v2: returns the totals of our report', async () => {
    const { metrics } = await ours(`${site}/stats/aggregate?period=2026-03`)
    const { body } = await query({ date_range: 'month', metrics: ['visitors', 'visits', 'pageviews', 'bounce_rate', 'events'] })
    assert.deepEqual(body.results, [
      { dimensions: [], metrics: [metrics.visitors, metrics.visits, metrics.pageviews, metrics.bounce_rate, metrics.pageviews + 1] },
    ])
    assert.equal(metrics.visitors, 4)
  })

  test('Plausible v2: days before today, by day, with labels of days without visits', async () => {
    const { body } = await query({ date_range: '3d', dimensions: ['time:day'], include: { time_labels: true, total_rows: true } })
    assert.deepEqual(body.results, [{ dimensions: ['2026-03-09'], metrics: [3] }])
    assert.deepEqual(body.meta, { total_rows: 1, time_labels: ['2026-03-07', '2026-03-08', '2026-03-09'] })
  })

  test('Plausible v2: filters are joined and negated, and rows sorted by several columns', async () => {
    const of = async (filters: unknown[]) => (await query({ date_range: 'month', filters })).body.results[0].metrics[0]
    assert.equal(await of([['is', 'event:page', ['/a', '/']]]), 3)
    assert.equal(
      await of([
        [
          'not',
          [
            'or',
            [
              ['is', 'event:page', ['/a']],
              ['contains', 'visit:utm_campaign', ['C0']],
            ],
          ],
        ],
      ]),
      1,
    )
    assert.equal(await of([['is_not', 'visit:utm_source', ['news']]]), 1)
    assert.equal(await of([['matches', 'event:page', ['^/[ab]']]]), 3)
    assert.equal(await of([['is', 'visit:utm_source', ['NEWS'], { case_sensitive: false }]]), 3)
    assert.equal(await of([['is', 'event:goal', ['Signed up']]]), 1)
    const { body } = await query({
      date_range: 'month',
      dimensions: ['event:page', 'visit:utm_campaign'],
      order_by: [
        ['event:page', 'desc'],
        ['visit:utm_campaign', 'asc'],
      ],
      pagination: { limit: 2, offset: 1 },
    })
    assert.deepEqual(
      body.results.map((row: any) => row.dimensions),
      [
        ['/a', '(not set)'],
        ['/a', 'c1'],
      ],
    )
  })

  test('Plausible v2: two names of one dimension are two columns; a metric is asked for once', async () => {
    const { body } = await query({ date_range: 'month', dimensions: ['visit:country', 'visit:country_name'] })
    assert.deepEqual(body.results, [{ dimensions: ['AU', 'Australia'], metrics: [4] }], JSON.stringify(body))
    assert.equal((await query({ metrics: ['total_revenue', 'total_revenue'] })).status, 400)
  })

  test('Plausible v2: conversion rates divide by all visitors, and group rates by the visitors of the group', async () => {
    const { body } = await query({
      date_range: 'month',
      metrics: ['visitors', 'events', 'conversion_rate', 'group_conversion_rate'],
      dimensions: ['event:goal', 'visit:utm_source'],
    })
    assert.deepEqual(body.results, [{ dimensions: ['Signed up', 'news'], metrics: [1, 1, 25, 33.3] }])
  })

  test('Plausible v1: returns totals, series and rows of our reports', async () => {
    const of = (path: string) => read(`/api/v1/stats/${path}&site_id=${domain}`)
    assert.deepEqual((await of('aggregate?period=7d&metrics=visitors,pageviews&compare=previous_period')).body, {
      results: { visitors: { value: 4, change: 0 }, pageviews: { value: 4, change: 0 } },
    })
    const series = (await of('timeseries?period=custom&date=2026-03-08,2026-03-10')).body.results
    assert.deepEqual(series, [
      { date: '2026-03-08', visitors: 0 },
      { date: '2026-03-09', visitors: 3 },
      { date: '2026-03-10', visitors: 1 },
    ])
    const pages = (await of('breakdown?period=month&property=event:page&metrics=visitors,pageviews&limit=1')).body.results
    assert.deepEqual(pages, [{ page: '/a', visitors: 2, pageviews: 2 }])
    const filtered = await of(
      `breakdown?period=month&property=event:props:plan&filters=${encodeURIComponent('event:page!=/b\\|c;visit:utm_source==news|x')}`,
    )
    assert.deepEqual(
      filtered.body.results.find((row: any) => row.plan === 'pro'),
      { plan: 'pro', visitors: 1 },
    )
    assert.equal((await of('realtime/visitors?x=1')).body, (await ours(`${site}/live`)).metrics.visitors)
  })

  test('Plausible: sites, goals and shared links are found or created, once', async () => {
    const call = (method: 'PUT' | 'POST' | 'DELETE', path: string, body: object) =>
      request(service, method as 'POST', `/api/v1/sites${path}`, { token: world.token, body })
    const made = await call('POST', '', { domain: 'made.example', timezone: 'Etc/UTC' })
    assert.deepEqual([made.status, made.body.domain, made.body.timezone], [200, 'made.example', 'UTC'], made.text)
    assert.ok((await read('/api/v1/sites')).body.sites.some((each: any) => each.domain === 'made.example'))
    const goal = { site_id: 'made.example', goal_type: 'page', page_path: '/thanks' }
    const [first, second] = [(await call('PUT', '/goals', goal)).body, (await call('PUT', '/goals', goal)).body]
    assert.deepEqual([first.display_name, first.id], ['Visit /thanks', second.id])
    const link = { site_id: 'made.example', name: 'Client' }
    assert.deepEqual((await call('PUT', '/shared-links', link)).body, (await call('PUT', '/shared-links', link)).body)
    assert.deepEqual((await call('DELETE', `/goals/${first.id}`, { site_id: 'made.example' })).body, { deleted: true })
    assert.equal((await call('PUT', '/made.example', { domain: 'moved.example' })).body.domain, 'moved.example')
    assert.deepEqual((await call('DELETE', '/moved.example', {})).body, { deleted: true })
    assert.equal((await read('/api/v1/sites/moved.example')).status, 404)
  })

  test('Umami: a token as the password signs in, and reads the numbers of our reports', async () => {
    const { body } = await request(service, 'POST', '/api/auth/login', { body: { username: 'x', password: world.token } })
    const api = async (path: string) => (await read(`/api/websites/${world.ids.site}${path}`, body.token)).body
    const { bounces, comparison, ...totals } = await api(`/stats?${range()}`)
    const { metrics } = await ours(`${site}/stats/aggregate?period=custom&from=2026-03-09&to=2026-03-10`)
    assert.deepEqual(totals, { pageviews: metrics.pageviews, visitors: metrics.visitors, visits: metrics.visits, totaltime: 0 })
    assert.deepEqual([bounces, comparison.visitors], [3, 0])
    assert.deepEqual(await api(`/metrics?${range()}&type=path&limit=1`), [{ x: '/a', y: 2 }])
    assert.deepEqual(await api(`/metrics?${range()}&type=path&utmSource=neq.news`), [{ x: '/a', y: 1 }])
    assert.deepEqual(await api(`/metrics?${range()}&type=utmSource&limit=1&path=/a`), [{ x: 'news', y: 1 }])
    assert.deepEqual(await api(`/metrics?${range()}&type=event`), [{ x: 'Signup', y: 1 }])
    assert.deepEqual((await api(`/pageviews?${range()}&unit=day&timezone=UTC`)).sessions, [
      { x: '2026-03-09 00:00:00', y: 3 },
      { x: '2026-03-10 00:00:00', y: 1 },
    ])
    assert.deepEqual(await api(`/events/series?${range()}&unit=day&timezone=UTC`), [{ x: 'Signup', t: '2026-03-09 00:00:00', y: 1 }])
    const { comparison: _, ...events } = (await api(`/events/stats?${range()}`)).data
    assert.deepEqual(events, { events: 1, visitors: 1, visits: 1, uniqueEvents: 1 })
    assert.deepEqual(await api(`/event-data/values?${range()}&event=Signup&propertyName=plan`), [{ value: 'pro', total: 1 }])
  })

  test('Umami: single sessions and events are what `visits_list` has, and need its permission', async () => {
    const api = async (path: string) => (await read(`/api/websites/${world.ids.site}${path}`)).body
    const { data, count } = await api(`/sessions?${range()}&pageSize=2&page=2`)
    assert.deepEqual([count, data.length, data[0].browser, data[0].country], [4, 2, 'Chrome', 'AU'])
    const all = (await api(`/sessions?${range()}`)).data
    assert.deepEqual((await api(`/sessions?${range()}&search=firefox`)).data, [])
    const withEvent = all.find((each: any) => each.events === 1)
    const session = await api(`/sessions/${withEvent.id}`)
    assert.deepEqual([session.views, session.events, session.visits, session.distinctId], [1, 1, 1, null])
    const activity = await api(`/sessions/${withEvent.id}/activity?${range()}`)
    assert.deepEqual(
      activity.map(({ urlPath, eventType, eventName }: any) => [urlPath, eventType, eventName]),
      [
        ['/a', 2, 'Signup'],
        ['/a', 1, null],
      ],
    )
    const events = await api(`/events?${range()}&pageSize=3`)
    assert.deepEqual([events.count, events.data.length, events.data[0].urlPath], [5, 3, '/a'])
    const custom = await api(`/events?${range()}&eventType=2`)
    assert.deepEqual([custom.count, custom.data.map((each: any) => each.eventName)], [1, ['Signup']])
    const later = await api(`/events?${range()}&pageSize=3&page=2`)
    assert.deepEqual(later.data.length, 2)
    assert.equal((await read(`/api/websites/${world.ids.site}/sessions/vis_unknown`)).status, 401)
    assert.equal((await read(`/api/websites/${world.ids.site}/sessions?${range()}&page=90&pageSize=100`)).status, 400)
    const reader = await request(service, 'POST', `/workspaces/${world.ids.workspace}/api_tokens`, {
      token: world.token,
      body: { name: 'Reports', permissions: ['analytics.read'] },
    })
    for (const path of ['sessions', 'events', 'event-data']) {
      assert.equal((await read(`/api/websites/${world.ids.site}/${path}?${range()}`, reader.body.data.token)).status, 403)
    }
  })

  test('Umami: the newest events are listed first, also of a visit that began before the others', async () => {
    const made = await makeSite(service)
    const { domain: own } = (await request(service, 'GET', `/sites/${made.ids.site}`, { token: made.token })).body.data
    const send = async (visitor: number, page: string, name = 'pageview') => {
      const headers = { 'User-Agent': chrome, 'Content-Type': 'application/json' }
      const body = { domain: own, ip: `203.0.113.${visitor}`, name, url: `https://${own}${page}`, props: { old: page } }
      assert.equal((await request(service, 'POST', '/api/event', { token: made.token, headers, body })).status, 202)
    }
    service.clock.now -= 40 * DAY
    await send(100, '/long-ago', 'Signup')
    service.clock.now += 40 * DAY
    await send(1, '/first')
    service.clock.now += 60_000
    for (let visitor = 10; visitor < 20; visitor++) await send(visitor, `/${visitor}`)
    service.clock.now += 60_000
    await send(1, '/last')
    const listed = (await read(`/api/websites/${made.ids.site}/events?${range()}&pageSize=2`, made.token)).body.data
    assert.deepEqual(listed.map(({ urlPath }: any) => urlPath)[0], '/last')
    const values = `event-data/values?startAt=0&endAt=${service.clock.now - 30 * DAY}&propertyName=old`
    assert.deepEqual((await read(`/api/websites/${made.ids.site}/${values}`, made.token)).body, [{ value: '/long-ago', total: 1 }])
  })

  test('Umami: pages of events that have the same time do not overlap, and a search says that there are more', async () => {
    const made = await makeSite(service)
    const { domain: own } = (await request(service, 'GET', `/sites/${made.ids.site}`, { token: made.token })).body.data
    for (let i = 0; i < 16; i++) {
      const headers = { 'User-Agent': chrome, 'Content-Type': 'application/json' }
      const body = { domain: own, ip: `203.0.113.${i % 8}`, name: 'pageview', url: `https://${own}/${i}` }
      assert.equal((await request(service, 'POST', '/api/event', { token: made.token, headers, body })).status, 202)
    }
    const read16 = async (path: string) => (await read(`/api/websites/${made.ids.site}/${path}&${range()}&pageSize=5`, made.token)).body
    const pages = []
    for (const page of [1, 2, 3, 4]) pages.push((await read16(`events?page=${page}`)).data.map(({ urlPath }: any) => urlPath))
    assert.deepEqual(
      pages.map(page => page.length),
      [5, 5, 5, 1],
    )
    assert.equal(new Set(pages.flat()).size, 16)
    assert.equal((await read16('events?search=/')).count, 6)
    const { data, count } = await read16('sessions?search=chrome')
    assert.deepEqual([data.length, count], [5, 6])
  })

  test('Umami: its key counts next to the basic authentication of a proxy', async () => {
    const headers = { Authorization: `Basic ${Buffer.from('proxy:secret').toString('base64')}`, 'x-umami-api-key': world.token }
    assert.equal((await request(service, 'GET', `/api/websites/${world.ids.site}`, { headers })).status, 200)
  })

  test('Umami: properties of events are counted by event and by value, and sessions by weekday and hour', async () => {
    const api = async (path: string) => (await read(`/api/websites/${world.ids.site}${path}`)).body
    const plan = { eventName: 'Signup', propertyName: 'plan', total: 1 }
    assert.deepEqual(await api(`/event-data/properties?${range()}`), [plan])
    assert.deepEqual(await api(`/event-data/events?${range()}`), [{ ...plan, dataType: 1 }])
    assert.deepEqual(await api(`/event-data/events?${range()}&event=Signup`), [{ ...plan, dataType: 1, propertyValue: 'pro' }])
    assert.deepEqual(await api(`/event-data/fields?${range()}`), [{ propertyName: 'plan', value: 'pro', total: 1, dataType: 1 }])
    assert.deepEqual(await api(`/event-data/stats?${range()}`), { events: 1, properties: 1, records: 1 })
    const weekly = await api(`/sessions/weekly?${range()}&timezone=UTC`)
    assert.deepEqual(
      weekly.map((day: number[]) => day.reduce((sum, count) => sum + count, 0)),
      [0, 3, 1, 0, 0, 0, 0],
    )
    assert.deepEqual((await api('/reports')).data, [])
    assert.equal((await request(service, 'POST', '/api/reports/funnel', { token: world.token, body: {} })).body.error.status, 400)
    assert.deepEqual((await request(service, 'GET', '/api/heartbeat', {})).body, { ok: true })
    assert.equal((await request(service, 'GET', '/api/health', {})).body.postgres, 'ok')
  })

  test('GoatCounter: returns the numbers of our reports, for the site of the token or of the user name', async () => {
    const basic = { Authorization: `Basic ${Buffer.from(`${domain}:${world.token}`).toString('base64')}` }
    const api = async (path: string) => (await request(service, 'GET', `/api/v0${path}`, { headers: basic })).body
    const days = 'start=2026-03-09&end=2026-03-10T23:59:59Z'
    const total = await api(`/stats/total?${days}`)
    assert.deepEqual([total.total, total.total_events, total.stats.map((day: any) => day.daily)], [4, 1, [3, 1]])
    assert.equal(total.stats[0].weekly, 4)
    const { hits, more } = await api(`/stats/hits?${days}&limit=3&group=day`)
    assert.deepEqual(
      [more, hits.map(({ path, count, event, max }: any) => ({ path, count, event, max }))[0]],
      [true, { path: '/a', count: 2, event: false, max: 1 }],
    )
    const hours = hits[0].stats.map((day: any) => day.hourly.reduce((sum: number, n: number) => sum + n, 0))
    assert.deepEqual(
      [hours, hits[0].stats.map((day: any) => day.day)],
      [
        [1, 1],
        ['2026-03-09', '2026-03-10'],
      ],
    )
    const { paths } = await api('/paths')
    assert.deepEqual(
      paths.map(({ path, event }: any) => [path, event]),
      [
        ['/', false],
        ['Signup', true],
        ['/a', false],
        ['/b|c', false],
      ],
    )
    const [{ id: first }, { id: signup }, { id: a }] = paths
    assert.equal(a, hits[0].path_id)
    assert.deepEqual((await api(`/paths?after=${first}&limit=1`)).paths[0].path, 'Signup')
    const only = (await api(`/stats/hits?${days}&include_paths=${a},${signup}`)).hits
    assert.deepEqual(
      only.map(({ path }: any) => path),
      ['/a', 'Signup'],
    )
    assert.deepEqual((await api(`/stats/hits?${days}&path_by_name=true&exclude_paths=/a,Signup`)).hits.length, 2)
    assert.deepEqual(await api(`/stats/hits?${days}&include_paths=999`), { hits: [], total: 0, more: false })
    assert.deepEqual((await api(`/stats/hits/${a}?${days}`)).refs, [
      { name: '', count: 1, ref_scheme: 'o' },
      { name: 'news', count: 1, ref_scheme: 'g' },
    ])
    assert.deepEqual(await api(`/stats/browsers?${days}`), { stats: [{ id: 'Chrome', name: 'Chrome', count: 4 }], more: false })
    assert.deepEqual((await api(`/stats/browsers/Chrome?${days}`)).stats, [{ name: '142', count: 4 }])
    assert.deepEqual((await api(`/stats/locations?${days}`)).stats, [{ id: 'AU', name: 'Australia', count: 4 }])
    assert.deepEqual((await api(`/stats/sizes?${days}`)).stats.at(-1), { id: 'unknown', name: '', count: 4 })
    assert.deepEqual((await api(`/stats/campaigns?${days}&limit=1`)).more, true)
    assert.deepEqual(
      (await api('/sites')).sites.map((each: any) => each.cname),
      [domain],
    )
    const { sites } = await api('/sites')
    assert.equal((await api(`/sites/${sites[0].id}`)).code, domain)
    assert.equal((await api('/me')).token.permissions & 64, 64)
  })

  test('a period after today is refused; tomorrow is today, because a client may be in a time zone that is ahead', async () => {
    const dayIn = (days: number) => new Date(service.clock.now + days * DAY).toISOString().slice(0, 10)
    const [today, tomorrow, later] = [dayIn(0), dayIn(1), dayIn(2)]
    assert.deepEqual(
      (await query({ date_range: [tomorrow, later] })).body.results,
      (await query({ date_range: [today, today] })).body.results,
    )
    const answers = [
      await query({ date_range: [later, later] }),
      await read(`/api/v1/stats/aggregate?site_id=${domain}&period=day&date=${later}`),
      await read(`/api/websites/${world.ids.site}/stats?startAt=${service.clock.now + 2 * DAY}&endAt=${service.clock.now + 3 * DAY}`),
      await read(`/api/v0/stats/total?start=${later}&end=${later}`),
    ]
    for (const { status, body } of answers) {
      assert.deepEqual([status, body.error.message ?? body.error], [400, 'The period begins after today.'])
    }
  })

  test('GoatCounter: errors have one sentence, and what is left out says what to use instead', async () => {
    const { status, body } = await read('/api/v0/stats/nothing')
    assert.deepEqual([status, Object.keys(body)], [400, ['error']])
    assert.deepEqual(await read('/api/v0/sites/99999').then(each => each.status), 404)
    const exported = await request(service, 'POST', '/api/v0/export', { token: world.token, body: { format: 'csv' } })
    assert.equal(exported.status, 404)
    assert.match(exported.body.error, /POST \/sites\/\{site_id\}\/exports/)
    assert.equal((await request(service, 'GET', '/api/v0/me', {})).status, 401)
  })

  test('GoatCounter: counts the hits of a server, and names those that are wrong by their index', async () => {
    const made = await makeSite(service)
    const send = (body: object, token = made.token) => request(service, 'POST', '/api/v0/count', { token, body })
    const visitor = { ip: '203.0.113.77', user_agent: chrome }
    const sent = await send({
      hits: [
        { path: '/one', query: 'utm_source=mail', ref: 'https://news.example/', size: [1280, 800, 1], ...visitor },
        { path: 'two', event: true, ...visitor, created_at: new Date(service.clock.now - 60_000).toISOString() },
        { path: '/three', session: 'x' },
        { path: '/four', ...visitor, ip: 'nowhere' },
      ],
    })
    assert.deepEqual([sent.status, Object.keys(sent.body.errors)], [400, ['2', '3']])
    assert.deepEqual((await send({ hits: [{ path: '/one', ...visitor }] })).body, { status: 'ok' })
    assert.equal((await send({ hits: [{ path: '/one', ...visitor }] })).status, 202)
    assert.deepEqual((await send({ hits: [] })).body, { error: 'no hits' })
    const leftAfter = async (count: number) => {
      const { status, headers } = await send({ hits: Array.from({ length: count }, () => ({ path: '/many', ...visitor })) })
      assert.equal(status, 202)
      return Number(/\br=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1])
    }
    const left = [await leftAfter(1), await leftAfter(1), await leftAfter(500)] as const
    assert.equal(left[1] - left[2], left[0] - left[1], 'a batch is one call, which a limit cannot divide')
    const counted = await request(service, 'GET', `/sites/${made.ids.site}/stats/aggregate?period=24h`, { token: made.token })
    const totals = counted.body.data?.metrics ?? assert.fail(counted.text)
    const { total, total_events } = (await read('/api/v0/stats/total', made.token)).body
    assert.deepEqual([totals.visitors, totals.pageviews, total, total_events], [1, 505, 1, 1])
    const { body } = await request(service, 'POST', `/workspaces/${made.ids.workspace}/api_tokens`, {
      token: made.token,
      body: { name: 'Reader', permissions: ['analytics.read'] },
    })
    assert.equal((await send({ hits: [{ path: '/one', ...visitor }] }, body.data.token)).status, 403)
  })

  test('an id that the site had elsewhere names it', async () => {
    const id = 'b59e9c65-ae32-47f1-8400-119fcf4861c4'
    await request(service, 'PATCH', site, { token: world.token, body: { umami_id: id } })
    assert.equal((await read(`/api/websites/${id}`)).body.id, id)
    assert.equal((await read(`/api/v1/stats/realtime/visitors?site_id=${id}`)).status, 200)
  })

  test('a site of others is answered as one that is not there; without a token, nothing is', async () => {
    const other = await makeSite(service)
    const foreign = (await request(service, 'GET', `/sites/${other.ids.site}`, { token: other.token })).body.data.domain
    for (const path of ['/api/v1/stats/aggregate?site_id=', '/api/v1/sites/', '/api/websites/']) {
      const [theirs, none] = [await read(path + foreign), await read(`${path}nowhere.example`)]
      assert.deepEqual(theirs, none)
      assert.ok(theirs.status === 401 || theirs.status === 404)
      const { status, body } = await request(service, 'GET', path + domain, { headers: { Cookie: 'footfall_session=x' } })
      assert.deepEqual([status, typeof body.error], [401, path.includes('websites') ? 'object' : 'string'])
    }
    const { number } = await service.store.read
      .selectFrom('sites')
      .select('number')
      .where('id', '=', String(other.ids.site))
      .executeTakeFirstOrThrow()
    assert.deepEqual(await read(`/api/v0/sites/${number}`), await read('/api/v0/sites/99999'))
    const { status, body } = await query({ site_id: foreign })
    assert.deepEqual([status, body], [401, (await query({ site_id: 'nowhere.example' })).body])
  })

  test('a token without a permission changes nothing', async () => {
    const { body } = await request(service, 'POST', `/workspaces/${world.ids.workspace}/api_tokens`, {
      token: world.token,
      body: { name: 'Reader', permissions: ['analytics.read'] },
    })
    const { token } = body.data
    assert.equal((await query({}, token)).status, 200)
    for (const [method, path] of [
      ['POST', '/api/v1/sites'],
      ['DELETE', `/api/v1/sites/${domain}`],
      ['DELETE', `/api/websites/${world.ids.site}`],
    ] as const) {
      assert.equal((await request(service, method as 'POST', path, { token, body: { domain: 'x.example' } })).status, 403)
    }
  })

  const hostile: readonly unknown[] = [
    '',
    '{',
    '[]',
    '5',
    '['.repeat(5_000),
    { site_id: {}, metrics: 'x' },
    { metrics: [{}], dimensions: 'x' },
    { metrics: Array.from({ length: 50 }, () => 'visitors') },
    { metrics: ['visitors'], dimensions: ['__proto__'] },
    { metrics: ['constructor'] },
    { metrics: ['visitors'], date_range: ['0000-00-00', '9999-99-99'] },
    { metrics: ['visitors'], date_range: ['2026-03-02', '2026-03-01'] },
    { metrics: ['visitors'], date_range: ['0001-01-01', '9999-12-31'], dimensions: ['time:minute'] },
    { metrics: ['visitors'], date_range: '9999mo' },
    { metrics: ['visitors'], filters: [[[[[[[[[[['is']]]]]]]]]]] },
    { metrics: ['visitors'], filters: Array.from({ length: 500 }, () => ['is', 'event:page', ['/']]) },
    { metrics: ['visitors'], filters: [['matches', 'event:page', ['(.{0,999}){1000}']]] },
    { metrics: ['visitors'], filters: [['is', 'event:page', [5]]] },
    { metrics: ['visitors'], pagination: { limit: 1e9, offset: -1 } },
    { metrics: ['visitors'], order_by: [['x', 'y', 'z']] },
    { metrics: ['visitors'], include: { comparisons: { mode: 'custom', date_range: [{}, null] } } },
    { hits: [null, 5, {}, { path: {} }, { path: '/\u0000', ip: '1.1.1.1', user_agent: 'x', size: { a: 1 }, created_at: '9999' }] },
    { hits: [{ path: '/', ip: '1.1.1.1', user_agent: 'x', event: { toString: 1 }, size: [{ toString: 1 }] }] },
    { hits: Array.from({ length: 501 }, () => ({})) },
    { username: 5, password: 'a\r\nb' },
    { goal_type: 'page', page_path: 'x'.repeat(5_000), custom_props: { a: {} }, name: [], domain: {} },
  ]

  for (const { route } of Object.values(foreignApiEndpoints)) {
    test(`${route}: hostile input is answered below 500`, async () => {
      const [method = '', path = ''] = route.split(' ')
      for (const name of [domain, '%00', '..%2f', 'x'.repeat(400)]) {
        const to = path.replace(/\{\w+\}/g, name === domain && method === 'DELETE' ? 'none' : name)
        const junk = [
          '',
          '?startAt=1e9&endAt=x',
          '?start=0000-01-01&end=9999-12-31&limit=-5&offset=1e9&include_paths=x&group=x',
          '?start=2026-13-45&end=T&after=x&limit=x',
          '?start=1970-01-01&limit=100&path_by_name=true&include_paths=,%00,a&exclude_paths=99999999999',
          `?site_id=${name}&startAt=-9e15&endAt=999999999999999&period=custom&date=1,2,3&type=__proto__&limit=-1`,
        ]
        const searches = [...junk, `?site_id=${domain}&startAt=0&endAt=1&type=path&path=re.(&period=9999mo&property=x&filters=%5B`]
        // A site that does not exist is refused alike, whatever the parameters.
        for (const search of name === domain ? searches : someOf(searches, 2)) {
          const bodies = method === 'GET' ? [undefined] : hostile
          for (const body of search === '' ? bodies : bodies.slice(0, 1)) {
            const sent = typeof body === 'object' && body !== null ? { site_id: domain, date_range: 'day', ...body } : body
            const answer = await request(service, method as 'POST', to + search, {
              token: world.token,
              headers: { 'Content-Type': 'application/json' },
              ...(body !== undefined && { body: sent }),
            })
            assert.ok(answer.status < 500, `${to}${search} ${JSON.stringify(body)}: ${answer.status} ${answer.text}`)
          }
        }
      }
    })
  }
})
