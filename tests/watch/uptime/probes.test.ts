/** Remote probes: their tokens, their checks, and the results they submit. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { uptime_down, uptime_up } from '../../../operations/watch/uptime/events.ts'
import { matches } from '../../../runtime/values/matches.ts'
import type { UptimeCheckRow } from '../../../storage/tables/index.ts'
import { onEachEngine } from '../../support/engines.ts'
import { codeOf, column, faultsOf } from '../../support/replies.ts'
import { addCheck, addProbeToken } from '../../support/uptime.ts'
import { fill, makeWorld, request, startService, type TestService, type World } from '../../support/world.ts'

onEachEngine('probes', engine => {
  let service: TestService
  let world: World
  let check: string
  before(async () => {
    service = await startService(engine)
  })
  after(() => service.close())
  beforeEach(async () => {
    service.clock.now += 3_600_000
    world = await makeWorld(service)
    check = (
      await addCheck(service.store.write, service.clock.now, {
        workspace_id: world.ids.workspace ?? '',
        site_id: world.ids.site ?? null,
        interval_seconds: 300,
      })
    ).id
  })

  const call = (method: string, path: string, body?: unknown, token: string | undefined = world.token, headers = {}) =>
    request(service, method, fill(path, world), { token, body, headers })
  const tokens = '/workspaces/{{workspace}}/uptime/probe_tokens'
  const at = (seconds = 0) => new Date(service.clock.now + seconds * 1000).toISOString()
  const submit = (results: object[], token = world.shown.probe) => call('POST', '/uptime/probes/results', { results }, token)
  const result = (saw: string, seconds = 0, rest: object = {}) => ({
    check_id: check,
    location: 'fra1',
    checked_at: at(seconds),
    ...(saw === 'ok' ? { ok: true, status_code: 200, response_ms: 80 } : { ok: false, error: saw }),
    ...rest,
  })
  const read = async () => (await call('GET', `/uptime/checks/${check}`)).body.data
  const events = async () =>
    await service.store.read
      .selectFrom('events')
      .selectAll()
      .where('workspace_id', '=', world.ids.workspace ?? '')
      .where('type', 'like', 'uptime.%')
      .orderBy('created_at')
      .orderBy('type')
      .execute()

  test('the list of probe addresses is public and has no envelope', async () => {
    const answer = await request(service, 'GET', '/uptime/probes.json')
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.body, {
      user_agent: 'Footfall-Uptime/1.0 (+http://footfall.test/uptime/probes.json)',
      locations: [{ location: 'local', ip_ranges: [] }],
    })
  })

  test('a token is shown once, bound to a location, listed without its secret, and ends when revoked', async () => {
    const made = await call('POST', tokens, { location: 'nyc1', name: 'New York' })
    assert.equal(made.status, 201, made.text)
    const { token, ...record } = made.body.data
    assert.match(token, /^prb_[0-9A-Za-z]{36}$/)
    assert.equal(made.headers.get('cache-control'), 'no-store, no-transform')
    assert.deepEqual([record.location, record.name, record.status, record.token_prefix], ['nyc1', 'New York', 'active', token.slice(0, 10)])
    const { hash } = await service.store.read
      .selectFrom('probe_tokens')
      .select('hash')
      .where('id', '=', record.id)
      .executeTakeFirstOrThrow()
    assert.notEqual(hash, token)
    const listed = await call('GET', tokens)
    assert.deepEqual([column(listed, 'location').sort(), new Set(column(listed, 'token'))], [['fra1', 'nyc1'], new Set([null])])
    assert.equal((await call('GET', '/uptime/probes/checks', undefined, token)).status, 200)
    const revoked = await call('DELETE', `${tokens}/${record.id}`)
    assert.deepEqual([revoked.status, revoked.body.data.status], [200, 'revoked'])
    assert.deepEqual((await call('DELETE', `${tokens}/${record.id}`)).body.data, revoked.body.data)
    assert.deepEqual(codeOf(await call('GET', '/uptime/probes/checks', undefined, token)), [401, 'invalid_token'])
    assert.deepEqual(
      [column(await call('GET', tokens), 'location'), column(await call('GET', `${tokens}?include_revoked=true`), 'location').sort()],
      [['fra1'], ['fra1', 'nyc1']],
    )
  })

  test('a location has a plain name that differs from the service’s location', async () => {
    for (const location of ['', 'Fra1', 'fra 1', '-a', 'a-', 'a/b', 'x'.repeat(33), '__proto__']) {
      assert.deepEqual(faultsOf(await call('POST', tokens, { location })), ['/location invalid_format'], location)
    }
    assert.deepEqual(faultsOf(await call('POST', tokens, { location: 'local' })), ['/location mismatch'])
    assert.deepEqual(faultsOf(await call('POST', tokens, {})), ['/location required'])
  })

  test('only a probe token opens what is for probes, and it opens nothing else', async () => {
    const own = world.shown.probe ?? ''
    const wrong = [
      undefined,
      'prb_',
      world.token,
      `prb_${'x'.repeat(36)}`,
      own.slice(0, -1),
      `${own.slice(0, -1)}${own.endsWith('0') ? '1' : '0'}`,
      own.replace('prb_', 'pat_'),
    ]
    for (const token of wrong) {
      for (const [method, path, body] of [
        ['GET', '/uptime/probes/checks'],
        ['POST', '/uptime/probes/results', {}],
      ] as const) {
        const answer = await request(service, method, path, { token, body })
        assert.deepEqual(codeOf(answer), [401, token === undefined ? 'authentication_required' : 'invalid_token'], String(token))
        assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer/)
      }
    }
    assert.deepEqual(codeOf(await call('GET', `/uptime/checks/${check}`, undefined, own)), [401, 'invalid_token'])
    assert.deepEqual(codeOf(await call('GET', '/workspaces', undefined, own)), [401, 'invalid_token'])
  })

  test('an agent is handed the checks of its workspace that are not paused, and 304 while they stay', async () => {
    const foreign = await makeWorld(service)
    const answer = await call('GET', '/uptime/probes/checks', undefined, world.shown.probe)
    const { location, user_agent, checks } = answer.body
    assert.deepEqual([location, /^Footfall-Uptime/.test(user_agent)], ['fra1', true])
    assert.deepEqual(checks.map((each: { id: string }) => each.id).sort(), [world.ids.check, check].sort())
    assert.equal(answer.text.includes(foreign.ids.check ?? ''), false)
    assert.deepEqual(Object.keys(checks[0]).sort(), [
      'expected_status',
      'host',
      'http_method',
      'id',
      'interval_seconds',
      'keyword',
      'kind',
      'port',
      'timeout_seconds',
      'url',
      'watched_since',
    ])
    await call('PATCH', `/uptime/checks/${check}`, { accepted_statuses: ['204', '3xx'] })
    const changed = await call('GET', '/uptime/probes/checks', undefined, world.shown.probe)
    assert.deepEqual(changed.body.checks.find(({ id }: { id: string }) => id === check).accepted_statuses, ['204', '3xx'])
    const tag = changed.headers.get('etag') ?? ''
    assert.equal((await call('GET', '/uptime/probes/checks', undefined, world.shown.probe, { 'If-None-Match': tag })).status, 304)
    await call('POST', `/uptime/checks/${check}/pause`, {})
    assert.equal((await call('GET', '/uptime/probes/checks', undefined, world.shown.probe, { 'If-None-Match': tag })).status, 200)
  })

  test('three failures take it down, two successes bring it up, each with its event', async () => {
    assert.deepEqual((await submit([result('ok', -300)])).body, { accepted: 1, rejected: [] })
    assert.deepEqual([(await read()).status, (await read()).last_response_ms, (await read()).last_checked_at], ['up', 80, at(-300)])
    await submit([result('timeout', -240), result('x', -210, { error: null, status_code: 503 })])
    assert.deepEqual([(await read()).status, await events()], ['up', []])
    await submit([result('timeout', -180)])
    const down = await read()
    assert.deepEqual([down.status, down.last_response_ms], ['down', null])
    assert.deepEqual(down.incidents, [
      { started_at: at(-240), resolved_at: null, duration_seconds: 240, cause: 'timeout', failed_locations: ['fra1'] },
    ])
    await submit([result('status_500', -120), result('status_500', -60), result('status_500', -50)])
    assert.equal((await read()).incidents[0].cause, 'status_500')
    await submit([result('ok', -20)])
    assert.equal((await read()).status, 'down')
    await submit([result('ok', 0)])
    const up = await read()
    assert.equal(up.status, 'up')
    assert.deepEqual(up.incidents, [
      { started_at: at(-240), resolved_at: at(-20), duration_seconds: 220, cause: 'status_500', failed_locations: ['fra1'] },
    ])
    const [first, second, ...more] = await events()
    assert.deepEqual([first?.type, second?.type, more], ['uptime.down', 'uptime.up', []])
    const [fall, rise] = [JSON.parse(first?.data ?? ''), JSON.parse(second?.data ?? '')]
    assert.ok(matches(uptime_down.data, fall) && matches(uptime_up.data, rise))
    assert.deepEqual([fall.check.id, fall.check.status, fall.incident.resolved_at, fall.incident.cause], [check, 'down', null, 'timeout'])
    assert.deepEqual([rise.check.status, rise.incident.id, rise.incident.resolved_at], ['up', fall.incident.id, at(-20)])
    assert.equal(first?.site_id, world.ids.site)
    assert.equal(up.uptime['24h'], 26.666) // known for 300 s: up 60, down 220, up 20
  })

  test('most locations decide, and the incident names those that failed', async () => {
    const [nyc, sin] = await Promise.all(
      ['nyc1', 'sin1'].map(location => addProbeToken(service.store.write, service.clock.now, world.ids.workspace ?? '', location)),
    )
    const from = (token: string | undefined, location: string, rows: [string, number][]) =>
      submit(
        rows.map(([saw, seconds]) => result(saw, seconds, { location })),
        token,
      )
    await from(world.shown.probe, 'fra1', [
      ['ok', -300],
      ['x', -200],
      ['x', -170],
      ['x', -140],
    ])
    assert.equal((await read()).status, 'down')
    await from(nyc?.token, 'nyc1', [
      ['ok', -300],
      ['ok', -130],
    ])
    await from(sin?.token, 'sin1', [['ok', -120]])
    assert.equal((await read()).status, 'up')
    assert.deepEqual((await read()).incidents[0].failed_locations, ['fra1'])
    await from(nyc?.token, 'nyc1', [
      ['y', -60],
      ['y', -40],
      ['y', -20],
    ])
    await from(world.shown.probe, 'fra1', [['x', -10]])
    const { status, incidents } = await read()
    assert.deepEqual(
      [status, incidents.length, incidents[0].failed_locations, incidents[0].resolved_at],
      ['down', 2, ['fra1', 'nyc1'], null],
    )
  })

  test('refused results have a reason and their place; the others are stored', async () => {
    const foreign = await makeWorld(service)
    const answer = await submit([
      result('ok', 0),
      result('ok', 0, { check_id: 'upc_none' }),
      result('ok', 0, { check_id: foreign.ids.check }),
      result('ok', 0, { check_id: world.ids.paused_check }),
      result('ok', -601),
      result('ok', 61),
      result('ok', 60),
      result('ok', -1),
      result('ok', 0),
    ])
    assert.deepEqual(
      answer.body,
      {
        accepted: 3,
        rejected: [
          { index: 1, code: 'not_found' },
          { index: 2, code: 'not_found' },
          { index: 3, code: 'paused' },
          { index: 4, code: 'too_old' },
          { index: 5, code: 'in_future' },
          { index: 8, code: 'duplicate' },
        ],
      },
      answer.text,
    )
  })

  test('the same again is dropped and counts in nothing', async () => {
    const rows = [result('x', 0), result('x', 10)]
    assert.equal((await submit(rows)).body.accepted, 2)
    assert.deepEqual((await submit(rows)).body, {
      accepted: 0,
      rejected: [
        { index: 0, code: 'duplicate' },
        { index: 1, code: 'duplicate' },
      ],
    })
    await submit(rows)
    assert.equal((await read()).status, 'pending')
  })

  test('a result of another location refuses all of them', async () => {
    const answer = await submit([result('ok', 0), result('ok', 0, { location: 'nyc1' })])
    assert.deepEqual(codeOf(answer), [403, 'permission_denied'])
    assert.equal((await read()).status, 'pending')
    assert.equal((await submit([result('ok', 0, { location: undefined })])).body.accepted, 1)
  })

  test('a submission is checked whole: too many, missing fields, wrong types', async () => {
    assert.deepEqual(faultsOf(await submit(Array(501).fill(result('ok')))), ['/results too_many_items'])
    assert.deepEqual(faultsOf(await submit([{ check_id: check, ok: 'yes', checked_at: 'today', status_code: -1, colour: 1 }])).sort(), [
      '/results/0/checked_at invalid_format',
      '/results/0/colour unknown_field',
      '/results/0/ok invalid_type',
      '/results/0/status_code too_small',
    ])
    assert.deepEqual((await submit([])).body, { accepted: 0, rejected: [] })
    assert.equal((await submit(Array.from({ length: 500 }, (_, i) => result('ok', -i)))).body.accepted, 500)
  })

  test('a location that was not heard of for two intervals and a timeout has no voice', async () => {
    const other = await addProbeToken(service.store.write, service.clock.now, world.ids.workspace ?? '', 'nyc1')
    await submit([result('ok', 0, { location: 'nyc1' })], other.token)
    service.clock.now += 610_000
    await submit([result('x', -60), result('x', -30), result('x', -1)])
    assert.equal((await read()).status, 'up')
    service.clock.now += 1
    await submit([result('x', 0)])
    assert.equal((await read()).status, 'down')
    service.clock.now += 620_000
    assert.equal((await read()).status, 'down', 'nobody heard of: it stays as it was')
    assert.deepEqual((await submit([result('ok', -599), result('ok', -598)])).body.accepted, 2)
    assert.equal((await read()).status, 'up', 'heard of just in time')
  })

  test('hostile names of errors are kept as one line of text', async () => {
    for (const seconds of [-20, -10, 0]) await submit([result(`bad\n\u202e${'é'.repeat(40)}  thing`, seconds)])
    assert.equal((await read()).incidents[0].cause, `bad ${'é'.repeat(40)} thing`)
  })

  test('results from before a resumption or a change of the target are outdated and do not count', async () => {
    await submit([result('x', -20), result('x', -10)])
    service.clock.now += 60_000
    await call('PATCH', `/uptime/checks/${check}`, { url: 'https://example.com/elsewhere' })
    assert.deepEqual((await submit([result('x', -1)])).body.rejected, [{ index: 0, code: 'outdated' }])
    assert.equal((await submit([result('x', 0), result('x', 30)])).body.accepted, 2)
    assert.equal((await read()).status, 'pending')
    service.clock.now += 60_000
    await submit([result('x', 0)])
    assert.equal((await read()).status, 'down')
  })

  test('an incident outlasts a pause and an edit, and ends at the first success', async () => {
    await submit([result('x', -20), result('x', -10), result('x', 0)])
    service.clock.now += 60_000
    await call('POST', `/uptime/checks/${check}/pause`, {})
    await call('POST', `/uptime/checks/${check}/resume`, {})
    assert.equal((await read()).incidents[0].resolved_at, null)
    assert.equal((await events()).length, 1)
    await submit([result('ok', 5)])
    const { status, incidents } = await read()
    assert.deepEqual([status, incidents.length, incidents[0].resolved_at], ['up', 1, at(5)])
    assert.deepEqual(
      (await events()).map(event => event.type),
      ['uptime.down', 'uptime.up'],
    )
  })

  test('two concurrent submissions open one incident and announce it once', async () => {
    const tokens = await Promise.all(
      ['a', 'b', 'c', 'd'].map(location => addProbeToken(service.store.write, service.clock.now, world.ids.workspace ?? '', location)),
    )
    // Each location in order, all locations concurrently: a result older than the latest of its location is ignored.
    await Promise.all(
      tokens.map(async ({ token }, i) => {
        for (const seconds of [-20, -10, 0, 5]) await submit([result('x', seconds, { location: 'abcd'[i] })], token)
      }),
    )
    const { status, incidents } = await read()
    assert.deepEqual([status, incidents.length], ['down', 1])
    assert.equal((await events()).length, 1)
  })

  test('an outage of many sites, submitted twice in opposite order, waits for nothing in a circle', async () => {
    const workspace = world.ids.workspace ?? ''
    const { store, clock } = service
    const sites = await Promise.all(
      Array.from(
        { length: 15 },
        async (_, i) => (await call('POST', `/workspaces/${workspace}/sites`, { domain: `n${i}.${world.ids.domain}` })).body.data.id,
      ),
    )
    for (const site_id of sites) {
      const made = await call('POST', `/workspaces/${workspace}/alerts`, { name: 'Down', kind: 'uptime', site_id })
      assert.equal(made.status, 201, made.text)
    }
    await store.write
      .updateTable('alerts')
      .set({ evaluate_at: clock.now + 600_000 })
      .where('workspace_id', '=', workspace)
      .execute()
    const { token } = await addProbeToken(store.write, clock.now, workspace)
    const outage = async (order: readonly string[]) => {
      const checks: UptimeCheckRow[] = []
      for (const site_id of sites) checks.push(await addCheck(store.write, clock.now, { workspace_id: workspace, site_id }))
      const ids = order.map(site => checks.find(({ site_id }) => site_id === site)?.id)
      return ids.flatMap(check_id => [-20, -10, 0].map(seconds => result('x', seconds, { check_id })))
    }
    const outages = [await outage(sites), await outage(sites.toReversed())]
    const answers = await Promise.all(outages.map((results, i) => submit(results, i === 0 ? token : world.shown.probe)))
    assert.deepEqual(
      answers.map(({ status, body }) => [status, body.accepted]),
      [
        [200, 45],
        [200, 45],
      ],
    )
    const { dueNow } = await store.read
      .selectFrom('alerts')
      .select(({ fn }) => fn.countAll<number>().as('dueNow'))
      .where('workspace_id', '=', workspace)
      .where('site_id', 'in', sites)
      .where('evaluate_at', '=', clock.now)
      .executeTakeFirstOrThrow()
    assert.equal(dueNow, sites.length)
  })
})
