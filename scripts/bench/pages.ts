/** Compares the cost of a page with the cost of its JSON: the same reads, as a program makes them, one after another. */
import { setTimeout as sleep } from 'node:timers/promises'
import { hits } from './hits.ts'
import { load, median } from './load.ts'
import { type BenchServer, cpuMs } from './running.ts'

/** Requests of a measurement, and measurements in turn: short ones, as others use the machine meanwhile. */
const block = 40
const blocks = 15
/**
 * Each page is asked for that long before it is measured. The benchmark is the first to ask for its parts, while what is
 * around it has been compiled for the pages before: a small page took 0.9 ms more in its first 600 requests than after 2,000,
 * more than half of that in other threads than the main one.
 */
const warmMs = 12_000

/** @returns a line for each page */
export async function pages(server: BenchServer): Promise<string[]> {
  const { address, token, sign_in, child } = server
  await load(`${address}/api/event`, { seconds: 5, connections: 64, requests: hits() })
  await sleep(3_000) // what is cached of today's figures is a few seconds old
  const cookie = await signIn(address, sign_in)
  const lines: string[] = []
  for (const [name, path] of await pathsOf(server)) {
    const html = () => sizeOf(address + path, { Accept: 'text/html', Cookie: cookie, 'Sec-Fetch-Site': 'none' })
    const reads = await readsOf(address, html)
    const asks = await Promise.all(reads.map(async read => ({ read, headers: await headersFor(address + read, token, cookie) })))
    const json = async () => {
      for (const { read, headers } of asks) await sizeOf(address + read, headers)
    }
    /** CPU time of the service for one of them, ms: of all its threads, and whatever else the machine does. */
    const cost = async (ask: () => Promise<unknown>): Promise<number> => {
      const before = cpuMs(child.pid)
      for (let i = 0; i < block; i++) await ask()
      return (cpuMs(child.pid) - before) / block
    }
    for (const end = performance.now() + warmMs; performance.now() < end; ) await html().then(json)
    const costs = { html: [] as number[], json: [] as number[] }
    for (let i = 0; i < blocks; i++) {
      costs.html.push(await cost(html))
      costs.json.push(await cost(json))
    }
    const [ofHtml, ofJson] = [median(costs.html), median(costs.json)]
    const ratio = median(costs.html.map((each, i) => each / (costs.json[i] ?? Number.NaN)))
    const size = Math.round((await html()) / 1_024)
    lines.push(
      `${name}: ${ofHtml.toFixed(2)} ms of CPU, ${size} KB · json ${ofJson.toFixed(2)} ms in ${reads.length} reads · ratio ${ratio.toFixed(2)}`,
    )
  }
  return lines
}

/** Pages of all kinds, with something on each. */
async function pathsOf({ address, site_id, workspace_id, token }: BenchServer): Promise<[name: string, path: string][]> {
  const [site, workspace] = [`/sites/${site_id}`, `/workspaces/${workspace_id}`]
  const make = async (path: string, record: unknown): Promise<string> => {
    const answer = await fetch(`${address}${path}.json`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(record),
    })
    if (!answer.ok) throw new Error(`${answer.status} ${path}: ${await answer.text()}`)
    return ((await answer.json()) as { data: { id: string } }).data.id
  }
  const goal = await make(`${site}/goals`, { name: 'Reading', kind: 'page', path: '/blog/**' })
  await make(`${site}/segments`, { name: 'Germans', filters: [['language', 'is', ['de']]] })
  await make(`${workspace}/alerts`, { name: 'Many', site_id, kind: 'threshold', metric: 'visitors', operator: 'gt', threshold: 1_000_000 })
  return [
    ['overview', `${site}/overview`],
    ['breakdown of 50 rows', `${site}/breakdown/page`],
    ['sites', `${workspace}/sites`],
    ['goals', `${site}/goals`],
    ['form of a goal', `${site}/goals?do=goals_create`],
    ['a goal', `${site}/goals/${goal}`],
    ['segments', `${site}/segments`],
    ['funnels', `${site}/funnels`],
    ['events', `${site}/events`],
    ['alerts', `${workspace}/alerts`],
    ['account', '/account'],
  ]
}

/** The reads that a page makes, as addresses of the API. */
async function readsOf(address: string, html: () => Promise<unknown>): Promise<string[]> {
  const taken = async () => (await (await fetch(`${address}/bare/reads`)).json()) as string[]
  await taken()
  await html()
  return taken()
}

/** With the token; data of a person is returned only to their session. */
async function headersFor(url: string, token: string, cookie: string): Promise<Record<string, string>> {
  const byToken = { Authorization: `Bearer ${token}` }
  return (await fetch(url, { headers: byToken })).ok ? byToken : { Cookie: cookie }
}

/** With the link that setting up printed. */
async function signIn(address: string, link: string): Promise<string> {
  const answer = await fetch(`${address}${link}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { Accept: 'text/html', 'Sec-Fetch-Site': 'same-origin' },
    body: new URLSearchParams({ email: 'bench@example.com', password: 'only for the benchmark' }),
  })
  const cookies = answer.headers.getSetCookie().map(line => line.replace(/;.*/, ''))
  if (cookies.length === 0) throw new Error(`signing in answered ${answer.status}`)
  return cookies.join('; ')
}

async function sizeOf(url: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const answer = await fetch(url, { headers })
  const { byteLength } = await answer.arrayBuffer()
  if (!answer.ok) throw new Error(`${answer.status} ${url}`)
  return byteLength
}
