/**
 * `npm run bench -- processes`: hits over HTTP from one process and from four on one Postgres whose commits take 50 ms,
 * as they do where a standby in another place confirms them. Each process has a site of its own and 32 connections, one
 * of which sends hits of a site that all of them share; bar: four store three times as many as one.
 */
import { startPostgres } from '../../tests/support/postgres.ts'
import { hits } from './hits.ts'
import { type Load, load, median } from './load.ts'
import { type BenchServer, benchServer } from './running.ts'
import { makeSite } from './make-site.ts'
import { commitsTaking } from './slow-commits.ts'

const processes = 4
const connections = 32
const seconds = 6
const rounds = 3

const postgres = await startPostgres({ durable: true })
const started: BenchServer[] = []
try {
  for (let i = 0; i < processes; i++) {
    const server = await benchServer(postgres.url)
    started.push(server)
    await makeSite(`${server.address}/workspaces/${server.workspace_id}`, server.token, ownSite(i))
  }
  await using _slow = await commitsTaking(postgres.url, 50)

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
} finally {
  for (const each of started) await each.stop()
  await postgres.stop()
}

function ownSite(i: number): string {
  return `own-${i}.example.com`
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
