/**
 * The most frequent tasks, with the clicks that each may take. Each task begins on a page that one has open anyway. A field that
 * does not have the focus costs a click more. With the keyboard, a click is an Enter on what Tab leads to.
 */
import type { Locator, Page } from '../../tools/playwright.mjs'
import { makeSite } from './make-site.ts'

const AGENT = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36'

/** Whose clicks are counted. */
export interface Hand {
  readonly page: Page
  readonly hasScripts: boolean
  open(path: string): Promise<void>
  click(what: Locator): Promise<void>
  type(field: Locator, text: string): Promise<void>
  /** Opens the search with one click, types, and opens what is called so with another. */
  find(text: string, name: RegExp): Promise<void>
}

export interface World {
  /** Paths. */
  readonly site: string
  readonly workspace: string
  /** Makes a site without hits. @returns its path, and what sends the first hit */
  newSite(): Promise<{ path: string; send(): Promise<void> }>
}

/** A site of a new domain. @param base of the service; @param workspace its path */
export async function newSite(base: string, workspace: string, token: string): ReturnType<World['newSite']> {
  const domain = `counted-${Date.now()}.example.com`
  const id = await makeSite(base + workspace, token, domain)
  return {
    path: `/sites/${id}`,
    async send() {
      const body = JSON.stringify({ n: 'pageview', d: domain, u: `https://${domain}/` })
      const sent = await fetch(`${base}/api/event`, { method: 'POST', headers: { 'User-Agent': AGENT }, body })
      if (!sent.ok) throw new Error(`${sent.status}: ${await sent.text()}`)
    },
  }
}

export interface Task {
  readonly name: string
  readonly max: number
  /** @throws if it does not arrive */
  run(hand: Hand, world: World): Promise<void>
}

const link = (page: Page, name: RegExp | string): Locator => page.locator('main').getByRole('link', { name }).first()
const entry = (page: Page, name: string): Locator => page.locator('#menu').getByRole('link', { name, exact: true }).first()
/** The form that was opened: a dialog with scripts, a part of the page without. */
const formOf = ({ page, hasScripts }: Hand): Locator => page.locator(hasScripts ? 'dialog[open]' : '.doing')
const save = async (hand: Hand): Promise<void> => hand.click(formOf(hand).locator('button[type=submit]:not([name])').last())
const lastMonth = async (hand: Hand): Promise<void> => {
  await hand.click(hand.page.locator('.periods summary').first())
  await hand.click(link(hand.page, /^Last month/))
  await hand.page.waitForURL(/period=last_month/)
}

export const tasks: readonly Task[] = [
  {
    name: 'the first number after the snippet',
    max: 0,
    async run(hand, { newSite }) {
      const { page } = hand
      const site = await newSite()
      await hand.open(`${site.path}/overview`)
      await page.getByText('Waiting for the first hit').waitFor()
      await site.send()
      await page.locator('main').getByRole('link', { name: 'Visitors 1' }).waitFor()
    },
  },
  {
    name: 'a goal',
    max: 3,
    async run(hand, { site }) {
      const { page } = hand
      await hand.open(`${site}/overview`)
      await hand.click(entry(page, 'Goals'))
      await hand.click(link(page, 'Create a goal'))
      await hand.type(formOf(hand).locator('[name="/path"]'), `/counted-${Date.now()}`)
      await save(hand)
      await page.waitForURL(/goals\/goal_/)
    },
  },
  {
    name: 'an alert of a site',
    max: 4,
    async run(hand, { site }) {
      const { page } = hand
      await hand.open(`${site}/overview`)
      await hand.click(entry(page, 'Alerts'))
      await hand.click(link(page, 'Create an alert'))
      await hand.type(formOf(hand).locator('[name="/threshold"]'), '5')
      await save(hand)
      await page.waitForURL(/alerts\/alr_/)
    },
  },
  {
    name: 'an invitation',
    max: 3,
    async run(hand, { workspace }) {
      await hand.open(`${workspace}/sites`)
      await hand.find('invite', /^Invite a person/)
      await hand.type(formOf(hand).locator('[name="/email"]'), `counted-${Date.now()}@example.org`)
      await save(hand)
      await hand.page
        .getByText(/Copy this now|created/)
        .first()
        .waitFor()
    },
  },
  {
    name: 'a shared link',
    max: 3,
    async run(hand, { site }) {
      await hand.open(`${site}/overview`)
      await hand.find('share', /^Share reports/)
      await save(hand)
      await hand.page.waitForURL(/shared_links/)
      await hand.page
        .getByText(/created|shared/i)
        .first()
        .waitFor()
    },
  },
  {
    name: 'an invitation from the settings', // one more than by the search, for the field
    max: 4,
    async run(hand, { workspace }) {
      const { page } = hand
      await hand.open(`${workspace}/sites`)
      await hand.click(entry(page, 'Workspace settings'))
      await hand.click(page.locator('.tab-bar').getByRole('link', { name: 'Members' }))
      const form = page.locator('form.at-once')
      await hand.type(form.locator('[name="/email"]'), `settings-${Date.now()}@example.org`)
      await hand.click(form.locator('button'))
      await page
        .getByText(/Copy this now|created/)
        .first()
        .waitFor()
    },
  },
  {
    name: 'a shared link from the settings',
    max: 3,
    async run(hand, { site }) {
      const { page } = hand
      await hand.open(`${site}/overview`)
      await hand.click(entry(page, 'Site settings'))
      await hand.click(page.locator('.tab-bar').getByRole('link', { name: 'Sharing' }))
      await hand.click(page.locator('form.at-once button'))
      await page.waitForURL(/shared_links\//)
    },
  },
  {
    name: 'a shared link from a report',
    max: 2,
    async run(hand, { site }) {
      const { page } = hand
      await hand.open(`${site}/overview`)
      await hand.click(link(page, 'Share reports'))
      await save(hand)
      await page.waitForURL(/shared_links\//)
    },
  },
  {
    name: 'the dark mode',
    max: 2,
    async run(hand, { site }) {
      const { page } = hand
      await hand.open(`${site}/overview`)
      await hand.find('dark', /^Dark mode/)
      await page.locator('html[data-theme=dark]').waitFor()
      await hand.open(`${site}/overview`)
    },
  },
  {
    name: 'a muted alert',
    max: 3,
    async run(hand, { site }) {
      await hand.open(`${site}/overview`)
      await hand.find('mute', /^Mute: /)
      await save(hand)
      await hand.page.waitForURL(/done=alerts_mute/)
    },
  },
  {
    name: 'last month and the one before',
    max: 2,
    async run(hand, { site }) {
      await hand.open(`${site}/overview`)
      await lastMonth(hand)
      await hand.page.locator('.periods', { hasText: 'previous period' }).first().waitFor()
    },
  },
  {
    name: 'what people from Germany did last week',
    max: 4,
    async run(hand, { site }) {
      const { page } = hand
      await hand.open(`${site}/overview`)
      await hand.click(page.locator('#places table').getByRole('link', { name: 'Germany' }))
      await page.waitForURL(/filters=/)
      await hand.click(page.locator('.periods summary').first())
      await hand.click(link(page, /^Last week/))
      await page.waitForURL(/period=last_week/)
      await page.locator('.chips', { hasText: 'Germany' }).waitFor()
    },
  },
  {
    name: 'the currency of a site',
    max: 2,
    async run(hand, { site }) {
      await hand.open(`${site}/overview`)
      await hand.find('currency', /^Currency/)
      await hand.page.locator('[name="/currency"]').waitFor()
    },
  },
]

export interface Counting {
  readonly page: Page
  readonly base: string
  readonly hasScripts: boolean
  readonly isByKeyboard: boolean
}

const mostTabs = 200
const hasFocus = (what: Locator): Promise<boolean> => what.evaluate(each => each === document.activeElement)

/** Does a task, and counts its clicks. */
export async function clicksOf(task: Task, world: World, { page, base, hasScripts, isByKeyboard }: Counting): Promise<number> {
  let clicks = 0
  const press = async (what: Locator) => {
    await what.waitFor()
    for (let tabs = 0; !(await hasFocus(what)); tabs++) {
      if (tabs > mostTabs) throw new Error(`no Tab leads to ${String(what)}`)
      await page.keyboard.press('Tab')
    }
    await page.keyboard.press('Enter')
  }
  const hand: Hand = {
    page,
    hasScripts,
    // A navigation that the page itself began may end this one.
    async open(path) {
      await page.waitForLoadState()
      await page.goto(base + path).catch(() => page.waitForLoadState().then(() => page.goto(base + path)))
    },
    async click(what) {
      clicks++
      await (isByKeyboard ? press(what) : what.click())
    },
    async type(field, text) {
      await field.waitFor()
      if (!(await hasFocus(field))) clicks++
      await field.fill(text)
    },
    async find(text, name) {
      clicks++
      if (hasScripts) await page.keyboard.press('Control+k')
      const field = page.locator(hasScripts ? 'dialog.palette input[type=search]' : '.side .find input[type=search]')
      await field.fill(text)
      if (!hasScripts) await page.keyboard.press('Enter')
      await hand.click(
        page
          .locator(hasScripts ? 'dialog.palette .found' : 'main')
          .getByRole('link', { name })
          .or(page.locator(hasScripts ? 'dialog.palette .found' : 'main').getByRole('button', { name }))
          .first(),
      )
    },
  }
  await task.run(hand, world)
  return clicks
}
