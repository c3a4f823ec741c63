/**
 * One answer names all faults of an input, those that schemas find and those they cannot: dates that depend on a
 * choice, dimensions, conditions, a goal's condition, a card's parameters.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onAnyEngine } from '../support/engines.ts'
import { callHttp, makeWorld, request, startService, type TestService, type World } from '../support/world.ts'

type Scenario = readonly [operation: string, input: Readonly<Record<string, unknown>>, faults: Readonly<Record<string, string>>]

const scenarios: readonly Scenario[] = [
  [
    'stats_timeseries',
    { period: 'custom', from: '2026-02-02', compare: 'custom', compare_to: '2026-01-01', interval: 'fortnight' },
    {
      '/interval': 'not_in_enum',
      '/to': 'required',
      '/compare_from': 'required',
    },
  ],
  [
    'stats_aggregate',
    { period: 'custom', from: '2026-02-30', match_weekday: 'perhaps' },
    {
      '/from': 'invalid_format',
      '/match_weekday': 'invalid_type',
      '/to': 'required',
    },
  ],
  [
    'stats_aggregate',
    { period: 'custom', from: '2026-02-02', to: '2026-02-01', compare_from: '2026-01-01', include_imported: 'no' },
    {
      '/include_imported': 'invalid_type',
      '/to': 'too_small',
      '/compare_to': 'required',
    },
  ],
  ['stats_aggregate', { period: 'week', from: '2026-02-02' }, { '/period': 'not_in_enum' }],
  [
    'stats_breakdown',
    { dimension: 'colour', limit: 1_001, page: 0, sort: 'colour', filters: [['colour', 'is', 'red']] },
    {
      '/limit': 'too_large',
      '/page': 'too_small',
      '/sort': 'not_in_enum',
      '/dimension': 'not_in_enum',
      '/filters/0/0': 'not_in_enum',
    },
  ],
  [
    'stats_breakdown',
    { dimension: 'colour', filters: [['colour', 'is', 'red']], segment_id: 'seg_none', from: '2026-01-01' },
    {
      '/to': 'required',
      '/filters/0/0': 'not_in_enum',
      '/segment_id': 'not_found',
      '/dimension': 'not_in_enum',
    },
  ],
  [
    'stats_overview',
    { panels: ['page', 'colour'], interval: 'fortnight', filters: [['page', 'regex', '(']] },
    {
      '/interval': 'not_in_enum',
      '/panels/1': 'not_in_enum',
      '/filters/0/2': 'invalid_format',
    },
  ],
  [
    'journeys_explore',
    { mode: 'reverse', limit: 13, period: 'custom' },
    {
      '/limit': 'too_large',
      '/path': 'required',
      '/from': 'required',
      '/to': 'required',
    },
  ],
  [
    'goals_create',
    { kind: 'page', event: 'Signup', value: 'club', name: '' },
    {
      '/name': 'too_short',
      '/path': 'required',
      '/event': 'mismatch',
      '/property': 'required',
    },
  ],
  ['goals_create', { kind: 'page', path: { toString: 5 }, name: '' }, { '/name': 'too_short', '/path': 'invalid_type' }],
  ['segments_create', { name: '', filters: [['colour', 'is', 'red']] }, { '/name': 'too_short', '/filters/0/0': 'not_in_enum' }],
  [
    'funnels_create',
    { name: '', steps: [{}, { path: '/', event: 'Signup' }, { goal_id: 'goal_none', path: '/' }] },
    {
      '/name': 'too_short',
      '/steps/0': 'required',
      '/steps/1/event': 'mismatch',
      '/steps/2/path': 'mismatch',
    },
  ],
  [
    'dashboards_create',
    {
      name: '',
      cards: [
        { type: 'funnel', site_id: 'pa_none', params: { period: 'custom' } },
        { type: 'chart', site_id: 'pa_none', params: { metric: 'colour' } },
        { type: 'breakdown', site_id: 'pa_none', params: { dimension: 'colour' } },
        { type: 'live', site_id: 'pa_none', params: { metric: 'colour' } },
      ],
    },
    {
      '/name': 'too_short',
      '/cards/0/params/period': 'not_in_enum',
      '/cards/0/params/funnel_id': 'required',
      '/cards/1/params/metric': 'not_in_enum',
      '/cards/2/params/dimension': 'not_in_enum',
    },
  ],
  [
    'dashboards_create',
    { name: '', cards: Array.from({ length: 41 }, () => ({ type: 'live', site_id: '{{site}}' })) },
    {
      '/name': 'too_short',
      '/cards': 'too_many_items',
    },
  ],
]

onAnyEngine('faults', engine => {
  let service: TestService
  let world: World
  before(async () => {
    service = await startService(engine)
    world = await makeWorld(service)
  })
  after(() => service.close())

  for (const [name, input, faults] of scenarios) {
    test(`${name} names at once ${Object.keys(faults).join(', ')}`, async () => {
      const operation = service.app.table.operations.get(name)
      assert.ok(operation)
      const given = JSON.parse(
        JSON.stringify({ site_id: '{{site}}', workspace_id: '{{workspace}}', ...input }).replace(
          /\{\{(\w+)\}\}/g,
          (_, id: string) => world.ids[id] ?? '',
        ),
      ) as Record<string, unknown>
      const unasked = Object.hasOwn(operation.pathInput, 'site_id') ? 'workspace_id' : 'site_id'
      delete given[unasked]
      const { status, body } = await callHttp(service, operation, given, world.token)
      assert.equal(status, 422)
      const named = body.error.details.map(({ pointer, code }: Record<string, string>) => [pointer, code])
      assert.deepEqual(Object.fromEntries(named), faults)
      assert.equal(named.length, Object.keys(faults).length, 'each once')
    })
  }

  test('an empty text or list is said to be empty, not to have too few characters or items', async () => {
    const body = { name: '', site_ids: [] }
    const made = await request(service, 'POST', `/workspaces/${world.ids.workspace}/email_reports.json`, { token: world.token, body })
    const messages = made.body.error.details.map(({ message }: { message: string }) => message)
    assert.deepEqual(
      [messages.includes('name must not be empty.'), messages.includes('site_ids must not be empty.')],
      [true, true],
      made.text,
    )
  })
})
