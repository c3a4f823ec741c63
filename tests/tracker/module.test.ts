/** `footfall/tracker`: the tracker as a module, bundled as a page would. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import type { Browser } from '../../tools/playwright.mjs'
import { moduleOptions } from '../../tracker/build.ts'
import { launchChromium, withoutChromium } from '../support/chromium.ts'
import { leave, onSite } from './site.ts'

const [options] = moduleOptions

/** The module with the code of a page, minified. */
async function bundled(code: string): Promise<string> {
  const [module] = (await build({ ...options!, write: false })).outputFiles
  const { outputFiles } = await build({
    stdin: { contents: code },
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
    plugins: [
      {
        name: 'footfall/tracker',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^footfall\/tracker$/ }, () => ({ path: 'tracker', namespace: 'footfall' }))
          onLoad({ filter: /.*/, namespace: 'footfall' }, () => ({ contents: module!.text }))
        },
      },
    ],
  })
  return outputFiles[0]!.text
}
const page = async (code: string) => `<script type="module">${await bundled(code)}</script>`

test('the module stays under 3 KB gzipped, and bundlers leave out what a page does not use', async () => {
  const size = async (code: string) => gzipSync(await bundled(code)).length
  const whole = await size("export * from 'footfall/tracker'")
  assert.ok(
    whole <= 3 * 1024,
    `${whole} bytes: shorten tracker/src by ${whole - 3 * 1024}, or raise the limit here and say why in the commit`,
  )
  assert.ok((await size("import { init, track } from 'footfall/tracker'; init(); track('a')")) < 2.4 * 1024)
  assert.equal((await bundled("import 'footfall/tracker'")).trim(), '', 'importing it has no effect')
})

test('on a server the module does nothing, and keeps nothing', async () => {
  const code = await bundled(`import * as footfall from 'footfall/tracker'
    const before = Object.getOwnPropertyNames(globalThis).join()
    footfall.init({ domain: 'example.com' })
    footfall.links()
    footfall.track('Signup')
    footfall.identify('a')
    console.log(Object.getOwnPropertyNames(globalThis).join() === before)`)
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', code], { encoding: 'utf8' })
  assert.equal(stdout.trim(), 'true')
})

describe('the module in a page', { skip: withoutChromium }, () => {
  let browser: Browser
  before(async () => {
    browser = await launchChromium()
  })
  after(() => browser.close())

  test('sends pageviews, routes, events, revenue and the id of a person', async () => {
    const tag = await page(`import { init, track, revenue, identify, reset, consent, pageview } from 'footfall/tracker'
      track('Early', { props: { at: 'before init' } })
      init({ domain: 'example.com', props: () => ({ theme: 'dark' }) })
      init({ domain: 'again.example.com' })
      identify('customer-1', { plan: 'pro' })
      revenue('Purchase', { amount: 29, currency: 'EUR' }, { props: { item: 'a' } })
      reset()
      consent(false)
      identify('customer-2')
      pageview({ url: '/virtual' })
      window.go = () => history.pushState({}, '', '/next')`)
    await onSite({ tag }, async site => {
      const opened = await site.visit(browser, '/')
      await opened.evaluate('go()')
      await site.until('pageview', 3)
      const received = site.told
        .filter(({ body }) => body.n !== 'engagement')
        .map(({ body: { n, d, user, u } }) => [n, d, user ?? '', new URL(String(u)).pathname].join(' '))
      // Each is a request of its own, so they may arrive in any order.
      assert.deepEqual(received.sort(), [
        'Early example.com  /',
        'Purchase example.com customer-1 /',
        'identify example.com customer-1 /',
        'pageview example.com  /',
        'pageview example.com  /next',
        'pageview example.com  /virtual',
      ])
      const [purchase] = site.named('Purchase')
      assert.deepEqual(
        [purchase?.$, purchase?.p],
        [
          { amount: 29, currency: 'EUR' },
          { theme: 'dark', item: 'a' },
        ],
      )
      assert.equal(await opened.evaluate('typeof footfall'), 'undefined', 'it leaves no global behind')
    })
  })

  test('sends outbound links, downloads and marked elements, if a page asks for it', async () => {
    const code = (more: string) => page(`import { init, links } from 'footfall/tracker'; init({ domain: 'example.com' }); ${more}`)
    const pages = {
      '/': `<body onclick="event.preventDefault()"><a id="out" href="https://elsewhere.example/">x</a><a id="file" href="/a.pdf">y</a><b data-footfall-event="Marked">z</b>`,
    }
    for (const [more, expected] of [
      ['links()', ['File Download', 'Marked', 'Outbound Link: Click', 'pageview']],
      ['links({ outbound: false, downloads: ["zip"] })', ['Marked', 'pageview']],
      ['', ['pageview']],
    ] as const) {
      await onSite({ tag: await code(more), pages }, async site => {
        const opened = await site.visit(browser, '/')
        await site.until('pageview')
        for (const selector of ['#out', '#file', 'b']) await opened.click(selector)
        await site.only(expected)
      })
    }
  })

  test('hits wait while the browser is offline, in order and bounded, and are sent when it is online', async () => {
    const tag = await page(`import { init, track } from 'footfall/tracker'
      window.outcomes = []
      window.track = (name, age = 0) => track(name, { callback: outcome => outcomes.push([name, outcome]) })
      init({ domain: 'example.com' })`)
    await onSite({ tag }, async site => {
      const opened = await site.visit(browser, '/')
      await site.until('pageview')
      await opened.context().setOffline(true)
      await opened.evaluate('for (let i = 0; i < 60; i++) track("E" + i)')
      await opened.waitForFunction('outcomes.length === 10')
      assert.deepEqual(site.told.length, 1)
      await opened.context().setOffline(false)
      await site.until('E59')
      await opened.waitForFunction('outcomes.length === 60')
      assert.deepEqual(
        site.told.slice(1).map(({ body }) => body.n),
        Array.from({ length: 50 }, (_, i) => `E${i + 10}`),
      )
      assert.deepEqual(await opened.evaluate('[outcomes[0], outcomes[59]]'), [
        ['E0', { error: 'offline' }],
        ['E59', { status: 202 }],
      ])
    })
  })

  test('a hit that waited for half an hour is not sent: it would count at a wrong time', async () => {
    const tag = await page(`import { init, track } from 'footfall/tracker'
      window.track = track
      init({ domain: 'example.com' })`)
    await onSite({ tag }, async site => {
      const opened = await site.visit(browser, '/')
      await site.until('pageview')
      await opened.context().setOffline(true)
      await opened.evaluate('track("Old"); const real = Date.now; Date.now = () => real() + 1_800_001; track("New")')
      await opened.context().setOffline(false)
      await site.until('New')
      await site.only(['New', 'pageview'])
      await leave(opened)
    })
  })
})
