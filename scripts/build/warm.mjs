/** Runs a program for `code-cache.ts`, the service if it has it, and keeps its code cache on request. */
import { keepCache, runProgram } from '../code-cache.mjs'

const [, , program = '', then] = process.argv
process.argv.splice(1, 3, program)
const { exports, script } = runProgram(program)
process.once('message', () => {
  if (script) keepCache(program, script)
  process.exit()
})
/** @type {{ runCommand?(name: 'serve'): Promise<void>, checkDeclarations?(): Promise<void> }} */
const commands = Object(exports)
// Not in the start whose functions are kept.
try {
  if (then === 'end') await commands.checkDeclarations?.()
} catch (error) {
  process.stderr.write(`${error}\n`)
  process.exit(3) // as code-cache.ts expects
}
await commands.runCommand?.('serve')
if (process.exitCode) process.exit() // the listener above would keep a start alive that failed
