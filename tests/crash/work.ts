/**
 * The work of a worker process: it runs the tasks of TASKS until nothing of them is due. Settings come from its environment, as in the
 * service. NOW: the time that it was at SINCE, by default when the work is opened; SPEED: how fast it passes, so that leases of minutes end
 * in seconds.
 */
import { randomBytes } from 'node:crypto'
import { table } from '../../operations/index.ts'
import { createApp } from '../../runtime/create-app.ts'
import { readConfig } from '../../runtime/settings/config.ts'
import { openLog } from '../../runtime/observability/log.ts'
import { openClock } from '../../storage/installation/clock.ts'
import { openStore } from '../../storage/store.ts'
import { taskContext } from '../support/task-context.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export async function openWork(env: Environment) {
  const { DATABASE_URL = '', TASKS = '', NOW, SINCE, SPEED = '1', LOG_LEVEL = 'error' } = env
  const store = openStore(DATABASE_URL)
  const clock = await openClock(store)
  const since = Number(SINCE ?? clock.now())
  const start = Number(NOW ?? since)
  const now = () => Math.round(start + (clock.now() - since) * Number(SPEED))
  const app = createApp({ store, table, config: readConfig(env, table.settings), log: openLog(LOG_LEVEL), now, random: randomBytes })
  const tasks = TASKS.split(',').map(name => {
    const found = table.tasks.find(task => task.name === name)
    if (!found) throw new Error(`no task ${name}`)
    return found
  })
  return {
    app,
    tasks,
    async runAll() {
      for (const task of tasks) while ((await task.run(taskContext(app)))?.more);
    },
    async close() {
      clock.close()
      await app.close()
      await store.close()
    },
  }
}
