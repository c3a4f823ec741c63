/**
 * Makes the code caches of the service and of its report threads, by starting both as `npm start` does, on a database of
 * their own.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import manifest from '../../package.json' with { type: 'json' }
import { root } from './root.ts'

/** V8 refuses a cache that was made with other flags. */
const flags = manifest.scripts.start.split(' ').filter(word => word.startsWith('--'))
const patienceMs = 60_000

/**
 * @param program file of the built service
 * @param thread the file of its report threads
 * @throws Error if one does not start here; it then runs without a cache
 */
export async function makeCodeCaches(program: string, thread: string): Promise<void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'footfall-build-'))
  try {
    // First on an empty database: starts that find one do not make it, so what makes it is not in the cache.
    await warm(program, folder, 'end')
    await warm(program, folder, 'keep')
    await warmThread(thread, `file:${folder}/warm.db`)
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

async function warm(program: string, folder: string, then: 'end' | 'keep'): Promise<void> {
  const env = { PATH: process.env.PATH, DATABASE_URL: `file:${folder}/warm.db`, HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'silent' }
  const child = spawn(process.execPath, [...flags, path.join(root, 'scripts/build/warm.mjs'), program], {
    env,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    timeout: patienceMs,
  })
  const ended = once(child, 'exit')
  let isUp = false
  for await (const line of createInterface({ input: child.stdout ?? Readable.from([]) })) {
    const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? []
    if (address === undefined || isUp) continue
    isUp = true
    await fetch(`${address}/readyz`)
    if (then === 'keep') child.send('keep')
    else child.kill('SIGTERM')
  }
  const [code, signal] = await ended
  if (!isUp || code !== 0) throw new Error(`The service does not start here: it ended with ${code ?? signal}.`)
}

async function warmThread(thread: string, database: string): Promise<void> {
  const script = path.join(root, 'scripts/build/warm-thread.mjs')
  const child = spawn(process.execPath, [...flags, script, thread, database], { stdio: 'inherit', timeout: patienceMs })
  const [code, signal] = await once(child, 'exit')
  if (code !== 0) throw new Error(`A report thread does not start here: it ended with ${code ?? signal}.`)
}
