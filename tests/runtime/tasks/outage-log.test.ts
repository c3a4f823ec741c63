/** The log of background tasks while the database is unreachable, or while a task keeps failing. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { createApp } from '../../../runtime/create-app.ts'
import { createScheduler } from '../../../runtime/tasks/scheduler.ts'
import { StorageUnavailable } from '../../../storage/values/storage-unavailable.ts'
import { randomBytes } from '../../support/chance.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { startService } from '../../support/world.ts'
import { SECOND, taskOf } from './tasks.ts'

onAnyEngine('a task that fails four times a second', engine => {
  /** The log of two of them within a minute. */
  async function logOf(failure: () => Error, seconds: number): Promise<string[]> {
    const service = await startService(engine)
    const lines: string[] = []
    const { store, table, config } = service.app
    const log = pino({ level: 'info', base: null }, { write: (line: string) => void lines.push(JSON.parse(line).msg) })
    const app = createApp({ store, table, config, log, now: () => service.clock.now, random: randomBytes })
    const fail = async () => {
      throw failure()
    }
    const rest = { shared: true, every: SECOND / 4 } as const
    const scheduler = createScheduler(app, [taskOf('targets_probe', fail, rest), taskOf('queue_deliver', fail, rest)])
    for (const end = service.clock.now + seconds * SECOND; service.clock.now < end; service.clock.now += SECOND / 4)
      await scheduler.runDue()
    await service.close()
    return lines
  }

  test('says once an outage that tasks wait for the database', async () => {
    const away = () => new StorageUnavailable('away', 'the database cannot be reached')
    assert.deepEqual(await logOf(away, 10), ['background tasks wait for the database'])
  })

  test('says once a minute what else is wrong with it', async () => {
    const lines = await logOf(() => new Error('a bug'), 70)
    assert.deepEqual(lines, Array(4).fill('a task failed'))
  })
})
