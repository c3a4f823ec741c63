/** A process that runs imports until none is left, and prints when it begins and ends. */
import { randomBytes } from 'node:crypto'
import { table } from '../../operations/index.ts'
import { createApp } from '../../runtime/app.ts'
import { readConfig } from '../../runtime/config.ts'
import { openLog } from '../../runtime/log.ts'
import { imports_run } from '../../operations/exchange/imports/tasks.ts'
import type { TaskContext } from '../../runtime/task.ts'
import { openStore } from '../../storage/store.ts'

const store = openStore(process.env.DATABASE_URL ?? '')
const { FILES_URL = '' } = process.env
const config = readConfig({ FILES_URL }, table.settings)
const app = createApp({ store, table, config, log: openLog('error'), now: Date.now, random: randomBytes })
process.stdout.write('begins\n')
await imports_run.run({ ...app, signal: new AbortController().signal, progress() {} } as unknown as TaskContext)
process.stdout.write('ends\n')
await app.close()
await store.close()
