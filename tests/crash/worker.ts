/**
 * A worker process, whose work its environment names (work.ts). By itself it ends when nothing is due; with FOREVER it runs the tasks
 * by its scheduler, with a lease of LEASE ms. SKEW: ms by which the clock of this process is wrong. KILL_AT: the statement before which
 * it kills itself. COUNT: prints how many statements it has sent.
 */
import { createScheduler } from '../../runtime/tasks/scheduler.ts'
import { countStatements, killAt } from './kill-at.ts'
import { openWork } from './work.ts'

const { TASKS = '', FOREVER, LEASE, KILL_AT, COUNT, SKEW = '0' } = process.env
const realNow = Date.now
Date.now = () => realNow() + Number(SKEW)

void run()

async function run(): Promise<void> {
  const work = await openWork(process.env)
  if (KILL_AT !== undefined) killAt(Number(KILL_AT))
  const statements = COUNT === undefined ? undefined : countStatements()
  process.stdout.write('begins\n')
  if (FOREVER === undefined) {
    await work.runAll()
    process.stdout.write('ends\n')
    if (statements) process.stderr.write(`${TASKS}: ${statements()} statements\n`)
    await work.close()
  } else {
    const withLease = (task: (typeof work.tasks)[number]) => ({ ...task, lease: Number(LEASE), every: Math.min(task.every, 500) })
    createScheduler(work.app, LEASE === undefined ? work.tasks : work.tasks.map(withLease)).start()
  }
}
