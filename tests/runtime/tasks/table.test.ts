/** All tasks of the table run, on an empty database and on one with some of everything. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { table } from '../../../operations/index.ts'
import { depthOf } from '../../../runtime/tasks/lease.ts'
import { createScheduler } from '../../../runtime/tasks/scheduler.ts'
import { onEachEngine } from '../../support/engines.ts'
import { makeWorld, startService } from '../../support/world.ts'
import { MINUTE } from './tasks.ts'

const day = 24 * 60 * MINUTE

for (const { name, summary, every, lease } of table.tasks) {
  test(`${name} is whole`, () => {
    assert.match(summary, /^[A-Z]/)
    assert.ok(every <= day, 'it runs at least once a day')
    assert.ok(lease >= 1_000 && lease <= 15 * MINUTE, 'a killed worker’s run is soon taken over')
  })
}

onEachEngine('every task', engine => {
  test('runs through', async () => {
    const service = await startService(engine)
    const names = table.tasks.map(({ name }) => name)
    const runAll = async () => {
      assert.deepEqual([...new Set(await createScheduler(service.app).runDue())].sort(), [...names].sort())
      const rows = await service.store.read.selectFrom('tasks').selectAll().orderBy('name').execute()
      assert.deepEqual(
        rows.filter(({ last_error }) => last_error !== null),
        [],
      )
      assert.equal(rows.length, names.length)
    }
    await runAll()
    await makeWorld(service)
    service.clock.now += 2 * day
    await runAll()
    const left = async () => {
      const depths = await Promise.all(
        table.tasks.map(async ({ name, queue }) => ({
          name,
          rows: queue ? (await depthOf(service.store, queue, service.clock.now)).rows : 0,
        })),
      )
      return depths.filter(({ rows }) => Number(rows) > 0)
    }
    // A row that another task had locked just then is left for the next time.
    for (let times = 0; times < 3 && (await left()).length > 0; times++) {
      service.clock.now += MINUTE
      await createScheduler(service.app).runDue()
    }
    assert.deepEqual(await left(), [])
    await service.close()
  })
})
