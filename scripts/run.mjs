/**
 * Runs a built command for `npm start` and others: `node scripts/run.mjs serve …`. In a checkout with newer sources it builds
 * first. Plain JavaScript, so that it runs without development packages.
 */
import { pathToFileURL } from 'node:url'
import { bringUpToDate, inDist } from './up-to-date.mjs'

const [, , name = ''] = process.argv
const problem = bringUpToDate()
if (problem) process.stderr.write(`${problem.message}\n`)
if (problem?.fatal) process.exit(1)

const file = inDist('run-command.js')
const { isCommand, runCommand } = await import(pathToFileURL(file).href)
if (!isCommand(name)) {
  process.stderr.write(`${name} is not a command: footfall --help lists them\n`)
  process.exit(1)
}
process.argv.splice(1, 2, file)
await runCommand(name)
