/** Starts a report thread for `code-cache.ts`, and keeps its code cache: `warm-thread.mjs <its file> <URL of a database>`. */
import { isMainThread, Worker } from 'node:worker_threads'
import { keepCache, runProgram } from '../code-cache.mjs'

const [, file = '', program = '', url] = process.argv
if (isMainThread) new Worker(file, { argv: [program], workerData: { url, cacheBytes: 1_000_000 } })
else {
  const { script } = runProgram(program)
  setImmediate(() => {
    if (script) keepCache(program, script)
    process.exit() // of the thread
  })
}
