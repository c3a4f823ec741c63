import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from '../../tools/playwright.mjs'
import { launchChromium, withoutChromium } from '../support/chromium.ts'
import { onSite } from './site.ts'

const STUB = '<script>window.footfall = window.footfall || ' + 'function () { (footfall.q = footfall.q || []).push(arguments) }'

describe('events', { skip: withoutChromium }, () => {
  let browser: Browser
  before(async () => {
    browser = await launchChromium()
  })
  after(() => browser.close())

  test('a custom event carries properties, revenue and whether it is interactive', () =>
    onSite({}, async site => {
      const page = await site.visit(browser, '/a#part')
      await page.evaluate(`footfall('Signup', {
      props: { plan: 'pro' }, revenue: { currency: 'EUR', amount: 12.5 }, interactive: false })`)
      const [signup] = await site.until('Signup')
      assert.deepEqual(signup, {
        n: 'Signup',
        u: `${site.url}/a`,
        d: 'example.com',
        endpoint: '/api/event',
        p: { plan: 'pro' },
        $: { currency: 'EUR', amount: 12.5 },
        i: false,
      })
      await page.evaluate('footfall("Plain")')
      const [plain] = await site.until('Plain')
      assert.ok(plain && !('i' in plain) && !('p' in plain) && !('$' in plain))
    }))

  test('calls on the stub are sent, both before and after the script has loaded', () =>
    onSite(
      {
        tag: `${STUB}; footfall('First', { props: { a: 1 } }); footfall('Second'); window.kept = footfall</script>
      <script defer data-domain="example.com" src="/js/footfall.js"></script>`,
      },
      async site => {
        const page = await site.visit(browser)
        await page.evaluate('kept("Third")')
        await site.only(['First', 'Second', 'Third', 'pageview'])
        assert.deepEqual(site.named('First')[0]?.p, { a: 1 })
      },
    ))

  test('the callback hears the status, the failure, or that nothing was to be sent', () =>
    onSite(
      {
        status: 400,
      },
      async site => {
        const page = await site.visit(browser)
        const outcome = (name: string) => page.evaluate(`new Promise(callback => footfall(${name}, { callback }))`)
        assert.deepEqual(await outcome('"A"'), { status: 400 })
        assert.deepEqual(Object.keys(Object(await outcome('"B", { props: { big: 1n } }) || footfall("C"'))), ['status'])
        await page.evaluate('window.fetch = () => { throw new Error("blocked") }')
        assert.deepEqual(Object.keys(Object(await outcome('"D"'))), ['error'])
        await page.evaluate('localStorage.footfall_ignore = "true"')
        assert.equal(await outcome('"E"'), undefined)
      },
    ))

  test('a marked element sends its event when it is clicked, from within it and by keyboard', () =>
    onSite(
      {
        pages: {
          '/': `<button data-footfall-event="Signup" data-footfall-prop-plan="pro" data-footfall-prop-billing-cycle="yearly"
        data-footfall-revenue-currency="EUR" data-footfall-revenue-amount="12.50"><b>Go</b></button><p>else</p>
        <script>document.querySelector('button')
          .addEventListener('click', event => event.stopImmediatePropagation())</script>`,
        },
      },
      async site => {
        const page = await site.visit(browser)
        await page.click('b')
        await site.until('Signup')
        await page.press('button', 'Enter')
        await page.click('p')
        await page.click('b', { button: 'middle' })
        await page.click('b', { button: 'right' })
        await site.only(['Signup', 'Signup', 'pageview'])
        const [signup] = site.named('Signup')
        assert.deepEqual(signup?.p, { plan: 'pro', 'billing-cycle': 'yearly' })
        assert.deepEqual(signup?.$, { currency: 'EUR', amount: '12.50' })
      },
    ))

  test('a marked form sends its event when it is submitted, not when it is clicked or invalid', () =>
    onSite(
      {
        pages: {
          '/':
            '<form action="/sent" data-footfall-event="Contact" data-footfall-prop-from="footer">' +
            '<input name="attributes" required><button>Send</button></form>',
        },
      },
      async site => {
        const page = await site.visit(browser)
        await page.click('input')
        await page.click('button')
        await site.only(['pageview'])
        await page.fill('input', 'x')
        await page.click('button')
        const [contact] = await site.until('Contact')
        assert.deepEqual(contact?.p, { from: 'footer' })
        assert.equal(contact?.u, `${site.url}/`)
        await page.waitForURL('**/sent*')
      },
    ))

  test('an outbound link sends its address and is followed at once', () =>
    onSite({ pages: { '/': '<a>out</a>' } }, async site => {
      const page = await site.visit(browser)
      await page.evaluate(`document.querySelector('a').href = '${site.elsewhere}/there?q=1'`)
      await page.click('a')
      await page.waitForURL('**/there?q=1')
      const [click] = await site.until('Outbound Link: Click')
      assert.deepEqual(click?.p, { url: `${site.elsewhere}/there?q=1` })
      assert.equal(click?.u, `${site.url}/`)
    }))

  test('middle clicks and links in a shadow tree count; inner, mail, code and bare ones do not', () =>
    onSite(
      {
        pages: {
          '/': `<a id="in" href="/b" onclick="return false">in</a> <a id="mail" href="mailto:a@b.example">mail</a>
        <a id="code" href="javascript:void 0">code</a> <a id="bare">bare</a>
        <svg width="50" height="20"><a id="svg" href="#x"><text y="15">svg</text></a></svg>
        <div id="host"></div><script>document.querySelector('#host').attachShadow({ mode: 'open' }).innerHTML =
          '<a id="deep" onclick="return false" href="https://deep.example/"><i>deep</i></a>'</script>`,
        },
      },
      async site => {
        const page = await site.visit(browser)
        for (const id of ['in', 'code', 'bare', 'svg']) await page.click(`#${id}`)
        await page.evaluate(`document.querySelector('#mail').addEventListener('click', event => event.preventDefault())`)
        await page.click('#mail')
        await page.click('#deep i')
        await site.until('Outbound Link: Click')
        await page.evaluate(`document.querySelector('#bare').href = '${site.elsewhere}/tab'`)
        await page.click('#bare', { button: 'middle' })
        const clicks = await site.until('Outbound Link: Click', 2)
        assert.deepEqual(
          clicks.map(({ p }) => p),
          [{ url: 'https://deep.example/' }, { url: `${site.elsewhere}/tab` }],
        )
        const others = (await site.names()).filter(name => name !== 'Outbound Link: Click' && name !== 'engagement')
        assert.deepEqual([...new Set(others)], ['pageview']) // the new tab sends a pageview too
      },
    ))

  const FILES = `<a id="pdf" onclick="return false" href="/files/Report.PDF?token=secret#page=2">pdf</a>
    <a id="away" onclick="return false" href="https://cdn.example/a.zip">zip</a>
    <a id="page" onclick="return false" href="/pdf">page</a>
    <a id="own" onclick="return false" href="/x.blend">own</a>`

  test('a download is sent without its query, from any host, and is not an outbound click', () =>
    onSite({ pages: { '/': FILES } }, async site => {
      const page = await site.visit(browser)
      for (const id of ['pdf', 'away', 'page', 'own']) await page.click(`#${id}`)
      const downloads = await site.until('File Download', 2)
      assert.deepEqual(downloads.map(({ p }) => Object(p).url).sort(), [`${site.url}/files/Report.PDF`, 'https://cdn.example/a.zip'])
      await site.only(['File Download', 'File Download', 'pageview'])
    }))

  test('data-downloads replaces the list of files', () =>
    onSite({ attributes: 'data-downloads="blend, PDF"', pages: { '/': FILES } }, async site => {
      const page = await site.visit(browser)
      for (const id of ['pdf', 'away', 'own']) await page.click(`#${id}`)
      const downloads = await site.until('File Download', 2)
      assert.deepEqual(downloads.map(({ p }) => Object(p).url).sort(), [`${site.url}/files/Report.PDF`, `${site.url}/x.blend`])
      assert.deepEqual((await site.until('Outbound Link: Click'))[0]?.p, { url: 'https://cdn.example/a.zip' })
    }))

  test('a link with a name from the page sends only that name', () =>
    onSite(
      {
        pages: { '/': '<a data-footfall-event="Buy" onclick="return false" href="https://shop.example/a.pdf">buy</a>' },
      },
      async site => {
        const page = await site.visit(browser)
        await page.click('a')
        await site.until('Buy')
        await site.only(['Buy', 'pageview'])
      },
    ))
})
