/**
 * `npm run bench -- deliveries [seconds] [events a second]`: creates sites over the API, 20 a second, with ten
 * webhooks: 200 deliveries a second, while an eleventh endpoint accepts requests and never answers. Measured at the
 * endpoints: the time from event to arrival. Bar: every delivery arrives, 99 of 100 within a second.
 */
import { spawnSync } from 'node:child_process'
import http from 'node:http'
import { setTimeout as later } from 'node:timers/promises'
import { type SetUp, setUp } from '../../operations/service/setup/set-up.ts'
import { migrate } from '../../storage/migrations/migrate.ts'
import { openStore } from '../../storage/store.ts'
import { creationServices } from '../machine.ts'
import { median, quantile } from './load.ts'
import { cpuMs, residentMb, run, withDatabases } from './running.ts'

const [seconds = 60, rate = 20] = process.argv.slice(2).map(Number).filter(Number.isFinite)
const endpoints = 10
const events = seconds * rate

let late: number[] = []
const target = http.createServer((request, response) => {
  void request.toArray().then(chunks => {
    if (request.url === '/hangs') return
    late.push(Date.now() - Date.parse(JSON.parse(String(Buffer.concat(chunks))).created_at))
    response.end()
  })
})
await new Promise<void>(resolve => target.listen(0, '127.0.0.1', resolve))
const address = target.address()
const targetUrl = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`

await withDatabases(async (engine, url) => {
  late = []
  const env = { DATABASE_URL: url, PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'error', RATE_TOKEN: '0', OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8' }
  const { workspace_id, token } = await prepare(url)
  const service = await run({ script: 'dist/footfall.js', env, isFirst: line => line.startsWith('Footfall is at') })
  const base = `${service.line.replace('Footfall is at ', '')}/workspaces/${workspace_id}`
  const post = async (path: string, body: object) => {
    const answer = await fetch(`${base}${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
  }
  for (let i = 0; i < endpoints; i++) await post('/webhooks', { url: `${targetUrl}/${i}`, events: ['site.created'] })
  await post('/webhooks', { url: `${targetUrl}/hangs`, events: ['site.created'] })
  spawnSync('taskset', ['-acp', '0', String(service.child.pid)])

  const [began, cpu] = [Date.now(), cpuMs(service.child.pid)]
  const posting: Promise<void>[] = []
  for (let n = 0; n < events; n++) {
    await later(Math.max(0, began + (n * 1_000) / rate - Date.now()))
    posting.push(post('/sites', { domain: `n${n}.example.com` }))
  }
  await Promise.all(posting)
  const busy = (cpuMs(service.child.pid) - cpu) / (Date.now() - began)
  for (let i = 0; i < 100 && late.length < events * endpoints; i++) await later(100)
  process.stdout.write(
    `deliveries, ${engine.padEnd(9)} ${late.length} of ${events * endpoints} in ${seconds} s · from event to arrival p50 ${median(late)} ms, p99 ${quantile(late, 0.99)} ms, most ${Math.max(...late)} ms` +
      ` · ${Math.round(busy * 100)} % of a core, ${residentMb(service.child.pid)} MB\n`,
  )
  service.child.kill('SIGKILL') // it would wait for the endpoint that hangs
})
target.close()
target.closeAllConnections()

async function prepare(url: string): Promise<SetUp> {
  const store = openStore(url)
  await migrate(store)
  const made = await setUp(
    store,
    { email: 'bench@example.com', workspace: 'Bench', site: 'bench.example.com', timezone: 'UTC' },
    await creationServices(),
  )
  await store.close()
  return made
}
