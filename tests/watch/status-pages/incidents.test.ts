/** Incidents of a status page: how they proceed, and what the page then shows. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onAnyEngine } from '../../support/engines.ts'
import { makeSite, request } from '../../support/world.ts'
import { DAY, HOUR, makePage, MINUTE, shownOf, startTelling, type Telling } from './telling.ts'

onAnyEngine('incidents of a status page', engine => {
  let telling: Telling
  before(async () => {
    telling = await startTelling(engine)
  })
  after(() => telling.close())
  const call = (...given: Parameters<Telling['watching']['call']>) => telling.watching.call(...given)
  const clock = () => telling.watching.service.clock
  const iso = (at: number) => new Date(at).toISOString()

  test('incidents are shown with their updates, newest first, and leave the page when they are resolved', async () => {
    const shown = await makePage(telling, 2)
    const { world, page, checks } = shown
    assert.equal((await shownOf(telling, shown)).status, 'operational')
    const made = await call(world, 'POST', `/status_pages/${page}/incidents`, {
      title: 'Slow \u202epayments\n',
      impact: 'major',
      check_ids: [checks[0]?.id],
      body: 'We look.',
    })
    assert.equal(made.status, 201, made.text)
    const { id } = made.body.data
    assert.deepEqual([made.body.data.title, made.body.data.status], ['Slow payments', 'investigating'])
    clock().now += MINUTE
    assert.equal(
      (await call(world, 'POST', `/status_pages/${page}/incidents/${id}/updates`, { status: 'identified', body: 'Found.' })).status,
      201,
    )
    const during = await shownOf(telling, shown)
    assert.equal(during.status, 'partial_outage')
    assert.deepEqual(
      during.groups[0].checks.map((check: any) => check.status),
      ['partial_outage', 'operational'],
    )
    assert.deepEqual(during.incidents[0].affects, ['Check 1'])
    assert.deepEqual(
      during.incidents[0].updates.map((update: any) => [update.status, update.body]),
      [
        ['identified', 'Found.'],
        ['investigating', 'We look.'],
      ],
    )
    clock().now += MINUTE
    const resolved = await call(world, 'POST', `/status_pages/${page}/incidents/${id}/updates`, { status: 'resolved' })
    assert.equal(resolved.body.data.ends_at, iso(clock().now))
    const afterwards = await shownOf(telling, shown)
    assert.deepEqual([afterwards.status, afterwards.incidents.length, afterwards.past.length], ['operational', 0, 1])
  })

  test('show so much text in all that anyone may read the page often, and all of it on the page of an incident', async () => {
    const shown = await makePage(telling, 1)
    const { world, page, slug } = shown
    const { service } = telling.watching
    const made = [1, 2].map(i =>
      call(world, 'POST', `/status_pages/${page}/incidents`, { title: `Long ${i}`, check_ids: [shown.checks[0]?.id] }),
    )
    const incidents: string[] = (await Promise.all(made)).map(({ body }) => body.data.id)
    const body = 'x'.repeat(5_000)
    const updates = incidents.flatMap(incident_id =>
      Array.from({ length: 30 }, (_, i) => ({
        id: `stu_${incident_id.slice(4)}${i}`,
        ...{ incident_id, status: 'investigating', body, notify: 0, created_at: clock().now + i },
      })),
    )
    await service.store.write.insertInto('status_incident_updates').values(updates).execute()
    const shownTexts = (await shownOf(telling, shown)).incidents
      .flatMap((each: any) => each.updates)
      .filter((each: any) => each.body === body)
    assert.equal(shownTexts.length, 40)
    const feed = await request(service, 'GET', `/status/${slug}/feed.atom`)
    assert.equal(feed.text.split(body).length - 1, 40)
    const own = await call(world, 'GET', `/status_pages/${page}/incidents/${incidents[0]}`)
    assert.equal(own.body.data.updates.filter((each: any) => each.body === body).length, 30)
  })

  test('show the newest update of an incident, however many another has', async () => {
    const shown = await makePage(telling, 1)
    const { world, page } = shown
    const create = async (title: string, body: string) =>
      (await call(world, 'POST', `/status_pages/${page}/incidents`, { title, body, check_ids: [shown.checks[0]?.id] })).body.data.id
    await create('Old', 'The first.')
    clock().now += MINUTE
    const busy = await create('Busy', 'The second.')
    const { service } = telling.watching
    const insertMany = (count: number, body: string) =>
      service.store.write
        .insertInto('status_incident_updates')
        .values(
          Array.from({ length: count }, (_, i) => ({
            id: `stu_${busy.slice(4)}${body.length}${i}`,
            ...{ incident_id: busy, status: 'investigating', body, notify: 0, created_at: clock().now + 1 + i },
          })),
        )
        .execute()
    const textsOfOld = async () =>
      (await shownOf(telling, shown)).incidents.find((each: any) => each.title === 'Old').updates.map((update: any) => update.body)
    await insertMany(41, 'x'.repeat(5_000))
    assert.deepEqual(await textsOfOld(), ['The first.'], 'more characters than a page shows')
    await insertMany(1_000, 'x')
    assert.deepEqual(await textsOfOld(), ['The first.'], 'more updates than are read')
  })

  test('can be reopened for 7 days, and not a moment longer', async () => {
    const { world, page } = await makePage(telling)
    const { body } = await call(world, 'POST', `/status_pages/${page}/incidents`, { title: 'A' })
    const tell = (fields: object) => call(world, 'POST', `/status_pages/${page}/incidents/${body.data.id}/updates`, fields)
    await tell({ status: 'resolved' })
    clock().now += 7 * DAY
    const reopened = await tell({ status: 'investigating' })
    assert.deepEqual([reopened.status, reopened.body.data.status, reopened.body.data.ends_at], [201, 'investigating', null])
    await tell({ status: 'resolved' })
    clock().now += 7 * DAY + 1
    const late = await tell({ status: 'monitoring' })
    assert.deepEqual([late.status, late.body.error.code], [422, 'invalid_state'])
    assert.equal((await tell({ body: 'What we learnt.' })).status, 201, 'a note stays possible')
  })

  test('refuse what makes no sense, all of it at once', async () => {
    const { world, page, checks } = await makePage(telling)
    const other = await makePage(telling)
    const refused = async (fields: object) => {
      const { status, body } = await call(world, 'POST', `/status_pages/${page}/incidents`, { title: 'A', ...fields })
      return [status, body.error?.code, ...(body.error?.details ?? []).map((each: any) => each.pointer)]
    }
    const now = clock().now
    assert.deepEqual(await refused({ kind: 'maintenance' }), [422, 'validation_failed', '/ends_at'])
    assert.deepEqual(await refused({ kind: 'maintenance', starts_at: iso(now - HOUR), ends_at: iso(now) }), [
      422,
      'validation_failed',
      '/ends_at',
    ])
    assert.deepEqual(await refused({ kind: 'maintenance', starts_at: iso(now + HOUR), ends_at: iso(now + HOUR) }), [
      422,
      'validation_failed',
      '/ends_at',
    ])
    assert.deepEqual(await refused({ starts_at: iso(now + 1), check_ids: [other.checks[0]?.id, 'upc_x', "'"] }), [
      422,
      'validation_failed',
      '/starts_at',
      '/check_ids/0',
      '/check_ids/1',
      '/check_ids/2',
    ])
    assert.deepEqual(await refused({ body: 'x'.repeat(5_001) }), [422, 'validation_failed', '/body'])
    assert.equal((await call(world, 'POST', `/status_pages/${page}/incidents`, { title: 'A', check_ids: [checks[0]?.id] })).status, 201)
    const incident = (await call(world, 'GET', `/status_pages/${page}/incidents`)).body.data[0].id
    const scheduled = await call(world, 'POST', `/status_pages/${page}/incidents/${incident}/updates`, { status: 'completed' })
    assert.equal(scheduled.body.error.code, 'invalid_state')
  })

  test('of another page, foreign or of the same workspace, answer as unknown ones', async () => {
    const mine = await makePage(telling)
    const foreign = await makePage(telling)
    const second = await call(mine.world, 'POST', '/workspaces/{{workspace}}/status_pages', { name: 'B', slug: `${mine.slug}-b` })
    const made = await call(mine.world, 'POST', `/status_pages/${mine.page}/incidents`, { title: 'A' })
    const paths = [
      `/status_pages/${second.body.data.id}/incidents/${made.body.data.id}`,
      `/status_pages/${foreign.page}/incidents/${made.body.data.id}`,
      `/status_pages/${mine.page}/incidents/sti_x`,
    ]
    const answers = await Promise.all(paths.map(path => call(mine.world, 'GET', path)))
    assert.deepEqual([...new Set(answers.map(({ status, text }) => `${status} ${text}`))].length, 1)
    for (const path of paths) {
      assert.equal((await call(mine.world, 'PATCH', path, { title: 'X' })).status, 404)
      assert.equal((await call(mine.world, 'POST', `${path}/updates`, { body: 'X' })).status, 404)
      assert.equal((await call(mine.world, 'DELETE', path)).status, 404)
    }
    assert.equal(
      (await request(telling.watching.service, 'GET', `/status/${second.body.data.slug}/incidents/${made.body.data.id}`)).status,
      404,
    )
  })

  test('that were over before they were written up are resolved at once', async () => {
    const shown = await makePage(telling)
    const now = clock().now
    const { body } = await call(shown.world, 'POST', `/status_pages/${shown.page}/incidents`, {
      title: 'Last night',
      starts_at: iso(now - 5 * HOUR),
      ends_at: iso(now - 4 * HOUR),
    })
    assert.equal(body.data.status, 'resolved')
    const moved = await call(shown.world, 'PATCH', `/status_pages/${shown.page}/incidents/${body.data.id}`, {
      ends_at: iso(now - 3 * HOUR),
    })
    assert.equal(moved.body.data.ends_at, iso(now - 3 * HOUR))
    assert.equal((await shownOf(telling, shown)).past.length, 1)
  })
})

onAnyEngine('a status page', engine => {
  let telling: Telling
  before(async () => {
    telling = await startTelling(engine)
  })
  after(() => telling.close())
  const call = (...given: Parameters<Telling['watching']['call']>) => telling.watching.call(...given)

  test('a status page shows only public checks of its workspace, by their labels, and never their targets', async () => {
    const shown = await makePage(telling, 2)
    const { world, page, checks } = shown
    const foreign = await makePage(telling)
    await call(world, 'PATCH', `/uptime/checks/${checks[1]?.id}`, { name: '' })
    const groups = [{ name: 'All', checks: [{ check_id: checks[0]?.id, label: 'Shop' }, { check_id: checks[1]?.id }] }]
    assert.equal((await call(world, 'PATCH', `/workspaces/{{workspace}}/status_pages/${page}`, { groups })).status, 200)
    const names = async () => (await shownOf(telling, shown)).groups.flatMap((group: any) => group.checks.map((check: any) => check.name))
    assert.deepEqual(await names(), ['Shop', 'example.com'])
    await call(world, 'PATCH', `/uptime/checks/${checks[1]?.id}`, { public: false })
    assert.deepEqual(await names(), ['Shop'])
    const kept = await call(world, 'GET', `/workspaces/{{workspace}}/status_pages/${page}`)
    assert.equal(kept.body.data.groups[0].checks.length, 2)
    assert.equal(
      (await call(world, 'PATCH', `/workspaces/{{workspace}}/status_pages/${page}`, kept.body.data)).status,
      200,
      'as it was read',
    )
    const refused = await call(world, 'POST', '/workspaces/{{workspace}}/status_pages', {
      name: 'B',
      slug: `${shown.slug}-b`,
      groups: [
        {
          name: 'All',
          checks: [
            { check_id: foreign.checks[0]?.id },
            { check_id: checks[1]?.id },
            { check_id: checks[0]?.id },
            { check_id: checks[0]?.id },
          ],
        },
      ],
    })
    assert.deepEqual(
      refused.body.error.details.map((each: any) => [each.pointer, each.code]),
      [
        ['/groups/0/checks/0/check_id', 'not_found'],
        ['/groups/0/checks/1/check_id', 'mismatch'],
        ['/groups/0/checks/3/check_id', 'mismatch'],
      ],
    )
  })

  test('has a slug and a domain that no other has, also where two are made at once', async () => {
    const { world, slug } = await makePage(telling, 0, { domain: `Status.${(await makeSite(telling.watching.service)).ids.domain}.` })
    const again = await call(world, 'POST', '/workspaces/{{workspace}}/status_pages', { name: 'B', slug })
    assert.deepEqual([again.status, again.body.error.code], [422, 'already_exists'])
    const both = await Promise.all(
      [1, 2].map(() => call(world, 'POST', '/workspaces/{{workspace}}/status_pages', { name: 'B', slug: `${slug}-race` })),
    )
    assert.deepEqual(both.map(({ status }) => status).sort(), [201, 422])
    for (const taken of ['subscriptions', 'Caps', '-a', 'a_b', '', 'a'.repeat(65), 'ä'])
      assert.equal((await call(world, 'POST', '/workspaces/{{workspace}}/status_pages', { name: 'B', slug: taken })).status, 422, taken)
    for (const domain of ['footfall.test', 'localhost', '10.0.0.1', 'a.example.com:80', 'a.example.com/x', 'a b.com', 'http://a.com'])
      assert.equal(
        (await call(world, 'POST', '/workspaces/{{workspace}}/status_pages', { name: 'B', slug: `${slug}-d`, domain })).status,
        422,
        domain,
      )
  })

  test('of a foreign or unknown slug answers the same 404, in every form', async () => {
    const { service } = telling.watching
    const { slug } = await makePage(telling)
    for (const rest of ['', '/api/v2/summary.json', '/api/v2/status.json', '/feed.atom'])
      assert.equal((await request(service, 'GET', `/status/${slug}${rest}`)).status, 200, rest)
    const unknown = ['x-y', '%00', 'x'.repeat(60), '..%2f', 'SUBSCRIPTIONS']
    for (const rest of ['', '/api/v2/summary.json', '/feed.atom']) {
      const answers = await Promise.all(unknown.map(each => request(service, 'GET', `/status/${each}${rest}`)))
      assert.deepEqual([...new Set(answers.map(({ status, text }) => `${status} ${text}`))].length, 1, rest)
      assert.equal(answers[0]?.status, 404)
    }
  })

  test('is deleted with everything on it, and moves with no site', async () => {
    const shown = await makePage(telling, 1)
    const { world, page } = shown
    await call(world, 'POST', `/status_pages/${page}/incidents`, { title: 'A', check_ids: [shown.checks[0]?.id] })
    assert.equal((await call(world, 'DELETE', `/workspaces/{{workspace}}/status_pages/${page}`)).status, 200)
    const { store } = telling.watching.service
    for (const table of ['status_page_groups', 'status_page_checks', 'status_incidents'] as const)
      assert.deepEqual(await store.read.selectFrom(table).selectAll().where('page_id', '=', page).execute(), [])
  })
})
