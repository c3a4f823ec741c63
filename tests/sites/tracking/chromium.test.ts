/** A site's own script in a browser: under a strict policy, on the site's own host. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from '../../../tools/playwright.mjs'
import { launchChromium, withoutChromium } from '../../support/chromium.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { startService, type TestService } from '../../support/world.ts'
import { platforms } from '../../../operations/sites/tracking/platforms.ts'
import { openShop } from './shop.ts'

const chrome = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

/** Their snippets are sources of a program that makes the pages. */
const isProgram: ReadonlySet<string> = new Set(['wordpress', 'nextjs', 'nuxt'])

onAnyEngine('a site’s own script in Chromium', engine => {
  let service: TestService
  let browser: Browser
  before(async () => {
    if (withoutChromium) return
    service = await startService(engine, { OUTBOUND_ALLOW_CIDRS: '127.0.0.1', TRUSTED_PROXIES: '127.0.0.1' })
    browser = await launchChromium()
  })
  after(async () => {
    if (withoutChromium) return
    await browser.close()
    await service.close()
  })

  test('counts pages, forms, links and clicks of goals, leaves out what is excluded, and confirms a verification', {
    skip: withoutChromium,
  }, async () => {
    const shop = await openShop(service)
    const tracking = `/sites/${shop.site}/tracking`
    await shop.call('PATCH', tracking, { forms: true, exclude: ['/admin/*'] })
    const goal = { name: 'Tries to send', kind: 'click', selector: 'form button', event: 'Send: Click' }
    assert.equal((await shop.call('POST', `/sites/${shop.site}/goals`, goal)).status, 201)
    Object.assign(shop.page, {
      html: `<script defer src="/${shop.path}.js"></script><form action="/sent"><button>Send</button></form>`,
      headers: { 'Content-Security-Policy': "default-src 'none'; script-src 'self'; connect-src 'self'; form-action 'self'" },
    })
    const page = await browser.newPage({ userAgent: chrome })
    const faults: string[] = []
    page.on('pageerror', error => faults.push(String(error)))
    page.on('console', message => message.type() === 'error' && !/favicon/.test(message.text()) && faults.push(message.text()))
    const told = (n: string) =>
      page.waitForResponse(answer => answer.request().method() === 'POST' && answer.request().postData()?.includes(`"n":"${n}"`) === true)
    const first = told('pageview')
    await page.goto(`http://${shop.domain}/a`)
    const answer = await first
    assert.equal(answer.status(), 202)
    assert.equal(new URL(answer.url()).pathname, `/${shop.path}`)
    // The page is left by it, so only the request is sure to be seen.
    const form = page.waitForRequest(request => request.postData()?.includes('"n":"Form: Submission"') === true)
    const click = page.waitForRequest(request => request.postData()?.includes('"n":"Send: Click"') === true)
    await page.click('button')
    assert.equal(new URL((await form).url()).pathname, `/${shop.path}`)
    await click

    const posts: string[] = []
    page.on('request', request => request.method() === 'POST' && posts.push(request.postData() ?? ''))
    await page.goto(`http://${shop.domain}/admin/x`)
    await page.waitForTimeout(200)
    assert.deepEqual(
      posts.filter(body => body.includes('/admin')),
      [],
    )

    const verification = (await shop.call('POST', `${tracking}/verify`, { url: `http://${shop.domain}/` })).body.data
    const confirmed = told('verify')
    await page.goto(verification.verify_url)
    assert.deepEqual(await (await confirmed).json(), { confirmed: true, ip: '203.0.113.9' })
    assert.deepEqual(faults, [])
    await page.close()
    await shop.close()
  })

  test('is loaded by every snippet that is HTML', { skip: withoutChromium }, async () => {
    const shop = await openShop(service)
    const page = await browser.newPage({ userAgent: chrome })
    for (const platform of platforms.filter(name => !isProgram.has(name))) {
      const { files } = (await shop.call('GET', `/sites/${shop.site}/tracking/snippet?for=${platform}`)).body.data
      const here = (content = '') => content.replaceAll('http://footfall.test', `http://${shop.domain}`)
      const [head, body] = [here(files[0].content), platform === 'html' ? here(files[1].content) : '']
      Object.assign(shop.page, { html: `${head}<meta name="last"></head><body>${body}<p>Shop</p>` })
      const counted = page.waitForResponse(answer => answer.request().postData()?.includes('"n":"pageview"') === true)
      await page.goto(`http://${shop.domain}/${platform}`)
      assert.equal((await counted).status(), 202, platform)
    }
    await page.close()

    // Without scripts the picture counts; in the head it would end it, and what follows would land in the body.
    const { files } = (await shop.call('GET', `/sites/${shop.site}/tracking/snippet?for=html`)).body.data
    const [head, body] = files.map(({ content }: { content: string }) =>
      content.replaceAll('http://footfall.test', `http://${shop.domain}`),
    )
    Object.assign(shop.page, { html: `${head}<meta name="last"></head><body>${body}<p>Shop</p>` })
    const plain = await browser.newPage({ userAgent: chrome, javaScriptEnabled: false })
    const picture = plain.waitForResponse(answer => answer.url().endsWith('.gif'))
    await plain.goto(`http://${shop.domain}/plain`)
    assert.equal((await picture).status(), 200)
    assert.equal(await plain.locator('head > meta[name=last]').count(), 1)
    await plain.close()
    await shop.close()
  })
})
