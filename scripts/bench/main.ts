/**
 * `npm run bench` measures the cost of the service compared with a bare Hono route on the same server, in the same run.
 * `npm run bench -- reads hits` runs only these benchmarks. Figures depend on the machine, and ratios much less. `bar` is the goal.
 */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { hits } from './hits.ts'
import { inTurn, type Load, load, median } from './load.ts'
import { pages } from './pages.ts'
import { type BenchServer, benchServer, residentMb, run, withDatabases } from './running.ts'

const benches = {
  /** A read with authentication, tenant, validation and output check; bar: 0.6 of the bare route. */
  async reads(engine: string, { address, child: { pid }, site_id, token }: BenchServer) {
    const once = (url: string) =>
      load(`${address}${url}`, { seconds: 4, connections: 64, pid, headers: { Authorization: `Bearer ${token}` } })
    await once(`/sites/${site_id}.json`)
    const found = await inTurn(
      3,
      () => once(`/sites/${site_id}.json`),
      () => once('/bare/read'),
    )
    print(`reads, ${engine}`, compared(found))
  },
  /** Acknowledged hits, each in its own request; bar: 0.4 of the bare route on SQLite. */
  async hits(engine: string, { address, child: { pid } }: BenchServer) {
    const once = (url: string) => load(`${address}${url}`, { seconds: 5, connections: 64, pid, requests: hits() })
    await once('/api/event')
    const found = await inTurn(
      3,
      () => once('/api/event'),
      () => once('/bare/hit'),
    )
    print(`hits, ${engine}`, `${compared(found)} · ${residentMb(pid)} MB resident after it`)
  },
  /** An MCP call against the same call over HTTP, in turn; bar: 3 times. */
  async mcp(engine: string, { address, site_id, token }: BenchServer) {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'sites_get', arguments: { site_id } } })
    const http = () => timed(() => fetch(`${address}/sites/${site_id}.json`, { headers }))
    const mcp = () => timed(() => fetch(`${address}/mcp`, { method: 'POST', headers, body }))
    for (let i = 0; i < 300; i++) await http().then(mcp)
    const times = { http: [] as number[], mcp: [] as number[] }
    for (let i = 0; i < 1_000; i++) {
      times.http.push(await http())
      times.mcp.push(await mcp())
    }
    print(
      `mcp, ${engine}`,
      `${median(times.mcp).toFixed(2)} ms · http ${median(times.http).toFixed(2)} ms · ratio ${(median(times.mcp) / median(times.http)).toFixed(2)}`,
    )
  },
  /** A page for a browser against the JSON that it shows; bar: 1.3 times. */
  async pages(engine: string, server: BenchServer) {
    for (const line of await pages(server)) print(`pages, ${engine}`, line)
  },
}

/** From the start of the process to its first answer, on an existing database; bar: 0.6 s. */
async function start(): Promise<void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'footfall-start-'))
  const times: number[] = []
  let memory = 0
  for (let i = 0; i < 6; i++) {
    const began = performance.now()
    const server = await run({
      script: 'dist/footfall.js',
      env: { DATABASE_URL: `file:${path.join(folder, 'start.db')}`, PORT: '0', LOG_LEVEL: 'silent' },
      isFirst: line => line.startsWith('Footfall is at'),
    })
    await fetch(`${server.line.replace('Footfall is at ', '')}/readyz`)
    if (i > 0) times.push(performance.now() - began)
    memory = residentMb(server.child.pid)
    await server.stop()
  }
  fs.rmSync(folder, { recursive: true, force: true })
  print('start', `${Math.round(median(times))} ms to the first answer · ${memory} MB resident`)
}

const wanted = process.argv.slice(2)
const chosen = Object.entries(benches).filter(([name]) => wanted.length === 0 || wanted.includes(name))
if (chosen.length > 0) {
  await withDatabases(async (engine, url) => {
    for (const [, bench] of chosen) {
      const server = await benchServer(url)
      await bench(engine, server)
      await server.stop()
    }
  })
}
if (wanted.length === 0 || wanted.includes('start')) await start()
// These take minutes, so they only run by name.
if (wanted.includes('paint')) await import('./paint.ts')
if (wanted.includes('clicks')) await import('./clicks.ts')
if (wanted.includes('deliveries')) await import('./deliveries.ts')
if (wanted.includes('uptime')) await import('./uptime.ts')
if (wanted.includes('alerts')) await import('./alerts.ts')
if (wanted.includes('sign-ins')) await import('./sign-ins.ts')
if (wanted.includes('reports')) await import('./reports.ts')
if (wanted.includes('groups')) await import('./groups.ts')
if (wanted.includes('packed')) await import('./packed.ts')
if (wanted.includes('exports')) await import('./exports.ts')
if (wanted.includes('clickhouse')) await import('./clickhouse.ts')
if (wanted.includes('arrivals')) await import('./arrivals.ts')
if (wanted.includes('one-core')) await import('./one-core.ts')
if (wanted.includes('outage')) await import('./outage.ts')
if (wanted.includes('processes')) await import('./processes.ts')
if (wanted.includes('hostile')) await import('./hostile.ts')

async function timed(call: () => Promise<Response>): Promise<number> {
  const began = performance.now()
  const response = await call()
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`${response.status} ${response.url}`)
  return performance.now() - began
}

function compared({ ours, theirs, ratio, cpuRatio }: Awaited<ReturnType<typeof inTurn>>): string {
  const cpu = (loads: readonly Load[]) => median(loads.map(each => each.cpu)).toFixed(1)
  return `${summary(ours)} · bare ${summary(theirs)} · ratio ${ratio.toFixed(2)} · CPU ${cpu(ours)} µs · bare ${cpu(theirs)} µs · ratio ${cpuRatio.toFixed(2)}`
}

function summary(loads: readonly Load[]): string {
  const failures = loads.reduce((sum, each) => sum + each.failures, 0)
  return `${median(loads.map(each => each.rate))}/s, p99 ${median(loads.map(each => each.p99))} ms${failures > 0 ? `, ${failures} FAILED` : ''}`
}

function print(what: string, figures: string): void {
  process.stdout.write(`${what.padEnd(16)} ${figures}\n`)
}
