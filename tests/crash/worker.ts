/**
 * A worker process that runs the tasks of TASKS. By itself it ends when nothing of them is due; with FOREVER it runs them
 * by its scheduler, with a lease of LEASE ms. Settings come from the environment, as in the service. SKEW: ms by which the
 * clock of this process is wrong. NOW: the time that it was at SINCE, by default when the process starts; SPEED: how fast it
 * passes, so that leases of minutes end in seconds. KILL_AT: the statement before which it kills itself. COUNT: prints how many
 * statements it has sent.
 */
import { randomBytes } from 'node:crypto'
import { table } from '../../operations/index.ts'
import { createApp } from '../../runtime/create-app.ts'
import { readConfig } from '../../runtime/settings/config.ts'
import { openLog } from '../../runtime/observability/log.ts'
import { createScheduler } from '../../runtime/tasks/scheduler.ts'
import { openClock } from '../../storage/installation/clock.ts'
import { openStore } from '../../storage/store.ts'
import { taskContext } from '../support/task-context.ts'
import { countStatements, killAt } from './kill-at.ts'

const { DATABASE_URL = '', TASKS = '', FOREVER, LEASE, KILL_AT, COUNT, SKEW = '0', NOW, SINCE, SPEED = '1' } = process.env
const realNow = Date.now
Date.now = () => realNow() + Number(SKEW)

void run()

async function run(): Promise<void> {
  const store = openStore(DATABASE_URL)
  const clock = await openClock(store)
  const since = Number(SINCE ?? clock.now())
  const start = Number(NOW ?? since)
  const now = () => Math.round(start + (clock.now() - since) * Number(SPEED))
  const config = readConfig(process.env, table.settings)
  const app = createApp({ store, table, config, log: openLog(process.env.LOG_LEVEL ?? 'error'), now, random: randomBytes })
  const tasks = TASKS.split(',').map(name => {
    const found = table.tasks.find(task => task.name === name)
    if (!found) throw new Error(`no task ${name}`)
    return LEASE === undefined ? found : { ...found, lease: Number(LEASE), every: Math.min(found.every, 500) }
  })
  if (KILL_AT !== undefined) killAt(Number(KILL_AT))
  const statements = COUNT === undefined ? undefined : countStatements()
  if (FOREVER === undefined) {
    process.stdout.write('begins\n')
    for (const task of tasks) while ((await task.run(taskContext(app)))?.more);
    process.stdout.write('ends\n')
    if (statements) process.stderr.write(`${TASKS}: ${statements()} statements\n`)
    clock.close()
    await app.close()
    await store.close()
  } else {
    createScheduler(app, tasks).start()
    process.stdout.write('begins\n')
  }
}
