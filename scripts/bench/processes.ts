/**
 * `npm run bench -- processes`: hits over HTTP from one process and from four on one Postgres whose commits take 50 ms,
 * as they do where a standby in another place confirms them. Each process has a site of its own and 32 connections, one
 * of which sends hits of a site that all of them share; bar: four store three times as many as one.
 */
import pg from 'pg'
import { startPostgres } from '../../tests/support/postgres.ts'
import { hits } from './hits.ts'
import { type Load, load, median } from './load.ts'
import { type BenchServer, benchServer } from './running.ts'

const processes = 4
const connections = 32
const seconds = 6
const rounds = 3

const postgres = await startPostgres({ durable: true })
const started: BenchServer[] = []
try {
  const server = new pg.Client(postgres.url)
  await server.connect()
  server.on('error', () => {})
  await server.query('alter system set commit_siblings = 0')
  const slowCommits = async (microseconds: number) => {
    await server.query(`alter system set commit_delay = ${microseconds}`)
    await server.query('select pg_reload_conf()')
  }
  const first = await benchServer(postgres.url)
  started.push(first)
  while (started.length < processes) started.push(await benchServer(postgres.url))
  for (let i = 0; i < processes; i++) await makeSite(first, ownSite(i))
  await slowCommits(50_000)

  for (const shared of [0, 1, connections]) {
    const [one, all] = [[] as number[], [] as number[]]
    for (let round = 0; round < rounds; round++) {
      one.push(await rateOf(started.slice(0, 1), shared))
      all.push(await rateOf(started, shared))
    }
    const ratio = median(all.map((rate, i) => rate / (one[i] ?? Number.NaN)))
    const what = `${shared} of ${connections} connections on a shared site`
    process.stdout.write(`processes        ${what}: ${median(one)} → ${median(all)} hits/s · ratio ${ratio.toFixed(2)}\n`)
  }
  await server.end()
} finally {
  for (const each of started) await each.stop()
  await postgres.stop()
}

function ownSite(i: number): string {
  return `own-${i}.example.com`
}

async function makeSite({ address, token, workspace_id }: BenchServer, domain: string): Promise<void> {
  const made = await fetch(`${address}/workspaces/${workspace_id}/sites.json`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ domain }),
  })
  if (!made.ok) throw new Error(`${made.status} ${await made.text()}`)
}

/** Hits a second that all of them store together. */
async function rateOf(servers: readonly BenchServer[], shared: number): Promise<number> {
  const loads = servers.flatMap(({ address }, i) => [
    ...(shared < connections ? [send(address, ownSite(i), connections - shared)] : []),
    ...(shared > 0 ? [send(address, 'bench.example.com', shared)] : []),
  ])
  const found = await Promise.all(loads)
  if (found.some(({ failures }) => failures > 0)) throw new Error(`failures: ${JSON.stringify(found)}`)
  return found.reduce((sum, { rate }) => sum + rate, 0)
}

function send(address: string, domain: string, connections: number): Promise<Load> {
  return load(`${address}/api/event`, { seconds, connections, requests: hits(domain) })
}
