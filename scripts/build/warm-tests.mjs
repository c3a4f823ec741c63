/** Runs one entry of the built tests to its end, and keeps the code cache: `warm-tests.mjs <the built file> <entry>`. */
import { keepCache, runProgram } from '../code-cache.mjs'

const [, , program = '', entry] = process.argv
Object.assign(globalThis, { testEntry: entry })
const { script } = runProgram(program)
process.once('beforeExit', () => {
  if (script) keepCache(program, script)
})
