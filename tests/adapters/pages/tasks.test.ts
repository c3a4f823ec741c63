/** Clicks that everyday tasks take, and that filters go along from report to report. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { clicksOf, newSite, tasks } from '../../../scripts/bench/tasks.ts'
import { withoutChromium } from '../../support/chromium.ts'
import { someOf } from '../../support/full.ts'
import { type Opened, openBrowser } from './browser.ts'

test('everyday tasks in Chromium', { skip: withoutChromium }, async t => {
  let opened: Opened
  before(async () => {
    opened = await openBrowser()
  })
  after(() => opened.close())
  const world = () => {
    const workspace = `/workspaces/${opened.world.ids.workspace}`
    return {
      site: `/sites/${opened.world.ids.site}`,
      workspace,
      newSite: () => newSite(opened.base, workspace, opened.world.token),
    }
  }

  const ways = [
    ['with a pointer', true, false],
    ['by keyboard', true, true],
    ['without scripts', false, false],
  ] as const
  for (const [how, hasScripts, isByKeyboard] of someOf(ways, 1))
    await t.test(`no task takes more clicks than it may ${how}`, async () => {
      const context = await opened.signedIn({ javaScriptEnabled: hasScripts, viewport: { width: 1280, height: 800 } })
      const page = await context.newPage()
      for (const task of tasks) {
        const clicks = await clicksOf(task, world(), { page, base: opened.base, hasScripts, isByKeyboard }).catch((error: unknown) =>
          assert.fail(`${task.name}: ${String(error)} at ${page.url()}`),
        )
        // Without scripts, no field has the focus.
        assert.ok(clicks <= task.max + (hasScripts ? 0 : 1), `${task.name}: ${clicks} clicks instead of ${task.max}`)
      }
      await context.close()
    })

  await t.test('a filter and a period go along to four other reports', async () => {
    const context = await opened.signedIn({ viewport: { width: 1280, height: 800 } })
    const page = await context.newPage()
    const kept = new URLSearchParams({ period: '7d', filters: '[["country","is",["DE"]]]' })
    await page.goto(`${opened.base}${world().site}/overview?${kept}`)
    for (const name of ['Sources', 'Pages', 'Events', 'Journeys']) {
      await page.locator('#menu').getByRole('link', { name, exact: true }).click()
      await page.getByRole('heading', { level: 1, name }).waitFor()
      const { searchParams } = new URL(page.url())
      assert.deepEqual([searchParams.get('period'), searchParams.get('filters')], ['7d', kept.get('filters')], name)
    }
    await context.close()
  })

  await t.test('a new site begins with the time zone of the browser, unless the address names one', async () => {
    for (const [timezoneId, javaScriptEnabled, begins] of [
      ['America/New_York', true, 'America/New_York'],
      ['America/New_York', false, 'UTC'],
    ] as const) {
      const context = await opened.signedIn({ timezoneId, javaScriptEnabled, viewport: { width: 1280, height: 800 } })
      const page = await context.newPage()
      const form = `${opened.base}${world().workspace}/sites?do=sites_create`
      const zone = page.locator('select[name="/timezone"]')
      await page.goto(form)
      assert.equal(await zone.inputValue(), begins)
      await page.goto(`${form}&timezone=Asia%2FTokyo`)
      assert.equal(await zone.inputValue(), 'Asia/Tokyo')
      await context.close()
    }
  })

  await t.test('a card is moved by the arrow keys and by dragging, keeps the focus, and gets another width', async () => {
    const context = await opened.signedIn({ viewport: { width: 1280, height: 1_600 } })
    const page = await context.newPage()
    await page.goto(`${opened.base}${world().workspace}/dashboards/${opened.world.ids.dashboard}?edit=cards`)
    const titles = () => page.locator('[data-card] h2').allInnerTexts()
    const grip = (at: number) => page.locator(`[data-card="${at}"] .grip`)
    const before = await titles()
    const swapped = ([a = '', b = '', ...rest]: readonly string[]) => [b, a, ...rest]
    await grip(0).focus()
    await page.keyboard.press('ArrowRight')
    await page.waitForFunction(() => document.activeElement?.closest('[data-card="1"]') && document.querySelector('[role=status], .result'))
    assert.deepEqual(await titles(), swapped(before))
    await grip(1).dragTo(page.locator('[data-card="0"]'))
    await page.waitForFunction(first => document.querySelector('[data-card] h2')?.textContent?.trim() === first, before[0]?.trim())
    assert.deepEqual(await titles(), before)
    await page.locator('[data-card="0"] select').selectOption('full')
    await page.locator('[data-card="0"].full').waitFor()
    await context.close()
  })
})
