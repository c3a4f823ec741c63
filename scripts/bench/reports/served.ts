/** The service with the dataset: duration of reports, delays of hits meanwhile, and fairness between sites. */
import { type ChildProcess, fork } from 'node:child_process'
import { once as waitFor } from 'node:events'
import { median, quantile } from '../load.ts'
import { benchServer, residentMb } from '../running.ts'
import { SPAN } from './questions.ts'

const FILTERED =
  'filters=' +
  encodeURIComponent(
    JSON.stringify([
      ['country', 'is', 'DE'],
      ['browser', 'is', 'Firefox'],
    ]),
  )
const YEAR = 'period=custom&from=2024-11-01&to=2025-10-31'

export interface Served {
  readonly overview: { readonly median: number; readonly p95: number }
  readonly residentMb: number
  /** p99 of response times of hits, ms: of all, and of each of the alternating pairs. */
  readonly ingest: Waited & { readonly pairs: readonly Waited[] }
  /** Median ms of the overview of each of 8 sites, requested together while a year of the large one is read. */
  readonly dashboards: readonly number[]
}

interface Waited {
  readonly idle: number
  readonly busy: number
}
const p99 = ({ idle, busy }: Readonly<Record<keyof Waited, readonly number[]>>): Waited => ({
  idle: quantile(idle, 0.99),
  busy: quantile(busy, 0.99),
})

/** Starts one of these scripts as a process that exchanges messages. If it fails, the benchmark ends. */
function start(script: string, env: Readonly<Record<string, string>>): ChildProcess {
  const child = fork(`dist/bench/reports/${script}`, { env: { ...process.env, ...env } })
  return child.once('exit', code => {
    if (code !== 0) throw new Error(`${script} ended with ${code}`)
  })
}

/** @param small ids of further sites in the workspace of the large one */
export async function measureServed(url: string, small: readonly string[]): Promise<Served> {
  const server = await benchServer(url)
  const headers = { Authorization: `Bearer ${server.token}` }
  const get = async (path: string): Promise<number> => {
    const began = performance.now()
    const response = await fetch(`${server.address}${path}`, { headers })
    const body = await response.text()
    if (!response.ok) throw new Error(`${response.status} ${path}: ${body.slice(0, 500)}`)
    return performance.now() - began
  }
  const overviewOf = (site: string) => `/sites/${site}/overview.json?period=custom&from=${SPAN.from}&to=${SPAN.to}`
  const pages = `/sites/${server.site_id}/breakdown/page.json?${YEAR}&${FILTERED}`

  for (let i = 0; i < 3; i++) await get(overviewOf(server.site_id))
  const times: number[] = []
  for (let i = 0; i < 40; i++) times.push(await get(overviewOf(server.site_id)))

  // Warm up with a year of every kind.
  for (const dimension of [
    'page',
    'entry_page',
    'exit_page',
    'country',
    'city',
    'referrer',
    'browser',
    'event',
    'goal',
    'property:button',
  ]) {
    await get(`/sites/${server.site_id}/breakdown/${dimension}.json?${YEAR}`)
    await get(`/sites/${server.site_id}/breakdown/${dimension}.json?${YEAR}&${FILTERED}`)
  }
  await get(`/sites/${server.site_id}/stats/timeseries.json?${YEAR}&interval=day`)
  await get(`/sites/${server.site_id}/overview.json?${YEAR}`)
  const resident = residentMb(server.child.pid)

  const pairs: { idle: number[]; busy: number[] }[] = []
  const sender = start('sender.js', { ADDRESS: server.address })
  const asker = start('asker.js', { ADDRESS: server.address + pages, TOKEN: server.token })
  const once = async (): Promise<number[]> => {
    sender.send(6)
    const [waited] = (await waitFor(sender, 'message')) as [number[]]
    return waited
  }
  for (let i = 0; i < 3; i++) await once()
  for (let i = 0; i < 12; i++) {
    const idle = await once()
    asker.send(true)
    const busy = await once()
    asker.send(false)
    await waitFor(asker, 'message')
    pairs.push({ idle, busy })
  }
  sender.disconnect()

  asker.send(true)
  const dashboards = await Promise.all(
    small.map(async site => {
      const waited: number[] = []
      for (let i = 0; i < 20; i++) waited.push(await get(overviewOf(site)))
      return median(waited)
    }),
  )
  asker.send(false)
  await waitFor(asker, 'message')
  asker.disconnect()
  await server.stop()
  const all = p99({ idle: pairs.flatMap(({ idle }) => idle), busy: pairs.flatMap(({ busy }) => busy) })
  return {
    overview: { median: median(times), p95: quantile(times, 0.95) },
    residentMb: resident,
    ingest: { ...all, pairs: pairs.map(p99) },
    dashboards,
  }
}
