/** `dist/thread.cjs`: runs the script of a thread, the file that is its argument, from its code cache. */
import { runProgram } from './code-cache.mjs'

runProgram(process.argv[2] ?? '')
