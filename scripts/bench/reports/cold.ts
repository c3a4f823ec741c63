/** In a process of its own: from opening the database to the first overview, ms. Arguments: `ours` or `duck`, where. */
import { openSources } from '../../../storage/engine/days/database-source.ts'
import { openStore } from '../../../storage/store.ts'
import { askOurs } from './compare.ts'
import { openDuck } from './duck.ts'
import { firstQuestion, questions } from './questions.ts'

const [whose, where = ''] = process.argv.slice(2)
const question = questions.find(({ name }) => name === firstQuestion)
if (!question) throw new Error(`no question ${firstQuestion}`)
const began = performance.now()
if (whose === 'ours') {
  const store = openStore(where, { readonly: true, connections: 1 })
  await askOurs(openSources(store, 256 * 1_048_576, () => performance.now()), question)
} else await (await openDuck(where)).ask(question.duck)
process.stdout.write(`${performance.now() - began}\n`)
process.exit(0)
