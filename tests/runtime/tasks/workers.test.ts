/** Several workers on one database share the work without doing any of it twice. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createScheduler } from '../../../runtime/tasks/scheduler.ts'
import { openStore } from '../../../storage/store.ts'
import { onEachEngine } from '../../support/engines.ts'
import { startService, type TestService } from '../../support/world.ts'
import { later, MINUTE, taskOf, until } from './tasks.ts'

onEachEngine('two workers', engine => {
  let service: TestService
  before(async () => {
    service = await startService(engine)
  })
  after(() => service.close())

  test('run each task once for each time it is due', async () => {
    const runs: Array<{ worker: number; task: string; at: number }> = []
    // On SQLite two connections of one process would wait for each other, so the workers share one.
    const stores = [service.app.store, engine.name === 'postgres' ? openStore(service.url) : service.app.store]
    const names = ['a', 'b', 'c', 'd', 'e', 'f'].map(letter => `task_${letter}`)
    const workers = stores.map((store, worker) =>
      createScheduler(
        { ...service.app, store },
        names.map(task =>
          taskOf(task, async ({ now }) => {
            runs.push({ worker, task, at: now() })
            await later(1)
          }),
        ),
      ),
    )
    // A worker that has not connected yet is too late in every round.
    await Promise.all(stores.map(store => store.write.selectFrom('tasks').select('name').execute()))
    const rounds = 25
    for (let round = 0; round < rounds; round++) {
      await Promise.all(workers.map(worker => worker.runDue()))
      service.clock.now += MINUTE
    }
    assert.equal(new Set(runs.map(({ task, at }) => `${task} ${at}`)).size, names.length * rounds)
    assert.equal(runs.length, names.length * rounds, 'none twice')
    if (engine.name === 'sqlite') return
    const shares = [0, 1].map(worker => runs.filter(run => run.worker === worker).length)
    assert.ok(Math.min(...shares) > 0, `each has a share: ${shares}`)
    await stores[1]?.close()
  })

  test('never run one task at the same time, however they poll', async () => {
    let inside = 0
    let max = 0
    let runs = 0
    const ownStore = () => (engine.name === 'postgres' ? openStore(service.url) : service.app.store)
    const stores = [service.app.store, ownStore(), ownStore()]
    const workers = stores.map(store =>
      createScheduler({ ...service.app, store, now: Date.now }, [
        taskOf('one_only', async () => {
          max = Math.max(max, ++inside)
          runs++
          await later(3)
          inside--
          return { more: true }
        }),
      ]),
    )
    for (const worker of workers) worker.start()
    await until(() => runs > 20)
    await Promise.all(workers.map(worker => worker.stop()))
    assert.equal(max, 1)
    if (engine.name === 'postgres') for (const store of stores.slice(1)) await store.close()
  })
})
