/** Several workers on one Postgres: nothing is announced twice, and a killed worker's alerts are taken over. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { table } from '../../../operations/index.ts'
import { evaluate } from '../../../operations/watch/alerts/evaluate.ts'
import { alerts_evaluate } from '../../../operations/watch/alerts/tasks.ts'
import { measureContext } from '../../../operations/watch/alerts/measures/measure-context.ts'
import { engine } from '../../../operations/reports/stats/index.ts'
import type { App } from '../../../runtime/app.ts'
import { createApp } from '../../../runtime/create-app.ts'
import { claimDue } from '../../../runtime/tasks/lease.ts'
import { createScheduler } from '../../../runtime/tasks/scheduler.ts'
import { openStore, type Store } from '../../../storage/store.ts'
import { startWebServer, type WebServer } from '../channels/receivers.ts'
import { randomBytes } from '../../support/chance.ts'
import { engines } from '../../support/engines.ts'
import { taskContext } from '../../support/task-context.ts'
import { makeSite, type World } from '../../support/world.ts'
import { MINUTE, startWatching, type Watching } from './watching.ts'
import { isFull } from '../../support/full.ts'

const ALERTS = isFull ? 50 : 20
const postgres = engines.find(({ name }) => name === 'postgres')

describe('two workers on postgres', { skip: !postgres }, () => {
  let watching: Watching
  let web: WebServer
  let world: World
  let store: Store
  let other: App
  before(async () => {
    web = await startWebServer()
    if (!postgres) return
    watching = await startWatching(postgres, { OUTBOUND_ALLOW_CIDRS: ['127.0.0.1/32'] })
    const { app, clock, url } = watching.service
    store = openStore(url, { connections: 8 })
    other = createApp({ store, table, log: app.log, config: app.config, now: () => clock.now, random: randomBytes })
    world = await makeSite(watching.service)
    const { body } = await watching.call(world, 'POST', '/workspaces/{{workspace}}/channels', {
      name: 'Hook',
      kind: 'webhook',
      url: `${web.url}/hook`,
    })
    await store.write.deleteFrom('alerts').execute()
    for (let i = 0; i < ALERTS; i++) {
      const alert = {
        name: `Alert ${i}`,
        kind: 'threshold',
        site_id: '{{site}}',
        metric: 'visitors',
        operator: 'gte',
        threshold: 1 + (i % 3),
        channel_ids: [body.data.id],
      }
      assert.equal((await watching.call(world, 'POST', '/workspaces/{{workspace}}/alerts', alert)).status, 201)
    }
    await watching.send(
      world,
      Array.from({ length: 5 }, (_, i) => ({ at: clock.now - 20 * MINUTE, who: `visitor ${i}` })),
    )
  })
  after(async () => {
    await other.close()
    await store.close()
    await watching.close()
    await web.close()
  })

  const opened = async (): Promise<string[]> =>
    (await store.read.selectFrom('alert_incidents').select('alert_id').execute()).map(row => row.alert_id)

  test('alerts that two workers find due open and announce one incident each', async () => {
    const workers = [watching.service.app, other, watching.service.app, other].map(app => createScheduler(app))
    for (let i = 0; i < 4; i++) {
      await Promise.all(workers.map(worker => worker.runDue(['alerts_evaluate', 'notifications_send'])))
      watching.service.clock.now += 12 * MINUTE
    }
    const ids = await opened()
    assert.deepEqual([ids.length, new Set(ids).size], [ALERTS, ALERTS])
    const posted = web.posts.map(({ body }) => body.alert.id)
    assert.deepEqual([posted.length, new Set(posted).size], [ALERTS, ALERTS])
    const told = await store.read.selectFrom('events').select(['type', 'data']).where('type', '=', 'alert.triggered').execute()
    assert.equal(new Set(told.map(({ data }) => JSON.parse(data).incident.id)).size, told.length)
    assert.equal(told.length, ALERTS)
  })

  test('50 evaluations of one alert at once are one', async () => {
    const { clock, app } = watching.service
    await store.write.deleteFrom('alert_incidents').execute()
    await store.write
      .updateTable('alerts')
      .set({ state: 'ok', streak: 1, evaluate_at: null, last_evaluated_at: null, leased_until: null })
      .execute()
    const row = await store.write
      .updateTable('alerts')
      .set({ evaluate_at: clock.now })
      .where('id', '=', ({ selectFrom }) => selectFrom('alerts').select(({ fn }) => fn.min('id').as('id')))
      .returningAll()
      .executeTakeFirstOrThrow()
    await watching.send(world, [
      { at: clock.now - 5 * MINUTE, who: 'late' },
      { at: clock.now - 5 * MINUTE, who: 'later' },
      { at: clock.now - 5 * MINUTE, who: 'last' },
    ])
    const found = await Promise.all(
      Array.from({ length: 50 }, (_, i) => {
        const each = i % 2 === 0 ? app : other
        return evaluate(
          row,
          measureContext(clock.now, { db: each.store.read, engine: each.use(engine), config: each.config }),
          taskContext(each),
        )
      }),
    )
    assert.deepEqual([...new Set(found)], ['breach'])
    assert.deepEqual(await opened(), [row.id])
  })

  test('a worker that goes down gives back what it has not evaluated', async () => {
    const { clock, app } = watching.service
    await store.write.updateTable('alerts').set({ evaluate_at: clock.now, leased_until: null, last_evaluated_at: null }).execute()
    await alerts_evaluate.run(taskContext(app, AbortSignal.abort()))
    const rows = await store.read.selectFrom('alerts').select(['evaluate_at', 'leased_until', 'last_evaluated_at']).distinct().execute()
    assert.deepEqual(rows, [{ evaluate_at: clock.now, leased_until: null, last_evaluated_at: null }])
  })

  test('alerts of a killed worker are evaluated when its lease ends, not before', async () => {
    const { clock } = watching.service
    await store.write.updateTable('alerts').set({ evaluate_at: clock.now, leased_until: null }).execute()
    const held = await claimDue(store, { table: 'alerts', due: 'evaluate_at', limit: 10, leaseMs: 10 * MINUTE, now: clock.now })
    assert.equal(held.length, 10)
    const evaluated = async () =>
      (await store.read.selectFrom('alerts').select('id').where('last_evaluated_at', '=', clock.now).execute()).length
    await watching.pass(10_000, ['alerts_evaluate'])
    assert.equal(await evaluated(), ALERTS - 10)
    await watching.pass(10 * MINUTE, ['alerts_evaluate'])
    assert.equal(
      (
        await store.read
          .selectFrom('alerts')
          .select('id')
          .where(
            'id',
            'in',
            held.map(({ id }) => id),
          )
          .where('last_evaluated_at', '=', clock.now)
          .execute()
      ).length,
      10,
    )
  })
})
