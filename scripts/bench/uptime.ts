/**
 * `npm run bench -- uptime [seconds]`: 5,000 checks a minute against a target on this machine, the service on one core.
 * Measured at the target: the time from each scheduled probe to its request, and probes without a request. Bar: 99 of
 * 100 within a second, none missed.
 */
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import http from 'node:http'
import { setUp } from '../../operations/service/setup/set-up.ts'
import { startAgain, nothingKnown } from '../../operations/watch/uptime/checks.ts'
import { tickAfter } from '../../operations/watch/uptime/schedule.ts'
import { makeId } from '../../runtime/values/ids.ts'
import { migrate } from '../../storage/migrations/migrate.ts'
import { openStore } from '../../storage/store.ts'
import { median, quantile } from './load.ts'
import { cpuMs, residentMb, run, withDatabases } from './running.ts'
import { creationServices } from '../machine.ts'
import { ids as uptimeIds } from '../../operations/watch/uptime/records.ts'

const checks = 5_000
const interval_seconds = 60
const [seconds = 120] = process.argv.slice(2).map(Number).filter(Number.isFinite)
/** Time to start before the first probe is due. */
const headStartMs = 15_000

/** Times of requests, by the number of the check in the path. */
const arrivals = new Map<number, number[]>()
const target = http.createServer(({ url = '' }, response) => {
  arrivals.get(Number(url.slice(1)))?.push(Date.now())
  response.end('ok')
})
await new Promise<void>(resolve => target.listen(0, '127.0.0.1', resolve))
const address = target.address()
const targetUrl = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`

await withDatabases(async (engine, url) => {
  const begins = Date.now() + headStartMs
  const ids = await prepare(url, begins)
  const service = await run({
    script: 'dist/footfall.js',
    env: {
      DATABASE_URL: url,
      PORT: '0',
      HOST: '127.0.0.1',
      LOG_LEVEL: 'warn',
      OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8',
    },
    isFirst: line => line.startsWith('Footfall is at'),
  })
  spawnSync('taskset', ['-acp', '0', String(service.child.pid)])
  const ends = begins + seconds * 1000
  await until(begins)
  const before = cpuMs(service.child.pid)
  await until(ends + 3_000)
  const busy = (cpuMs(service.child.pid) - before) / (seconds * 1000 + 3_000)
  const memory = residentMb(service.child.pid)
  await service.stop()
  const { late, missed, extra } = judged(ids, begins, ends)
  process.stdout.write(
    `uptime, ${engine.padEnd(9)} ${late.length} probes in ${seconds} s` +
      ` · lateness p50 ${median(late)} ms, p99 ${quantile(late, 0.99)} ms, most ${Math.max(...late)} ms` +
      ` · ${missed} missed, ${extra} too many · ${Math.round(busy * 100)} % of a core, ${memory} MB\n`,
  )
})
target.close()

async function prepare(url: string, begins: number): Promise<string[]> {
  const store = openStore(url)
  await migrate(store)
  const now = Date.now()
  const wanted = { email: 'bench@example.com', workspace: 'Bench', site: 'bench.example.com', timezone: 'UTC' }
  const { workspace_id } = await setUp(store, wanted, await creationServices(undefined, now))
  const ids = Array.from({ length: checks }, () => makeId(uptimeIds.check, now, randomBytes(14)))
  arrivals.clear()
  for (let i = 0; i < checks; i += 500) {
    await store.write
      .insertInto('uptime_checks')
      .values(
        ids.slice(i, i + 500).map((id, j) => {
          arrivals.set(i + j, [])
          return {
            id,
            workspace_id,
            site_id: null,
            name: null,
            kind: 'http' as const,
            url: `${targetUrl}/${i + j}`,
            host: null,
            port: null,
            keyword: null,
            expected_status: 200,
            http_method: 'GET' as const,
            interval_seconds,
            timeout_seconds: 10,
            public: 0,
            ...startAgain(now),
            ...nothingKnown,
            next_check_at: tickAfter({ id, interval_seconds }, begins),
            last_checked_at: null,
            last_response_ms: null,
            domain: null,
            domain_expires_at: null,
            created_at: now,
          }
        }),
      )
      .execute()
  }
  await store.close()
  return ids
}

/** Matches each scheduled probe with the first request until the next one. */
function judged(ids: readonly string[], begins: number, ends: number) {
  const late: number[] = []
  let [missed, extra] = [0, 0]
  for (const [i, id] of ids.entries()) {
    const seen = arrivals.get(i) ?? []
    for (let tick = tickAfter({ id, interval_seconds }, begins); tick < ends; tick += interval_seconds * 1000) {
      const answering = seen.filter(at => at >= tick && at < tick + interval_seconds * 1000)
      if (answering[0] === undefined) missed++
      else late.push(answering[0] - tick)
      extra += Math.max(0, answering.length - 1)
    }
  }
  return { late, missed, extra }
}

function until(time: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, time - Date.now()))
}
