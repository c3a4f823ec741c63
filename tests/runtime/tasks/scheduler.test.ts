/** One worker on a virtual clock: when tasks run, and what is recorded. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { type TSchema, Type } from '@sinclair/typebox'
import { createApp } from '../../../runtime/create-app.ts'
import { event } from '../../../runtime/events/event.ts'
import { createScheduler } from '../../../runtime/tasks/scheduler.ts'
import { onEveryEvent } from '../../../runtime/events/subscriber.ts'
import { defineTable } from '../../../runtime/table/table.ts'
import { task } from '../../../runtime/table/task.ts'
import { wakeAfter } from '../../../runtime/tasks/wake.ts'
import { onEachEngine } from '../../support/engines.ts'
import { startService, type TestService } from '../../support/world.ts'
import { gate, later, MINUTE, rowOf, SECOND, settled, taskOf, until } from './tasks.ts'
import { area } from '../../../runtime/table/area.ts'
import { idKind } from '../../../runtime/values/ids.ts'

onEachEngine('the scheduler', engine => {
  let service: TestService
  before(async () => {
    service = await startService(engine)
  })
  after(() => service.close())
  beforeEach(() => service.store.write.deleteFrom('tasks').execute())

  test('runs a task when it is due, at a fixed rate, and not before', async () => {
    const starts: number[] = []
    const scheduler = createScheduler(service.app, [
      taskOf('clock_tick', async ({ now }) => {
        starts.push(now())
      }),
    ])
    const from = service.clock.now
    for (let s = 0; s <= 180; s += 7) {
      service.clock.now = from + s * SECOND
      await scheduler.runDue()
    }
    // Checked every 7 seconds, due every 60: late by less than a check, without drift.
    assert.deepEqual(
      starts.map(at => (at - from) / SECOND),
      [0, 63, 126],
    )
    assert.equal((await rowOf(service, 'clock_tick')).next_at, from + 180 * SECOND)
  })

  test('does not run the ticks that were missed while no process ran', async () => {
    let runs = 0
    const scheduler = createScheduler(service.app, [
      taskOf('clock_tick', async () => {
        runs++
      }),
    ])
    const from = service.clock.now
    await scheduler.runDue()
    service.clock.now += 3 * 60 * MINUTE + 10 * SECOND
    await scheduler.runDue()
    assert.equal(runs, 2)
    assert.equal((await rowOf(service, 'clock_tick')).next_at, from + 181 * MINUTE)
  })

  test('runs again at once while there is more', async () => {
    let left = 3
    const scheduler = createScheduler(service.app, [taskOf('pile_clear', async () => ({ more: --left > 0 }))])
    assert.deepEqual(await scheduler.runDue(), ['pile_clear', 'pile_clear', 'pile_clear'])
    assert.deepEqual(await scheduler.runDue(), [])
  })

  test('registers tasks, and notes what shared ones did, in one transaction each; a start that finds its tasks registers none', async () => {
    let transactions = 0
    const transaction: typeof service.store.transaction = run => {
      transactions++
      return service.store.transaction(run)
    }
    const app = { ...service.app, store: { ...service.store, transaction } }
    const tasks = ['rows_claim', 'rows_count', 'rows_sort'].map(name => taskOf(name, async () => undefined, { shared: true }))
    await createScheduler(app, tasks).runDue()
    assert.equal(transactions, 2)
    for (const { name } of tasks) assert.equal((await rowOf(service, name)).last_ended_at, service.clock.now)
    await createScheduler(app, tasks).runDue()
    assert.equal(transactions, 3)
  })

  test('keeps the time of a shared task in the worker, and leaves word of it', async () => {
    let runs = 0
    const scheduler = createScheduler(service.app, [
      taskOf('rows_claim', async () => ({ more: ++runs === 1 }), { shared: true, every: 5 * SECOND }),
    ])
    await scheduler.runDue()
    assert.equal(runs, 2, 'there was more')
    service.clock.now += 4 * SECOND
    await scheduler.runDue()
    assert.equal(runs, 2)
    service.clock.now += SECOND
    await scheduler.runDue()
    assert.equal(runs, 3)
    const row = await rowOf(service, 'rows_claim')
    assert.deepEqual([row.leased_by, row.leased_until, row.last_error], [null, null, null])
    assert.equal(row.last_started_at, service.clock.now - 5 * SECOND)
  })

  test('logs and counts a task that throws, runs the others, and runs it when it is next due', async () => {
    let attempts = 0
    const scheduler = createScheduler(service.app, [
      taskOf('always_throw', async () => {
        attempts++
        throw new Error('out of paper')
      }),
      taskOf(
        'nothing_throw',
        async () => {
          attempts++
          throw undefined
        },
        { shared: true },
      ),
      taskOf('clock_tick', async () => {}),
    ])
    assert.deepEqual((await scheduler.runDue()).sort(), ['always_throw', 'clock_tick', 'nothing_throw'])
    assert.deepEqual(await scheduler.runDue(), [], 'not before it is due')
    const failed = await rowOf(service, 'always_throw')
    assert.deepEqual([failed.last_error, failed.leased_until], ['out of paper', null])
    assert.equal((await rowOf(service, 'clock_tick')).last_error, null)
    assert.equal((await rowOf(service, 'nothing_throw')).last_error, 'thrown without a reason')
    service.clock.now += MINUTE
    await scheduler.runDue()
    assert.equal(attempts, 4)
    const { text } = await service.app.metrics.expose()
    assert.match(text, /^footfall_task_runs_total\{task="always_throw",outcome="failed"\} 2$/m)
    assert.match(text, /^footfall_task_runs_total\{task="clock_tick",outcome="done"\} \d+$/m)
  })

  test('forgets the error of a task that runs well again', async () => {
    let broken = true
    const tasks = [
      taskOf('moody_run', async () => {
        if (broken) throw new Error('not today')
      }),
      taskOf(
        'moody_share',
        async () => {
          if (broken) throw new Error('not today')
        },
        { shared: true, every: SECOND },
      ),
    ]
    const scheduler = createScheduler(service.app, tasks)
    await scheduler.runDue()
    for (const { name } of tasks) assert.equal((await rowOf(service, name)).last_error, 'not today')
    broken = false
    service.clock.now += MINUTE
    await scheduler.runDue()
    for (const { name } of tasks) assert.equal((await rowOf(service, name)).last_error, null)
  })

  test('shows how far a run is, and keeps others off while it runs', async () => {
    const { opened, open } = gate()
    const long = taskOf('mountain_move', async ({ progress }) => {
      progress(3, 10)
      await opened
      progress(10, 10)
    })
    const [scheduler, other] = [createScheduler(service.app, [long]), createScheduler(service.app, [long])]
    const run = scheduler.runDue()
    await until(async () => (await rowOf(service, 'mountain_move').catch(() => undefined))?.total === 10)
    const during = await rowOf(service, 'mountain_move')
    assert.deepEqual([during.done, during.last_ended_at], [3, null])
    assert.equal(during.leased_until, service.clock.now + 30 * SECOND)
    assert.deepEqual(await other.runDue(), [])
    open()
    await run
    const after = await rowOf(service, 'mountain_move')
    assert.deepEqual([after.done, after.total, after.last_ended_at], [10, 10, service.clock.now])
    assert.deepEqual([after.leased_by, after.leased_until], [null, null])
  })

  test('takes over when the lease ends, and tells a worker that lost it to let go', async () => {
    const { opened, open } = gate()
    const told: boolean[] = []
    // The renewal's interval depends on the lease: move the clock past it in between.
    const scheduler = createScheduler(service.app, [
      taskOf('lease_hold', async ({ signal, progress }) => {
        await opened
        service.clock.now += 2 * SECOND
        progress(1, 1)
        await until(() => signal.aborted)
        told.push(signal.aborted)
      }),
    ])
    const run = scheduler.runDue()
    await until(async () => (await rowOf(service, 'lease_hold').catch(() => undefined))?.leased_by != null)
    const other = createScheduler(service.app, [taskOf('lease_hold', async () => {})])
    service.clock.now += 30 * SECOND - 1
    assert.deepEqual(await other.runDue(), [], 'the lease lasts until its end')
    service.clock.now += 1
    assert.deepEqual(await other.runDue(), ['lease_hold'])
    open()
    await run
    assert.deepEqual(told, [true])
    assert.equal((await rowOf(service, 'lease_hold')).last_error, null)
    const { text } = await service.app.metrics.expose()
    assert.match(text, /^footfall_task_runs_total\{task="lease_hold",outcome="lost"\} 1$/m)
  })

  test('renews the lease of a run that takes longer', async () => {
    const { opened, open } = gate()
    const scheduler = createScheduler(service.app, [taskOf('lease_renew', () => opened, { lease: 300 })])
    const run = scheduler.runDue()
    await until(async () => (await rowOf(service, 'lease_renew').catch(() => undefined))?.leased_by != null)
    const from = service.clock.now
    for (let i = 0; i < 5; i++) {
      service.clock.now += 200
      await until(async () => (await rowOf(service, 'lease_renew')).leased_until === service.clock.now + 300)
    }
    assert.ok(service.clock.now > from + 300)
    open()
    await run
  })

  test('is woken by a transaction that commits, and not by one that does not', async () => {
    let runs = 0
    const hourly = { every: 60 * MINUTE }
    const scheduler = createScheduler(service.app, [
      taskOf(
        'rows_claim',
        async () => {
          runs++
        },
        { ...hourly, shared: true },
      ),
      taskOf(
        'alone_run',
        async () => {
          runs++
        },
        hourly,
      ),
    ])
    await scheduler.runDue()
    await assert.rejects(
      service.app.store.transaction(async trx => {
        wakeAfter(trx, 'rows_claim')
        wakeAfter(trx, 'alone_run')
        throw new Error('rolled back')
      }),
      /rolled back/,
    )
    service.clock.now += SECOND
    assert.deepEqual(await scheduler.runDue(), [])
    await service.app.store.transaction(async trx => {
      wakeAfter(trx, 'rows_claim')
      wakeAfter(trx, 'alone_run')
      wakeAfter(trx, 'nobody_there')
      assert.equal(runs, 2, 'not before the commit')
    })
    assert.deepEqual(await scheduler.runDue(), ['rows_claim', 'alone_run'])
  })

  test('runs once more when it is woken while it runs', async () => {
    const { opened, open } = gate()
    let runs = 0
    const scheduler = createScheduler(service.app, [
      taskOf('sleep_light', async () => {
        if (++runs === 1) await opened
      }),
    ])
    const run = scheduler.runDue()
    await until(() => runs === 1)
    service.clock.now += SECOND
    scheduler.wake('sleep_light')
    open()
    assert.deepEqual(await run, ['sleep_light', 'sleep_light'])
  })

  test('a task that shall run more often than before does not wait out its old time', async () => {
    let runs = 0
    const run = async () => {
      runs++
    }
    await createScheduler(service.app, [taskOf('often_run', run, { every: 24 * 60 * MINUTE })]).runDue()
    service.clock.now += SECOND
    const next = createScheduler(service.app, [taskOf('often_run', run)])
    await next.runDue()
    assert.equal(runs, 1)
    service.clock.now += MINUTE
    await next.runDue()
    assert.equal(runs, 2)
  })

  test('emits in the transaction of the change, and subscribers hear of it there', async () => {
    const { app } = service
    const heard: string[] = []
    const hear = onEveryEvent(async (event, { db, newId }) => {
      heard.push(event.type)
      assert.match(newId(idKind('tst_')), /^tst_/)
      const written = await db.selectFrom('events').selectAll().where('id', '=', event.id).executeTakeFirstOrThrow()
      assert.deepEqual(written, event)
      if (heard.length === 2) throw new Error('no room')
    })
    const hearing = createApp({ ...app, table: { ...app.table, subscribers: [hear] } })
    const happened = event({ type: 'test.happened', summary: 'A test', data: Type.Object({ at: Type.Integer() }) })
    const emit = (at: unknown) =>
      hearing.store.transaction(trx =>
        hearing.emitIn(trx, app.now())<TSchema>(happened, { workspaceId: 'ws_1', siteId: null, data: { at } }),
      )
    const stored = async () =>
      (await service.store.read.selectFrom('events').select('type').where('workspace_id', '=', 'ws_1').execute()).length

    await emit(1)
    assert.deepEqual([heard, await stored()], [['test.happened'], 1])
    await assert.rejects(emit(2), /no room/)
    assert.equal(await stored(), 1, 'no event without what its subscribers write')
    await assert.rejects(emit('soon'), /test\.happened: its data does not fit its schema/)
    assert.equal(heard.length, 2)
    await hearing.close()
  })
})

onEachEngine('a scheduler that lives', engine => {
  let service: TestService
  before(async () => {
    service = await startService(engine)
  })
  after(() => service.close())

  test('runs by the clock, begins at once what is woken, and stops when what runs has ended', async () => {
    const app = { ...service.app, now: Date.now }
    const { opened, open } = gate()
    const runs = { fast: 0, woken: 0, long: 0 }
    let aborted = false
    const scheduler = createScheduler(app, [
      taskOf(
        'fast_run',
        async () => {
          runs.fast++
        },
        { every: 20, shared: true },
      ),
      taskOf(
        'woken_run',
        async () => {
          runs.woken++
        },
        { shared: true },
      ),
      taskOf('long_run', async ({ signal }) => {
        runs.long++
        await opened
        aborted = signal.aborted
      }),
    ])
    scheduler.start()
    await until(() => runs.fast > 5 && runs.woken === 1 && runs.long === 1)
    await app.store.transaction(async trx => wakeAfter(trx, 'woken_run'))
    await until(() => runs.woken === 2)

    let stopped = false
    const stopping = scheduler.stop().then(() => {
      stopped = true
    })
    const fast = await settled(() => runs.fast)
    assert.equal(stopped, false, 'something still runs')
    open()
    await stopping
    assert.equal(aborted, true)
    await later(100)
    assert.deepEqual(runs, { fast, woken: 2, long: 1 }, 'nothing begins any more')
    assert.equal((await rowOf(service, 'long_run')).leased_until, null)
  })

  test('stops without what will not end, whose lease gives it back', async () => {
    const scheduler = createScheduler({ ...service.app, now: Date.now }, [
      taskOf('never_end', () => new Promise(() => {}), { lease: 60 * MINUTE }),
    ])
    scheduler.start()
    await until(async () => (await rowOf(service, 'never_end').catch(() => undefined))?.leased_by != null)
    await scheduler.stop(100) // else the test would never end
  })

  test('goes on when the database answers again', async () => {
    let runs = 0
    const scheduler = createScheduler({ ...service.app, now: Date.now }, [
      taskOf(
        'clock_tick',
        async () => {
          runs++
        },
        { every: 20, lease: 300 },
      ),
    ])
    scheduler.start()
    await until(() => runs > 0)
    await service.store.write.schema.alterTable('tasks').renameTo('tasks_away').execute()
    const during = await settled(() => runs)
    await service.store.write.schema.alterTable('tasks_away').renameTo('tasks').execute()
    await until(() => runs > during)
    await scheduler.stop()
  })
})

test('a task that is declared wrong stops the start with its name', () => {
  const right = { name: 'clock_tick', summary: 'Ticks', every: MINUTE, lease: SECOND, run: async () => {} }
  const start =
    (...rows: Array<typeof right>) =>
    () =>
      defineTable([area({ name: 'Clocks', description: 'Clocks.', tasks: rows.map((row, i) => ({ [`clock_${i}`]: task(row) })) })])
  assert.doesNotThrow(start(right))
  assert.throws(start(right, right), /task clock_tick: is declared twice/)
  assert.throws(start({ ...right, name: 'Tick' }), /task Tick: its name must be noun_verb/)
  assert.throws(start({ ...right, summary: '' }), /task clock_tick: has no summary/)
  assert.throws(start({ ...right, every: 0 }), /task clock_tick: "every" and "lease"/)
})
