/** Pages with Plausible's snippet, of which only the host was changed. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { Browser } from '../../tools/playwright.mjs'
import { launchChromium, withoutChromium } from '../support/chromium.ts'
import { onSite } from './site.ts'

/** As Plausible's dashboard shows it. */
const QUEUE = `<script>window.plausible = window.plausible || function() { (window.plausible.q = window.plausible.q || []).push(arguments) }</script>`
/** @param words of the script's name; `local` counts the machine the tests run on */
const snippet = (words = '', attributes = '', folder = '/js') =>
  `<script defer ${attributes} data-domain="example.com" src="${folder}/script.local${words}.js"></script>${QUEUE}`

describe('Plausible\u2019s snippet', { skip: withoutChromium }, () => {
  let browser: Browser
  before(async () => {
    browser = await launchChromium()
  })
  after(() => browser.close())

  test('a pageview and goals with properties and revenue are sent, queued calls first', () =>
    onSite(
      {
        tag: `${snippet('.revenue.tagged-events')}<script>plausible('Early', { props: { a: 1 } }); window.kept = plausible</script>`,
      },
      async site => {
        const page = await site.visit(browser)
        await site.until('Early')
        await page.evaluate(`plausible('Goal', { props: { plan: 'pro' }, revenue: { currency: 'EUR', amount: 12.5 }, interactive: false })`)
        await page.evaluate(`plausible('Old', { meta: { plan: 'free' } })`)
        await page.evaluate(`kept('Kept')`)
        await site.until('Kept')
        assert.deepEqual(site.named('pageview').length, 1)
        assert.equal(site.named('pageview')[0]?.d, 'example.com')
        assert.deepEqual(site.named('Early')[0]?.p, { a: 1 })
        const [goal] = site.named('Goal')
        assert.deepEqual([goal?.p, goal?.$, goal?.i], [{ plan: 'pro' }, { currency: 'EUR', amount: 12.5 }, false])
        assert.deepEqual(site.named('Old')[0]?.p, { plan: 'free' })
        const outcome = await page.evaluate('new Promise(callback => plausible("Heard", { callback }))')
        assert.deepEqual(outcome, { status: 202 })
      },
    ))

  test('classes name the event of a click, its properties and its revenue', () =>
    onSite(
      {
        tag: snippet('.tagged-events.revenue'),
        pages: {
          '/': `<button class="big plausible-event-name=Sign+Up plausible-event-plan=pro+plus plausible-event-billing-cycle=yearly
            plausible-revenue-currency=EUR plausible-revenue-amount=12.50"><b>Go</b></button>
            <div class="plausible-event-name--Contact-Us plausible-event-where--footer"><p>Us</p></div>
            <a class="plausible-event-name=Shop" onclick="return false" href="https://shop.example/x">shop</a>
            <i class="plausible-event-plan=nothing">none</i>`,
        },
      },
      async site => {
        const page = await site.visit(browser)
        for (const target of ['b', 'p', 'a', 'i']) await page.click(target)
        await site.until('Shop')
        await site.only(['Contact-Us', 'Shop', 'Sign Up', 'pageview'])
        const [signup] = site.named('Sign Up')
        assert.deepEqual(
          [signup?.p, signup?.$],
          [
            { plan: 'pro plus', 'billing-cycle': 'yearly' },
            { currency: 'EUR', amount: '12.50' },
          ],
        )
        const [contact] = site.named('Contact-Us')
        assert.deepEqual([contact?.p, contact?.$], [{ where: 'footer' }, undefined])
        assert.deepEqual(site.named('Shop')[0]?.p, { url: 'https://shop.example/x' })
      },
    ))

  test('a form with a class sends its event when it is submitted, not when it is clicked', () =>
    onSite(
      {
        tag: snippet('.tagged-events'),
        pages: {
          '/': `<form action="/sent" id="named" class="plausible-event-name=Form+Submit plausible-event-position=header"><input required><button>Send</button></form>
            <form action="/sent" id="plain" class="plausible-form-submit"><button>Send</button></form>
            <form action="/sent" id="none"><button>Send</button></form>`,
        },
      },
      async site => {
        const page = await site.visit(browser)
        await page.click('#named input')
        await page.click('#named button')
        await site.only(['pageview'])
        await page.fill('#named input', 'x')
        await page.click('#named button')
        await page.waitForURL('**/sent*')
        assert.deepEqual((await site.until('Form Submit'))[0]?.p, { position: 'header' })
        await page.goto(site.url)
        await page.click('#plain button')
        await page.waitForURL('**/sent*')
        assert.deepEqual((await site.until('Form: Submission'))[0]?.p, { path: '/' })
        await page.goto(site.url)
        await page.click('#none button')
        await page.waitForURL('**/sent*')
        await site.names()
        assert.equal(site.told.filter(({ body }) => String(body.n).startsWith('Form')).length, 2)
      },
    ))

  const LINKS = `<a id="out" onclick="return false" href="https://else.example/there">out</a>
    <a id="pdf" onclick="return false" href="/files/a.pdf?x=1">pdf</a> <a id="own" onclick="return false" href="/x.blend">own</a>`
  const variants: ReadonlyArray<readonly [words: string, attributes: string, events: readonly string[]]> = [
    ['', '', []],
    ['.outbound-links', '', ['Outbound Link: Click']],
    ['.file-downloads', '', ['File Download /files/a.pdf']],
    ['.outbound-links.file-downloads', '', ['File Download /files/a.pdf', 'Outbound Link: Click']],
    ['.hash.file-downloads.tagged-events.outbound-links.revenue', '', ['File Download /files/a.pdf', 'Outbound Link: Click']],
    ['.file-downloads', 'file-types="blend"', ['File Download /x.blend']],
    ['.file-downloads', 'add-file-types="blend"', ['File Download /files/a.pdf', 'File Download /x.blend']],
  ]
  for (const [words, attributes, events] of variants) {
    test(`script${words}.js ${attributes} sends ${events.join(', ') || 'no clicks'}`, () =>
      onSite({ tag: snippet(words, attributes), pages: { '/': LINKS } }, async site => {
        const page = await site.visit(browser)
        for (const id of ['out', 'pdf', 'own']) await page.click(`#${id}`)
        await page.evaluate('plausible("Last")')
        await site.only([...events.map(event => event.replace(/ \/.*/, '')), 'Last', 'pageview'])
        const told = site.told
          .map(({ body }) => body)
          .filter(({ n }) => n !== 'pageview' && n !== 'Last')
          .map(({ n, p }) => (n === 'File Download' ? `${n} ${new URL(Object(p).url).pathname}` : String(n)))
        assert.deepEqual(told.sort(), [...events])
      }))
  }

  test('hash: another fragment is another page; without it, none', () =>
    onSite({ tag: snippet('.hash') }, async site => {
      const page = await site.visit(browser, '/#/a')
      await page.evaluate('location.hash = "/b"')
      const [first, second] = await site.until('pageview', 2)
      assert.deepEqual([first?.u, second?.u, second?.h], [`${site.url}/#/a`, `${site.url}/#/b`, 1])
      await onSite({ tag: snippet() }, async plain => {
        const other = await plain.visit(browser, '/#/a')
        await other.evaluate('location.hash = "/b"')
        await plain.only(['pageview'], 400)
        assert.equal(plain.named('pageview')[0]?.u, `${plain.url}/`)
      })
    }))

  test('another path is another page; another query, or a replaced address, is none, as with Plausible’s script', () =>
    onSite({ tag: snippet() }, async site => {
      const page = await site.visit(browser, '/a')
      await site.until('pageview')
      await page.evaluate(
        `history.pushState({}, '', '/a?page=2'); history.replaceState({}, '', '/z'); history.pushState({}, '', '/a?page=3')`,
      )
      await site.only(['pageview'], 1200)
      await page.evaluate(`history.pushState({}, '', '/b?page=2')`)
      assert.equal((await site.until('pageview', 2))[1]?.u, `${site.url}/b?page=2`)
    }))

  test('hash: another query in the fragment is another page', () =>
    onSite({ tag: snippet('.hash') }, async site => {
      const page = await site.visit(browser, '/#/a')
      await site.until('pageview')
      await page.evaluate('location.hash = "#/a?tab=2"')
      assert.equal((await site.until('pageview', 2))[1]?.u, `${site.url}/#/a?tab=2`)
    }))

  test('compat: hits are sent without fetch, and the callback gets the status', () =>
    onSite({ tag: snippet('.compat') }, async site => {
      const page = await site.visit(browser, '/a', { before: 'delete window.fetch' })
      await site.until('pageview')
      assert.deepEqual(await page.evaluate('new Promise(callback => plausible("Signup", { callback }))'), { status: 202 })
      assert.match(site.told[0]?.headers['content-type'] ?? '', /^text\/plain/)
    }))

  test('manual: the page sends its pageviews itself, with its own address', () =>
    onSite({ tag: snippet('.manual') }, async site => {
      const page = await site.visit(browser)
      await site.only([])
      await page.evaluate(`plausible('pageview', { u: '${site.url}/masked', props: { author: 'Ann' } })`)
      const [view] = await site.until('pageview')
      assert.deepEqual([view?.u, view?.p], [`${site.url}/masked`, { author: 'Ann' }])
    }))

  test('pageview-props: attributes of the tag are properties of pageviews and events', () =>
    onSite({ tag: snippet('.pageview-props.tagged-events', 'event-author="Ann" event-logged_in="no"') }, async site => {
      const page = await site.visit(browser)
      assert.deepEqual((await site.until('pageview'))[0]?.p, { author: 'Ann', logged_in: 'no' })
      await page.evaluate('plausible("Goal", { props: { logged_in: "yes" } })')
      assert.deepEqual((await site.until('Goal'))[0]?.p, { author: 'Ann', logged_in: 'yes' })
    }))

  test('exclusions: * is any text without a slash, ** any text', () =>
    onSite({ tag: snippet('.exclusions', 'data-exclude="/rss/*, /**/admin"') }, async site => {
      for (const at of ['/rss/a', '/a/b/admin', '/rss/a/b', '/blog']) await site.visit(browser, at)
      await site.until('pageview', 2)
      await site.names()
      assert.deepEqual(
        site.named('pageview').map(({ u }) => new URL(String(u)).pathname),
        ['/rss/a/b', '/blog'],
      )
    }))

  test('form-submissions: every form that is sent', () =>
    onSite({ tag: snippet('.form-submissions'), pages: { '/': '<form action="/sent"><button>Send</button></form>' } }, async site => {
      const page = await site.visit(browser)
      await page.click('button')
      await page.waitForURL('**/sent*')
      assert.deepEqual((await site.until('Form: Submission'))[0]?.p, { path: '/' })
    }))

  const newer = (options: string, early = '') =>
    `<script>window.plausible=window.plausible||function(){(plausible.q=plausible.q||[]).push(arguments)},
      plausible.init=plausible.init||function(i){plausible.o=i||{}}; ${early}; plausible.init(${options})</script>`
  const script = (how: string) => `<script ${how} src="/js/pa-Xy_12-z.js"></script>`
  for (const [when, tag] of [
    ['before the script has loaded', newer(`{ captureOnLocalhost: true, domain: 'example.com' }`, `plausible('Early')`) + script('defer')],
    ['after it', script('') + newer(`{ captureOnLocalhost: true, domain: 'example.com' }`, `plausible('Early')`)],
  ] as const) {
    test(`the newer snippet, with init called ${when}: pageview, goals, links, files and forms`, () =>
      onSite({ tag, pages: { '/': `${LINKS}<form action="/sent"><button>Send</button></form>` } }, async site => {
        const page = await site.visit(browser)
        await site.until('Early')
        await page.evaluate(`plausible.init({ domain: 'twice.example' }); plausible('Goal', { props: { plan: 'pro' } })`)
        for (const id of ['out', 'pdf']) await page.click(`#${id}`)
        await page.click('button')
        for (const name of ['Goal', 'Outbound Link: Click', 'File Download', 'Form: Submission', 'pageview']) await site.until(name)
        await site.names()
        const received = site.told.map(({ body }) => body).filter(({ n, u }) => n !== 'engagement' && u === `${site.url}/`)
        assert.deepEqual(received.map(({ n }) => n).sort(), [
          'Early',
          'File Download',
          'Form: Submission',
          'Goal',
          'Outbound Link: Click',
          'pageview',
        ])
        assert.deepEqual([site.named('Goal')[0]?.p, site.named('Goal')[0]?.d], [{ plan: 'pro' }, 'example.com'])
      }))
  }

  test('options that the newer snippet passes to init', () =>
    onSite(
      {
        tag:
          newer(`{ captureOnLocalhost: true, endpoint: '/stats/event', hashBasedRouting: true, autoCapturePageviews: false, outboundLinks: false,
            fileDownloads: { fileExtensions: ['blend'] }, formSubmissions: false, customProperties: event => ({ of: event }) }`) +
          script('async'),
        pages: { '/': `${LINKS}<form action="/sent"><button>Send</button></form>` },
      },
      async site => {
        const page = await site.visit(browser, '/#/a')
        for (const id of ['out', 'pdf', 'own']) await page.click(`#${id}`)
        const [download] = await site.until('File Download')
        assert.deepEqual(
          [download?.endpoint, download?.u, download?.d, download?.p],
          ['/stats/event', `${site.url}/#/a`, undefined, { of: 'File Download', url: `${site.url}/x.blend` }],
        )
        await page.click('button')
        await page.waitForURL('**/sent*')
        await site.only(['File Download'])
      },
    ))

  test('data-api, the script at the root, and our own attributes work', () =>
    onSite({ tag: snippet('', 'data-api="/stats/event"', '') }, async site => {
      await site.visit(browser)
      assert.equal((await site.until('pageview'))[0]?.endpoint, '/stats/event')
    }))

  test('localStorage.plausible_ignore keeps a browser out, and the console says so once', () =>
    onSite({ tag: snippet() }, async site => {
      const page = await site.visit(browser, '/', { before: 'localStorage.plausible_ignore = "true"' })
      assert.equal(await page.evaluate('new Promise(callback => plausible("Goal", { callback }))'), undefined)
      await site.only([])
      assert.deepEqual(site.said, ['plausible: nothing is sent, localStorage.plausible_ignore is set'])
    }))

  test('an automated browser is counted with `local` or window.__plausible only, as with Plausible’s script', () =>
    onSite({ tag: snippet().replace('script.local', 'script') }, async site => {
      const before = 'Object.defineProperty(navigator, "webdriver", { get: () => true })'
      for (const [i, more] of ['', '; window.__plausible = true'].entries()) {
        const page = await (await browser.newContext()).newPage()
        page.on('console', message => site.said.push(message.text()))
        await page.route('http://shop.example/**', async route => {
          const response = await route.fetch({ url: site.url + new URL(route.request().url()).pathname })
          await route.fulfill({ response })
        })
        await page.addInitScript(before + more)
        await page.goto(`http://shop.example/${i}`)
      }
      assert.equal((await site.until('pageview'))[0]?.u, 'http://shop.example/1')
      assert.match(site.said.join(), /plausible: nothing is sent, automated browser; to test, set window\.__plausible/)
      await onSite({ tag: snippet() }, async local => {
        await local.visit(browser, '/local', { before })
        assert.equal((await local.until('pageview'))[0]?.u, `${local.url}/local`)
      })
      await site.only(['pageview'])
    }))

  test('this machine is not counted without `local`, and the console says so', () =>
    onSite({ tag: snippet().replace('script.local', 'script') }, async site => {
      const page = await site.visit(browser)
      await page.evaluate('plausible("Goal")')
      await site.only([])
      assert.deepEqual(site.said, ['plausible: nothing is sent, 127.0.0.1 is not counted'])
    }))

  for (const script of ['footfall', 'script.outbound-links']) {
    test(`a page opened from a file sends nothing, and the console says why: ${script}.js`, () =>
      onSite({}, async site => {
        const folder = await mkdtemp(path.join(tmpdir(), 'footfall-page-'))
        const file = path.join(folder, 'page.html')
        writeFileSync(file, `<!doctype html><script defer data-domain="example.com" src="${site.url}/js/${script}.js"></script><p>Hi`)
        const page = await browser.newPage()
        const said: string[] = []
        page.on('console', message => said.push(message.text()))
        await page.goto(pathToFileURL(file).href)
        await site.only([])
        const name = script === 'footfall' ? 'footfall' : 'plausible'
        assert.deepEqual(said, [`${name}: nothing is sent, the page is not an http address: file:`])
        await rm(folder, { recursive: true })
      }))
  }
})
