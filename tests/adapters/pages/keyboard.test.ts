/** Complete journeys through pages, only by keyboard: without a click, and with a visible focus at every step. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from '../../../tools/playwright.mjs'
import { withoutChromium } from '../../support/chromium.ts'
import { request } from '../../support/world.ts'
import { type Opened, openBrowser } from './browser.ts'
import { dialog, fill, press, tabTo } from './keyboard.ts'

test('only with the keyboard, in Chromium', { skip: withoutChromium }, async t => {
  let opened: Opened
  let page: Page
  before(async () => {
    opened = await openBrowser()
    const context = await opened.signedIn({ viewport: { width: 1280, height: 800 } })
    page = await context.newPage()
  })
  after(() => opened.close())
  const workspace = () => `${opened.base}/workspaces/${opened.world.ids.workspace}`
  const site = () => `${opened.base}/sites/${opened.world.ids.site}`

  await t.test('from the first site to its first number', async () => {
    await page.clock.install()
    await page.goto(`${workspace()}/sites`)
    await press(page, 'Create a site')
    await dialog(page)
    await page.keyboard.type('first.example.com')
    await page.keyboard.press('Enter')
    await page
      .getByText(/waiting for the first/i)
      .first()
      .waitFor()
    await tabTo(page, 'Copy')
    const sent = await request(opened.service, 'POST', '/api/event', {
      body: JSON.stringify({ name: 'pageview', domain: 'first.example.com', url: 'https://first.example.com/' }),
      headers: { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' },
    })
    assert.equal(sent.status, 202, sent.text)
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur()) // the page has no focused field
    while ((await page.locator('.headline').count()) === 0) {
      await page.clock.fastForward(11_000)
      await page.waitForTimeout(100)
    }
    await page.locator('.headline').first().waitFor()
    await page.clock.resume()
  })

  await t.test('which campaign sold most last month against the month before', async () => {
    await page.goto(`${workspace()}/sites`)
    await press(page, /^Example/)
    await page.waitForURL(/overview/)
    await page.keyboard.press('p') // last month
    await page.waitForURL(/period=last_month/)
    await press(page, 'Campaigns')
    await page.waitForURL(/campaigns\/report\?period=last_month/)
  })

  await t.test('a goal is made', async () => {
    await page.goto(`${site()}/goals`)
    await press(page, 'Create a goal')
    await dialog(page)
    await fill(page, 'Path', '/thanks')
    await fill(page, 'Name', 'By keys')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'By keys' }).waitFor()
  })

  await t.test('a funnel is made', async () => {
    await page.goto(`${site()}/funnels`)
    await press(page, 'Create a funnel')
    await dialog(page)
    for (const path of ['/', '/thanks']) {
      await fill(page, 'Path', path)
      await page.keyboard.press('Tab')
    }
    await fill(page, 'Name', 'Steps by keys')
    await press(page, 'Create a funnel')
    await page.getByRole('heading', { name: 'Steps by keys' }).waitFor()
  })

  await t.test('an alert is made', async () => {
    await page.goto(`${workspace()}/alerts`)
    await press(page, 'Create an alert')
    await dialog(page)
    // The arrow keys choose the kind; the form follows.
    for (const slot of ['sensitivity', 'goal_id', 'threshold']) {
      await page.keyboard.press('ArrowRight')
      await page.locator(`dialog [name="/${slot}"]`).waitFor()
    }
    await page.getByText('arrive for').waitFor()
    await fill(page, 'Site', 'Ex')
    await page.getByText('arrive for').waitFor()
    await fill(page, 'Name', 'Silence by keys')
    await press(page, 'Create an alert')
    await page.getByRole('heading', { name: 'Silence by keys' }).waitFor()
  })

  await t.test('an incident is acknowledged', async () => {
    await page.goto(`${opened.base}/alerts/${opened.world.ids.alert}`)
    await press(page, /^Acknowledge/)
    await dialog(page)
    await press(page, /^Acknowledge/)
    await page.getByText('Incident acknowledged.').waitFor()
  })

  await t.test('a delivery is sent again, and an API token revoked', async () => {
    await page.goto(`${workspace()}/webhooks/${opened.world.ids.webhook}/deliveries`)
    await press(page, /^Send again/)
    await dialog(page)
    await press(page, /^Send again/)
    await page.getByText(/^The delivery /).waitFor()
    await page.goto(`${workspace()}/api_tokens`)
    const before = await page.getByRole('link', { name: 'Revoke' }).count()
    await press(page, 'Revoke')
    await dialog(page)
    await press(page, 'Revoke')
    await page.getByText('API token revoked.').waitFor()
    assert.equal(await page.getByRole('link', { name: 'Revoke' }).count(), before - 1)
  })

  await t.test('a member is invited', async () => {
    await page.goto(`${workspace()}/invitations`)
    await press(page, 'Invite a person')
    await dialog(page)
    await page.keyboard.type('keys@example.org')
    await tabTo(page, /^Viewer/)
    await page.keyboard.press('ArrowRight')
    await press(page, 'Invite a person')
    await page
      .getByText(/Copy this now|created/)
      .first()
      .waitFor()
  })
})
