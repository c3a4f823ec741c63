/** Journeys of known visits, through the API. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { table } from '../../operations/index.ts'
import { onAnyEngine } from '../support/engines.ts'
import { callHttp, makeWorld, startService, type TestService, type World } from '../support/world.ts'
import { hit, type Sent, store as keep } from '../storage/engine/traffic.ts'

onAnyEngine('journeys', engine => {
  let service: TestService
  let world: World
  before(async () => {
    service = await startService(engine)
    world = await makeWorld(service)
    const site = { number: world.siteNumber, timezone: 'Europe/Berlin' }
    let at = Date.parse('2026-03-09T10:00:00+01:00')
    const visit = (who: string, country: string, ...steps: string[]): Sent[] =>
      steps.map(step => ({
        who,
        at: (at += 1000),
        visit: { country },
        ...(step.startsWith('/') ? { page: step } : { event: step, page: '/form' }),
      }))
    const sent = [
      ...visit('a', 'DE', '/', '/pricing', '/pricing', '/signup', 'Signup', '/welcome'),
      ...visit('b', 'DE', '/', '/pricing', '/signup'),
      ...visit('c', 'FR', '/', '/blog', '/pricing', '/', '/pricing'),
      ...visit('d', 'FR', '/blog', '/', '/pricing'),
      ...visit('e', 'FR', '/', 'Signup', '/'),
      ...visit('f', 'FR', 'Signup'),
    ]
    await keep(
      service.store,
      sent.map(one => hit(site, one)),
    )
    await keep(service.store, [hit(site, { who: 'a', at: Date.parse('2026-03-08T10:00:00+01:00'), page: '/' })])
  })
  after(() => service.close())

  async function ask(input: Record<string, unknown> = {}) {
    const operation = table.operations.get('journeys_explore')
    assert.ok(operation)
    return callHttp(service, operation, { site_id: world.ids.site, period: 'yesterday', ...input }, world.token)
  }
  const get = async (input: Record<string, unknown> = {}) => {
    const { status, body } = await ask(input)
    assert.equal(status, 200, JSON.stringify(body))
    return body
  }
  const rows = (step: { rows: { label: string; visits: number; ended: number }[] }) =>
    step.rows.map(({ label, visits, ended }) => [label, visits, ended])

  test('forward from where visits came in: a page seen again at once is one step', async () => {
    const { data, meta } = await get()
    assert.equal(data.visits, 5) // the sixth viewed no page
    assert.deepEqual(data.steps.map(rows), [
      [
        ['/', 4, 1],
        ['/blog', 1, 0],
      ],
      [
        ['/pricing', 2, 0],
        ['/', 1, 0],
        ['/blog', 1, 0],
      ],
      [
        ['/pricing', 2, 1],
        ['/signup', 2, 1],
      ],
    ])
    assert.deepEqual(
      data.steps.map((step: { visits: number; share: number; ended: number }) => [step.visits, step.share, step.ended]),
      [
        [5, 100, 1],
        [4, 80, 0],
        [4, 80, 2],
      ],
    )
    assert.deepEqual(data.steps[0].rows[0], { kind: 'page', value: '/', label: '/', visits: 4, share: 80, ended: 1 })
    assert.deepEqual(data.links[0], { step: 1, from: 0, from_label: '/', to: 0, to_label: '/pricing', visits: 2 })
    assert.deepEqual(
      data.links.map(({ step, from, to, visits }: Record<string, number>) => [step, from, to, visits]),
      [
        [1, 0, 0, 2],
        [1, 0, 2, 1],
        [1, 1, 1, 1],
        [2, 0, 1, 2],
        [2, 1, 0, 1],
        [2, 2, 0, 1],
      ],
    )
    assert.deepEqual(data.paths, [
      { kind: 'path', pages: ['/', '/pricing', '/signup'], label: '/ → /pricing → /signup', visits: 2, share: 40 },
      { kind: 'path', pages: ['/'], label: '/', visits: 1, share: 20 },
      { kind: 'path', pages: ['/', '/blog', '/pricing'], label: '/ → /blog → /pricing', visits: 1, share: 20 },
      { kind: 'path', pages: ['/blog', '/', '/pricing'], label: '/blog → / → /pricing', visits: 1, share: 20 },
    ])
    assert.deepEqual(meta, {
      timezone: 'Europe/Berlin',
      currency: 'EUR',
      filters: [],
      segment: null,
      comparison: null,
      visitors: 'daily_uniques_added_up',
      share_of: 'visits_of_journeys',
      notes: [],
    })
    assert.equal('comparison' in data, false)
  })

  test('with one page a step the rest is one row, and every step adds up', async () => {
    const { data } = await get({ limit: 1 })
    assert.deepEqual(data.steps.map(rows), [
      [
        ['/', 4, 1],
        ['(other)', 1, 0],
      ],
      [
        ['/pricing', 2, 0],
        ['(other)', 2, 0],
      ],
      [
        ['/pricing', 2, 1],
        ['(other)', 2, 1],
      ],
    ])
    assert.deepEqual(
      data.paths.map((path: { kind: string; visits: number }) => [path.kind, path.visits]),
      [
        ['path', 2],
        ['other', 3],
      ],
    )
  })

  test('forward from the first view of a page', async () => {
    const { data } = await get({ path: '/pricing' })
    assert.deepEqual(data.steps.map(rows), [
      [['/pricing', 4, 1]],
      [
        ['/signup', 2, 1],
        ['/', 1, 0],
      ],
      [
        ['/pricing', 1, 1],
        ['/welcome', 1, 1],
      ],
    ])
  })

  test('back from the first view of a page, and from a goal', async () => {
    const { data } = await get({ mode: 'reverse', path: '/pricing' })
    assert.deepEqual(data.steps.map(rows), [
      [['/pricing', 4, 0]],
      [
        ['/', 3, 2],
        ['/blog', 1, 0],
      ],
      [
        ['/', 1, 1],
        ['/blog', 1, 1],
      ],
    ])
    assert.deepEqual(data.paths[0].pages, ['/', '/pricing'])
    const goal = (await get({ mode: 'reverse', goal_id: world.ids.goal })).data
    assert.deepEqual(goal.steps.map(rows), [
      [['Signup', 3, 1]],
      [
        ['/', 1, 1],
        ['/signup', 1, 0],
      ],
      [['/pricing', 1, 0]],
    ])
    assert.deepEqual(goal.steps[0].rows[0], { kind: 'goal', value: world.ids.goal, label: 'Signup', visits: 3, share: 100, ended: 1 })
    assert.deepEqual(
      goal.paths.map((path: { pages: string[]; label: string }) => [path.pages, path.label]),
      [
        [[], 'Signup'],
        [['/'], '/ → Signup'],
        [['/pricing', '/signup'], '/pricing → /signup → Signup'],
      ],
    )
  })

  test('filters keep visits, and rows have a comparison', async () => {
    const { data } = await get({
      filters: [
        ['country', 'is', 'FR'],
        ['page', 'is', '/blog'],
      ],
    })
    assert.deepEqual(rows(data.steps[0]), [
      ['/', 1, 0],
      ['/blog', 1, 0],
    ])
    const compared = (await get({ compare: 'previous_period' })).data
    assert.deepEqual(compared.steps[0].rows[0].comparison, { visits: 1, ended: 1, share: 100, change: { visits: 300 } })
    assert.deepEqual(compared.steps[0].rows[1].comparison, { visits: 0, ended: 0, share: 0, change: { visits: null } })
    assert.equal(compared.comparison.period.from, '2026-03-07T23:00:00.000Z')
  })

  test('a page that never was has no journeys, and a note', async () => {
    const { data, meta } = await get({ path: '/nowhere' })
    assert.deepEqual([data.visits, data.steps.map(rows), data.links, data.paths], [0, [[], [], []], [], []])
    assert.deepEqual(
      meta.notes.map((note: { code: string }) => note.code),
      ['no_such_value'],
    )
  })

  test('says at once all that is wrong, and what would do', async () => {
    const fault = async (input: Record<string, unknown>) => {
      const { status, body } = await ask(input)
      assert.equal(status, 422, JSON.stringify(body))
      return body.error.details.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`)
    }
    assert.deepEqual(await fault({ mode: 'reverse' }), ['/path required'])
    assert.deepEqual(await fault({ mode: 'reverse', path: '' }), ['/path required'])
    assert.deepEqual(await fault({ mode: 'reverse', path: '/', goal_id: 'goal_x' }), ['/goal_id mismatch', '/goal_id not_found'])
    assert.deepEqual(await fault({ goal_id: world.ids.goal }), ['/goal_id mismatch'])
    assert.deepEqual(await fault({ limit: 13, mode: 'sideways' }).then(faults => faults.sort()), ['/limit too_large', '/mode not_in_enum'])
    assert.deepEqual(await fault({ limit: 0 }), ['/limit too_small'])
    assert.deepEqual(await fault({ mode: 'reverse', period: 'custom' }), ['/from required', '/to required', '/path required'])
    const foreign = await makeWorld(service)
    const theirs = (await ask({ mode: 'reverse', goal_id: foreign.ids.goal })).body.error.details[0].message
    const unknown = (await ask({ mode: 'reverse', goal_id: 'goal_x' })).body.error.details[0].message
    assert.equal(theirs.replace(foreign.ids.goal, ''), unknown.replace('goal_x', ''))
  })
})
