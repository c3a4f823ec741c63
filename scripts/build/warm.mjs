/** Runs a program for `code-cache.ts`, the service if it has it, and keeps its code cache on request. */
import { keepCache, runProgram } from '../code-cache.mjs'

const [, , program = ''] = process.argv
process.argv.splice(1, 2, program)
const { exports, script } = runProgram(program)
process.once('message', () => {
  if (script) keepCache(program, script)
  process.exit()
})
/** @type {{ runCommand?(name: 'serve'): Promise<void> }} */
const commands = Object(exports)
await commands.runCommand?.('serve')
