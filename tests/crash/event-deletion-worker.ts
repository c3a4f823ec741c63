/** A process that deletes events until none is left, and prints when it begins and ends. */
import { eraseEvents } from '../../operations/reports/events/deletion.ts'
import type { TaskContext } from '../../runtime/task.ts'
import { openStore } from '../../storage/store.ts'

const store = openStore(process.env.DATABASE_URL ?? '')
const context = { store, now: Date.now, signal: new AbortController().signal, progress() {} }
process.stdout.write('begins\n')
await eraseEvents(context as unknown as TaskContext)
process.stdout.write('ends\n')
await store.close()
