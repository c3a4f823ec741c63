/** A small site with the tracker, which records what it receives. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from '../../tools/playwright.mjs'
import { scriptNamed } from '../../operations/sites/collection/script-names.ts'
import { buildTracker } from '../../tracker/build.ts'
import type { Tracker } from '../../tracker/tracker.ts'
import { withBody } from '../support/with-body.ts'

/** One POST as received. */
export type Told = Readonly<{ body: Readonly<Record<string, unknown>>; headers: IncomingHttpHeaders }>

export type SiteOptions = Readonly<{
  /** attributes of the script tag */
  attributes?: string
  /** replaces the script tag */
  tag?: string
  /** HTML by path; every other path is an empty page titled with its path */
  pages?: Readonly<Record<string, string>>
  headers?: Readonly<Record<string, string>>
  status?: number
}>

const QUIET = 150

let tracker: Promise<Tracker> | undefined

/** Of each browser, for pages without options of their own: every site has another origin. A context takes a tenth of a second of CPU time. */
const contexts = new WeakMap<Browser, Promise<BrowserContext>>()
function contextOf(browser: Browser): Promise<BrowserContext> {
  const context = contexts.get(browser) ?? browser.newContext()
  contexts.set(browser, context)
  return context
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

export const openSite = async ({ attributes = '', tag, pages = {}, headers = {}, status = 202 }: SiteOptions = {}) => {
  tracker ??= buildTracker()
  const scripts = await tracker
  const told: Told[] = []
  const faults: string[] = []
  const said: string[] = []
  const visited: Page[] = []
  const own = tag ?? `<script defer data-domain="example.com" ${attributes} src="/js/footfall.js"></script>`

  const server = createServer(
    withBody((request, response, received) => {
      const { pathname } = new URL(request.url ?? '/', 'http://site')
      if (request.method === 'POST') {
        const text = received.toString()
        const body: unknown = JSON.parse(text)
        if (!isRecord(body)) throw new Error(`not an object: ${text}`)
        told.push({ body: { ...body, endpoint: pathname }, headers: request.headers })
        return response.writeHead(status, { 'access-control-allow-origin': '*', 'set-cookie': 'seen=1' }).end('ok')
      }
      if (/^(\/js)?\/[\w.-]+\.js$/.test(pathname)) {
        return response.writeHead(200, { 'content-type': 'text/javascript' }).end(scriptNamed(pathname.replace(/.*\//, ''), scripts))
      }
      response
        .writeHead(200, { 'content-type': 'text/html', ...headers })
        .end(`<!doctype html><title>${pathname}</title>${own}<body>${pages[pathname] ?? ''}`)
    }),
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const url = `http://127.0.0.1:${port}`

  const named = (name: string) => told.map(({ body }) => body).filter(({ n }) => n === name)

  /** The received names, after a time in which more would have come; sorted, because requests of a page may arrive in any order. */
  const names = async (wait = QUIET) => {
    await sleep(wait)
    return told.map(({ body }) => String(body.n)).sort()
  }

  return {
    url,
    /** The same server under another name, which is another site to a browser. */
    elsewhere: `http://localhost:${port}`,
    told,
    /** Uncaught errors of any page. */
    faults,
    /** Lines of the pages’ consoles. */
    said,
    named,
    /** The bodies with this name, once there are `count`. */
    until: async (name: string, count = 1) => {
      while (named(name).length < count) await sleep(10)
      return named(name)
    },
    names,
    /** Fails unless just these names have been received, in any order, also after a time in which more would have come. */
    only: async (expected: readonly string[], wait = QUIET) => {
      while (told.length < expected.length) await sleep(10)
      assert.deepEqual(await names(wait), expected.toSorted())
    },
    visit: async (browser: Browser, path = '/', { before, ...options }: BrowserContextOptions & { before?: string } = {}) => {
      const context = await (Object.keys(options).length > 0 ? browser.newContext(options) : contextOf(browser))
      const page = await context.newPage()
      visited.push(page)
      page.on('pageerror', error => faults.push(error.message))
      page.on('console', message => said.push(message.text()))
      if (before !== undefined) await page.addInitScript(before)
      await page.goto(url + path)
      return page
    },
    close: async () => {
      for (const page of visited) await page.close()
      server.closeAllConnections()
      await new Promise(closed => server.close(closed))
    },
  }
}

export type Site = Awaited<ReturnType<typeof openSite>>

/** Opens a site, runs the test, closes it; an error caused by the tracker fails the test. */
export const onSite = async (options: SiteOptions, run: (site: Site) => Promise<void>): Promise<void> => {
  const site = await openSite(options)
  try {
    await run(site)
    assert.deepEqual(site.faults, [])
  } finally {
    await site.close()
  }
}

/** Leaves the page by navigating away. */
export const leave = (page: Page) => page.goto('about:blank')
