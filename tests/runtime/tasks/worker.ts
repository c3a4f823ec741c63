/** A worker process with one long task, which prints when that begins. */
import { table } from '../../../operations/index.ts'
import { createApp } from '../../../runtime/create-app.ts'
import { readConfig } from '../../../runtime/settings/config.ts'
import { openLog } from '../../../runtime/observability/log.ts'
import { createScheduler } from '../../../runtime/tasks/scheduler.ts'
import { task } from '../../../runtime/table/task.ts'
import { openDatabase, random } from '../../../scripts/machine.ts'

void run()

async function run(): Promise<void> {
  const config = readConfig(process.env, table.settings)
  const store = await openDatabase(config)
  const app = createApp({ store, config, table, log: openLog('warn'), now: Date.now, random })
  createScheduler(app, [
    task({
      name: 'mountain_move',
      summary: 'Moves a mountain',
      every: 600_000,
      lease: 3_000,
      async run({ progress, now }) {
        process.stdout.write(`began ${now()}\n`)
        for (let stone = 1; ; stone++) {
          progress(stone, null)
          await new Promise(resolve => setTimeout(resolve, 50))
        }
      },
    }),
  ]).start()
  process.stdout.write('ready\n')
}
