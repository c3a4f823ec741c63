import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { onAnyEngine } from '../../support/engines.ts'
import { codeOf, column, faultsOf } from '../../support/replies.ts'
import { addCheck } from '../../support/uptime.ts'
import { fill, makeWorld, request, startService, type TestService, type World } from '../../support/world.ts'

const url = 'https://example.com/'
/** Default fields of a check. */
const plain = {
  kind: 'http',
  url: null,
  host: null,
  port: null,
  keyword: null,
  expected_status: 200,
  accepted_statuses: [],
  http_method: 'GET',
  interval_seconds: 300,
  timeout_seconds: 20,
  status: 'pending',
  enabled: true,
  public: false,
  last_checked_at: null,
  last_response_ms: null,
  ssl_expires_at: null,
  ssl_issuer: null,
  domain_expires_at: null,
}
const minimal: [body: object, record: object][] = [
  [{ url }, { name: url, url }],
  [
    { url, kind: 'http', name: 'Home', public: true, expected_status: 301, http_method: 'HEAD', interval_seconds: 30, timeout_seconds: 1 },
    { name: 'Home', url, public: true, expected_status: 301, http_method: 'HEAD', interval_seconds: 30, timeout_seconds: 1 },
  ],
  [
    { url, accepted_statuses: ['204', '4xx', '204'] },
    { url, name: url, accepted_statuses: ['204', '4xx'] },
  ],
  [
    { kind: 'keyword', url, keyword: 'Welcome' },
    { kind: 'keyword', name: url, url, keyword: 'Welcome' },
  ],
  [
    { kind: 'tcp', host: 'mail.example.com', port: 25 },
    { kind: 'tcp', name: 'mail.example.com:25', host: 'mail.example.com', port: 25 },
  ],
  [
    { kind: 'tcp', host: '2606:2800:220:1::1', port: 443 },
    { kind: 'tcp', name: '[2606:2800:220:1::1]:443', host: '2606:2800:220:1::1', port: 443 },
  ],
  [
    { kind: 'dns', host: 'example.com' },
    { kind: 'dns', name: 'example.com', host: 'example.com' },
  ],
  [
    { kind: 'dns', host: 'bücher.example', url: '', port: null, keyword: null },
    { kind: 'dns', name: 'bücher.example', host: 'bücher.example' },
  ],
  [
    { url, name: '' },
    { name: url, url },
  ],
]
const refused: [says: string, body: object, faults: string[]][] = [
  ['nothing', {}, ['/url required']],
  ['keyword with nothing', { kind: 'keyword' }, ['/keyword required', '/url required']],
  ['tcp with nothing', { kind: 'tcp' }, ['/host required', '/port required']],
  ['dns with nothing', { kind: 'dns' }, ['/host required']],
  [
    'what the kind has no use for',
    { kind: 'dns', host: 'example.com', url, port: 53, keyword: 'x' },
    ['/keyword mismatch', '/port mismatch', '/url mismatch'],
  ],
  ['a kind that is none', { kind: 'ping', url }, ['/kind not_in_enum']],
  ['an address that is none', { url: 'not a url' }, ['/url invalid_format']],
  ['a scheme that is not http', { url: 'ftp://example.com/' }, ['/url invalid_format']],
  ['a name and password in the address', { url: 'https://user:secret@example.com/' }, ['/url invalid_format']],
  ['a host with a port', { kind: 'tcp', host: 'example.com:25', port: 25 }, ['/host invalid_format']],
  ['a host with a path', { kind: 'dns', host: 'example.com/x' }, ['/host invalid_format']],
  ['less than the plan allows', { url, interval_seconds: 29 }, ['/interval_seconds too_small']],
  ['a timeout too long', { url, timeout_seconds: 31 }, ['/timeout_seconds too_large']],
  ['a timeout of nothing', { url, timeout_seconds: 0 }, ['/timeout_seconds too_small']],
  ['a port beyond ports', { kind: 'tcp', host: 'example.com', port: 65_536 }, ['/port too_large']],
  ['a status beyond statuses', { url, expected_status: 600 }, ['/expected_status too_large']],
  ['an accepted status that is none', { url, accepted_statuses: ['600'] }, ['/accepted_statuses/0 invalid_format']],
  ['a keyword in what has no body', { kind: 'keyword', url, keyword: 'x', http_method: 'HEAD' }, ['/http_method mismatch']],
  [
    'faults of form all at once',
    { url: 1, interval_seconds: 1, timeout_seconds: 99, colour: 'red' },
    ['/colour unknown_field', '/interval_seconds too_small', '/timeout_seconds too_large', '/url invalid_type'],
  ],
]

onAnyEngine('uptime checks', engine => {
  let service: TestService
  let world: World
  before(async () => {
    service = await startService(engine)
  })
  after(() => service.close())
  beforeEach(async () => {
    world = await makeWorld(service)
  })

  const call = (method: string, path: string, body?: unknown, token = world.token) =>
    request(service, method, fill(path, world), { token, body })
  const ofSite = '/sites/{{site}}/uptime'
  const ofWorkspace = '/workspaces/{{workspace}}/uptime'
  const one = '/uptime/checks/{{check}}'
  const now = () => new Date(service.clock.now).toISOString()

  for (const [i, [body, record]] of minimal.entries()) {
    test(`${JSON.stringify(body)} makes a check that is pending and due at once (${i})`, async () => {
      for (const [path, site_id] of [
        [ofSite, world.ids.site],
        [ofWorkspace, null],
      ] as const) {
        const made = await call('POST', path, body)
        assert.equal(made.status, 201, made.text)
        const { id, ...rest } = made.body.data
        assert.match(id, /^upc_/)
        assert.deepEqual(rest, { ...plain, workspace_id: world.ids.workspace, site_id, next_check_at: now(), created_at: now(), ...record })
        const read = (await call('GET', `/uptime/checks/${id}`)).body.data
        const { uptime, range, response_times, incidents, ...check } = read
        assert.deepEqual(check, made.body.data)
        assert.deepEqual([uptime, range, response_times.series, incidents], [{ '24h': null, '7d': null, '30d': null }, '24h', {}, []])
      }
    })
  }

  for (const [says, body, faults] of refused) {
    test(`is refused: ${says}`, async () => {
      const answer = await call('POST', ofSite, body)
      assert.equal(answer.status, 422, answer.text)
      assert.deepEqual(faultsOf(answer).sort(), faults)
    })
  }

  test('a check that was read can be sent back, and changes nothing', async () => {
    for (const [body] of minimal) {
      const { id } = (await call('POST', ofSite, body)).body.data
      const read = (await call('GET', `/uptime/checks/${id}`)).body.data
      const sent = await call('PATCH', `/uptime/checks/${id}`, read)
      assert.equal(sent.status, 200, sent.text)
      assert.deepEqual((await call('GET', `/uptime/checks/${id}`)).body.data, read)
    }
  })

  test('a name of its own stays when the target changes; the target as name goes with it', async () => {
    const { id } = (await call('POST', ofSite, { url })).body.data
    const read = (await call('GET', `/uptime/checks/${id}`)).body.data
    assert.equal(
      (await call('PATCH', `/uptime/checks/${id}`, { ...read, url: 'https://example.com/b' })).body.data.name,
      'https://example.com/b',
    )
    assert.equal((await call('PATCH', `/uptime/checks/${id}`, { name: 'Shop' })).body.data.name, 'Shop')
    assert.equal((await call('PATCH', `/uptime/checks/${id}`, { url })).body.data.name, 'Shop')
    assert.equal((await call('PATCH', `/uptime/checks/${id}`, { name: null })).body.data.name, url)
  })

  test('another target makes it pending and due; another name or interval does not', async () => {
    const check = await service.store.read
      .selectFrom('uptime_checks')
      .selectAll()
      .where('id', '=', world.ids.check ?? '')
      .executeTakeFirstOrThrow()
    await service.store.write
      .updateTable('uptime_checks')
      .set({ ssl_issuer: 'Some CA', ssl_expires_at: 1e12, next_check_at: service.clock.now + 50_000 })
      .where('id', '=', check.id)
      .execute()
    const renamed = (await call('PATCH', one, { name: 'Home', timeout_seconds: 5, interval_seconds: check.interval_seconds })).body.data
    assert.deepEqual(
      [renamed.status, renamed.ssl_issuer, renamed.next_check_at],
      ['up', 'Some CA', new Date(service.clock.now + 50_000).toISOString()],
    )
    const faster = (await call('PATCH', one, { interval_seconds: 45 })).body.data
    assert.deepEqual([faster.status, faster.next_check_at], ['up', now()])
    const aimed = (await call('PATCH', one, { expected_status: 204 })).body.data
    assert.deepEqual([aimed.status, aimed.ssl_issuer, aimed.ssl_expires_at, aimed.next_check_at], ['pending', null, null, now()])
  })

  test('another kind of check needs its own fields, and silently drops the old ones', async () => {
    assert.deepEqual(faultsOf(await call('PATCH', one, { kind: 'tcp' })).sort(), ['/host required', '/port required'])
    const { body } = await call('PATCH', one, { kind: 'tcp', host: 'example.com', port: 22 })
    assert.deepEqual([body.data.kind, body.data.url, body.data.host, body.data.port], ['tcp', null, 'example.com', 22])
    assert.deepEqual(faultsOf(await call('PATCH', one, { host: null, port: '' })).sort(), ['/port invalid_type'])
    assert.deepEqual(faultsOf(await call('PATCH', one, { host: null, port: null })).sort(), ['/host required', '/port required'])
  })

  test('keyword turns HEAD into GET unless it is asked for', async () => {
    await call('PATCH', one, { http_method: 'HEAD' })
    assert.deepEqual(faultsOf(await call('PATCH', one, { kind: 'keyword', keyword: 'x', http_method: 'HEAD' })), ['/http_method mismatch'])
    assert.equal((await call('PATCH', one, { kind: 'keyword', keyword: 'x' })).body.data.http_method, 'GET')
  })

  test('pause stops it from any state, resume restarts it, and only from paused', async () => {
    const paused = await call('POST', `${one}/pause`, {})
    assert.deepEqual(
      [paused.status, paused.body.data.status, paused.body.data.enabled, paused.body.data.next_check_at],
      [200, 'paused', false, null],
    )
    assert.deepEqual((await call('POST', `${one}/pause`, {})).body.data, paused.body.data)
    assert.equal((await call('PATCH', one, { url: 'https://example.com/other' })).body.data.status, 'paused')
    service.clock.now += 5_000
    const resumed = await call('POST', `${one}/resume`, {})
    assert.deepEqual([resumed.body.data.status, resumed.body.data.enabled, resumed.body.data.next_check_at], ['pending', true, now()])
    assert.deepEqual(codeOf(await call('POST', `${one}/resume`, {})), [422, 'invalid_state'])
  })

  test('paused time counts in no availability', async () => {
    const HOUR = 3_600_000
    const check = await addCheck(service.store.write, service.clock.now - 40 * HOUR, {
      workspace_id: world.ids.workspace ?? '',
      status: 'up',
    })
    const periods = [
      [30, 'paused'],
      [20, 'pending'],
      [19, 'up'],
      [4, 'down'],
      [1, 'up'],
    ] as const
    for (const [ago, status] of periods) {
      await service.store.write
        .insertInto('uptime_periods')
        .values({ check_number: check.number, started_at: service.clock.now - ago * HOUR, status })
        .execute()
    }
    const { uptime } = (await call('GET', `/uptime/checks/${check.id}`)).body.data
    assert.deepEqual(uptime, { '24h': 84.21, '7d': 89.655, '30d': 89.655 })
  })

  test('delete takes the history along', async () => {
    const { number } = await service.store.read
      .selectFrom('uptime_checks')
      .select('number')
      .where('id', '=', world.ids.check ?? '')
      .executeTakeFirstOrThrow()
    await service.store.write
      .insertInto('uptime_results')
      .values({ check_number: number, location: 'a', span: 0, at: 1, probes: 1, failures: 0, timed: 1, total_ms: 5 })
      .execute()
    const deleted = await call('DELETE', one)
    assert.deepEqual([deleted.status, deleted.body.data.id], [200, world.ids.check])
    assert.deepEqual(codeOf(await call('GET', one)), [404, 'not_found'])
    for (const table of ['uptime_results', 'uptime_periods'] as const) {
      assert.deepEqual(await service.store.read.selectFrom(table).selectAll().where('check_number', '=', number).execute(), [])
    }
  })

  test('the checks of a site go with the site', async () => {
    assert.equal((await call('DELETE', '/sites/{{site}}', { confirm: world.ids.domain })).status, 200)
    assert.deepEqual(codeOf(await call('GET', one)), [404, 'not_found'])
    assert.deepEqual(column(await call('GET', ofWorkspace), 'id'), [])
  })

  test('lists are oldest first, and narrowed by state, name and target', async () => {
    const foreign = await makeWorld(service)
    service.clock.now += 1_000
    const shop = (await call('POST', ofSite, { kind: 'tcp', name: '100% shop_x', host: 'shop.example.org', port: 8443 })).body.data.id
    const mail = (await call('POST', ofWorkspace, { kind: 'dns', host: 'mail.example.org' })).body.data.id
    const { check, paused_check } = world.ids
    const ids = async (query: string, path = ofWorkspace) => column(await call('GET', `${path}?${query}`), 'id')
    assert.deepEqual((await ids('')).slice().sort(), [check, paused_check, shop, mail].sort())
    assert.deepEqual((await ids('', ofSite)).slice().sort(), [check, paused_check, shop].sort())
    assert.deepEqual(await ids('status=paused'), [paused_check])
    assert.deepEqual(await ids('status=down'), [])
    assert.deepEqual(await ids('query=SHOP.example.org:84'), [shop])
    assert.deepEqual(await ids('query=0%25 shop_'), [shop])
    assert.deepEqual(await ids('query=%25x'), [])
    assert.deepEqual(await ids('query=example.org', ofSite), [shop])
    assert.equal((await ids('')).includes(foreign.ids.check), false)
    const page = await call('GET', `${ofWorkspace}?per_page=1&page=2`)
    assert.deepEqual([page.body.data.length, page.body.meta], [1, { page: 2, per_page: 1, total: 4, total_pages: 4 }])
  })

  test('a token restricted to a site sees its checks, and no check of the workspace', async () => {
    const own = (await call('POST', ofWorkspace, { kind: 'dns', host: 'example.org' })).body.data.id
    const token = await world.tokenFor('owner', { siteIds: [world.ids.site ?? ''] })
    assert.deepEqual(
      column(await call('GET', ofWorkspace, undefined, token), 'id').sort(),
      [world.ids.check, world.ids.paused_check].sort(),
    )
    for (const [method, path] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/pause'],
      ['POST', '/resume'],
    ] as const) {
      const hidden = await call(method, `/uptime/checks/${own}${path}`, method === 'GET' ? undefined : {}, token)
      assert.deepEqual(codeOf(hidden), [404, 'not_found'], method)
    }
    assert.deepEqual(codeOf(await call('POST', ofWorkspace, { url }, token)), [403, 'permission_denied'])
    assert.equal((await call('POST', ofSite, { url }, token)).status, 201)
  })

  test('response times are averages of buckets by location, over single results and sums', async () => {
    const { number } = await service.store.read
      .selectFrom('uptime_checks')
      .select('number')
      .where('id', '=', world.ids.check ?? '')
      .executeTakeFirstOrThrow()
    const minute = 60_000
    const start = service.clock.now - (service.clock.now % (10 * minute))
    const result = (location: string, span: number, at: number, timed: number, total_ms: number) => ({
      check_number: number,
      location,
      span,
      at,
      probes: timed || 1,
      failures: timed ? 0 : 1,
      timed,
      total_ms,
    })
    await service.store.write
      .insertInto('uptime_results')
      .values([
        result('fra1', 0, start, 1, 100),
        result('fra1', 0, start + 1, 1, 201),
        result('local', 0, start + 2, 0, 0),
        result('local', 600_000, start - 20 * minute, 3, 100),
        result('local', 3_600_000, start - 48 * 60 * minute, 10, 5_000),
      ])
      .execute()
    const times = async (range: string) => (await call('GET', `${one}?range=${range}`)).body.data.response_times
    const day = await times('24h')
    assert.deepEqual([day.unit, day.labels.length, day.labels.at(-1)], ['ms', 144, new Date(start).toISOString()])
    assert.deepEqual(Object.keys(day.series), ['fra1', 'local'])
    assert.deepEqual(
      [day.series.fra1.at(-1), day.series.local.at(-1), day.series.local.at(-3), day.series.fra1.at(-3)],
      [151, null, 33, null],
    )
    const week = await times('7d')
    assert.deepEqual([week.labels.length, week.series.local.length, week.series.local.at(-49)], [168, 168, 500])
    const month = await times('30d')
    assert.deepEqual([month.labels.length, month.series.local.filter((ms: number | null) => ms !== null)], [120, [500, 33]])
  })
})
