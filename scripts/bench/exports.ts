/**
 * `npm run bench -- exports [--hits N] [--postgres]`: what hits wait for, 200 a second, alone and while a year of a site is
 * exported as CSV, NDJSON and Parquet; how long that takes, and in how much memory. The built service, on SQLite or Postgres.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { setUp } from '../../operations/service/setup/set-up.ts'
import { openStore } from '../../storage/store.ts'
import { startPostgres } from '../../tests/support/postgres.ts'
import { making } from '../machine.ts'
import { quantile } from './load.ts'
import { makeOurs } from './reports/make.ts'
import { quiet, residentMb, run } from './running.ts'

const { values } = parseArgs({
  allowPositionals: true,
  options: { hits: { type: 'string', default: '1000000' }, postgres: { type: 'boolean', default: false } },
})
/** Hits are sent, and the export is looked at, for so many seconds at a time. */
const interval = 5

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'footfall-exports-'))
const postgres = values.postgres ? await startPostgres({ durable: true }) : undefined
const url = postgres?.url ?? `file:${path.join(folder, 'ours.db')}`
try {
  const { hits } = await makeOurs(url, Number(values.hits), async () => 0)
  const store = openStore(url)
  const request = { email: 'bench@example.com', workspace: 'Bench', site: 'bench.example.com', timezone: 'UTC' }
  const { site_id, token } = await setUp(store, request, await making())
  await store.close()

  const settings = { ...quiet, DATABASE_URL: url, FILES_URL: `file:${path.join(folder, 'files')}` }
  const service = await run('dist/serve.js', settings, line => line.startsWith('Footfall is at'))
  const address = service.line.replace('Footfall is at ', '')
  const sender = fork('dist/bench/reports/sender.js', { env: { ...process.env, ADDRESS: address } })
  const exports = `${address}/sites/${site_id}/exports`
  const ask = async (path: string, body?: object) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
    const answer = await fetch(`${exports}${path}.json`, body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers })
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
    return ((await answer.json()) as { data: Exported }).data
  }
  await waits(sender)
  print(`${hits} hits`, `alone ${said(await waits(sender))} · ${residentMb(service.child.pid)} MB resident`)
  for (const format of ['csv', 'ndjson', 'parquet']) {
    const began = performance.now()
    const { id } = await ask('', { kind: 'hits', format })
    const [waited, memory]: [number[], number[]] = [[], []]
    let made: Exported
    do {
      waited.push(...(await waits(sender)))
      memory.push(residentMb(service.child.pid))
      made = await ask(`/${id}`)
    } while (made.status === 'pending' || made.status === 'running')
    if (made.status !== 'completed') throw new Error(JSON.stringify(made))
    const seconds = (performance.now() - began) / 1_000
    const size = `${Math.round(made.bytes / 1e6)} MB of ${made.rows} rows in ${seconds.toFixed(0)} s or up to ${interval} s less`
    print(format, `${size} · meanwhile ${said(waited)} · at most ${Math.max(...memory)} MB resident`)
  }
  sender.disconnect()
  await service.stop()
} finally {
  await postgres?.stop()
  fs.rmSync(folder, { recursive: true, force: true })
}

interface Exported {
  readonly id: string
  readonly status: string
  readonly rows: number
  readonly bytes: number
}

/** Sends hits. @returns how long each waited, ms */
async function waits(sender: ChildProcess): Promise<number[]> {
  sender.send(interval)
  const [waited] = (await once(sender, 'message')) as [number[]] // sent by sender.ts
  return waited
}

function said(waited: readonly number[]): string {
  const [half, most] = [0.5, 0.99].map(share => quantile(waited, share).toFixed(1))
  return `p50 ${half}, p99 ${most}, longest ${Math.max(...waited).toFixed(0)} ms`
}

function print(what: string, figures: string): void {
  process.stdout.write(`exports, ${what.padEnd(16)} ${figures}\n`)
}
