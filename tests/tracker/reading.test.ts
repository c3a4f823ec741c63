import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, before, describe, test } from 'node:test'
import type { Browser } from '../../tools/playwright.mjs'
import { launchChromium, withoutChromium } from '../support/chromium.ts'
import { leave, onSite } from './site.ts'

const TALL = '<div style="height: 2000px; margin: -8px 0"></div>'
const BLUR = 'document.hasFocus = () => false; dispatchEvent(new Event("blur"))'
const FOCUS = 'document.hasFocus = () => true; dispatchEvent(new Event("focus"))'
const VIEWPORT = { viewport: { width: 800, height: 500 } }

describe('reading of a page', { skip: withoutChromium }, () => {
  let browser: Browser
  before(async () => {
    browser = await launchChromium()
  })
  after(() => browser.close())

  test('leaving a page sends depth and time once', () =>
    onSite({ pages: { '/': TALL } }, async site => {
      const began = performance.now()
      const page = await site.visit(browser, '/?a=1#b', VIEWPORT)
      await page.evaluate('scrollTo(0, 1000)')
      await sleep(300)
      await page.evaluate('scrollTo(0, 0)')
      await leave(page)
      const [sent] = await site.until('engagement')
      const within = performance.now() - began // a busy machine takes its time
      await site.only(['engagement', 'pageview'])
      assert.equal(sent?.u, `${site.url}/?a=1`)
      assert.ok(Number(sent?.sd) >= 73 && Number(sent?.sd) <= 77, `${sent?.sd} %`)
      assert.ok(Number(sent?.e) >= 300 && Number(sent?.e) < within, `${sent?.e} ms of ${within}`)
      assert.ok(sent && !('r' in sent) && !('w' in sent))
    }))

  test('a page that fits is seen whole', () =>
    onSite({}, async site => {
      await leave(await site.visit(browser))
      assert.equal((await site.until('engagement'))[0]?.sd, 100)
    }))

  test('time without focus does not count, and nothing is sent twice', () =>
    onSite(
      {
        pages: { '/': TALL },
      },
      async site => {
        const page = await site.visit(browser, '/', VIEWPORT)
        await page.evaluate(BLUR)
        await site.until('engagement')
        await sleep(700)
        await page.evaluate(`${FOCUS}; ${BLUR}; ${FOCUS}; ${BLUR}`)
        await site.only(['engagement', 'pageview'])
        const focused = await page.evaluate<number>(`${FOCUS}; performance.now()`)
        await sleep(1100)
        const within = (await page.evaluate<number>(`${BLUR}; performance.now()`)) - focused // a busy machine takes its time
        const [first, second] = await site.until('engagement', 2)
        assert.equal(first?.sd, 25)
        assert.equal(second?.sd, 25)
        assert.ok(Number(second?.e) >= 1100 && Number(second?.e) < within + 350, `${second?.e} ms of ${within}`)
        await leave(page)
        await site.only(['engagement', 'engagement', 'pageview'])
      },
    ))

  test('each page of a single-page application is sent separately', () =>
    onSite({ pages: { '/a': TALL } }, async site => {
      const page = await site.visit(browser, '/a', VIEWPORT)
      await page.evaluate('scrollTo(0, 1500)')
      await sleep(100)
      await page.evaluate('history.pushState({}, "", "/b"); scrollTo(0, 0)')
      await site.until('pageview', 2)
      await leave(page)
      const told = await site.until('engagement', 2)
      assert.deepEqual(
        told.map(({ u, sd }) => [u, sd]),
        [
          [`${site.url}/a`, 100],
          [`${site.url}/b`, 25],
        ],
      )
    }))

  test('clicks are kept for the leave, with place and path but no text', () =>
    onSite(
      {
        attributes: 'data-clicks',
        pages: {
          '/': `<style>body { margin: 0 }
        span { position: absolute; top: 1200px; left: 400px; width: 100px; height: 40px }</style>
        <div id="hero">a</div><main><p>x</p><p>secret <span>secret</span></p></main><b id=":r1:">b</b>${TALL}`,
        },
      },
      async site => {
        const page = await site.visit(browser, '/', VIEWPORT)
        await page.click('span')
        await page.click('#hero', { position: { x: 0, y: 5 } })
        await page.click('b')
        await page.evaluate('document.querySelector("span").click()')
        await site.only(['pageview'])
        await leave(page)
        const [told] = await site.until('click')
        assert.deepEqual(told, {
          n: 'click',
          u: `${site.url}/`,
          d: 'example.com',
          endpoint: '/api/event',
          c: [
            { s: 'html>body>main>p:nth-of-type(2)>span', x: 5625, y: 1220 },
            { s: '#hero', x: 0, y: 5 },
            { s: 'html>body>b', x: Number(Object(told?.c)[2]?.x), y: Number(Object(told?.c)[2]?.y) },
          ],
        })
      },
    ))

  test('twenty clicks are a batch; a long path keeps its end', () =>
    onSite(
      {
        attributes: 'data-clicks',
        pages: { '/': `${'<section>'.repeat(40)}<i>x</i>` },
      },
      async site => {
        const page = await site.visit(browser)
        for (let count = 0; count < 21; count++) await page.click('i')
        const [batch] = await site.until('click')
        assert.ok(Array.isArray(batch?.c))
        assert.equal(batch.c.length, 20)
        assert.match(String(batch.c[0].s), /^section>(section>)+i$/)
        assert.ok(String(batch.c[0].s).length <= 200)
        await leave(page)
        const [, rest] = await site.until('click', 2)
        assert.equal(Array.isArray(rest?.c) && rest.c.length, 1)
      },
    ))

  test('vitals are sent once per load, with the loaded address', () =>
    onSite(
      {
        attributes: 'data-vitals',
        pages: { '/a': '<h1>Hello</h1><button>x</button>' },
      },
      async site => {
        const page = await site.visit(browser, '/a', VIEWPORT)
        await page.waitForFunction('performance.getEntriesByName("first-contentful-paint").length')
        await page.click('button')
        // The browser reports a click's duration after painting, which may be late on a busy machine.
        await page.evaluate(
          'new Promise(told => new PerformanceObserver(told).observe({ type: "first-input", buffered: true }))' + '.then(() => undefined)',
        )
        await page.evaluate('history.pushState({}, "", "/b")')
        await sleep(200)
        await leave(page)
        const [told] = await site.until('vitals')
        assert.equal(told?.u, `${site.url}/a`)
        const vitals: Record<string, number> = Object(told?.vt)
        assert.deepEqual(Object.keys(vitals).sort(), ['cls', 'fcp', 'inp', 'lcp', 'ttfb'])
        assert.ok(
          Object.values(vitals).every(value => value >= 0 && value < 600_000),
          JSON.stringify(vitals),
        )
        assert.equal((await site.names()).filter(name => name === 'vitals').length, 1)
      },
    ))

  test('vitals and clicks are sent only if their attributes are set', () =>
    onSite(
      {
        pages: { '/': '<h1>Hello</h1>' },
      },
      async site => {
        const page = await site.visit(browser, '/', VIEWPORT)
        await page.click('h1')
        await sleep(200)
        assert.equal(await page.locator('script').count(), 1)
        await leave(page)
        await site.until('engagement')
        await site.only(['engagement', 'pageview'])
      },
    ))
})
