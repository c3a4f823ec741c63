/** Two people edit the same at once, each in a browser of their own, with scripts and without. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from '../../../tools/playwright.mjs'
import { withoutChromium } from '../../support/chromium.ts'
import { someOf } from '../../support/full.ts'
import { request } from '../../support/world.ts'
import { type Opened, openBrowser } from './browser.ts'

test('two people in Chromium', { skip: withoutChromium }, async t => {
  let opened: Opened
  before(async () => {
    opened = await openBrowser()
  })
  after(() => opened.close())

  const both = async (scripts: boolean, go: (one: Page, other: Page) => Promise<void>) => {
    const contexts = await Promise.all([0, 1].map(() => opened.signedIn({ javaScriptEnabled: scripts })))
    const [one = assert.fail(), other = assert.fail()] = await Promise.all(contexts.map(context => context.newPage()))
    await go(one, other)
    await Promise.all(contexts.map(context => context.close()))
  }
  const answer = async (path: string) => (await request(opened.service, 'GET', path, { token: opened.world.token })).body.data
  const save = (page: Page) => page.locator('.doing').getByRole('button', { name: 'Save' }).click()

  for (const scripts of someOf([true, false], 1)) {
    const how = scripts ? 'with scripts' : 'without scripts'

    await t.test(`a shared link keeps the theme of one and the name of the other ${how}`, () =>
      both(scripts, async (one, other) => {
        const { ids } = opened.world
        const path = `/sites/${ids.site}/shared_links/${ids.shared_link}`
        for (const page of [one, other]) await page.goto(`${opened.base}${path}?do=shared_links_update`)
        await one.getByLabel('Theme').selectOption(scripts ? 'dark' : 'light')
        await save(one)
        await one.getByText('Shared link changed.').waitFor()
        await other.getByRole('textbox', { name: 'Name' }).fill(`For the board ${how}`)
        await save(other)
        await other.getByText('Shared link changed.').waitFor()
        const { theme, name } = await answer(path)
        assert.deepEqual([theme, name], [scripts ? 'dark' : 'light', `For the board ${how}`])
      }),
    )

    await t.test(`a dashboard has the name that the second person chose, who saw both ${how}`, () =>
      both(scripts, async (one, other) => {
        const { ids } = opened.world
        const path = `/workspaces/${ids.workspace}/dashboards/${ids.dashboard}`
        for (const page of [one, other]) await page.goto(`${opened.base}${path}?do=dashboards_update`)
        await one.getByRole('textbox', { name: 'Name' }).fill(`Sales ${how}`)
        await save(one)
        await one.getByText('Dashboard changed.').waitFor()
        await other.getByRole('textbox', { name: 'Name' }).fill(`Marketing ${how}`)
        await save(other)
        const conflicts = other.locator('.conflicts')
        await conflicts.waitFor()
        assert.match((await conflicts.textContent()) ?? '', new RegExp(`Sales ${how}[^]*Marketing ${how}`))
        assert.equal(await other.getByRole('textbox', { name: 'Name' }).inputValue(), `Marketing ${how}`, 'what was typed is there')
        await save(other) // without a choice, browsers send nothing
        assert.equal((await answer(path)).name, `Sales ${how}`)
        await conflicts.getByLabel('Save mine over it').check()
        await save(other)
        await other.getByText('Dashboard changed.').waitFor()
        assert.equal((await answer(path)).name, `Marketing ${how}`)
      }),
    )

    await t.test(`cards that one removed do not come back with what the other moved ${how}`, () =>
      both(scripts, async (one, other) => {
        const { ids, token } = opened.world
        const card = (metric: string) => ({ type: 'metric', site_id: ids.site, title: metric, params: { metric, period: '7d' } })
        const made = await request(opened.service, 'POST', `/workspaces/${ids.workspace}/dashboards`, {
          token,
          body: { name: `Cards ${how}`, cards: [card('visitors'), card('visits'), card('pageviews')] },
        })
        const path = `/workspaces/${ids.workspace}/dashboards/${made.body.data.id}`
        await one.goto(`${opened.base}${path}?edit=2`)
        await other.goto(`${opened.base}${path}?edit=0`)
        await one.getByRole('button', { name: 'Remove' }).click()
        await one.getByText('Dashboard changed.').waitFor()
        await other.getByRole('button', { name: 'Move down' }).click()
        const titles = async () => (await answer(path)).cards.map(({ title }: { title: string }) => title)
        const conflicts = other.locator('.conflicts')
        await conflicts.waitFor()
        assert.deepEqual(await titles(), ['visitors', 'visits'])
        await conflicts.getByLabel('Keep what was saved meanwhile').check()
        await save(other)
        await other.getByText('Dashboard changed.').waitFor()
        assert.deepEqual(await titles(), ['visitors', 'visits'])
      }),
    )
  }
})
