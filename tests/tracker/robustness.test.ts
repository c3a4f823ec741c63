import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from '../../tools/playwright.mjs'
import { launchChromium, withoutChromium } from '../support/chromium.ts'
import { leave, onSite } from './site.ts'

const missing = (owner: string, name: string) => `Object.defineProperty(${owner}, '${name}', { configurable: true, get: () => undefined })`

/** Changes that a page may have made to its globals, and how many of two views can still be sent. */
const PAGES: ReadonlyArray<readonly [what: string, before: string, views: number]> = [
  ['froze history', 'Object.freeze(history)', 2],
  ['froze the prototype of history', 'Object.freeze(History.prototype)', 2],
  ['froze the language', 'for (const type of [Object, Array, Function, Promise]) Object.freeze(type.prototype)', 2],
  ['bars its storage', 'Object.defineProperty(window, "localStorage", { get() { throw new Error("barred") } })', 2],
  ['has no storage', missing('window', 'localStorage'), 2],
  ['has no performance', missing('window', 'performance'), 2],
  ['has no screen', missing('window', 'screen'), 0],
  ['has no fetch', missing('window', 'fetch'), 0],
  ['has a fetch that throws', 'window.fetch = () => { throw new Error("no") }', 0],
  ['has a fetch that answers nothing', 'window.fetch = () => undefined', 0],
  ['has no URL', missing('window', 'URL'), 0],
  ['holds the name footfall', 'Object.defineProperty(window, "footfall", { value: 1 })', 0],
  ['holds a broken stub', 'window.footfall = { q: 7 }', 2],
  ['holds a broken queue', 'window.footfall = Object.assign(() => {}, { q: [null, 1, ["Late"], [{}, null]] })', 2],
]

describe('pages that make it hard', { skip: withoutChromium }, () => {
  let browser: Browser
  before(async () => {
    browser = await launchChromium()
  })
  after(() => browser.close())

  for (const [what, before, views] of PAGES) {
    test(`a page that ${what} hears no error${views ? ' and is counted' : ''}`, () =>
      onSite(
        {
          attributes: 'data-clicks',
          pages: { '/': '<a href="#x" data-footfall-event="Go">go</a>' },
        },
        async site => {
          const page = await site.visit(browser, '/', { before })
          if (views) await site.until('pageview')
          // Where history cannot be watched, an event of the link's address that comes after the next address shows it.
          await Promise.all([page.evaluate('new Promise(done => addEventListener("hashchange", () => done()))'), page.click('a')])
          await page.evaluate('history.pushState({}, "", "/b"); scrollTo(0, 10)')
          await leave(page)
          await site.until('pageview', views)
          await site.names()
          assert.equal(site.named('pageview').length, views)
        },
      ))
  }

  test('a policy that forbids the request only loses the hits', () =>
    onSite(
      {
        headers: { 'content-security-policy': "connect-src 'none'" },
      },
      async site => {
        const page = await site.visit(browser)
        const outcome = await page.evaluate('new Promise(callback => footfall("Signup", { callback }))')
        assert.deepEqual(Object.keys(Object(outcome)), ['error'])
        await site.only([])
      },
    ))

  test('a policy with a nonce admits the vitals as it admitted the script', () =>
    onSite(
      {
        headers: { 'content-security-policy': "script-src 'nonce-n1'" },
        tag: '<script defer nonce="n1" data-vitals data-domain="example.com" src="/js/footfall.js"></script>',
        pages: { '/': '<h1>Hello</h1>' },
      },
      async site => {
        const page = await site.visit(browser)
        await page.waitForSelector('script[src$="/js/footfall.vitals.js"]', { state: 'attached' })
        await page.waitForTimeout(300)
        await leave(page)
        await site.until('vitals')
      },
    ))

  test('wrong arguments of a page throw no error, and the next event is sent', () =>
    onSite({}, async site => {
      const page = await site.visit(browser)
      await page.evaluate(`footfall(); footfall('A', null); footfall('B', 'text'); footfall('C', { callback: 1 })
      footfall('D', { url: 'http://[' }); footfall({ toJSON() { throw 1 } })
      const loop = {}; loop.loop = loop; footfall('E', { props: loop }); footfall('F')`)
      for (const name of ['A', 'B', 'C', 'F']) await site.until(name)
      const names = await site.names()
      for (const name of ['D', 'E']) assert.ok(!names.includes(name), name)
    }))

  test('pushState throws for the page what it always threw', () =>
    onSite({}, async site => {
      const page = await site.visit(browser)
      assert.equal(
        await page.evaluate(`(() => {
      try { history.pushState({}, '', 'https://other.example/') } catch (error) { return error.name }
    })()`),
        'SecurityError',
      )
    }))

  test('an address longer than the service takes is cut', () =>
    onSite({}, async site => {
      await site.visit(browser, `/?q=${'x'.repeat(3000)}`)
      assert.equal(String((await site.until('pageview'))[0]?.u).length, 2000)
    }))
})
