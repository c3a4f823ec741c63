/**
 * `npm run bench -- outage [--seconds 60] [--rate 500] [--kill]`: hits arrive at a fixed rate while Postgres is away for a while. Each has a
 * page of its own, so that those which were acknowledged can be compared with those which are stored. With `--kill`, the service is
 * killed in the middle of the outage (SIGKILL) and started again, still without its database.
 */
import fs from 'node:fs'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { freePort } from '../../tests/support/ports.ts'
import { startOwnPostgres } from '../../tests/support/postgres.ts'
import { histogram } from '../../tools/hdr-histogram.mjs'
import { type Running, quiet, residentMb, run } from './running.ts'

const { values } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '60' },
    rate: { type: 'string', default: '500' },
    kill: { type: 'boolean', default: false },
  },
})
const [seconds, rate] = [Number(values.seconds), Number(values.rate)]
/** Before the outage, and after its hits are stored. */
const calmMs = 5_000
const domain = 'localhost' // of the site that a first start makes

/** Outcomes by number of the hit; the page has it. */
const acknowledged = new Set<number>()
const refused = new Map<string, number>()
const latencies = histogram({ bitBucketSize: 32, numberOfSignificantValueDigits: 3 })

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'footfall-outage-'))
const postgres = await startOwnPostgres({ durable: true })
const port = await freePort()
const address = `http://127.0.0.1:${port}`
const env = { ...quiet, PORT: String(port), DATABASE_URL: postgres.url, HITS_SPOOL: folder, CARDINALITY_PATHS: '10000000' }
const start = (): Promise<Running> => run({ script: 'dist/footfall.js', env, isFirst: line => line.startsWith('Footfall is at') })
let service = await start()
const sending = new AbortController()
try {
  const sent = send()
  await wait(calmMs)
  await postgres.halt('crash')
  const away = performance.now()
  let downMs = 0
  if (values.kill) {
    await wait(seconds * 500)
    const ended = new Promise(resolve => service.child.once('exit', resolve))
    service.child.kill('SIGKILL')
    await ended
    const killed = performance.now()
    service = await start()
    downMs = performance.now() - killed
  }
  await wait(Math.max(0, seconds * 1_000 - (performance.now() - away)))
  const [mb, resident] = [spoolMb(), residentMb(service.child.pid)]
  await postgres.resume()
  const back = performance.now()
  while (fs.readdirSync(folder).some(name => name.endsWith('.spool'))) await wait(100)
  const storedMs = performance.now() - back
  await wait(calmMs)
  sending.abort()
  const total = await sent
  await service.stop()

  const pages = await storedPages()
  const lost = [...acknowledged].filter(number => !pages.has(number)).length
  const doubled = [...pages.values()].filter(times => times > 1).length
  const others = [...refused].map(([status, times]) => `${times} ${status}`).join(', ')
  print(
    `${rate}/s, away for ${seconds} s${values.kill ? ', killed' : ''}`,
    `${total} sent, ${acknowledged.size} acknowledged${others && `, ${others}`}`,
  )
  print('', `${lost} of the acknowledged lost, ${doubled} doubled`)
  print('', `p50 ${latencies.getValueAtPercentile(50)} ms, p99 ${latencies.getValueAtPercentile(99)} ms, most ${latencies.maxValue} ms`)
  print(
    '',
    `${mb} MB waited at the end of the outage; the service had ${resident} MB; all were stored ${(storedMs / 1000).toFixed(1)} s after it`,
  )
  if (values.kill) print('', `${(downMs / 1000).toFixed(1)} s from the kill to the next process`)
} finally {
  sending.abort()
  await service.stop()
  await postgres.stop()
  fs.rmSync(folder, { recursive: true, force: true })
}

/** @returns how many were sent */
async function send(): Promise<number> {
  const agent = new http.Agent({ keepAlive: true, timeout: 4_000 }) // the service closes idle connections after 5 s
  const pending: Promise<void>[] = []
  const began = performance.now()
  const dueAt = (i: number) => began + (i * 1_000) / rate
  let sent = 0
  for (; !sending.signal.aborted; await wait(1)) {
    while (dueAt(sent) <= performance.now()) pending.push(sendOne(sent, dueAt(sent++), agent))
  }
  await Promise.all(pending)
  agent.destroy()
  return sent
}

async function sendOne(number: number, due: number, agent: http.Agent): Promise<void> {
  const outcome = await outcomeOf(number, agent)
  if (outcome === 'answered 202') {
    acknowledged.add(number)
    latencies.recordValue(Math.max(0, Math.round(performance.now() - due)))
  } else {
    refused.set(outcome, (refused.get(outcome) ?? 0) + 1)
  }
}

/** The status, once all of the answer is here, or the error. */
function outcomeOf(number: number, agent: http.Agent): Promise<string> {
  const body = JSON.stringify({ n: 'pageview', d: domain, u: `https://${domain}/p/${number}` })
  const visitor = Math.floor(number / 3) % 50_000
  const headers = {
    'Content-Type': 'text/plain',
    'Content-Length': Buffer.byteLength(body),
    'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0',
    'X-Forwarded-For': `81.2.${(visitor >> 8) & 255}.${visitor & 255}`,
  }
  return new Promise(done => {
    const request = http.request(`${address}/api/event`, { agent, method: 'POST', headers }, answer => {
      answer.resume().once('end', () => done(`answered ${answer.statusCode}`))
      answer.once('error', () => done('broken'))
    })
    request.once('error', (error: NodeJS.ErrnoException) => done(`without an answer (${error.code})`))
    request.end(body)
  })
}

/** How often each hit is stored, by its number. */
async function storedPages(): Promise<ReadonlyMap<number, number>> {
  const client = new pg.Client(postgres.url)
  await client.connect()
  const { rows } = await client.query<{ page: string; times: string }>(
    "select d.value as page, count(*) as times from hits h join dict d on d.site_id = h.site_id and d.id = h.page where d.value like '/p/%' group by d.value",
  )
  await client.end()
  return new Map(rows.map(({ page, times }) => [Number(page.slice('/p/'.length)), Number(times)]))
}

function spoolMb(): number {
  const sizes = fs.readdirSync(folder).map(name => fs.statSync(path.join(folder, name), { throwIfNoEntry: false })?.size ?? 0)
  return Math.round(sizes.reduce((sum, size) => sum + size, 0) / 1_000_000)
}

function print(what: string, figures: string): void {
  process.stdout.write(`outage           ${what.padEnd(36)} ${figures}\n`)
}
