/** Runs a program for `code-cache.ts`, and keeps its code cache on request. */
import { keepCache, runProgram } from '../code-cache.mjs'

const [, , program = ''] = process.argv
process.argv.splice(1, 2, program)
const script = runProgram(program)
process.once('message', () => {
  if (script) keepCache(program, script)
  process.exit()
})
