/**
 * End to end: a browser opens pages with our script, with two unmodified trackers of Plausible, and with one that
 * speaks Umami's protocol, against the running service. The answers of HTTP and MCP are identical.
 */
import assert from 'node:assert/strict'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { build } from 'esbuild'
import type { Browser } from '../../tools/playwright.mjs'
import { type SetUp, setUp } from '../../operations/service/setup/set-up.ts'
import { launchChromium, withoutChromium } from '../support/chromium.ts'
import { onAnyEngine } from '../support/engines.ts'
import { noonZone } from '../support/noon-zone.ts'
import { type ServiceProcess, startProcess } from '../support/process.ts'
import { creationServices } from '../../scripts/machine.ts'
import { packagesFolder } from '../../tools/paths.mjs'

const umamiId = 'b59e9c65-ae32-47f1-8400-119fcf4861c4'
const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'
/** Client hints of the same browser: its own name says that it is headless. */
const hints = { 'Sec-CH-UA': '"Chromium";v="142", "Google Chrome";v="142", "Not_A Brand";v="99"' }

/** The head of each page, and how it sends a custom event. */
const trackers = {
  ours: ({ service, domain }) => `<script defer data-domain="${domain}" src="${service}/js/footfall.js"></script>
    <script>window.track = name => footfall(name, { props: { plan: 'pro' } })</script>`,
  '@plausible-analytics/tracker': ({ service, domain, bundle }) =>
    `<script>${bundle(
      '@plausible-analytics/tracker',
      `
    init({ domain: '${domain}', endpoint: '${service}/api/event', captureOnLocalhost: true, outboundLinks: true })
    window.track = name => track(name, { props: { plan: 'pro' } })`,
      '{ init, track }',
    )}</script>`,
  'plausible-tracker': ({ service, domain, bundle }) =>
    `<script>${bundle(
      'plausible-tracker',
      `
    const plausible = Plausible({ domain: '${domain}', apiHost: '${service}', trackLocalhost: true })
    plausible.enableAutoPageviews()
    addEventListener('DOMContentLoaded', () => plausible.enableAutoOutboundTracking())
    window.track = name => plausible.trackEvent(name, { props: { plan: 'pro' } })`,
      'Plausible',
    )}</script>`,
  'a page that speaks Umami’s protocol': ({ service }) => `<script>
    const send = extra => fetch('${service}/api/send', { method: 'POST', keepalive: true, headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ type: 'event', payload: { website: '${umamiId}', hostname: location.hostname, language: navigator.language,
        screen: screen.width + 'x' + screen.height, title: document.title, url: location.pathname, referrer: document.referrer, ...extra } }) })
    send()
    window.track = name => send({ name, data: { plan: 'pro' } })
    addEventListener('click', ({ target }) => target.id === 'out' && send({ name: 'Outbound Link: Click', data: { url: target.href } }))</script>`,
  'Plausible’s snippet': ({ service, domain }) =>
    `<script defer data-domain="${domain}" src="${service}/js/script.local.outbound-links.tagged-events.js"></script>
    <script>window.plausible = window.plausible || function() { (window.plausible.q = window.plausible.q || []).push(arguments) }
    window.track = name => plausible(name, { props: { plan: 'pro' } })</script>`,
} as const satisfies Record<
  string,
  (page: { service: string; domain: string; bundle: (from: string, code: string, imports: string) => string }) => string
>

onAnyEngine('trackers in Chromium', engine => {
  let database: Awaited<ReturnType<typeof engine.create>>
  let service: ServiceProcess
  let browser: Browser
  let pages: http.Server
  let origin: string
  const made = new Map<string, SetUp>()
  const bundles = new Map<string, string>()
  const domainOf = (name: string) => `${Object.keys(trackers).indexOf(name)}.example.com`

  before(async () => {
    if (withoutChromium) return
    database = await engine.create()
    for (const name of Object.keys(trackers)) {
      made.set(
        name,
        await setUp(
          database.store,
          { email: 'a@example.com', workspace: 'A', site: domainOf(name), timezone: noonZone() },
          await creationServices(),
        ),
      )
    }
    await database.store.write.updateTable('sites').set({ umami_id: umamiId }).where('domain', '=', '3.example.com').execute()
    service = await startProcess(database.url)
    const needed: Array<[string, string, string]> = []
    const collect = (from: string, code: string, imports: string) => {
      needed.push([from, code, imports])
      return bundles.get(from) ?? ''
    }
    const pageOf = (name: keyof typeof trackers) => trackers[name]({ service: service.address, domain: domainOf(name), bundle: collect })
    for (const name of Object.keys(trackers) as Array<keyof typeof trackers>) pageOf(name)
    for (const [from, code, imports] of needed) {
      const { outputFiles } = await build({
        stdin: { contents: `import ${imports} from '${from}'\n${code}`, resolveDir: packagesFolder },
        bundle: true,
        write: false,
        format: 'iife',
      })
      bundles.set(from, outputFiles[0]?.text ?? '')
    }
    pages = http.createServer((request, response) => {
      const [, index = '', page = ''] = (request.url ?? '').split('/')
      const name = (Object.keys(trackers) as Array<keyof typeof trackers>)[Number(index)]
      response.setHeader('Content-Type', 'text/html')
      response.end(
        name === undefined || request.url?.includes('favicon')
          ? 'elsewhere'
          : `<!doctype html><title>${page}</title>${pageOf(name)}
        <p style="height:3000px">${page} <a id="next" href="/${index}/second">next</a> <button onclick="track('Signup')">Sign up</button>
        <a id="out" href="${origin.replace('127.0.0.1', 'localhost')}/elsewhere">out</a>`,
      )
    })
    await new Promise<void>(ready => pages.listen(0, '127.0.0.1', ready))
    origin = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`
    // Plausible's script sends nothing under automation, so hide it.
    browser = await launchChromium()
  })
  after(async () => {
    await browser?.close()
    pages?.close()
    await service?.end('SIGTERM')
    await database?.drop()
  })

  for (const [index, name] of Object.keys(trackers).entries()) {
    test(`${name}: two pageviews, an event, an outbound click`, { skip: withoutChromium }, async () => {
      const context = await browser.newContext({ userAgent: chrome, locale: 'de-DE', extraHTTPHeaders: hints })
      const page = await context.newPage()
      await page.goto(`${origin}/${index}/first`)
      await answered(page)
      await page.click('#next')
      await page.waitForURL('**/second')
      await answered(page)
      await page.click('button')
      await answered(page)
      await page.click('#out')
      await page.waitForURL('**/elsewhere')
      await context.close()

      const { site_id, token } = made.get(name) ?? assert.fail()
      const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
      const http = async (path: string) => (await fetch(`${service.address}/sites/${site_id}/${path}`, { headers })).json() as Promise<any>
      const mcp = async (tool: string, args: object) => {
        const body = JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: tool, arguments: { site_id, ...args } },
        })
        return ((await (await fetch(`${service.address}/mcp`, { method: 'POST', headers, body })).json()) as any).result.structuredContent
      }
      const events = async () =>
        Object.fromEntries((await http('breakdown/event.json?period=today')).data.rows.map((row: any) => [row.value, row.events]))
      while ((await events())['Outbound Link: Click'] === undefined) await new Promise(resolve => setTimeout(resolve, 100))
      await new Promise(resolve => setTimeout(resolve, 300)) // nothing more may arrive

      assert.deepEqual(await events(), { Signup: 1, 'Outbound Link: Click': 1 })
      const report = await http('stats/aggregate.json?period=today')
      const { visitors, visits, pageviews, views_per_visit, bounce_rate } = report.data.metrics
      assert.deepEqual(
        { visitors, visits, pageviews, views_per_visit, bounce_rate },
        { visitors: 1, visits: 1, pageviews: 2, views_per_visit: 2, bounce_rate: 0 },
      )
      assert.deepEqual(await mcp('stats_aggregate', { period: 'today' }), report)
      const listed = await http('breakdown/page.json?period=today')
      assert.deepEqual(listed.data.rows.map((row: any) => [row.value, row.visitors, row.pageviews]).sort(), [
        [`/${index}/first`, 1, 1],
        [`/${index}/second`, 1, 1],
      ])
      assert.deepEqual(await mcp('stats_breakdown', { dimension: 'page', period: 'today' }), listed)
      for (const [dimension, value] of [
        ['browser', 'Chrome'],
        ['os', 'Windows'],
        ['language', 'de'],
        ['property:plan', 'pro'],
      ]) {
        if (dimension === 'language' && name.includes('plausible')) continue // it sends no language; the header may
        assert.deepEqual(
          (await http(`breakdown/${dimension}.json?period=today`)).data.rows.map((row: any) => [row.value, row.visitors]),
          [[value, 1]],
          dimension,
        )
      }
    })
  }

  /** Resolves when the page's requests have been answered. */
  async function answered(page: import('../../tools/playwright.mjs').Page): Promise<void> {
    await page.waitForLoadState('networkidle')
  }
})
