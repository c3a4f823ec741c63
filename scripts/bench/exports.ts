/**
 * `npm run bench -- exports [--hits N] [--postgres]` measures how long 200 hits a second wait: without other load, while a year
 * of a site is exported as CSV, NDJSON and Parquet, and while the NDJSON is imported into an empty site. It also prints the
 * time, the CPU time and the memory that each export and the import take. It runs the built service, on SQLite or Postgres.
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
import { creationServices } from '../machine.ts'
import { quantile } from './load.ts'
import { makeOurs } from './reports/make.ts'
import { cpuMs, quiet, residentMb, run } from './running.ts'

const { values } = parseArgs({
  allowPositionals: true,
  options: { hits: { type: 'string', default: '1000000' }, postgres: { type: 'boolean', default: false } },
})
/** Hits are sent for this many seconds between two looks at the export. */
const intervalSeconds = 5

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'footfall-exports-'))
const postgres = values.postgres ? await startPostgres({ durable: true }) : undefined
const url = postgres?.url ?? `file:${path.join(folder, 'ours.db')}`
try {
  const { hits } = await makeOurs(url, { hits: Number(values.hits), size: async () => 0 })
  const store = openStore(url)
  const request = { email: 'bench@example.com', workspace: 'Bench', site: 'bench.example.com', timezone: 'UTC' }
  const { workspace_id, site_id, token } = await setUp(store, request, await creationServices())
  await store.close()

  const settings = { ...quiet, DATABASE_URL: url, FILES_URL: `file:${path.join(folder, 'files')}` }
  const service = await run({ script: 'dist/footfall.js', env: settings, isFirst: line => line.startsWith('Footfall is at') })
  const address = service.line.replace('Footfall is at ', '')
  const sender = fork('dist/bench/reports/sender.js', { env: { ...process.env, ADDRESS: address } })
  const ask = async (path: string, body?: object) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
    const answer = await fetch(`${address}${path}`, body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers })
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
    return ((await answer.json()) as { data: Job }).data
  }
  /** Waits until the job is done, and prints its figures and the waiting times of hits. */
  const waitFor = async (what: string, path: string): Promise<Job> => {
    const [cpu, waited, memory]: [number, number[], number[]] = [cpuMs(service.child.pid), [], []]
    let job: Job
    do {
      waited.push(...(await waitingTimes(sender)))
      memory.push(residentMb(service.child.pid))
      job = await ask(path)
    } while (job.status === 'pending' || job.status === 'running')
    if (job.status !== 'completed') throw new Error(JSON.stringify(job))
    const seconds = (Date.parse(job.finished_at) - Date.parse(job.started_at)) / 1_000
    const used = `${seconds.toFixed(1)} s, ${((cpuMs(service.child.pid) - cpu) / 1_000).toFixed(1)} s of CPU with the hits`
    print(what, `${used} · meanwhile ${quantilesOf(waited)} · at most ${Math.max(...memory)} MB resident`)
    return job
  }

  await waitingTimes(sender)
  print(`${hits} hits`, `alone ${quantilesOf(await waitingTimes(sender))} · ${residentMb(service.child.pid)} MB resident`)
  const made = new Map<string, Job>()
  for (const format of ['csv', 'ndjson', 'parquet']) {
    const { id } = await ask(`/sites/${site_id}/exports`, { kind: 'hits', format })
    const job = await waitFor(format, `/sites/${site_id}/exports/${id}`)
    print('', `${Math.round(job.bytes / 1e6)} MB of ${job.rows} rows`)
    made.set(format, job)
  }

  const exported = made.get('ndjson')
  const { id: empty } = await ask(`/workspaces/${workspace_id}/sites`, { name: 'Empty', domain: 'empty.example.com', timezone: 'UTC' })
  const imports = `/sites/${empty}/imports`
  const { id, upload_url } = await ask(imports, { source: 'footfall', filename: 'hits.ndjson' })
  const here = (link = '') => link.replace(/^https?:\/\/[^/]+/, address)
  const file = await (await fetch(here(exported?.download_url))).blob()
  const sent = await fetch(here(upload_url), { method: 'PUT', body: file })
  if (!sent.ok) throw new Error(`${sent.status} ${await sent.text()}`)
  await ask(`${imports}/${id}/start`, {})
  const job = await waitFor('import', `${imports}/${id}`)
  print('', `${job.rows_taken} of ${exported?.rows} lines, ${job.rows_refused} refused`)
  sender.disconnect()
  await service.stop()
} finally {
  await postgres?.stop()
  fs.rmSync(folder, { recursive: true, force: true })
}

/** An export or an import. */
interface Job {
  readonly id: string
  readonly status: string
  readonly started_at: string
  readonly finished_at: string
  readonly rows: number
  readonly bytes: number
  readonly rows_taken: number
  readonly rows_refused: number
  readonly download_url: string
  readonly upload_url: string
}

/** Sends hits. @returns how long each waited, ms */
async function waitingTimes(sender: ChildProcess): Promise<number[]> {
  sender.send(intervalSeconds)
  const [waited] = (await once(sender, 'message')) as [number[]] // sent by sender.ts
  return waited
}

function quantilesOf(waited: readonly number[]): string {
  const [median, p99] = [0.5, 0.99].map(share => quantile(waited, share).toFixed(1))
  return `p50 ${median}, p99 ${p99}, longest ${Math.max(...waited).toFixed(0)} ms`
}

function print(what: string, figures: string): void {
  process.stdout.write(`exports, ${what.padEnd(16)} ${figures}\n`)
}
