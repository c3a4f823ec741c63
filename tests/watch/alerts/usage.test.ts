/** Usage against the limit: counted once for each change, announced once for each mark and month. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { assignPlan } from '../../../operations/people/plans/index.ts'
import { usage_count } from '../../../operations/service/usage/tasks.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { overtaken } from '../../support/overtaken.ts'
import { taskContext } from '../../support/task-context.ts'
import { makeSite, makeWorld, request, type World } from '../../support/world.ts'
import { DAY, HOUR, MINUTE, startWatching, type Watching } from './watching.ts'

onAnyEngine('use of the plan', engine => {
  let watching: Watching
  let world: World
  before(async () => {
    watching = await startWatching(engine, { USAGE_LIMIT: 20 })
    world = await makeSite(watching.service)
  })
  after(() => watching.close())

  const count = async (hits: number) => {
    const { clock } = watching.service
    await watching.send(
      world,
      Array.from({ length: hits }, (_, i) => ({ at: clock.now, who: `${clock.now} ${i}`, ...(i % 2 === 0 ? {} : { event: 'Click' }) })),
    )
    await watching.pass(10 * MINUTE, ['usage_count'])
    const events = await watching.service.store.read
      .selectFrom('events')
      .select('data')
      .where('workspace_id', '=', world.ids.workspace ?? '')
      .where('type', '=', 'usage.threshold')
      .orderBy('created_at')
      .execute()
    return events.map(({ data }) => JSON.parse(data).percent).sort((a, b) => a - b)
  }

  test('each usage mark is announced when it is first crossed, and never again in the month', async () => {
    assert.deepEqual(await count(15), [])
    assert.deepEqual(await count(1), [80])
    assert.deepEqual(await count(1), [80])
    assert.deepEqual(await count(10), [80, 90, 100])
    assert.deepEqual(await count(10), [80, 90, 100])
    const row = await watching.service.store.read
      .selectFrom('usage_months')
      .selectAll()
      .where('workspace_id', '=', world.ids.workspace ?? '')
      .executeTakeFirstOrThrow()
    assert.deepEqual([row.month, row.hits, row.announced], ['2026-03', 37, 100])
  })

  test('another day of the month adds to it', async () => {
    watching.service.clock.now += DAY
    await count(3)
    const row = await watching.service.store.read.selectFrom('usage_months').select('hits').executeTakeFirstOrThrow()
    assert.equal(row.hits, 40)
  })

  test('the next month begins at nothing', async () => {
    watching.service.clock.now = Date.parse('2026-04-02T09:00:00Z')
    assert.deepEqual(await count(17), [80, 80, 90, 100])
    const months = await watching.service.store.read.selectFrom('usage_months').select(['month', 'hits']).orderBy('month').execute()
    assert.deepEqual(months, [
      { month: '2026-03', hits: 40 },
      { month: '2026-04', hits: 17 },
    ])
  })

  test('two concurrent runs announce each usage mark once', async () => {
    const { service } = watching
    const others = await Promise.all(Array.from({ length: 12 }, () => makeSite(service)))
    for (const other of others)
      await watching.send(
        other,
        Array.from({ length: 20 }, (_, i) => ({ at: service.clock.now, who: `${i}` })),
      )
    await Promise.all([1, 2, 3].map(() => usage_count.run(taskContext(service.app))))
    const told = await service.store.read
      .selectFrom('events')
      .select(['workspace_id', 'data'])
      .where('type', '=', 'usage.threshold')
      .execute()
    for (const { ids } of others) {
      const marks = told.filter(({ workspace_id }) => workspace_id === ids.workspace).map(({ data }) => JSON.parse(data).percent)
      assert.deepEqual(
        marks.sort((a, b) => a - b),
        [80, 90, 100],
      )
    }
  })

  test('without a limit, usage is counted and nothing is announced', async () => {
    const free = await startWatching(engine)
    const other = await makeWorld(free.service)
    await free.send(other, [{ at: free.service.clock.now, who: 'someone' }])
    await free.pass(HOUR, ['usage_count'])
    const [month] = await free.service.store.read.selectFrom('usage_months').select(['hits', 'announced', 'hits_limit']).execute()
    assert.deepEqual(month, { hits: 1, announced: 0, hits_limit: null })
    await free.close()
  })

  test('a deleted workspace whose sites are not purged yet is left out, and others are counted', async () => {
    const { service } = watching
    const gone = await makeSite(service)
    const send = (to: World) => watching.send(to, [{ at: service.clock.now, who: `${service.clock.now}` }])
    await send(gone)
    const { name } = await service.store.read
      .selectFrom('workspaces')
      .select('name')
      .where('id', '=', gone.ids.workspace ?? '')
      .executeTakeFirstOrThrow()
    const deleted = await request(service, 'DELETE', `/workspaces/${gone.ids.workspace}`, { token: gone.token, body: { confirm: name } })
    assert.equal(deleted.status, 200, deleted.text)
    await count(1)
    const task = await service.store.read.selectFrom('tasks').select('last_error').where('name', '=', 'usage_count').executeTakeFirst()
    assert.equal(task?.last_error ?? null, null)
  })

  test('a workspace that gets a larger plan while its hits are counted crosses no usage mark of the former one', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'plans-'))
    const file = path.join(folder, 'plans.json')
    const plans = [
      { id: 'free', name: 'Free', limits: { hits_month: 10 } },
      { id: 'big', name: 'Big' },
    ]
    fs.writeFileSync(file, JSON.stringify({ plans }))
    const { service, send, close } = await startWatching(engine, { PLANS_FILE: file })
    const { store, app, clock } = service
    await overtaken(store, async slowly => {
      const { ids, ...rest } = await makeSite(service)
      const workspaceId = ids.workspace ?? ''
      await send(
        { ids, ...rest },
        Array.from({ length: 10 }, (_, i) => ({ at: clock.now, who: `${i}` })),
      )
      let expected = 3
      const slow = slowly(async () => {
        expected = 0
        await store.transaction(trx => assignPlan(trx, { config: app.config, now: clock.now }, { workspaceId, plan: 'big' }))
      })
      await usage_count.run({ ...taskContext(app), store: slow })
      const events = store.read.selectFrom('events').select('id').where('workspace_id', '=', workspaceId)
      assert.equal((await events.where('type', '=', 'usage.threshold').execute()).length, expected)
    })
    await close()
    fs.rmSync(folder, { recursive: true })
  })
})
