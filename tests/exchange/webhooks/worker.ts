/**
 * A process that only sends deliveries. Its clock has run `SPEED` times as fast as real time since `SINCE`, like that
 * of every process of the test, so that leases of a minute end in seconds.
 */
import { webhooks_deliver } from '../../../operations/exchange/webhooks/tasks.ts'
import { table } from '../../../operations/index.ts'
import { createApp } from '../../../runtime/app.ts'
import { readConfig } from '../../../runtime/config.ts'
import { openLog } from '../../../runtime/log.ts'
import { createScheduler } from '../../../runtime/scheduler.ts'
import { random } from '../../../scripts/machine.ts'
import { openStore } from '../../../storage/store.ts'

const config = readConfig(process.env, table.settings)
const [since, speed] = [Number(process.env.SINCE), Number(process.env.SPEED)]
const now = () => Math.round(since + (Date.now() - since) * speed)
const app = createApp({ store: openStore(config.DATABASE_URL), config, table, log: openLog('warn'), now, random })
createScheduler(app, [webhooks_deliver]).start()
process.stdout.write('ready\n')
