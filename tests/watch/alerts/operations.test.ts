import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { ofEachKind } from '../../../operations/watch/alerts/examples.ts'
import { matches } from '../../../runtime/values/matches.ts'
import { alert_resolved } from '../../../operations/watch/alerts/events.ts'
import { isUniqueViolation } from '../../../storage/store.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { fill, makeWorld, type Reply, request, startService, type TestService, type World } from '../../support/world.ts'

/** The default fields of an alert on a site and goal. */
const plain = {
  site_id: '{{site}}',
  metric: null,
  operator: null,
  threshold: null,
  window_minutes: 60,
  sensitivity: 'medium',
  goal_id: null,
  channel_ids: [],
  uptime_check_id: null,
  state: 'ok',
  enabled: true,
  muted_until: null,
  last_triggered_at: null,
  last_evaluated_at: null,
}
const site_id = '{{site}}'
const goal_id = '{{goal}}'
const all = '/workspaces/{{workspace}}/alerts'
const one = '/alerts/{{alert}}'

/** The minimal input for each kind, and the resulting record. */
const minimal: [kind: string, body: object, record: object][] = [
  ['threshold', { site_id, metric: 'visits', operator: 'lt', threshold: 0 }, { metric: 'visits', operator: 'lt', threshold: 0 }],
  [
    'threshold',
    { site_id, metric: 'conversion', operator: 'lt', threshold: 2.5, goal_id },
    { metric: 'conversion', operator: 'lt', threshold: 2.5, goal_id },
  ],
  ['anomaly', { site_id }, { metric: 'visitors' }],
  ['anomaly', { site_id, metric: 'conversion', goal_id, operator: '' }, { metric: 'conversion', goal_id }],
  ['goal', { site_id, goal_id }, { goal_id, operator: 'gte', threshold: 1 }],
  ['no_data', { site_id }, { threshold: 24 }],
  ['usage', {}, { site_id: null, operator: 'gte', threshold: 80 }],
  ['usage', { site_id: null, metric: null, goal_id: null }, { site_id: null, operator: 'gte', threshold: 80 }],
  ['uptime', { site_id }, {}],
  ['ssl', { site_id, operator: null }, { operator: 'lte', threshold: 14 }],
  ['vitals', { site_id, metric: 'cls', threshold: 0.1 }, { metric: 'cls', operator: 'gt', threshold: 0.1 }],
  [
    'vitals',
    { site_id, metric: 'lcp', threshold: 4000, operator: 'lte', window_minutes: 10_080, enabled: false },
    { metric: 'lcp', operator: 'lte', threshold: 4000, window_minutes: 10_080, enabled: false },
  ],
  ['anomaly', { site_id, metric: 'visits', operator: 'gt', sensitivity: 'low' }, { metric: 'visits', operator: 'gt', sensitivity: 'low' }],
]

const long = 'x'.repeat(101)
/** Inputs that are refused, with all faults: `field code`. */
const refused: [says: string, body: object, faults: string[]][] = [
  ['a kind that is none', { name: 'A', kind: 'weather' }, ['kind not_in_enum']],
  ['nothing at all', {}, ['kind required', 'name required']],
  ['a name that is empty', { name: '', kind: 'usage' }, ['name too_short']],
  ['a name of 101 characters', { name: long, kind: 'usage' }, ['name too_long']],
  ['a name of nothing that shows', { name: '\n\u2028\0', kind: 'usage' }, ['name too_short']],
  ['a window too short', { name: 'A', kind: 'usage', window_minutes: 4 }, ['window_minutes too_small']],
  ['a window too long', { name: 'A', kind: 'usage', window_minutes: 10_081 }, ['window_minutes too_large']],
  ['half a minute', { name: 'A', kind: 'usage', window_minutes: 5.5 }, ['window_minutes invalid_type']],
  ['a threshold below zero', { name: 'A', kind: 'usage', threshold: -1 }, ['threshold too_small']],
  ['a threshold beyond numbers', '{"name":"A","kind":"usage","threshold":1e999}' as never, ['threshold invalid_type']],
  ['a field that is none', { name: 'A', kind: 'usage', colour: 'red' }, ['colour unknown_field']],
  ['too many channels', { name: 'A', kind: 'usage', channel_ids: Array(21).fill('nch_1') }, ['channel_ids too_many_items']],
  [
    'threshold without its condition',
    { name: 'A', kind: 'threshold' },
    ['metric required', 'operator required', 'site_id required', 'threshold required'],
  ],
  [
    'threshold over a vital',
    { name: 'A', kind: 'threshold', site_id, metric: 'lcp', operator: 'lt', threshold: 1 },
    ['metric not_in_enum'],
  ],
  [
    'a rate over 100',
    { name: 'A', kind: 'threshold', site_id, metric: 'bounce_rate', operator: 'gt', threshold: 101 },
    ['threshold too_large'],
  ],
  [
    'conversion without a goal',
    { name: 'A', kind: 'threshold', site_id, metric: 'conversion', operator: 'lt', threshold: 1 },
    ['goal_id required'],
  ],
  [
    'a goal with visitors',
    { name: 'A', kind: 'threshold', site_id, metric: 'visitors', operator: 'lt', threshold: 1, goal_id },
    ['goal_id mismatch'],
  ],
  [
    'anomaly with a threshold',
    { name: 'A', kind: 'anomaly', site_id, threshold: 3, operator: 'gte' },
    ['operator not_in_enum', 'threshold mismatch'],
  ],
  ['goal without a goal', { name: 'A', kind: 'goal', site_id }, ['goal_id required']],
  ['goal with a metric', { name: 'A', kind: 'goal', site_id, goal_id, metric: 'visitors' }, ['metric mismatch']],
  ['silence of no time', { name: 'A', kind: 'no_data', site_id, threshold: 0 }, ['threshold too_small']],
  ['usage of a site', { name: 'A', kind: 'usage', site_id }, ['site_id mismatch']],
  [
    'uptime with a threshold',
    { name: 'A', kind: 'uptime', site_id, threshold: 1, operator: 'gt' },
    ['operator mismatch', 'threshold mismatch'],
  ],
  ['vitals without metric', { name: 'A', kind: 'vitals', site_id }, ['metric required', 'threshold required']],
  ['vitals over visitors', { name: 'A', kind: 'vitals', site_id, metric: 'visitors', threshold: 1 }, ['metric not_in_enum']],
  [
    'everything wrong at once',
    {
      name: 'A',
      kind: 'goal',
      site_id: 'pa_nowhere',
      goal_id: 'goal_none',
      metric: 'lcp',
      uptime_check_id: 'upc_1',
      channel_ids: ['nch_1', 'nch_2'],
    },
    [
      'channel_ids/0 not_found',
      'channel_ids/1 not_found',
      'goal_id not_found',
      'metric mismatch',
      'site_id not_found',
      'uptime_check_id mismatch',
    ],
  ],
  ['an uptime check that is none', { name: 'A', kind: 'uptime', site_id, uptime_check_id: 'upc_1' }, ['uptime_check_id not_found']],
]

const faultsOf = ({ body }: Reply): string[] =>
  body.error.details.map((d: { pointer: string; code: string }) => `${d.pointer.slice(1)} ${d.code}`).sort()

const idsOf = ({ body }: Reply): string[] => body.data.map((alert: { id: string }) => alert.id)

onAnyEngine('alerts', engine => {
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
    request(service, method, fill(path, world), { token, body: typeof body === 'object' ? fill(body, world) : body })
  const create = async (body: object, token = world.token): Promise<string> => {
    const { status, body: answer, text } = await call('POST', all, { name: 'New', ...body }, token)
    assert.equal(status, 201, text)
    return answer.data.id
  }
  const newSite = async (): Promise<string> => {
    const domain = `${world.ids.site?.slice(3)}.example.org`
    const { body } = await call('POST', '/workspaces/{{workspace}}/sites', { domain })
    return body.data.id
  }
  const incidents = async (id = world.ids.alert) => (await call('GET', `/alerts/${id}/history`)).body.data
  const trigger = async (id: string, at = service.clock.now) => {
    const { write } = service.store
    await write
      .insertInto('alert_incidents')
      .values({ id: `inc_${id}_${at}`, alert_id: id, triggered_at: at, value: 1 })
      .execute()
    await write.updateTable('alerts').set({ state: 'triggered', last_triggered_at: at }).where('id', '=', id).execute()
  }
  const eventsOf = async (type: string) => {
    const rows = await service.store.read
      .selectFrom('events')
      .selectAll()
      .where('type', '=', type)
      .where('workspace_id', '=', world.ids.workspace ?? '')
      .execute()
    return rows.map(row => ({ site_id: row.site_id, data: JSON.parse(row.data) }))
  }

  for (const [kind, body, record] of minimal) {
    test(`${kind} from ${JSON.stringify(body)} has the defaults of its kind`, async () => {
      const {
        status,
        body: { data },
      } = await call('POST', all, { name: 'New', kind, ...body })
      assert.equal(status, 201)
      assert.match(data.id, /^alr_/)
      const { id, created_at, ...rest } = data
      assert.deepEqual(rest, fill({ name: 'New', kind, ...plain, ...record }, world))
      assert.equal(created_at, '2026-03-10T12:00:00.000Z')
      assert.deepEqual((await call('GET', `/alerts/${id}`)).body.data, data)
    })
  }

  for (const [says, body, faults] of refused) {
    test(`${says} is refused with ${faults.join(', ')}`, async () => {
      const reply = await call('POST', `${all}.json`, body)
      assert.equal(reply.status, 422, reply.text)
      assert.deepEqual(faultsOf(reply), faults)
      assert.ok(reply.body.error.details.every((detail: { in: string }) => detail.in === 'body'))
      assert.equal((await call('GET', all)).body.meta.total, 1)
    })
  }

  test('ids that the caller may not see are not there, whatever is wrong with them', async () => {
    const foreign = await makeWorld(service)
    const other = await newSite()
    const odd = ['pa_0000000000000000000000', '🙂', "'; drop", 'x'.repeat(64)]
    const restricted = await world.tokenFor('editor', { siteIds: [world.ids.site ?? ''] })
    const post = (body: object, token?: string) => call('POST', all, { name: 'A', ...body }, token)
    const answers = [
      ...[foreign.ids.site, ...odd].map(id => [{ kind: 'uptime', site_id: id }, 'site_id not_found'] as const),
      ...[foreign.ids.goal, ...odd].map(id => [{ kind: 'goal', site_id, goal_id: id }, 'goal_id not_found'] as const),
      [{ kind: 'goal', site_id: other, goal_id }, 'goal_id not_found'] as const,
      ...['', ...odd].map(id => [{ kind: 'usage', channel_ids: [id] }, 'channel_ids/0 not_found'] as const),
      ...odd.map(id => [{ kind: 'ssl', site_id, uptime_check_id: id }, 'uptime_check_id not_found'] as const),
    ]
    for (const [body, fault] of answers) {
      const reply = await post(body)
      assert.equal(reply.status, 422, reply.text)
      assert.deepEqual(faultsOf(reply), [fault], JSON.stringify(body).slice(0, 200))
    }
    const long = 'x'.repeat(5_000) // longer than any id
    assert.deepEqual(faultsOf(await post({ kind: 'uptime', site_id: long })), ['site_id too_long'])
    assert.deepEqual(faultsOf(await post({ kind: 'usage', channel_ids: [long] })), ['channel_ids/0 too_long'])
    assert.deepEqual(faultsOf(await post({ kind: 'uptime', site_id: other }, restricted)), ['site_id not_found'])
    for (const goal of [foreign.ids.goal, 'goal_unknown', goal_id]) {
      const reply = await post({ kind: 'goal', site_id: foreign.ids.site, goal_id: goal })
      assert.deepEqual(faultsOf(reply), ['goal_id not_found', 'site_id not_found'])
    }
    assert.equal((await post({ kind: 'uptime', site_id }, restricted)).status, 201)
    const typed = { confirm: `${world.ids.site?.slice(3)}.example.org` }
    assert.equal((await call('DELETE', `/sites/${other}`, typed)).status, 200)
    assert.deepEqual(faultsOf(await post({ kind: 'uptime', site_id: other })), ['site_id not_found'])
  })

  for (const { input } of ofEachKind) {
    test(`an alert of kind ${input.kind} that was read can be sent back, and nothing changes`, async () => {
      const id = await create(input)
      await trigger(id)
      const {
        body: { data },
      } = await call('GET', `/alerts/${id}`)
      const reply = await call('PATCH', `/alerts/${id}`, data)
      assert.equal(reply.status, 200, reply.text)
      assert.deepEqual(reply.body.data, data)
      assert.equal(data.state, 'triggered')
      assert.equal((await incidents(id))[0].resolved_at, null)
      assert.deepEqual(await eventsOf('alert.resolved'), [])
      const again = await call('POST', all, data)
      assert.equal(again.status, 201, again.text)
      assert.notEqual(again.body.data.id, id)
    })
  }

  test('an alert whose records were deleted can still be sent back', async () => {
    const id = await create({ kind: 'goal', site_id, goal_id })
    await service.store.write
      .deleteFrom('goals')
      .where('id', '=', world.ids.goal ?? '')
      .execute()
    const {
      body: { data },
    } = await call('GET', `/alerts/${id}`)
    const same = await call('PATCH', `/alerts/${id}`, { ...data, name: 'Renamed' })
    assert.equal(same.status, 200, same.text)
    assert.deepEqual(same.body.data, { ...data, name: 'Renamed' })
    const more = await call('PATCH', `/alerts/${id}`, { channel_ids: [world.ids.channel, 'nch_new'] })
    assert.deepEqual(faultsOf(more), ['channel_ids/1 not_found'])
  })

  /** Changes of the world's alert (threshold, visitors lt 10, triggered), and the resulting record or faults. */
  const changes: [says: string, patch: object, expected: object | string[]][] = [
    ['nothing', {}, {}],
    ['null for what is required', { threshold: null, operator: null }, ['operator required', 'threshold required']],
    ['a metric with a goal', { metric: 'conversion', goal_id }, { metric: 'conversion', goal_id }],
    ['a rate keeps the threshold in its bounds', { metric: 'bounce_rate', threshold: 100.5 }, ['threshold too_large']],
    ['another kind starts from its defaults', { kind: 'ssl' }, { kind: 'ssl', metric: null, operator: 'lte', threshold: 14 }],
    [
      'another kind keeps nothing but the site',
      { kind: 'anomaly' },
      { kind: 'anomaly', metric: 'visitors', operator: null, threshold: null },
    ],
    ['another kind needs its own', { kind: 'vitals' }, ['metric required', 'threshold required']],
    [
      'another kind with its own',
      { kind: 'vitals', metric: 'inp', threshold: 200 },
      { kind: 'vitals', metric: 'inp', operator: 'gt', threshold: 200 },
    ],
    ['usage leaves the site', { kind: 'usage' }, { kind: 'usage', site_id: null, metric: null, operator: 'gte', threshold: 80 }],
    ['no site', { site_id: null }, ['site_id required']],
    ['a field of another kind', { goal_id }, ['goal_id mismatch']],
    ['what is only shown', { id: 'alr_1', state: 'ok', muted_until: 5, last_triggered_at: 'never' }, {}],
    ['what is not there', { colour: 'red', name: '' }, ['colour unknown_field', 'name too_short']],
    [
      'null where there is no null',
      { name: null, window_minutes: null, channel_ids: null, enabled: null, sensitivity: null, kind: null },
      [
        'channel_ids invalid_type',
        'enabled invalid_type',
        'kind not_in_enum',
        'name invalid_type',
        'sensitivity not_in_enum',
        'window_minutes invalid_type',
      ],
    ],
  ]
  for (const [says, patch, expected] of changes) {
    test(`a change: ${says}`, async () => {
      const {
        body: { data: was },
      } = await call('GET', one)
      const reply = await call('PATCH', one, patch)
      const {
        body: { data: is },
      } = await call('GET', one)
      if (Array.isArray(expected)) {
        assert.equal(reply.status, 422, reply.text)
        assert.deepEqual(faultsOf(reply), expected)
        assert.deepEqual(is, was)
        assert.equal((await incidents())[0].resolved_at, null)
      } else {
        assert.equal(reply.status, 200, reply.text)
        const state = Object.keys(expected).length > 0 ? 'ok' : 'triggered'
        assert.deepEqual(reply.body.data, { ...was, ...fill(expected, world), state })
        assert.deepEqual(is, reply.body.data)
      }
    })
  }

  test('a conversion alert that turns to visitors lets go of its goal', async () => {
    const id = await create({ kind: 'threshold', site_id, metric: 'conversion', operator: 'lt', threshold: 2, goal_id })
    const { status, body } = await call('PATCH', `/alerts/${id}`, { metric: 'visitors' })
    assert.equal(status, 200)
    assert.deepEqual([body.data.metric, body.data.goal_id], ['visitors', null])
  })

  test('an alert moves to another site, but its goal does not', async () => {
    const other = await newSite()
    const id = await create({ kind: 'goal', site_id, goal_id })
    await trigger(id)
    assert.deepEqual(faultsOf(await call('PATCH', `/alerts/${id}`, { site_id: other })), ['goal_id not_found'])
    const abroad = await call('PATCH', `/alerts/${id}`, { site_id: (await makeWorld(service)).ids.site })
    assert.deepEqual(faultsOf(abroad), ['goal_id not_found', 'site_id not_found'])
    const moved = await call('PATCH', `/alerts/${id}`, { site_id: other, kind: 'no_data' })
    assert.equal(moved.status, 200, moved.text)
    assert.equal(moved.body.data.site_id, other)
    assert.deepEqual(idsOf(await call('GET', `/sites/${other}/alerts`)), [id])
    assert.equal((await eventsOf('alert.resolved'))[0]?.site_id, world.ids.site)

    const restricted = await world.tokenFor('editor', { siteIds: [world.ids.site ?? ''] })
    assert.equal((await call('PATCH', `/alerts/${id}`, { name: 'Mine' }, restricted)).status, 404)
    assert.deepEqual(faultsOf(await call('PATCH', one, { site_id: other }, restricted)), ['site_id not_found'])
  })

  const resolutions: [says: string, patch: object, resolution: string | null][] = [
    ['a name', { name: 'Renamed' }, null],
    ['the same condition', { metric: 'visitors', operator: 'lt', threshold: 10, window_minutes: 60, enabled: true }, null],
    ['a threshold', { threshold: 11 }, 'rule_changed'],
    ['an operator', { operator: 'lte' }, 'rule_changed'],
    ['a window', { window_minutes: 61 }, 'rule_changed'],
    ['a kind', { kind: 'no_data' }, 'rule_changed'],
    ['disabling', { enabled: false }, 'disabled'],
    ['disabling with a change', { enabled: false, threshold: 11 }, 'disabled'],
  ]
  for (const [says, patch, resolution] of resolutions) {
    test(`${says}: an open incident ${resolution ? `is resolved, ${resolution}` : 'stays open'}`, async () => {
      await call('POST', `${one}/mute`, { minutes: 5 })
      const {
        body: { data },
      } = await call('PATCH', one, patch)
      const [event, ...more] = await eventsOf('alert.resolved')
      const [incident, ...others] = await incidents()
      assert.deepEqual([more, others], [[], []])
      if (!resolution) {
        assert.deepEqual([data.state, incident.resolved_at, event], ['triggered', null, undefined])
        return
      }
      assert.deepEqual([data.state, incident.resolved_at], ['ok', '2026-03-10T12:00:00.000Z'])
      assert.ok(event && matches(alert_resolved.data, event.data))
      assert.equal(event.site_id, world.ids.site)
      const { id, ...told } = event.data.incident
      assert.match(id, /^inc_/)
      assert.deepEqual(told, { ...incident, resolution })
      assert.deepEqual([event.data.alert, event.data.muted], [data, true])
    })
  }

  test('deleting answers the alert, resolves its incident, and leaves nothing', async () => {
    const {
      body: { data },
    } = await call('GET', one)
    const gone = await call('DELETE', one, {})
    assert.equal(gone.status, 200)
    assert.deepEqual(gone.body.data, data)
    assert.deepEqual(
      (await eventsOf('alert.resolved')).map(event => event.data.incident.resolution),
      ['deleted'],
    )
    assert.equal((await call('GET', one)).status, 404)
    assert.equal((await call('DELETE', one, {})).status, 404)
    const left = await service.store.read
      .selectFrom('alert_incidents')
      .select('id')
      .where('alert_id', '=', world.ids.alert ?? '')
      .execute()
    assert.deepEqual(left, [])
  })

  test('the first to acknowledge stays, by name, and only an open incident can be', async () => {
    const viewer = await world.tokenFor('viewer')
    const {
      status,
      body: { data },
    } = await call('POST', `${one}/acknowledge`, {}, viewer)
    assert.deepEqual([status, data.state], [200, 'triggered'])
    const first = { acknowledged_at: '2026-03-10T12:00:00.000Z', acknowledged_by: 'The viewer' }
    const of = ({ acknowledged_at, acknowledged_by }: typeof first) => ({ acknowledged_at, acknowledged_by })
    assert.deepEqual((await incidents()).map(of), [first])
    service.clock.now += 60_000
    try {
      assert.equal((await call('POST', `${one}/acknowledge`, {})).status, 200)
      assert.deepEqual((await incidents()).map(of), [first])
      await call('PATCH', one, { threshold: 1 })
      const late = await call('POST', `${one}/acknowledge`, {})
      assert.deepEqual([late.status, late.body.error.code], [422, 'invalid_state'])
      await trigger(world.ids.alert ?? '')
      await call('POST', `${one}/acknowledge`, {})
      const second = { acknowledged_at: '2026-03-10T12:01:00.000Z', acknowledged_by: 'The owner' }
      assert.deepEqual((await incidents()).map(of), [second, first])
    } finally {
      service.clock.now -= 60_000
    }
    const quiet = await create({ kind: 'uptime', site_id })
    assert.equal((await call('POST', `/alerts/${quiet}/acknowledge`, {})).body.error.code, 'invalid_state')
  })

  test('a mute lasts for its duration, and zero ends it', async () => {
    const muted: [body: object, until: string | null][] = [
      [{}, '2026-03-10T13:00:00.000Z'],
      [{ minutes: 1 }, '2026-03-10T12:01:00.000Z'],
      [{ minutes: 43_200 }, '2026-04-09T12:00:00.000Z'],
      [{ minutes: 0 }, null],
      [{ minutes: 0 }, null],
    ]
    for (const [body, until] of muted) {
      const {
        status,
        body: { data },
      } = await call('POST', `${one}/mute`, body)
      assert.deepEqual([status, data.muted_until, data.state], [200, until, 'triggered'])
      assert.equal((await call('GET', one)).body.data.muted_until, until)
    }
    const refused = [
      [-1, 'too_small'],
      [43_201, 'too_large'],
      [1.5, 'invalid_type'],
      ['60', 'invalid_type'],
      [null, 'invalid_type'],
    ]
    for (const [minutes, code] of refused) {
      assert.deepEqual(faultsOf(await call('POST', `${one}/mute`, { minutes })), [`minutes ${code}`])
    }
  })

  test('history is newest first, in pages, and can show only what is open', async () => {
    await call('PATCH', one, { threshold: 1 })
    await trigger(world.ids.alert ?? '', service.clock.now + 5000)
    const [noon, unseen] = ['2026-03-10T12:00:00.000Z', { acknowledged_at: null, acknowledged_by: null }]
    const { body } = await call('GET', `${one}/history.json`)
    assert.deepEqual(body.data, [
      { triggered_at: '2026-03-10T12:00:05.000Z', resolved_at: null, value: 1, message: null, ...unseen },
      { triggered_at: noon, resolved_at: noon, value: 3, message: 'visitors 3 < 10', ...unseen },
    ])
    assert.deepEqual(body.meta, { page: 1, per_page: 25, total: 2, total_pages: 1 })
    const open = await call('GET', `${one}/history?open=true`)
    assert.deepEqual(open.body.data, body.data.slice(0, 1))
    assert.equal(open.body.meta.total, 1)
    assert.deepEqual((await call('GET', `${one}/history?per_page=1&page=2`)).body.data, body.data.slice(1))
    await assert.rejects(trigger(world.ids.alert ?? '', service.clock.now + 9000), isUniqueViolation, 'two are open')
  })

  test('lists are newest first, filtered, and hold only what the caller may see', async () => {
    const foreign = await makeWorld(service)
    const other = await newSite()
    const usage = await create({ kind: 'usage' })
    service.clock.now += 1
    const elsewhere = await create({ kind: 'uptime', site_id: other })
    service.clock.now -= 1
    const [here = '', site = ''] = [world.ids.alert, world.ids.site]
    const restricted = await world.tokenFor('viewer', { siteIds: [site] })

    const expected: [path: string, ids: string[], token?: string][] = [
      [all, [elsewhere, ...[usage, here].sort().reverse()]],
      [`${all}?site_id={{site}}`, [here]],
      [`${all}?site_id=`, [elsewhere, ...[usage, here].sort().reverse()]],
      [`${all}?kind=usage`, [usage]],
      [`${all}?state=ok&kind=uptime`, [elsewhere]],
      [`${all}?state=triggered`, [here]],
      [`${all}?per_page=1`, [elsewhere]],
      ['/sites/{{site}}/alerts', [here]],
      ['/sites/{{site}}/alerts?kind=goal', []],
      [`/sites/${other}/alerts?state=ok`, [elsewhere]],
      [all, [here], restricted],
      [`${all}?kind=usage`, [], restricted],
      ['/sites/{{site}}/alerts', [here], restricted],
    ]
    for (const [path, wanted, token] of expected) {
      assert.deepEqual(idsOf(await call('GET', path, undefined, token)), wanted, path)
    }
    assert.equal((await call('GET', all, undefined, restricted)).body.meta.total, 1)

    for (const [site, token] of [[foreign.ids.site], ['pa_nowhere'], [other, restricted]]) {
      const reply = await call('GET', `${all}?site_id=${site}`, undefined, token)
      assert.equal(reply.status, 422)
      assert.deepEqual([faultsOf(reply), reply.body.error.details[0].in], [['site_id not_found'], 'query'])
    }
    const odd = await call('GET', `${all}?state=odd&kind=odd`)
    assert.deepEqual(faultsOf(odd), ['kind not_in_enum', 'state not_in_enum'])
    assert.equal((await call('GET', `/sites/${other}/alerts`, undefined, restricted)).status, 404)
  })

  test('foreign, unknown and, to a token restricted to sites, usage alerts answer the same bytes', async () => {
    const foreign = await makeWorld(service)
    const usage = await create({ kind: 'usage' })
    await trigger(usage)
    const restricted = await world.tokenFor('editor', { siteIds: [world.ids.site ?? ''] })
    const ways: [method: string, path: string, body?: object][] = [
      ['GET', ''],
      ['PATCH', '', { name: 'Mine' }],
      ['DELETE', '', {}],
      ['POST', '/acknowledge', {}],
      ['GET', '/history'],
      ['POST', '/mute', {}],
    ]
    for (const [method, path, body] of ways) {
      const replies = []
      for (const id of [foreign.ids.alert, 'alr_unknown', usage]) {
        replies.push(await call(method, `/alerts/${id}${path}`, body, restricted))
      }
      assert.deepEqual(
        replies.map(reply => reply.status),
        [404, 404, 404],
        method + path,
      )
      assert.equal(new Set(replies.map(reply => reply.text)).size, 1)
    }
    assert.equal((await incidents(usage))[0].acknowledged_at, null)
    for (const reply of [
      await call('POST', all, { name: 'A', kind: 'usage' }, restricted),
      await call('PATCH', one, { kind: 'usage' }, restricted),
    ])
      assert.deepEqual([reply.status, reply.body.error.code], [403, 'permission_denied'])
  })

  test('a viewer reads and acknowledges, and writes nothing', async () => {
    const viewer = await world.tokenFor('viewer')
    const ways: [method: string, path: string, status: number, body?: object][] = [
      ['GET', all, 200],
      ['GET', one, 200],
      ['GET', `${one}/history`, 200],
      ['POST', `${one}/acknowledge`, 200, {}],
      ['POST', `${one}/mute`, 403, {}],
      ['PATCH', one, 403, {}],
      ['DELETE', one, 403, {}],
      ['POST', all, 403, {}],
    ]
    for (const [method, path, status, body] of ways) {
      assert.equal((await call(method, path, body, viewer)).status, status, `${method} ${path}`)
    }
  })

  test('changes at the same time are both kept, and one incident is resolved once', async () => {
    const patches = [
      { name: 'Renamed' },
      { threshold: 5 },
      { window_minutes: 30 },
      { operator: 'lte' },
      { sensitivity: 'low' },
      { enabled: false },
    ]
    const replies = await Promise.all(patches.map(patch => call('PATCH', one, patch)))
    assert.deepEqual(
      replies.map(reply => reply.status),
      patches.map(() => 200),
    )
    const {
      body: { data },
    } = await call('GET', one)
    assert.deepEqual({ ...data, ...Object.assign({}, ...patches) }, data)
    assert.equal((await eventsOf('alert.resolved')).length, 1)
  })
})
