import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from '../../tools/playwright.mjs'
import { CHROMIUM_ARGUMENTS, chromiumPath, launchChromium, withoutChromium, withoutWholeChromium } from '../support/chromium.ts'
import { leave, onSite, openSite } from './site.ts'

describe('page views', { skip: withoutChromium }, () => {
  let browser: Browser
  before(async () => {
    browser = await launchChromium()
  })
  after(() => browser.close())

  test('a load sends one pageview as text/plain, and sets no cookie', () =>
    onSite({}, async site => {
      const page = await site.visit(browser, '/a?utm_source=x#part', {
        viewport: { width: 800, height: 600 },
        screen: { width: 1024, height: 768 },
        locale: 'de-DE',
        extraHTTPHeaders: { referer: 'https://search.example/' },
      })
      const [view] = await site.until('pageview')
      assert.deepEqual(view, {
        n: 'pageview',
        u: `${site.url}/a?utm_source=x`,
        d: 'example.com',
        endpoint: '/api/event',
        r: 'https://search.example/',
        w: 800,
        sc: '1024x768',
        l: 'de-DE',
        t: '/a',
      })
      const { headers } = site.told[0] ?? assert.fail()
      assert.match(headers['content-type'] ?? '', /^text\/plain/)
      await page.reload()
      await site.until('pageview', 2)
      assert.deepEqual(await page.context().cookies(), [])
      assert.ok(site.told.every(hit => hit.headers.cookie === undefined))
    }))

  test('the page before is the referrer', () =>
    onSite({}, async site => {
      const page = await site.visit(browser, '/a')
      await page.evaluate('location.href = "/b"')
      const [first, second] = await site.until('pageview', 2)
      assert.equal(first?.r, undefined)
      assert.equal(second?.r, `${site.url}/a`)
    }))

  for (const [manner, tag] of Object.entries({
    async: '<script async data-domain="example.com" src="/js/footfall.js"></script>',
    blocking: '<script data-domain="example.com" src="/js/footfall.js"></script>',
    module: '<script type="module" data-domain="example.com" src="/js/footfall.js"></script>',
    dynamic: `<script>const tag = document.createElement('script'); tag.src = '/js/footfall.js'
      tag.dataset.domain = 'example.com'; document.head.append(tag)</script>`,
    twice: '<script defer data-domain="example.com" src="/js/footfall.js"></script>'.repeat(2),
  })) {
    test(`the script counts once when it is loaded ${manner}`, () =>
      onSite({ tag }, async site => {
        await site.visit(browser)
        const [view] = await site.until('pageview')
        assert.equal(view?.d, 'example.com')
        await site.only(['pageview'])
      }))
  }

  test('without data-domain none is named; data-api replaces the endpoint', () =>
    onSite(
      {
        tag: '<script defer data-api="/stats" src="/js/footfall.js"></script>',
      },
      async site => {
        await site.visit(browser)
        const [view] = await site.until('pageview')
        assert.equal(view?.endpoint, '/stats')
        assert.ok(view && !('d' in view))
      },
    ))

  test('the endpoint is at the origin of the script', async () => {
    const service = await openSite()
    await onSite({ tag: `<script defer data-domain="example.com" src="${service.elsewhere}/js/footfall.js"></script>` }, async site => {
      await site.visit(browser)
      await service.until('pageview')
      assert.deepEqual(site.told, [])
      assert.equal(service.told[0]?.headers.origin, site.url)
    })
    await service.close()
  })

  test('pushState, back and forward are views, with title and page before', () =>
    onSite({}, async site => {
      const page = await site.visit(browser, '/a')
      await site.until('pageview')
      await page.evaluate('history.pushState({}, "", "/b"); setTimeout(() => document.title = "B", 100)')
      await site.until('pageview', 2)
      await page.evaluate('history.pushState({}, "", "/b?page=2")')
      await site.until('pageview', 3)
      await page.evaluate('history.go(-2)')
      const views = await site.until('pageview', 4)
      assert.deepEqual(
        views.map(({ u }) => u),
        ['/a', '/b', '/b?page=2', '/a'].map(path => site.url + path),
      )
      assert.equal(views[1]?.t, 'B')
      assert.equal(views[1]?.r, `${site.url}/a`)
      assert.deepEqual(
        site.named('engagement').map(({ u }) => u),
        views.slice(0, 3).map(({ u }) => u),
      )
    }))

  test('a navigation that keeps the path sends no pageview: replaced query, same address, fragment', () =>
    onSite({}, async site => {
      const page = await site.visit(browser, '/a')
      await site.until('pageview')
      await page.evaluate(`history.replaceState({}, '', '/a?filter=1'); history.pushState({ modal: 1 }, '', '/a?filter=1')
      history.pushState({}, '', '/a?filter=1#part'); location.hash = 'other'; history.back()`)
      await site.only(['pageview'], 600)
      await page.evaluate('history.replaceState({}, "", "/b")')
      assert.equal((await site.until('pageview', 2))[1]?.u, `${site.url}/b`)
    }))

  test('a push that is replaced within a moment is one page, at its last address', () =>
    onSite({}, async site => {
      const page = await site.visit(browser, '/a')
      await site.until('pageview')
      await page.evaluate('history.pushState({}, "", "/b"); history.replaceState({}, "", "/b/overview")')
      const views = await site.until('pageview', 2)
      await site.names(600)
      assert.equal(site.named('pageview').length, 2)
      assert.deepEqual([views[1]?.u, views[1]?.r], [`${site.url}/b/overview`, `${site.url}/a`])
    }))

  test('a push that is replaced within a moment is one page, also if an event came in between', () =>
    onSite({}, async site => {
      const page = await site.visit(browser, '/a')
      await site.until('pageview')
      await page.evaluate(`history.pushState({}, '', '/b'); footfall('Opened'); history.replaceState({}, '', '/b/overview')`)
      await site.until('Opened')
      await site.names(600)
      assert.deepEqual(
        site.named('pageview').map(({ u }) => u),
        [`${site.url}/a`, `${site.url}/b`],
      )
      await page.evaluate(`history.pushState({}, '', '/c')`)
      assert.equal((await site.until('pageview', 3))[2]?.u, `${site.url}/c`)
    }))

  test('a query that is typed letter by letter is one page', () =>
    onSite({}, async site => {
      const page = await site.visit(browser, '/a')
      await site.until('pageview')
      // Timers of the page itself keep their order, however slow the machine is.
      const typed = (method: string) => `new Promise(done => ['w', 'wo', 'wor', 'word'].forEach((q, i) =>
        setTimeout(() => { history.${method}({}, '', '/a?q=' + q); if (q === 'word') done() }, 100 * i)))`
      await page.evaluate(typed('pushState'))
      const views = await site.until('pageview', 2)
      assert.equal(views[1]?.u, `${site.url}/a?q=word`)
      await page.evaluate(typed('replaceState'))
      await page.evaluate('history.pushState({}, "", "/a?q=words"); history.pushState({}, "", "/b")')
      assert.deepEqual(
        (await site.until('pageview', 4)).slice(2).map(({ u }) => u),
        [`${site.url}/a?q=words`, `${site.url}/b`],
      )
    }))

  test('a query that is typed letter by letter right after a change of the path is one page together with it', () =>
    onSite({}, async site => {
      const page = await site.visit(browser, '/a')
      await site.until('pageview')
      await page.evaluate(`history.pushState({}, '', '/b'); history.pushState({}, '', '/b?q=w')
        new Promise(done => ['wo', 'wor', 'word'].forEach((q, i) =>
          setTimeout(() => { history.pushState({}, '', '/b?q=' + q); if (q === 'word') done() }, 100 * (i + 1))))`)
      await page.evaluate(`history.pushState({}, '', '/c')`)
      assert.deepEqual(
        (await site.until('pageview', 3)).map(({ u }) => u),
        [`${site.url}/a`, `${site.url}/b?q=word`, `${site.url}/c`],
      )
    }))

  test('a query that is replaced while its page settles is the address of the page, and no page of its own afterwards', () =>
    onSite({}, async site => {
      const page = await site.visit(browser, '/a')
      await site.until('pageview')
      await page.evaluate(
        `history.pushState({}, '', '/b'); history.replaceState({}, '', '/b?utm_source=x'); history.replaceState({}, '', '/c?utm_source=x')`,
      )
      assert.equal((await site.until('pageview', 2))[1]?.u, `${site.url}/c?utm_source=x`)
      await page.evaluate(`history.replaceState({}, '', '/c?utm_source=y')`)
      await site.names(600)
      assert.equal(site.named('pageview').length, 2)
      await page.evaluate(`history.pushState({}, '', '/c?q=w'); history.replaceState({}, '', '/c?q=wo')`)
      assert.equal((await site.until('pageview', 3))[2]?.u, `${site.url}/c?q=wo`)
    }))

  test('the Navigation API is heard', () =>
    onSite({}, async site => {
      const page = await site.visit(browser, '/a')
      await site.until('pageview')
      await page.evaluate(`navigation.addEventListener('navigate', event => event.intercept({}));
      void navigation.navigate('/b')`)
      assert.equal((await site.until('pageview', 2))[1]?.u, `${site.url}/b`)
      await site.names(600)
      assert.equal(site.named('pageview').length, 2)
    }))

  test('a browser that a driver controls is not counted, unless the page asks for it', () =>
    onSite({}, async site => {
      for (const [i, driver] of ['navigator.webdriver', 'window.Cypress', 'window._phantom', 'window.__nightmare'].entries()) {
        const [object = '', key = ''] = driver.split('.')
        const before = `Object.defineProperty(${object}, '${key}', { get: () => true, enumerable: true });`
        await site.visit(browser, `/${driver}`, { before })
        while (site.said.length === i) await sleep(10)
        assert.match(site.said[i] ?? '', /automated browser; to test, set window\.__footfall/, driver)
        if (i === 0) await site.visit(browser, '/b', { before: `${before} window.__footfall = true` })
      }
      await site.until('pageview')
      await site.names(300)
      assert.deepEqual(
        site.named('pageview').map(({ u }) => u),
        [`${site.url}/b`],
      )
    }))

  test('elements whose id is the name of a driver do not make a browser automated', () =>
    onSite({ pages: { '/cyprus': '<h2 id="Cypress">Cypress</h2><nav id="_phantom"></nav><nav id="__nightmare"></nav>' } }, async site => {
      const page = await site.visit(browser, '/cyprus')
      assert.equal((await site.until('pageview'))[0]?.u, `${site.url}/cyprus`)
      assert.equal(await page.evaluate('window.Cypress.tagName'), 'H2')
    }))

  test('data-hash: the start of a router with fragments, or a query in a fragment, sends no pageview', () =>
    onSite({ attributes: 'data-hash' }, async site => {
      const page = await site.visit(browser, '/')
      await site.until('pageview')
      await page.evaluate('history.replaceState({}, "", "/#/"); history.replaceState({}, "", "/#/?filter=1")')
      await site.only(['pageview'], 600)
      await page.evaluate('history.pushState({}, "", "/#/?page=2")')
      await site.until('pageview', 2)
      await page.evaluate('history.pushState({}, "", "/#/two")')
      assert.equal((await site.until('pageview', 3))[2]?.u, `${site.url}/#/two`)
    }))

  test('data-hash counts fragments as pages, once each, and says so', () =>
    onSite(
      {
        attributes: 'data-hash',
      },
      async site => {
        const page = await site.visit(browser, '/#/one')
        await site.until('pageview')
        await page.evaluate('location.hash = "#/two"')
        await site.until('pageview', 2)
        await site.names(600)
        const views = site.named('pageview')
        assert.deepEqual(
          views.map(({ u, h }) => [u, h]),
          [
            [`${site.url}/#/one`, 1],
            [`${site.url}/#/two`, 1],
          ],
        )
      },
    ))

  test('pages that are left immediately after pushState are sent', () =>
    onSite({}, async site => {
      const page = await site.visit(browser, '/a')
      await site.until('pageview')
      await page.evaluate('history.pushState({}, "", "/b"); history.pushState({}, "", "/c"); footfall("Seen")')
      await site.until('Seen')
      await site.until('pageview', 3)
      await page.evaluate('history.pushState({}, "", "/d")')
      await leave(page)
      const views = await site.until('pageview', 4)
      assert.deepEqual(
        views.map(({ u }) => u).sort(),
        ['/a', '/b', '/c', '/d'].map(path => site.url + path),
      )
    }))

  test('data-manual views nothing by itself, and takes the address it is given', () =>
    onSite(
      {
        attributes: 'data-manual',
      },
      async site => {
        const page = await site.visit(browser, '/user/7')
        await page.evaluate('history.pushState({}, "", "/b")')
        await site.only([], 500)
        await page.evaluate('footfall("pageview", { url: "/user/*", props: { role: "admin" } })')
        const [view] = await site.until('pageview')
        assert.equal(view?.u, `${site.url}/user/*`)
        assert.deepEqual(view?.p, { role: 'admin' })
        await leave(page)
        assert.equal((await site.until('engagement'))[0]?.u, `${site.url}/user/*`)
      },
    ))

  test('a page that is not seen waits, with the calls made meanwhile', () =>
    onSite({}, async site => {
      const page = await site.visit(browser, '/a', {
        before: 'let away = true; ' + 'Object.defineProperty(document, "hidden", { get: () => away, set: value => away = value })',
      })
      await page.evaluate('footfall("Early")')
      await site.only([])
      await page.evaluate('document.hidden = false; document.dispatchEvent(new Event("visibilitychange"))')
      await site.until('Early')
      await site.only(['Early', 'pageview'])
    }))
})

describe('page views of pages the browser keeps', { skip: withoutWholeChromium }, () => {
  let browser: Browser
  before(async () => {
    browser = await launchChromium({ whole: true, ignoreDefaultArgs: ['--disable-back-forward-cache'] })
  })
  after(() => browser.close())

  test('a page restored from the back-forward cache is viewed again', async () => {
    const site = await openSite()
    const page = await site.visit(browser, '/a')
    await site.until('pageview')
    await page.evaluate('window.kept = true; location.href = "/b"')
    await site.until('pageview', 2)
    await page.evaluate('history.back()').catch(() => {})
    const views = await site.until('pageview', 3)
    // The hit may arrive before the browser's driver has reached the page: wait for that.
    await page.waitForFunction('window.kept === true')
    assert.deepEqual(
      views.map(({ u }) => u),
      ['/a', '/b', '/a'].map(path => site.url + path),
    )
    await site.close()
  })

  // Playwright's Chromium does not prerender, so this test starts one without it.
  test('a prerendered page is viewed when it is activated, not before', async t => {
    const site = await openSite({
      pages: {
        '/a': `<script type="speculationrules">{"prerender":[{"urls":["/b"],"eagerness":"immediate"}]}</script>
          <script>setTimeout(() => location.href = '/b', 1500)</script>`,
        '/b': `<script>
          fetch('/early', { method: 'POST', body: JSON.stringify({ n: document.prerendering }) })</script>`,
      },
    })
    const profile = mkdtempSync(join(tmpdir(), 'footfall-chromium-'))
    const lone = spawn(
      chromiumPath({ whole: true }) ?? '',
      [...CHROMIUM_ARGUMENTS, `--user-data-dir=${profile}`, '--remote-debugging-port=0', `${site.url}/a`],
      { stdio: 'ignore', detached: true },
    )
    const gone = once(lone, 'exit')
    try {
      const views = await site.until('pageview', 2)
      const order = site.told.map(({ body }) => body.n)
      if (!order.includes(true)) return t.skip('this browser did not prerender')
      assert.deepEqual(
        views.map(({ u }) => u),
        [`${site.url}/a`, `${site.url}/b`],
      )
      assert.ok(order.indexOf(true) < order.lastIndexOf('pageview'))
      assert.equal(views[1]?.r, `${site.url}/a`)
    } finally {
      await site.close()
      if (lone.pid !== undefined) process.kill(-lone.pid, 'SIGKILL') // its process group: a browser has many processes
      await gone
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
    }
  })
})
