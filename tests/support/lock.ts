/** Another process that has the write lock of an SQLite file, like a backup tool or an open shell. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { libraryPath } from '../../storage/dialects/sqlite-library.ts'
import { fileOf } from '../../storage/store.ts'

const script = `
  const Database = require(process.argv[2])
  const db = new Database(process.argv[1], { timeout: 10_000 })
  db.exec('begin immediate')
  console.log('locked')
  process.stdin.on('end', () => { db.exec('commit'); db.close() }).resume()
`

/** @returns once it has the lock; `release` ends it */
export async function lockElsewhere(url: string): Promise<{ release(): Promise<void> }> {
  const child = spawn(process.execPath, ['-e', script, fileOf(url) ?? '', libraryPath()], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  process.once('exit', () => child.kill('SIGKILL'))
  await once(createInterface({ input: child.stdout }), 'line')
  return {
    async release() {
      child.stdin.end()
      await ended
    },
  }
}
