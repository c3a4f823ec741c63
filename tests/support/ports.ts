/** Ports for servers that are told where to listen, or start again at the same place. */
import { randomInt } from 'node:crypto'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'

/** A file for each port that a test process has taken, with its pid: a server on it may be stopped for a while, or not yet started. */
const taken = path.join(os.tmpdir(), 'footfall-ports')
const ours = new Set<string>()
process.once('exit', () => {
  for (const file of ours) fs.rmSync(file, { force: true })
})

/**
 * A port below those of outgoing connections, which may take one between two starts of a server. No other test process of this machine
 * gets the same one while this one runs.
 */
export async function freePort(): Promise<number> {
  fs.mkdirSync(taken, { recursive: true })
  for (;;) {
    const port = randomInt(11_000, 32_000)
    if (take(path.join(taken, String(port))) && (await isFree(port))) return port
  }
}

/** @returns whether the file was made, or belonged to a process that has ended */
function take(file: string): boolean {
  try {
    fs.writeFileSync(file, String(process.pid), { flag: 'wx' })
    ours.add(file)
    return true
  } catch {
    if (isAbandoned(file)) fs.rmSync(file, { force: true }) // for a later turn
    return false
  }
}

function isAbandoned(file: string): boolean {
  try {
    process.kill(Number(fs.readFileSync(file, 'utf8')) || process.pid, 0) // empty while it is being written
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = net.createServer()
  const listens = await new Promise<boolean>(resolve => {
    server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true))
  })
  if (listens) await new Promise(resolve => server.close(resolve))
  return listens
}
