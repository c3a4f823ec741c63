/**
 * A process that measures the time and the CPU time from opening the database to the first overview, ms. Arguments: `ours` or
 * `duck`, and the database.
 */
import { openEngine } from '../../../storage/engine/index.ts'
import { openStore } from '../../../storage/store.ts'
import { askOurs } from './compare.ts'
import { openDuck } from './duck.ts'
import { firstQuestion, questions } from './questions.ts'

const [whose, where = ''] = process.argv.slice(2)
const question = questions.find(({ name }) => name === firstQuestion)
if (!question) throw new Error(`no question ${firstQuestion}`)
const [began, before] = [performance.now(), process.cpuUsage()]
if (whose === 'ours') {
  const store = openStore(where, { readonly: true, connections: 1 })
  await askOurs(openEngine(store, { threads: 0, cacheBytes: 256 * 1_048_576 }), question)
} else await (await openDuck(where)).ask(question.duck)
const { user, system } = process.cpuUsage(before)
process.stdout.write(`${performance.now() - began} ${(user + system) / 1_000}\n`)
process.exit(0)
