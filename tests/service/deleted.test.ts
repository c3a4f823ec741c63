/** Records that were deleted come back as they were, or with an error that says what is in the way. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { kinds } from '../../operations/service/deleted/kinds.ts'
import { table } from '../../operations/index.ts'
import { insertCheck } from '../../operations/watch/uptime/example.ts'
import type { Trx } from '../../storage/store.ts'
import { createScheduler } from '../../runtime/tasks/scheduler.ts'
import { onEachEngine } from '../support/engines.ts'
import { during } from '../support/overtaken.ts'
import { randomBytes } from '../support/chance.ts'
import { makeWorld, removeSite, type Reply, request, startService, type TestService, type World } from '../support/world.ts'

test('every kind that can be restored is in the list of deleted records, and needs what its deletion needs', () => {
  const restores = [...table.operations.values()].filter(({ undoes }) => undoes !== undefined)
  assert.deepEqual(
    restores.map(({ id }) => id).toSorted(),
    Object.values(kinds)
      .map(({ restore }) => restore as string)
      .toSorted(),
  )
  for (const { id, undoes = '', access, path, method } of restores) {
    const deletes = table.operations.get(undoes)
    assert.equal(deletes?.effect, 'delete', id)
    assert.equal(deletes?.access, access, id)
    assert.equal(`${method} ${path}`, `POST ${deletes?.path}/restore`)
  }
})

onEachEngine('deleted records', engine => {
  let service: TestService
  let world: World
  before(async () => {
    service = await startService(engine)
  })
  after(() => service.close())
  const { read, write } = { read: () => service.store.read, write: () => service.store.write }

  const send = (method: string, path: string, body?: object, token = world.token): Promise<Reply> =>
    request(service, method, path, { token, ...(body && { body }) })
  const ok = async (method: string, path: string, body?: object): Promise<any> => {
    const { status, text, body: answer } = await send(method, `${path}.json`, body)
    assert.ok(status < 300, `${method} ${path}: ${text}`)
    return answer.data
  }
  const site = () => `/sites/${world.ids.site}`
  const workspace = () => `/workspaces/${world.ids.workspace}`

  test('each kind comes back with its id and its fields, and is nowhere in between', async () => {
    world = await makeWorld(service)
    const records: readonly (readonly [path: string, list: string])[] = [
      [`${site()}/goals/${world.ids.goal}`, `${site()}/goals`],
      [`${site()}/segments/${world.ids.segment}`, `${site()}/segments`],
      [`${site()}/notes/${world.ids.note}`, `${site()}/notes`],
      [`${site()}/funnels/${world.ids.funnel}`, `${site()}/funnels`],
      [`${workspace()}/dashboards/${world.ids.dashboard}`, `${workspace()}/dashboards`],
      [`${site()}/shared_links/${world.ids.shared_link}`, `${site()}/shared_links`],
      [`/alerts/${world.ids.alert}`, `${workspace()}/alerts`],
      [`/uptime/checks/${world.ids.check}`, `${workspace()}/uptime`],
    ]
    for (const [path, list] of records) {
      const before = await ok('GET', path)
      await ok('DELETE', path)
      assert.equal((await send('GET', `${path}.json`)).status, 404, path)
      assert.ok(!(await ok('GET', list)).some(({ id }: { id: string }) => id === before.id), path)
      const [found] = (await ok('GET', `${workspace()}/deleted`)).filter(({ id }: { id: string }) => id === before.id)
      assert.equal(`${found.restore_path}`, `${path}/restore`)
      const again = await send('POST', `${found.restore_path}.json`, {})
      assert.equal(again.status, 201, again.text)
      const after = await ok('GET', path)
      for (const field of Object.keys(before).filter(
        name => !/^(state|status|last_|next_|uptime$|updated_at|response_times|incidents)/.test(name),
      ))
        assert.deepEqual(after[field], before[field], `${path} ${field}`)
      assert.ok(!(await ok('GET', `${workspace()}/deleted`)).some(({ id }: { id: string }) => id === before.id))
    }
  })

  test('an alert comes back with its incidents and channels; a channel that is gone is left out, and it is evaluated at once', async () => {
    world = await makeWorld(service)
    const channel = (name: string) => ok('POST', `${workspace()}/channels`, { name, kind: 'email', emails: ['owner@example.com'] })
    const [kept, gone] = [await channel('Kept'), await channel('Gone')]
    const path = `/alerts/${world.ids.alert}`
    await ok('PATCH', path, { channel_ids: [kept.id, gone.id] })
    const history = (await ok('GET', `${path}/history`)).length
    await ok('DELETE', path)
    await ok('DELETE', `${workspace()}/channels/${gone.id}`)
    const back = await ok('POST', `${path}/restore`, {})
    assert.deepEqual([back.channel_ids, back.state, back.enabled], [[kept.id], 'ok', true])
    const incidents = await ok('GET', `${path}/history`)
    assert.equal(incidents.length, history)
    assert.ok(incidents.every(({ resolved_at }: { resolved_at: string | null }) => resolved_at !== null))
    const row = await read()
      .selectFrom('alerts')
      .select('evaluate_at')
      .where('id', '=', world.ids.alert ?? '')
      .executeTakeFirst()
    assert.equal(row?.evaluate_at, service.clock.now)
  })

  test('an uptime check comes back with its results, and with no up time for the time in between', async () => {
    world = await makeWorld(service)
    const check = await insertCheck(
      { db: write(), now: service.clock.now - 7_200_000, random: randomBytes },
      { workspace_id: world.ids.workspace ?? '', site_id: world.ids.site ?? null, status: 'up' },
    )
    await write()
      .insertInto('uptime_results')
      .values(
        Array.from({ length: 1_200 }, (_, i) => ({
          check_number: check.number,
          location: 'fra1',
          span: 0,
          at: service.clock.now - 7_200_000 + i,
          probes: 1,
          failures: 0,
          timed: 1,
          total_ms: i,
        })),
      )
      .execute()
    await ok('DELETE', `/uptime/checks/${check.id}`)
    assert.equal((await read().selectFrom('uptime_results').selectAll().where('check_number', '=', check.number).execute()).length, 0)
    // On SQLite, another check may get the number of the deleted one.
    await insertCheck({ db: write(), now: service.clock.now, random: randomBytes }, { workspace_id: world.ids.workspace ?? '' })
    service.clock.now += 3_600_000
    const back = await ok('POST', `/uptime/checks/${check.id}/restore`, {})
    assert.equal(back.status, 'pending')
    const row = await read().selectFrom('uptime_checks').selectAll().where('id', '=', check.id).executeTakeFirstOrThrow()
    const results = await read().selectFrom('uptime_results').select('total_ms').where('check_number', '=', row.number).execute()
    assert.equal(results.length, 1_200)
    const periods = await read()
      .selectFrom('uptime_periods')
      .selectAll()
      .where('check_number', '=', row.number)
      .orderBy('started_at')
      .execute()
    assert.deepEqual(
      periods.map(({ status, started_at }) => [status, service.clock.now - started_at]),
      [
        ['up', 10_800_000],
        ['paused', 3_600_000],
        ['pending', 0],
      ],
    )
  })

  test('a shared link stops working at once, and its address and password work again', async () => {
    world = await makeWorld(service)
    const link = await ok('POST', `${site()}/shared_links`, { name: 'Client', password: 'river-stone' })
    const open = (password: string) => request(service, 'POST', `${new URL(link.url).pathname}.json`, { body: { password } })
    const first = await open('river-stone')
    const token = first.body.data.token
    const path = `${site()}/shared_links/${link.id}`
    await ok('DELETE', path)
    assert.equal((await open('river-stone')).status, 404)
    assert.equal((await send('GET', `${site()}/overview.json`, undefined, token)).status, 401)
    await ok('POST', `${path}/restore`, {})
    assert.equal((await open('river-stone')).status, 201)
    assert.notEqual((await open('wrong')).status, 201)
    assert.equal((await send('GET', `${site()}/overview.json`, undefined, token)).status, 401)
  })

  test('a name that was taken in the meantime, and a goal or segment that is gone, are clear errors', async () => {
    world = await makeWorld(service)
    const goals = `${site()}/goals`
    const goal = await ok('POST', goals, { kind: 'event', event: 'Buy', name: 'Order' })
    await ok('DELETE', `${goals}/${goal.id}`)
    const other = await ok('POST', goals, { kind: 'event', event: 'Pay', name: 'Order' })
    const taken = await send('POST', `${goals}/${goal.id}/restore.json`, {})
    assert.deepEqual([taken.status, taken.body.error.code], [422, 'already_exists'])
    assert.match(taken.body.error.message, /Order/)
    await ok('PATCH', `${goals}/${other.id}`, { name: 'Payment' })
    await ok('POST', `${goals}/${goal.id}/restore`, {})

    const funnel = await ok('POST', `${site()}/funnels`, { name: 'Shop', steps: [{ goal_id: goal.id }, { goal_id: other.id }] })
    await ok('DELETE', `${site()}/funnels/${funnel.id}`)
    await ok('DELETE', `${goals}/${goal.id}`)
    const missing = await send('POST', `${site()}/funnels/${funnel.id}/restore.json`, {})
    assert.deepEqual([missing.status, missing.body.error.code], [422, 'invalid_state'])
    assert.ok(missing.text.includes(goal.id) && missing.text.includes('Order'), missing.text)
    await ok('POST', `${goals}/${goal.id}/restore`, {})
    await ok('POST', `${site()}/funnels/${funnel.id}/restore`, {})

    const link = await ok('POST', `${site()}/shared_links`, { name: 'Part', segment_id: world.ids.segment })
    await ok('DELETE', `${site()}/shared_links/${link.id}`)
    await ok('DELETE', `${site()}/segments/${world.ids.segment}`)
    assert.equal((await send('POST', `${site()}/shared_links/${link.id}/restore.json`, {})).status, 422)
    await ok('POST', `${site()}/segments/${world.ids.segment}/restore`, {})
    await ok('POST', `${site()}/shared_links/${link.id}/restore`, {})

    const alert = await ok('POST', `${workspace()}/alerts`, { name: 'Orders', kind: 'goal', site_id: world.ids.site, goal_id: goal.id })
    await ok('DELETE', `/alerts/${alert.id}`)
    await ok('DELETE', `${site()}/funnels/${funnel.id}`)
    await ok('DELETE', `${goals}/${goal.id}`)
    assert.equal((await send('POST', `/alerts/${alert.id}/restore.json`, {})).status, 422)
  })

  test('a record is restored once: a second restore, an unknown id and an id of others answer the same', async () => {
    const foreign = await makeWorld(service)
    world = foreign
    await ok('DELETE', `${site()}/notes/${foreign.ids.note}`)
    world = await makeWorld(service)
    const path = (id: string) => `${site()}/notes/${id}/restore.json`
    await ok('DELETE', `${site()}/notes/${world.ids.note}`)
    const both = await Promise.all([send('POST', path(world.ids.note ?? ''), {}), send('POST', path(world.ids.note ?? ''), {})])
    assert.deepEqual(both.map(({ status }) => status).toSorted(), [201, 404])
    const bytes = (text: string) => text.replace(/"request_id":"[^"]*"/, '')
    const [again, unknown, others, live] = await Promise.all(
      [world.ids.note ?? '', `${world.ids.note?.slice(0, -4)}0000`, foreign.ids.note ?? '', world.ids.goal ?? ''].map(id =>
        send('POST', path(id), {}),
      ),
    )
    for (const reply of [again, others, live])
      assert.deepEqual([reply?.status, bytes(reply?.text ?? '')], [404, bytes(unknown?.text ?? '')])
    assert.equal(
      (
        await read()
          .selectFrom('notes')
          .selectAll()
          .where('id', '=', world.ids.note ?? '')
          .execute()
      ).length,
      1,
    )
  })

  test('a check that is restored after its site moved to another workspace rejoins no incident of the former one', async () => {
    world = await makeWorld(service)
    const former = world
    const incident = `/status_pages/${former.ids.status_page}/incidents/${former.ids.status_incident}`
    const [affected] = (await ok('GET', incident)).check_ids
    const check = await read().selectFrom('uptime_checks').select('site_id').where('id', '=', affected).executeTakeFirstOrThrow()
    assert.equal(check.site_id, former.ids.site)
    await ok('DELETE', `/uptime/checks/${affected}`)
    const { code } = await ok('POST', `${site()}/transfer/offer`, {})
    world = await makeWorld(service)
    await ok('POST', `${workspace()}/sites/accept`, { code })
    await ok('POST', `/uptime/checks/${affected}/restore`, {})
    world = former
    assert.deepEqual((await ok('GET', incident)).check_ids, [])
    assert.ok(!JSON.stringify(await ok('GET', `${workspace()}/status_pages/${former.ids.status_page}`)).includes(affected))
  })

  test('deletion and restore at the same time leave the record in exactly one place', async () => {
    world = await makeWorld(service)
    const path = `${site()}/segments/${world.ids.segment}`
    for (let round = 0; round < 5; round++) {
      await Promise.all([send('DELETE', `${path}.json`), send('POST', `${path}/restore.json`, {}), send('DELETE', `${path}.json`)])
      const live = await read()
        .selectFrom('saved_segments')
        .select('id')
        .where('id', '=', world.ids.segment ?? '')
        .execute()
      const kept = await read()
        .selectFrom('deleted_records')
        .select('id')
        .where('id', '=', world.ids.segment ?? '')
        .execute()
      assert.equal(live.length + kept.length, 1)
    }
  })

  test('a record that began to refer to it while it was deleted refers to it again', async () => {
    world = await makeWorld(service)
    const [campaign, goal] = [`${site()}/campaigns/${world.ids.campaign}`, `${site()}/goals/${world.ids.goal}`]
    await ok('PATCH', campaign, { goal_id: null })
    const refers = (trx: Trx) =>
      trx
        .updateTable('campaigns')
        .set({ goal_id: world.ids.goal ?? '' })
        .where('id', '=', world.ids.campaign ?? '')
        .execute()
    await during(service.store, refers, () => ok('DELETE', goal))
    assert.equal((await ok('GET', campaign)).goal_id, null)
    await ok('POST', `${goal}/restore`, {})
    assert.equal((await ok('GET', campaign)).goal_id, world.ids.goal)
  })

  test('a member who may not delete may not restore, and a restricted token restores only records of its sites', async () => {
    world = await makeWorld(service)
    await ok('DELETE', `${site()}/notes/${world.ids.note}`)
    await ok('DELETE', `/uptime/checks/${world.ids.check}`)
    const viewer = await world.tokenFor('viewer')
    assert.equal((await send('POST', `${site()}/notes/${world.ids.note}/restore.json`, {}, viewer)).status, 403)
    const other = await ok('POST', `${workspace()}/sites`, { domain: `other.${world.ids.domain}` })
    const limited = await world.tokenFor('admin', { siteIds: [other.id] })
    assert.equal((await send('GET', `${workspace()}/deleted.json`, undefined, limited)).body.meta.total, 0)
    assert.equal((await send('POST', `/uptime/checks/${world.ids.check}/restore.json`, {}, limited)).status, 404)
    const own = await world.tokenFor('admin', { siteIds: [world.ids.site ?? ''] })
    assert.ok(
      (await send('GET', `${workspace()}/deleted.json`, undefined, own)).body.data.every(
        ({ site_id }: { site_id: string }) => site_id === world.ids.site,
      ),
    )
    assert.equal((await send('POST', `/uptime/checks/${world.ids.check}/restore.json`, {}, own)).status, 201)
  })

  test('after 30 days a record is gone for good, with its rows', async () => {
    world = await makeWorld(service)
    const { ids } = world
    await ok('DELETE', `/alerts/${ids.alert}`)
    service.clock.now += 30 * 86_400_000
    assert.equal((await send('POST', `/alerts/${ids.alert}/restore.json`, {})).status, 404)
    assert.equal((await ok('GET', `${workspace()}/deleted`)).length, 0)
    service.clock.now += 1
    await createScheduler(service.app).runDue(['rows_expire'])
    assert.deepEqual(
      await read()
        .selectFrom('deleted_records')
        .select('id')
        .where('workspace_id', '=', ids.workspace ?? '')
        .execute(),
      [],
    )
    assert.deepEqual(
      await read()
        .selectFrom('deleted_rows')
        .select('record_id')
        .where('record_id', '=', ids.alert ?? '')
        .execute(),
      [],
    )
  })

  test('deleting a site or a workspace removes their deleted records', async () => {
    world = await makeWorld(service)
    const { ids } = world
    await ok('DELETE', `${site()}/notes/${ids.note}`)
    await ok('DELETE', `${workspace()}/dashboards/${ids.dashboard}`)
    await removeSite(service, world)
    const left = await read()
      .selectFrom('deleted_records')
      .select('of')
      .where('workspace_id', '=', ids.workspace ?? '')
      .execute()
    assert.deepEqual([...new Set(left.map(({ of }) => of))], ['dashboards'])
    await write()
      .deleteFrom('workspaces')
      .where('id', '=', ids.workspace ?? '')
      .execute()
    assert.deepEqual(
      await read()
        .selectFrom('deleted_records')
        .select('of')
        .where('workspace_id', '=', ids.workspace ?? '')
        .execute(),
      [],
    )
  })
})
