/** Previews of alerts agree with what real alerts did. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onAnyEngine } from '../../support/engines.ts'
import { makeSite, makeWorld, request, startService, type TestService, type World } from '../../support/world.ts'
import { hit, store as keep, type Sent } from '../../storage/engine/traffic.ts'
import { DAY, HOUR, MINUTE, startWatching } from './watching.ts'

onAnyEngine('previews of alerts', engine => {
  let service: TestService
  before(async () => {
    service = await startService(engine)
  })
  after(() => service.close())

  const send = (world: World, sent: readonly Sent[]) =>
    keep(
      service.store,
      sent.map(one => hit({ number: world.siteNumber, timezone: 'Europe/Berlin' }, one)),
      1,
    )
  async function preview(world: World, input: Record<string, unknown>): Promise<any> {
    const query = new URLSearchParams(Object.entries({ site_id: world.ids.site, ...input }).map(([name, value]) => [name, String(value)]))
    const { status, body, text } = await request(service, 'GET', `/workspaces/${world.ids.workspace}/alerts/preview.json?${query}`, {
      token: world.token,
    })
    assert.equal(status, 200, text)
    return body.data
  }
  async function old(): Promise<World> {
    const world = await makeSite(service)
    const created_at = service.clock.now - 60 * DAY
    await service.store.write
      .updateTable('sites')
      .set({ created_at })
      .where('id', '=', world.ids.site ?? '')
      .execute()
    return world
  }

  test('a spike triggers a threshold once, and it resolves after the spike', async () => {
    const world = await old()
    const at = service.clock.now - 10 * DAY
    await send(
      world,
      Array.from({ length: 20 }, (_, i) => ({ at: at + i * MINUTE, who: `${i}` })),
    )
    const found = await preview(world, { kind: 'threshold', metric: 'visitors', operator: 'gt', threshold: 10, window_minutes: 60 })
    assert.deepEqual([found.triggered, found.open, found.step_minutes], [1, false, 12])
    const [{ triggered_at, resolved_at, message }] = found.incidents
    assert.ok(Date.parse(triggered_at) > at && Date.parse(triggered_at) < at + HOUR, triggered_at)
    assert.ok(Date.parse(resolved_at) > at + HOUR && Date.parse(resolved_at) < at + 3 * HOUR, resolved_at)
    assert.match(message, /visitors in 1 hour; alerts above 10/)
    const none = await preview(world, { kind: 'threshold', metric: 'visitors', operator: 'gt', threshold: 100 })
    assert.deepEqual([none.triggered, none.incidents], [0, []])
  })

  test('few visitors are found as well, and a long window is evaluated at fewer times', async () => {
    const world = await old()
    const found = await preview(world, { kind: 'threshold', metric: 'pageviews', operator: 'lt', threshold: 1, window_minutes: 10_080 })
    assert.deepEqual([found.triggered, found.open, found.step_minutes], [1, true, 420])
  })

  test('completions of a goal, silence and conversion are counted as for real alerts', async () => {
    const world = await makeWorld(service)
    const created_at = service.clock.now - 60 * DAY
    await service.store.write
      .updateTable('sites')
      .set({ created_at })
      .where('id', '=', world.ids.site ?? '')
      .execute()
    const goal = await request(service, 'POST', `/sites/${world.ids.site}/goals.json`, {
      token: world.token,
      body: { kind: 'event', event: 'Buy' },
    })
    const at = service.clock.now - 3 * DAY
    await send(world, [
      { at, who: 'a', event: 'Buy' },
      { at: at + 2 * HOUR, who: 'b', event: 'Buy' },
      { at: at + 30 * HOUR, who: 'c' },
    ])
    const goal_id = goal.body.data.id
    assert.equal((await preview(world, { kind: 'goal', goal_id, window_minutes: 60 })).triggered, 2)
    assert.equal((await preview(world, { kind: 'goal', goal_id, threshold: 2, window_minutes: 1_440 })).triggered, 1)
    assert.equal((await preview(world, { kind: 'goal', goal_id, threshold: 3, window_minutes: 1_440 })).triggered, 0)
    const silent = await preview(world, { kind: 'no_data', threshold: 24 })
    assert.equal(silent.open, true)
    assert.equal(silent.triggered, 3) // before the first hit, between the second and the third, and now
    const rate = { kind: 'threshold', metric: 'conversion', operator: 'gte', threshold: 50, goal_id }
    assert.equal((await preview(world, rate)).triggered, 1)
  })

  test('a check that was down in the past triggers an alert on uptime at that time', async () => {
    const world = await makeWorld(service)
    const made = await request(service, 'POST', `/sites/${world.ids.site}/uptime.json`, {
      token: world.token,
      body: { url: 'https://example.com/' },
    })
    const { number } = await service.store.read
      .selectFrom('uptime_checks')
      .select('number')
      .where('id', '=', made.body.data.id)
      .executeTakeFirstOrThrow()
    const started = service.clock.now - 5 * DAY
    const long = service.clock.now - 60 * DAY
    await service.store.write
      .updateTable('sites')
      .set({ created_at: long })
      .where('id', '=', world.ids.site ?? '')
      .execute()
    await service.store.write.updateTable('uptime_checks').set({ created_at: long }).where('number', '=', number).execute()
    await service.store.write.deleteFrom('uptime_periods').where('check_number', '=', number).execute()
    for (const [started_at, status] of [
      [long, 'up'],
      [started, 'down'],
      [started + 2 * HOUR, 'up'],
    ] as const)
      await service.store.write.insertInto('uptime_periods').values({ check_number: number, started_at, status }).execute()
    const found = await preview(world, { kind: 'uptime', uptime_check_id: made.body.data.id })
    assert.equal(found.triggered, 1)
    const [incident] = found.incidents
    assert.ok(
      Math.abs(Date.parse(incident.triggered_at) - started) <= HOUR &&
        Math.abs(Date.parse(incident.resolved_at) - started - 2 * HOUR) <= HOUR,
    )
  })

  test('a preview has the faults of the create, stores nothing, and knows no site of others', async () => {
    const world = await makeSite(service)
    const foreign = await makeSite(service)
    const ask = (query: string) =>
      request(service, 'GET', `/workspaces/${world.ids.workspace}/alerts/preview.json?${query}`, { token: world.token })
    const wrong = await ask(`kind=threshold&site_id=${world.ids.site}`)
    assert.equal(wrong.status, 422)
    const [hidden, unknown] = await Promise.all([
      ask(`kind=no_data&site_id=${foreign.ids.site}`),
      ask('kind=no_data&site_id=pa_00000000000000000000'),
    ])
    assert.equal(hidden.status, 422)
    assert.equal(hidden.text.replaceAll(foreign.ids.site ?? '', 'x'), unknown.text.replaceAll('pa_00000000000000000000', 'x'))
    assert.equal(
      (
        await service.store.read
          .selectFrom('alerts')
          .select('id')
          .where('workspace_id', '=', world.ids.workspace ?? '')
          .execute()
      ).length,
      0,
    )
  })
})

onAnyEngine('a preview and the alert itself', engine => {
  test('agree on when it was triggered, to the step', async () => {
    const watching = await startWatching(engine)
    const { service } = watching
    const world = await makeWorld(service)
    const rule = { kind: 'threshold', site_id: '{{site}}', metric: 'pageviews', operator: 'gte', threshold: 3, window_minutes: 60 }
    const made = await watching.call(world, 'POST', '/workspaces/{{workspace}}/alerts.json', { name: 'Busy', ...rule })
    for (const views of [0, 1, 4, 5, 0, 0, 0, 2, 3, 3, 3, 0, 0]) {
      await watching.send(
        world,
        Array.from({ length: views }, (_, i) => ({ at: service.clock.now, who: `${i}` })),
      )
      for (let minutes = 0; minutes < 60; minutes += 12) await watching.pass(12 * MINUTE, ['alerts_evaluate'])
    }
    const history = await watching.call(world, 'GET', `/alerts/${made.body.data.id}/history.json`)
    const query = new URLSearchParams({ ...rule, site_id: world.ids.site ?? '', threshold: '3', window_minutes: '60' })
    const { body } = await watching.call(world, 'GET', `/workspaces/{{workspace}}/alerts/preview.json?${query}`)
    const times = (all: { triggered_at: string }[]) => all.map(({ triggered_at }) => Date.parse(triggered_at))
    const [real, shown] = [times(history.body.data), times(body.data.incidents)]
    assert.ok(real.length >= 2)
    assert.equal(shown.length, real.length)
    for (const [i, at] of real.entries()) assert.ok(Math.abs(at - (shown[i] ?? 0)) <= 24 * MINUTE, `${i}: ${at - (shown[i] ?? 0)}`)
    await watching.close()
  })
})
