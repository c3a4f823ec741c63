/**
 * `npm run bench -- arrivals [--seconds 5] [--commits 1,5,50] [--processes 1,2,4]`: hits that arrive at a fixed rate, whether earlier ones
 * were answered or not, on a Postgres whose commits take 1, 5 and 50 ms: for one hot site and for many, with 1, 2 and 4 processes.
 * The rate rises until a hit is refused or hits wait longer than a second (p99). A latency counts from the time at which the hit was
 * due, so that a queue shows (no coordinated omission).
 */
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { startPostgres } from '../../tests/support/postgres.ts'
import { hits } from './hits.ts'
import { type Arrived, arrive } from './arriving.ts'
import { type BenchServer, benchServer, cpuMs } from './running.ts'
import { makeSite } from './make-site.ts'
import { commitsTaking } from './slow-commits.ts'

const { values } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '5' },
    commits: { type: 'string', default: '1,5,50' },
    processes: { type: 'string', default: '1,2,4' },
  },
})
const numbersIn = (text: string) => text.split(',').map(Number)
const seconds = Number(values.seconds)

const rates = [500, 1_000, 2_000, 3_000, 4_000, 5_000, 6_000]
/** Hits a second before each measurement, so that connections, plans of Postgres and compiled code are there. */
const WARM_RATE = 200
const many = Array.from({ length: 20 }, (_, i) => `many-${i}.example.com`)
const sites = { 'one hot site': ['bench.example.com'], [`${many.length} sites`]: many }
/** The longest p99 that is accepted. */
const MAX_WAIT_MS = 1_000

print(`load, services and Postgres on the same ${availableParallelism()} cores`, '')
const postgres = await startPostgres({ durable: true })
const started: BenchServer[] = []
const [commits, counts] = [numbersIn(values.commits), numbersIn(values.processes)]
try {
  const first = await benchServer(postgres.url)
  started.push(first)
  for (const domain of many) await makeSite(`${first.address}/workspaces/${first.workspace_id}`, first.token, domain)
  while (started.length < Math.max(...counts)) started.push(await benchServer(postgres.url))
  for (const ms of commits) {
    await using _slow = await commitsTaking(postgres.url, ms)
    for (const [what, domains] of Object.entries(sites)) {
      for (const count of counts)
        print(`${ms} ms, ${what}, ${count} process${count === 1 ? '' : 'es'}`, await highest(started.slice(0, count), domains))
    }
  }
} finally {
  for (const each of started) await each.stop()
  await postgres.stop()
}

interface Step {
  readonly rate: number
  readonly arrived: readonly Arrived[]
  /** Share of a core that each process used, on average. */
  readonly busy: number
}

/** The last rate that was sustained, and the first that was not. */
async function highest(servers: readonly BenchServer[], domains: readonly string[]): Promise<string> {
  await step(servers, domains, WARM_RATE)
  let last: Step | undefined
  for (const rate of rates) {
    const next = await step(servers, domains, rate)
    if (!isSustained(next)) return `${last ? shown(last) : 'none'} · not ${shown(next)}`
    last = next
  }
  return last ? shown(last) : 'none'
}

async function step(servers: readonly BenchServer[], domains: readonly string[], rate: number): Promise<Step> {
  const cpu = () => servers.reduce((sum, { child: { pid } }) => sum + cpuMs(pid), 0)
  const [cpuBefore, began] = [cpu(), performance.now()]
  const of = { rate: rate / servers.length, seconds, request: hitsOf(domains) }
  const arrived = await Promise.all(servers.map(({ address }) => arrive(`${address}/api/event`, of)))
  return { rate, arrived, busy: (cpu() - cpuBefore) / (performance.now() - began) / servers.length }
}

function hitsOf(domains: readonly string[]): ReturnType<typeof hits> {
  const of = domains.map(domain => hits(domain))
  let n = 0
  return () => (of[n++ % of.length] ?? hits())()
}

function isSustained({ arrived }: Step): boolean {
  return arrived.every(({ sent, answered, p99 }) => answered === sent && p99 <= MAX_WAIT_MS)
}

function shown({ rate, arrived, busy }: Step): string {
  const failed = arrived.reduce((sum, { sent, answered }) => sum + sent - answered, 0)
  const worst = (of: (each: Arrived) => number) => Math.max(...arrived.map(of))
  return (
    `${rate}/s: half within ${worst(({ p50 }) => p50)} ms, p99 ${worst(({ p99 }) => p99)} ms, ${busy.toFixed(2)} of a core each` +
    (failed > 0 ? `, ${failed} failed` : '')
  )
}

function print(what: string, figures: string): void {
  process.stdout.write(`arrivals         ${what.padEnd(36)} ${figures}\n`)
}
