/**
 * Runs a built command for `npm start` and others: `node scripts/run.mjs serve …` runs `dist/serve.js`. In a checkout
 * with newer sources it builds first. Plain JavaScript, so that it runs without development packages.
 */
import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { bringUpToDate, inDist } from './up-to-date.mjs'

const [, , name] = process.argv
const problem = bringUpToDate()
if (problem) process.stderr.write(`${problem.message}\n`)
if (problem?.fatal) process.exit(1)

const file = inDist(`${name}.js`)
if (!existsSync(file)) {
  process.stderr.write(`${name} is no command: there is no dist/${name}.js\n`)
  process.exit(1)
}
process.argv.splice(1, 2, file)
await import(pathToFileURL(file).href)
