/** Starts the script of a thread for `code-cache.ts`, and keeps its code cache: `warm-thread.mjs <file> <its data, as JSON>`. */
import { isMainThread, Worker } from 'node:worker_threads'
import { keepCache, runProgram } from '../code-cache.mjs'

const [, file = '', program = '', data = ''] = process.argv
if (isMainThread) new Worker(file, { argv: [program], workerData: JSON.parse(data) })
else {
  const script = runProgram(program)
  setImmediate(() => {
    if (script) keepCache(program, script)
    process.exit() // of the thread
  })
}
