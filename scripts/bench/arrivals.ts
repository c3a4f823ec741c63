/**
 * `npm run bench -- arrivals [--seconds 5] [--commits 1,5,50] [--processes 1,2,4]`: hits that arrive at a fixed rate, whether earlier ones
 * were answered or not, on a Postgres whose commits take 1, 5 and 50 ms: for one hot site and for many, with 1, 2 and 4 processes.
 * The rate rises until hits are refused, wait longer than a second (p99), or are answered more slowly than they arrive. A latency
 * counts from the time at which the hit was due, so a queue shows (without coordinated omission; autocannon corrects for it).
 */
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { startPostgres } from '../../tests/support/postgres.ts'
import { hits } from './hits.ts'
import { type Load, load } from './load.ts'
import { type BenchServer, benchServer, cpuMs } from './running.ts'
import { commitsTaking, makeSite } from './slow-commits.ts'

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

const rates = [250, 500, 1_000, 1_500, 2_000, 2_500, 3_000, 4_000, 5_000, 6_000]
const many = Array.from({ length: 20 }, (_, i) => `many-${i}.example.com`)
const sites = { 'one hot site': ['bench.example.com'], [`${many.length} sites`]: many }
/** A connection waits for its answer, so there are as many as hits that wait when each takes the longest time that is accepted. */
const MAX_WAIT_MS = 1_000
const connectionsFor = (rate: number) => Math.max(64, Math.ceil((rate * MAX_WAIT_MS) / 1_000))
/** Share of the rate that has to be answered within the time. */
const ANSWERED = 0.97

const postgres = await startPostgres({ durable: true })
const started: BenchServer[] = []
const [commits, counts] = [numbersIn(values.commits), numbersIn(values.processes)]
try {
  started.push(await benchServer(postgres.url))
  for (const domain of many) await makeSite(started, domain)
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
  readonly loads: readonly Load[]
  /** Of a core, for each process. */
  readonly busy: number
}

/** The last rate that was sustained, and the first that was not. */
async function highest(servers: readonly BenchServer[], domains: readonly string[]): Promise<string> {
  let last: Step | undefined
  for (const rate of rates) {
    const step = await arrive(servers, domains, rate)
    if (!isSustained(step)) return `${last ? shown(last) : 'none'} · not ${shown(step)}`
    last = step
  }
  return last ? shown(last) : 'none'
}

async function arrive(servers: readonly BenchServer[], domains: readonly string[], rate: number): Promise<Step> {
  const each = rate / servers.length
  const cpu = () => servers.reduce((sum, { child: { pid } }) => sum + cpuMs(pid), 0)
  const [cpuBefore, began] = [cpu(), performance.now()]
  const loads = await Promise.all(
    servers.map(({ address }) =>
      load(`${address}/api/event`, { seconds, overallRate: each, connections: connectionsFor(each), requests: hitsOf(domains) }),
    ),
  )
  return { rate, loads, busy: (cpu() - cpuBefore) / (performance.now() - began) / servers.length }
}

function hitsOf(domains: readonly string[]): ReturnType<typeof hits> {
  const of = domains.map(domain => hits(domain))
  let n = 0
  return () => (of[n++ % of.length] ?? hits())()
}

const worst = (loads: readonly Load[], of: (load: Load) => number): number => Math.max(...loads.map(of))
const answered = (loads: readonly Load[]): number => loads.reduce((sum, { rate }) => sum + rate, 0)

const isSustained = ({ rate, loads }: Step): boolean =>
  loads.every(({ failures }) => failures === 0) && answered(loads) >= ANSWERED * rate && worst(loads, ({ p99 }) => p99) <= MAX_WAIT_MS

function shown({ rate, loads, busy }: Step): string {
  const failures = loads.reduce((sum, each) => sum + each.failures, 0)
  return (
    `${rate}/s: ${answered(loads)} answered, half within ${worst(loads, ({ p50 }) => p50)} ms, p99 ${worst(loads, ({ p99 }) => p99)} ms, ` +
    `${busy.toFixed(2)} of a core each${failures > 0 ? `, ${failures} failed` : ''}`
  )
}

function print(what: string, figures: string): void {
  process.stdout.write(`arrivals         ${what.padEnd(36)} ${figures}\n`)
}
process.stdout.write(`arrivals         with load and Postgres on the same ${availableParallelism()} cores\n`)
