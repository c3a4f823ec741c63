/**
 * Makes the code caches of the service and of its report threads, by starting both as `npm start` does, on a database of
 * their own. The first of these starts also opens a page: it loads the views of all areas, which a start does not.
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

/** Exit code of a start that found faulty declarations (`warm.mjs`). */
const FAULTY = 3

/** The pages of the service cannot be opened, for example because two areas show the same record, or operations are faulty. It fails the build. */
export class PagesFault extends Error {}

/**
 * @param program file of the built service
 * @param thread the file of its report threads
 * @throws PagesFault if the service starts, but its pages do not open
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
  const env = { PATH: process.env.PATH, DATABASE_URL: `file:${folder}/warm.db`, HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'error' }
  const child = spawn(process.execPath, [...flags, path.join(root, 'scripts/build/warm.mjs'), program, then], {
    env,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    timeout: patienceMs,
  })
  const ended = once(child, 'exit')
  let isUp = false
  let status = 200
  let logged = ''
  for await (const line of createInterface({ input: child.stdout ?? Readable.from([]) })) {
    if (line.startsWith('{')) logged ||= JSON.parse(line).err?.message ?? ''
    const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? []
    if (address === undefined || isUp) continue
    isUp = true
    await fetch(`${address}/readyz`)
    if (then === 'keep') child.send('keep')
    else {
      ;({ status } = await fetch(address, { headers: { Accept: 'text/html' }, redirect: 'manual' }))
      child.kill('SIGTERM')
    }
  }
  const [code, signal] = await ended
  if (code === FAULTY) throw new PagesFault('The service cannot be built.')
  if (!isUp || code !== 0) throw new Error(`The service does not start here: it ended with ${code ?? signal}.`)
  if (status >= 400) throw new PagesFault(`The pages of the service do not open (status ${status}). ${logged}`)
}

async function warmThread(thread: string, database: string): Promise<void> {
  const script = path.join(root, 'scripts/build/warm-thread.mjs')
  const child = spawn(process.execPath, [...flags, script, thread, database], { stdio: 'inherit', timeout: patienceMs })
  const [code, signal] = await once(child, 'exit')
  if (code !== 0) throw new Error(`A report thread does not start here: it ended with ${code ?? signal}.`)
}
