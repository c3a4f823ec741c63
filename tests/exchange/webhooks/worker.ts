/**
 * A process that only sends deliveries. Its clock has run `SPEED` times as fast as real time since `SINCE`, like that
 * of every process of the test, so that leases of a minute end in seconds.
 */
import * as meters from '../../../operations/exchange/webhooks/meters.ts'
import { webhooks_deliver } from '../../../operations/exchange/webhooks/tasks.ts'
import { area } from '../../../runtime/table/area.ts'
import { createApp } from '../../../runtime/create-app.ts'
import { readConfig } from '../../../runtime/settings/config.ts'
import { openLog } from '../../../runtime/observability/log.ts'
import { createScheduler } from '../../../runtime/tasks/scheduler.ts'
import { defineTable } from '../../../runtime/table/table.ts'
import { random } from '../../../scripts/machine.ts'
import { openStore } from '../../../storage/store.ts'

/** The parts that deliveries need. All operations would take most of the time to load, and a test starts and kills a hundred of these. */
const table = defineTable([area({ name: 'Deliveries', description: 'What is sent to webhooks.', operations: {}, meters })])
const config = readConfig(process.env, table.settings)
const [since, speed] = [Number(process.env.SINCE), Number(process.env.SPEED)]
const now = () => Math.round(since + (Date.now() - since) * speed)
const app = createApp({ store: openStore(config.DATABASE_URL), config, table, log: openLog('warn'), now, random })
createScheduler(app, [webhooks_deliver]).start()
process.stdout.write('ready\n')
