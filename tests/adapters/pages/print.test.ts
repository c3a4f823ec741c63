/** On paper: only figures, in light colours, with every column complete. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { withoutChromium } from '../../support/chromium.ts'
import { type Opened, openBrowser } from './browser.ts'

test('reports on paper', { skip: withoutChromium }, async t => {
  let opened: Opened
  before(async () => {
    opened = await openBrowser()
  })
  after(() => opened.close())

  await t.test('print without navigation, in light colours whatever the screen has, and fit the page', async () => {
    const context = await opened.signedIn({ colorScheme: 'dark', viewport: { width: 700, height: 990 } }) // A4 with its margins
    const page = await context.newPage()
    const { site, workspace, dashboard, funnel } = opened.world.ids
    const at = `${opened.base}/sites/${site}`
    const reports = ['overview', 'stats/timeseries', 'breakdown/page', 'breakdown/country', 'journeys', 'events', 'goals', 'live']
    const paths = [...reports, 'insights', 'performance', 'campaigns/report', `funnels/${funnel}/report`].map(path => `${at}/${path}`)
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    for (const path of [...paths, `${opened.base}/workspaces/${workspace}/dashboards/${dashboard}`]) {
      await page.goto(path)
      const seen = await page.evaluate(() => {
        const colourOf = (element: Element | null, of: 'color' | 'backgroundColor') => element && getComputedStyle(element)[of]
        return {
          wide: Math.max(0, document.documentElement.scrollWidth - window.innerWidth),
          colours: [colourOf(document.body, 'backgroundColor'), colourOf(document.querySelector('h1'), 'color')],
          seen: ['h1', '.side', '.phone-bar', '.tab-bar', '.toolbar', 'form', '.download', '.acts .button', '.edit'].filter(selector =>
            [...document.querySelectorAll(selector)].some(each => each.getClientRects().length > 0),
          ),
        }
      })
      assert.deepEqual(seen, { wide: 0, colours: ['rgb(255, 255, 255)', 'rgb(0, 0, 0)'], seen: ['h1'] }, path)
    }
    await context.close()
  })

  await t.test('print no frames of forms that are left out', async () => {
    const context = await opened.signedIn()
    const page = await context.newPage()
    await page.emulateMedia({ media: 'print' })
    await page.goto(`${opened.base}/account`)
    const shown = await page.locator('main .card:visible').evaluateAll(cards => cards.map(card => card.querySelector('h2')?.textContent))
    assert.deepEqual(shown, ['Workspaces', 'Second factor and passkeys', 'Sessions'])
    await context.close()
  })
})
