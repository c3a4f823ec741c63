/**
 * `npm run new -- area sites/bookmarks`: a new area that stores records of a site, with a table, operations, an event, a task,
 * a setting, a message, a view, example records and a test. It compiles and passes the tests; change it from there.
 */
import { commandLine } from './command-line.ts'
import { installArea } from './new/area.ts'
import { root } from './build/root.ts'

const command = commandLine('new').argument('<kind>', 'area').argument('<place>', 'wing and name, for example sites/bookmarks').parse()
const [kind, place = ''] = command.args

try {
  if (kind !== 'area') throw new Error(`"${kind}" is not something to create: npm run new -- area sites/bookmarks`)
  const today = new Date().toISOString().slice(0, '2026-12-01'.length)
  const files = installArea(root, place, today)
  process.stdout.write(`${[...new Set(files)].map(file => `  ${file}\n`).join('')}
Now format the files, regenerate what is made of the code, and run the tests:
  npm run format && npm run spec
  npm test -- tests/contract ${files.find(file => file.startsWith('tests/'))}
`)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
