/**
 * `npm run bench -- one-core [--seconds 90] [--hits 600000] [--folder DIR]`: 20 hits a second while pages are open, with the service on one
 * core. Chromium, on another core, has the overview of a demo open, and then a dashboard of eight cards over 12 months. It refreshes
 * them as an open page does, and changes the period every 10 s. A latency counts from the time at which the hit was due. With `--folder`,
 * the demo there is used again. Needs `taskset` (util-linux).
 */
import { execFileSync } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { launchChromium } from '../../tests/support/chromium.ts'
import type { Page } from '../../tools/playwright.mjs'
import { arrive } from './arriving.ts'
import { startDemo } from './demo.ts'
import { hits } from './hits.ts'
import { cpuMs, mostResidentMb } from './running.ts'

const { values } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '90' },
    hits: { type: 'string', default: '600000' },
    folder: { type: 'string' },
  },
})
const seconds = Number(values.seconds)
const RATE = 20
const CHANGE_MS = 10_000
const WARM_SECONDS = 5

execFileSync('taskset', ['--all-tasks', '-cp', '1', String(process.pid)]) // with Chromium, which is started from here
const demo = await startDemo(['--hits', values.hits], { kept: values.folder, core: 0 })
const { pid } = demo.child
const browser = await launchChromium()
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  await demo.signIn(page)
  await measure('no page', async () => {})
  const overview = `${demo.base}/sites/${demo.site_id}/overview`
  await measure('overview', until => look(page, overview, until))
  const dashboard = `${demo.base}/workspaces/${demo.workspace_id}/dashboards/${await makeDashboard()}`
  await measure('dashboard', until => look(page, dashboard, until))
} finally {
  await browser.close()
  await demo.stop()
}

async function measure(what: string, meanwhile: (until: AbortSignal) => Promise<void>): Promise<void> {
  const send = (seconds: number) => arrive(`${demo.base}/api/event`, { rate: RATE, seconds, request: hits(demo.domain) })
  await send(WARM_SECONDS)
  const [cpu, began] = [cpuMs(pid), performance.now()]
  const ended = new AbortController()
  const looking = meanwhile(ended.signal)
  looking.catch(() => undefined) // thrown after the hits, so that the demo and the browser are ended
  const { sent, answered, p50, p99, most } = await send(seconds)
  const busy = (cpuMs(pid) - cpu) / (performance.now() - began)
  ended.abort()
  await looking
  const failed = answered < sent ? `, ${sent - answered} FAILED` : ''
  process.stdout.write(
    `one-core         ${what.padEnd(12)} ${sent} hits: half within ${p50} ms, p99 ${p99} ms, most ${most} ms${failed}` +
      ` · ${(100 * busy).toFixed(0)} % of the core · at most ${mostResidentMb(pid)} MB\n`,
  )
}

/** Shows the page with one period after another; the page refreshes itself every 30 s. */
async function look(page: Page, address: string, until: AbortSignal): Promise<void> {
  await page.goto(`${address}?period=12mo`)
  // The first period stays for long enough that the page refreshes itself.
  const periods = ['12mo', '12mo', '12mo', '12mo', '30d', '90d', '7d', '12mo', '30d']
  for (let i = 1; !until.aborted; i++) {
    await wait(CHANGE_MS, undefined, { signal: until }).catch(() => {})
    const [before, next] = [periods[(i - 1) % periods.length], periods[i % periods.length]]
    if (!until.aborted && next !== before) await page.goto(`${address}?period=${next}`)
  }
}

/** @returns its id */
async function makeDashboard(): Promise<string> {
  const card = (type: string, params: object = {}) => ({ type, site_id: demo.site_id, params: { period: '12mo', ...params } })
  const answer = await fetch(`${demo.base}/workspaces/${demo.workspace_id}/dashboards.json`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${demo.token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      name: 'A year',
      cards: [
        card('metric', { metric: 'visitors' }),
        card('metric', { metric: 'revenue' }),
        card('chart', { metric: 'visits' }),
        card('breakdown', { dimension: 'channel', metric: 'revenue' }),
        card('breakdown', { dimension: 'page' }),
        card('table', { dimensions: 'country,device', metrics: 'visitors,bounce_rate,revenue' }),
        card('goal'),
        card('vitals'),
      ],
    }),
  })
  if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`)
  const { data } = (await answer.json()) as { data: { id: string } } // as the operation declares it
  return data.id
}
