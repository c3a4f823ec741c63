/** Complete journeys through pages: with scripts, without scripts, and only by keyboard. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from '../../../tools/playwright.mjs'
import { withoutChromium } from '../../support/chromium.ts'
import { isFull } from '../../support/full.ts'
import { hit, store } from '../../storage/engine/traffic.ts'
import { type Opened, openBrowser } from './browser.ts'
import { press as pressOn } from './keyboard.ts'

test('journeys in Chromium', { skip: withoutChromium }, async t => {
  let opened: Opened
  before(async () => {
    opened = await openBrowser()
  })
  after(() => opened.close())

  const contexts = new Map<boolean, ReturnType<Opened['signedIn']>>()
  const visit = async (options: { scripts?: boolean; width?: number }, go: (page: Page, site: string) => Promise<void>) => {
    const { scripts = true, width = 1280 } = options
    const context = contexts.get(scripts) ?? opened.signedIn({ javaScriptEnabled: scripts })
    contexts.set(scripts, context)
    const page = await (await context).newPage()
    await page.setViewportSize({ width, height: 800 })
    await go(page, `${opened.base}/sites/${opened.world.ids.site}`)
    await page.close()
  }
  /** Reloads nothing: the document that was marked is still there. */
  const mark = (page: Page) => page.evaluate(() => document.body.setAttribute('data-same', ''))
  const isSame = async (page: Page) => (await page.locator('body[data-same]').count()) === 1

  for (const scripts of [true, false]) {
    const how = scripts ? 'with scripts' : 'without scripts'

    await t.test(`a goal is made, changed and deleted ${how}`, () =>
      visit({ scripts }, async (page, site) => {
        await page.goto(`${site}/goals`)
        await page.getByRole('link', { name: 'Create a goal' }).click()
        await page.locator(scripts ? 'dialog[open] form' : 'section.doing form').waitFor()
        await page.getByRole('textbox', { name: 'Name' }).fill(`Paid ${how}`)
        await page.locator('[name="/path"]').fill('no-slash')
        await page.getByRole('button', { name: 'Create a goal' }).click()
        await page.locator('.fault').first().waitFor()
        assert.equal(await page.getByRole('textbox', { name: 'Name' }).inputValue(), `Paid ${how}`)
        await page.locator('[name="/path"]').fill(scripts ? '/paid' : '/paid-too')
        await page.getByRole('button', { name: 'Create a goal' }).click()
        await page.getByRole('heading', { name: `Paid ${how}` }).waitFor()
        await page.getByRole('link', { name: 'Change' }).click()
        await page.getByRole('textbox', { name: 'Name' }).fill(`Bought ${how}`)
        await page.locator('.doing').getByRole('button', { name: 'Save' }).click()
        await page.getByRole('heading', { name: `Bought ${how}` }).waitFor()
        await page.getByRole('link', { name: 'Delete' }).click()
        await page.locator('.doing').getByRole('button', { name: 'Delete' }).click()
        await page.getByText('Goal deleted.').waitFor()
      }),
    )

    if (scripts || isFull)
      await t.test(`which campaign sold most last month against the month before takes five clicks ${how}`, () =>
        visit({ scripts }, async page => {
          let clicks = 0
          const click = async (name: string | RegExp, within = 'body') => {
            await page.locator(within).getByRole('link', { name }).first().click()
            clicks++
          }
          await page.goto(`${opened.base}/workspaces/${opened.world.ids.workspace}/sites`)
          await page.locator('.tile').first().click()
          clicks++
          await page.locator('#sources').getByRole('link', { name: 'Campaigns' }).waitFor()
          await page.locator('.periods summary').first().click()
          clicks++
          await click('Last month')
          await page.waitForURL(/period=last_month/)
          await click('Campaigns', '#sources')
          await page.waitForURL(/sources=utm_campaign/)
          const all = page.locator('#sources').getByRole('link', { name: /^All/ })
          if ((await all.count()) > 0) {
            await all.click()
            clicks++
            await page.waitForURL(/breakdown\/utm_campaign\?.*period=last_month/)
            await page
              .locator(scripts ? '.drawer table' : 'main table')
              .first()
              .waitFor()
            assert.ok((await page.getByRole('columnheader', { name: 'Revenue' }).count()) > 0)
          }
          assert.ok(clicks <= 5, `${clicks} clicks`)
        }),
      )

    if (scripts || isFull)
      await t.test(`a form that was refused stands at its fault ${how}`, () =>
        visit({ scripts }, async (page, site) => {
          await page.goto(`${site}/goals?do=goals_create`)
          await page.getByRole('textbox', { name: 'Name' }).fill('Nowhere')
          await page.locator('.doing').getByRole('button', { name: 'Create a goal' }).click()
          const path = page.locator('[name="/path"]')
          await page.locator('.fault').first().waitFor()
          assert.equal(await path.getAttribute('aria-invalid'), 'true')
          if (scripts) assert.ok(await path.evaluate(field => field === document.activeElement))
        }),
      )

    // With scripts, keyboard.test.ts invites a member and sends a delivery.
    if (!scripts || isFull)
      await t.test(`a member is invited, and a test event sent to a webhook ${how}`, () =>
        visit({ scripts }, async page => {
          const { workspace, webhook } = opened.world.ids
          await page.goto(`${opened.base}/workspaces/${workspace}/invitations?do=invitations_create`)
          await page.getByRole('textbox', { name: 'E-mail address' }).fill(`new-${String(scripts)}@example.org`)
          await page.getByText('Reports, exports and content').click()
          await page.locator('.doing').getByRole('button', { name: 'Invite a person' }).click()
          const first = page.locator('main h1 + .card > p').first()
          assert.equal(await first.textContent(), `No mail was sent. Send this link to new-${String(scripts)}@example.org yourself.`)
          await page.goto(`${opened.base}/workspaces/${workspace}/webhooks/${webhook}`)
          await page.getByRole('link', { name: 'Send a test delivery' }).click()
          await page.locator('.doing').getByRole('button').click()
          await page.getByText(/^The test delivery (failed|is on its way)/).waitFor()
        }),
      )
  }

  // keyboard.test.ts does these, too, and tasks.test.ts some of them with a pointer.
  if (isFull)
    await t.test('a funnel and an alert are made', () =>
      visit({}, async (page, site) => {
        await page.goto(`${site}/funnels`)
        await page.getByRole('link', { name: 'Create a funnel' }).first().click()
        await page.locator('[name="/name"]').fill('Reading')
        await page.locator('[name="/steps/0/path"]').fill('/')
        await page.locator('[name="/steps/1/path"]').fill('/pricing')
        await page.locator('dialog[open]').getByRole('button', { name: 'Create a funnel' }).click()
        await page.getByRole('heading', { name: 'Reading' }).waitFor()
        await page.goto(`${opened.base}/workspaces/${opened.world.ids.workspace}/alerts`)
        await page.getByRole('link', { name: 'Create an alert' }).first().click()
        await page.getByText('No hits arrive').click()
        await page.getByText('arrive for').waitFor()
        await page.locator('[name="/site_id"]').selectOption(opened.world.ids.site ?? '')
        await page.locator('[name="/name"]').fill('Silence')
        await page.locator('dialog[open]').getByRole('button', { name: 'Create an alert' }).click()
        await page.getByRole('heading', { name: 'Silence' }).waitFor()
      }),
    )

  if (isFull)
    await t.test('an incident is acknowledged', () =>
      visit({}, async page => {
        await page.goto(`${opened.base}/alerts/${opened.world.ids.alert}`)
        await page.getByRole('link', { name: /^Acknowledge/ }).click()
        await page.locator('dialog[open]').getByRole('button').click()
        await page.getByText('Incident acknowledged.').waitFor()
      }),
    )

  await t.test('the keyboard reaches a period, a goal, the list of keys and the chart', () =>
    visit({}, async (page, site) => {
      await page.goto(`${site}/overview`)
      await mark(page)
      await page.keyboard.press('w')
      await page.locator('.periods summary', { hasText: '7 days' }).waitFor()
      await page.keyboard.press('x')
      await page.waitForURL(/compare=none/)
      await page.keyboard.press('?')
      await page.locator('dialog.keys[open]').getByText('12 months').waitFor()
      await page.keyboard.press('Escape')
      await page.locator('.chart .plot').first().focus()
      await page.keyboard.press('End')
      assert.match((await page.locator('.tip b').first().textContent()) ?? '', /^\d/)
      await page.keyboard.press('s')
      assert.equal(await page.evaluate(() => document.activeElement?.id), 'what')
      assert.ok(await isSame(page))
      // The first Escape closes the suggestions, if they have arrived.
      while ((await page.locator('.filter[open]').count()) > 0) await page.keyboard.press('Escape')
      await page.locator('.filter > summary').click()
      await page.waitForFunction(() => document.activeElement?.id === 'where')
      await page.locator('.filter > summary').focus()
      await page.keyboard.type('germany') // each letter may be a shortcut
      await page.keyboard.press('Escape')
      await page.locator('.filter:not([open])').waitFor({ state: 'attached' })
      assert.ok(await isSame(page), 'no shortcut while a panel is open')
      await page.goto(`${site}/goals`)
      await mark(page)
      const link = page.getByRole('link', { name: 'Create a goal' })
      await link.focus()
      await page.keyboard.press('Enter')
      await page.locator('dialog[open]').waitFor()
      assert.equal(await page.evaluate(() => document.activeElement?.getAttribute('name')), '/path')
      await page.keyboard.press('Escape')
      await page.locator('dialog[open]').waitFor({ state: 'detached' })
      assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'Create a goal', 'the focus is back')
      assert.ok(await isSame(page))
    }),
  )

  await t.test('a dashboard with a card, and an export, can be created with only the keyboard', () =>
    visit({}, async (page, site) => {
      const press = (name: string) => pressOn(page, name)
      await page.goto(`${opened.base}/workspaces/${opened.world.ids.workspace}/dashboards`)
      await press('Create a dashboard')
      await page.locator('dialog[open]').waitFor()
      await page.keyboard.type('By keys')
      await press('Create a dashboard')
      await page.getByRole('heading', { name: 'By keys' }).waitFor()
      await press('Edit')
      await press('Add a card')
      await page.getByRole('button', { name: 'Add this card' }).waitFor()
      await press('Add this card')
      await page.locator('.board .card').first().waitFor()
      await page.goto(`${site}/exports`)
      await press('Create an export')
      await page.locator('dialog[open]').waitFor()
      await page.keyboard.press('ArrowDown') // what to export: the first of the choices
      await press('Create an export')
      await page.locator('dialog[open]').waitFor({ state: 'detached' })
      await page.getByText('Export created.').waitFor()
    }),
  )

  await t.test('at 200 % and in forced colours nothing is cut off, and the chart is still there', async () => {
    const site = `${opened.base}/sites/${opened.world.ids.site}`
    const pages = [`${site}/overview`, `${site}/goals`, `${site}/journeys`, `${site}/tracking/snippet`, `${opened.base}/account`]
    // The width of 1280 px at 200 %.
    const context = await opened.signedIn({ viewport: { width: 640, height: 400 }, deviceScaleFactor: 2, forcedColors: 'active' })
    const page = await context.newPage()
    for (const path of pages) {
      await page.goto(path)
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      assert.ok(wide <= 0, `${path} is ${wide} px too wide`)
    }
    await page.goto(`${site}/overview`)
    const line = await page.locator('.plot path.now').first()
    assert.notEqual(await line.evaluate(path => getComputedStyle(path).stroke), 'none')
    await context.close()
  })

  await t.test('leaving a form with typed text asks first', () =>
    visit({}, async (page, site) => {
      await page.goto(`${site}/goals?do=goals_create`)
      const name = page.locator('[name="/name"]')
      await page.keyboard.press('Escape')
      await page.locator('dialog[open]').waitFor({ state: 'detached' })
      await page.getByRole('link', { name: 'Create a goal' }).click()
      await name.fill('Half of it')
      await page.keyboard.press('Escape')
      await page.getByText('Your input will be lost').waitFor()
      await page.getByRole('button', { name: 'Keep typing' }).click()
      assert.equal(await name.inputValue(), 'Half of it')
      await page.getByRole('link', { name: 'Cancel' }).click()
      await page.getByRole('button', { name: 'Close and lose it' }).click()
      await page.locator('dialog[open]').waitFor({ state: 'detached' })
    }),
  )

  await t.test('a returning user sees what came in since the last visit', () =>
    visit({}, async (page, site) => {
      await page.goto(`${site}/overview`)
      assert.equal(await page.locator('.since').count(), 0, 'a first look')
      const { service, world } = opened
      const workspace = `${opened.base}/workspaces/${world.ids.workspace}/sites`
      service.clock.now += 3_600_000
      await page.goto(workspace)
      await page.locator('.tile').first().waitFor()
      assert.equal(await page.getByText(/since you last looked/).count(), 0, 'nothing came in')
      await page.goto(`${site}/overview`)
      await page.locator('.glance').waitFor()
      assert.equal(await page.locator('.since').count(), 0, 'nothing came in, on the overview either')
      const times = [50, 40].map(minutes => service.clock.now - minutes * 60_000)
      const tracked = { number: world.siteNumber, timezone: 'UTC' }
      await store(
        service.store,
        times.map((at, i) => hit(tracked, { who: `new${i}`, at, page: '/' })),
        7,
      )
      await page.goto(workspace)
      await page.locator('.tile').getByText('2 visits since you last looked').waitFor()
      await page.goto(`${site}/overview`)
      await page
        .locator('.since')
        .getByText(/2 visits, 2 pageviews/)
        .waitFor()
      opened.service.clock.now -= 3_600_000
    }),
  )

  await t.test('a text narrows a breakdown, and what is searched above all pages is found', () =>
    visit({}, async (page, site) => {
      await page.goto(`${site}/breakdown/page`)
      await page.getByRole('searchbox', { name: 'Find in this list' }).fill('pric')
      await page.keyboard.press('Enter')
      await page.locator('.chips').getByText('Page contains pric').first().waitFor()
      assert.ok((await page.locator('main tbody tr').count()) >= 1)
      const go = async (within: string) => {
        await page.locator(`${within} mark`).first().waitFor()
        const names = await page.locator(`${within} .found a`).allTextContents()
        const at = names.findIndex(name => name.includes('/pricing'))
        assert.ok(at >= 0, names.join(' · '))
        for (let i = 0; i <= at; i++) await page.keyboard.press('ArrowDown')
        assert.match((await page.evaluate(() => document.activeElement?.textContent)) ?? '', /pric/)
        await page.keyboard.press('Enter')
        await page.waitForURL(/pages\/detail\?path=/)
      }
      await page.keyboard.press('/')
      await page.keyboard.type('pric')
      await go('.palette')
      const { workspace, site: site_id = '' } = opened.world.ids
      await page.goto(`${opened.base}/workspaces/${workspace}/search?${new URLSearchParams({ q: 'pric', site_id })}`)
      await page.locator('main input[type=search]').focus()
      await go('main')
    }),
  )

  await t.test('a condition is typed in, and comes off; Back comes back', () =>
    visit({}, async (page, site) => {
      await page.goto(`${site}/overview`)
      await mark(page)
      await page.locator('summary', { hasText: 'Filter' }).click()
      await page.locator('#where').selectOption('country')
      await page.locator('#what').fill('DE')
      await page.keyboard.press('Enter')
      await page.locator('.chips').getByText('Country is Germany').first().waitFor()
      await page.locator('.chips .off').first().click()
      await page.locator('.chips').waitFor({ state: 'detached' })
      await page.goBack()
      await page.locator('.chips').waitFor()
    }),
  )

  for (const scripts of [true, false])
    await t.test(`a condition is changed at its chip and saved as a segment ${scripts ? 'with scripts' : 'without scripts'}`, () =>
      visit({ scripts }, async (page, site) => {
        await page.goto(`${site}/overview?filters=${encodeURIComponent('[["country","is","DE"]]')}`)
        await page.locator('.chips .edit').click()
        await page.locator('.filter[open] #what-1').fill('FR')
        await page.getByRole('button', { name: 'Change the condition' }).click()
        await page.locator('.chips').getByText('Country is Germany or France').first().waitFor()
        await page.locator('.chips summary').click()
        await page.getByLabel('Name of the segment').fill(`Neighbours ${String(scripts)}`)
        await page.getByRole('button', { name: 'Save as segment' }).click()
        await page.getByText('Segment created.').waitFor()
        assert.match(page.url(), /overview\?.*segment_id=seg_/)
        await page
          .locator('.chips')
          .getByText(`Neighbours ${String(scripts)}`)
          .first()
          .waitFor()
      }),
    )

  await t.test('values are suggested from the data, and the days of a period chosen in the calendar', () =>
    visit({}, async (page, site) => {
      await page.goto(`${site}/overview`)
      await page.locator('.filter > summary').click()
      await page.locator('#where').selectOption('country')
      await page.locator('#what').pressSequentially('ger')
      await page.locator('.combobox [role=option]', { hasText: 'Germany' }).waitFor()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      assert.equal(await page.locator('#what').inputValue(), 'DE')
      await page.keyboard.press('Escape')
      await page.locator('.periods > .more > summary').click()
      const today = page.locator('.months [aria-current=date]')
      await today.focus()
      for (const key of ['ArrowLeft', 'Enter', 'ArrowUp', 'Enter']) await page.keyboard.press(key)
      await page.waitForURL(/period=custom.*from=.*to=/)
      const { searchParams } = new URL(page.url())
      const days = (name: string) => Date.parse(searchParams.get(name) ?? '') / 86_400_000
      assert.equal(days('to') - days('from'), 7)
      await page.keyboard.press('ArrowLeft')
      await page.waitForFunction(before => location.search !== before, new URL(page.url()).search)
      assert.equal(new URL(page.url()).searchParams.get('period'), 'custom')
    }),
  )

  await t.test('a drag on the chart shows those days, Enter one of them, and Escape returns', () =>
    visit({}, async (page, site) => {
      await page.goto(`${site}/overview`)
      const plot = page.locator('.glance .plot')
      const box = (await plot.boundingBox()) ?? assert.fail('no chart')
      await page.mouse.move(box.x + box.width * 0.3, box.y + 60)
      await page.mouse.down()
      await page.mouse.move(box.x + box.width * 0.6, box.y + 60, { steps: 4 })
      await page.mouse.up()
      await page.waitForFunction(() => location.search.includes('period=custom'))
      const days = new URL(page.url()).searchParams
      assert.ok((days.get('from') ?? '') < (days.get('to') ?? ''), page.url())
      await page.locator('.periods[data-first="' + days.get('from') + '"]').waitFor()
      await plot.focus()
      await page.keyboard.press('End')
      await page.keyboard.press('Enter')
      await page.locator('.periods[data-first="' + days.get('to') + '"]').waitFor()
      await page.keyboard.press('Escape')
      await page.locator('.periods[data-first="' + days.get('from') + '"]').waitFor()
      await page.keyboard.press('Escape')
      await page.waitForFunction(() => location.search === '')
    }),
  )

  await t.test('a whole list opens as a drawer at its own address, and Escape returns to the overview', () =>
    visit({}, async (page, site) => {
      await page.goto(`${site}/breakdown/country`)
      await page.locator('main table.bars').waitFor()
      await page.goto(`${site}/overview`)
      await mark(page)
      await page.locator('.panel .ends a').first().click()
      await page.locator('dialog.drawer[open] table').waitFor()
      assert.match(page.url(), /\/breakdown\/\w+/)
      await page.locator('.drawer thead a').first().click()
      await page.waitForFunction(() => location.search.includes('sort='))
      await page.keyboard.press('Escape')
      await page.locator('dialog.drawer').waitFor({ state: 'detached' })
      assert.match(page.url(), /\/overview$/)
      assert.ok(await isSame(page))
    }),
  )

  await t.test('another period comes without loading the page again, and Back comes back', () =>
    visit({}, async (page, site) => {
      await page.goto(`${site}/overview`)
      await mark(page)
      await page.locator('.periods summary').first().click()
      await page.getByRole('link', { name: '7 days' }).click()
      await page.locator('.periods summary', { hasText: '7 days' }).waitFor()
      assert.match(page.url(), /period=7d/)
      await page.goBack()
      await page.locator('.periods summary', { hasText: '30 days' }).waitFor()
      assert.ok(await isSame(page))
    }),
  )

  await t.test('on a narrow screen the navigation opens from a button, without scripts', () =>
    visit({ scripts: false, width: 360 }, async (page, site) => {
      await page.goto(`${site}/overview`)
      assert.equal(await page.locator('#menu').isVisible(), false)
      await page.getByRole('button', { name: 'More' }).click()
      assert.equal(await page.locator('#menu').isVisible(), true)
      await page.locator('#menu').getByRole('link', { name: 'Goals' }).click()
      assert.match(page.url(), /\/goals$/)
    }),
  )

  await t.test('on a narrow screen reports are read without scrolling sideways, and headers stay in one row', () =>
    visit({ width: 360 }, async (page, site) => {
      const { funnel } = opened.world.ids
      for (const path of ['/events', `/funnels/${funnel}/report`, '/performance', '/campaigns/report', '/pages/detail?path=%2F']) {
        await page.goto(site + path)
        await page.locator('h1').waitFor()
        const hidden = await page
          .locator('main .scroll')
          .evaluateAll(all => all.filter(each => each.scrollWidth > each.clientWidth + 1).map(each => each.getAttribute('aria-label')))
        assert.deepEqual(hidden, [], path)
      }
      await page.goto(`${opened.base}/documentation`)
      const [brand, leave] = [page.locator('.brand'), page.getByRole('button', { name: 'Sign out' }).first()]
      const [above, below] = [await brand.boundingBox(), await leave.boundingBox()]
      assert.ok(above && below && below.y < above.y + above.height, 'the way out stands beside the name')
    }),
  )

  await t.test('a breakdown shows the metric that it is sorted by first', () =>
    visit({ width: 360 }, async (page, site) => {
      await page.goto(`${site}/breakdown/page?sort=revenue`)
      assert.match((await page.locator('main thead th.number').first().textContent()) ?? '', /^Revenue/)
    }),
  )

  await t.test('the list of keys says what they do', () =>
    visit({}, async (page, site) => {
      await page.goto(`${site}/overview`)
      await page.keyboard.press('?')
      await page.locator('dialog.keys[open]').waitFor()
      const said = await page.locator('dialog.keys dd').allTextContents()
      assert.ok(said.includes('Live visitors'), said.join(' · '))
      assert.doesNotMatch(said.join(' '), /\d+ visitors? now/)
    }),
  )

  await t.test('an unchanged page is not sent again, and a changed figure appears by itself', () =>
    visit({}, async (page, site) => {
      await page.clock.install()
      await page.goto(`${site}/overview`)
      const statuses: number[] = []
      page.on('response', response => {
        if (response.url() === `${site}/overview`) statuses.push(response.status())
      })
      const refresh = async () => {
        const answered = page.waitForResponse(`${site}/overview`)
        await page.clock.fastForward(31_000)
        await answered
      }
      await page.evaluate(() => document.querySelector('[data-refresh]')?.append('an older figure'))
      await refresh()
      await page.getByText('an older figure').waitFor({ state: 'detached' }) // the script has read the answer, and its tag with it
      await refresh()
      assert.deepEqual(statuses, [200, 304])
    }),
  )
})
