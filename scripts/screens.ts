/**
 * `node --import tsx scripts/screens.ts`, after `npm run build`: the pictures of docs/screens/, which the README shows, of
 * a new demo. The overview, light and dark, with one and a half pixels to a point; six pages in a window of 1280 × 820, two of
 * them dark.
 */
import fs from 'node:fs'
import path from 'node:path'
import type { BrowserContext } from '../tools/playwright.mjs'
import { launchChromium } from '../tests/support/chromium.ts'
import { startDemo } from './bench/demo.ts'
import { root } from './build/root.ts'
import { pictureOf } from './screens/picture.ts'
import { DAY_MS } from '../storage/values/durations.ts'

const folder = path.join(root, 'docs/screens')
const demo = await startDemo()
const { base } = demo
const browser = await launchChromium()
/** Quality of the pictures. At 85, a WebP file has a third of the size of its PNG, and no fringes around letters. */
const QUALITY = 85
try {
  const light = await browser.newContext({ viewport: { width: 1280, height: 820 }, reducedMotion: 'reduce' })
  await signIn(light)
  const dark = await browser.newContext({
    viewport: { width: 1280, height: 820 },
    reducedMotion: 'reduce',
    colorScheme: 'dark',
    storageState: await light.storageState(),
  })
  const [site, workspace] = [`/sites/${demo.site_id}`, `/workspaces/${demo.workspace_id}`]
  for (const [name, colorScheme] of [
    ['overview', 'light'],
    ['overview-dark', 'dark'],
  ] as const) {
    const large = { viewport: { width: 1360, height: 1000 }, deviceScaleFactor: 1.5, reducedMotion: 'reduce' } as const
    await sendHits()
    const context = await browser.newContext({ ...large, colorScheme, storageState: await light.storageState() })
    await take(context, name, `${site}/overview?${wholeDays()}`)
  }
  await take(light, 'insights', `${site}/insights`)
  await take(light, 'journeys', `${site}/journeys`)
  await take(light, 'funnel', await first(light, `${site}/funnels`, 'purchase'))
  await take(light, 'page', `${site}/pages/detail?path=%2Fjournal%2Ffirst-frost`)
  await take(dark, 'dashboard', await first(dark, `${workspace}/dashboards`, 'journal'))
  await take(dark, 'countries', `${site}/breakdown/country`)
} finally {
  await browser.close()
  await demo.stop()
}

async function signIn(context: BrowserContext): Promise<void> {
  const page = await context.newPage()
  await demo.signIn(page)
  await page.close()
}

/** The page of the record of a list whose name has this word. */
async function first(context: BrowserContext, list: string, word: string): Promise<string> {
  const page = await context.newPage()
  await page.goto(base + list)
  const href = await page
    .locator('main :is(table, li) a', { hasText: new RegExp(word, 'i') })
    .first()
    .getAttribute('href')
  await page.close()
  if (href === null) throw new Error(`${list} has no ${word}`)
  return href
}

/** 30 days that are over: at night, the last day of the others is nearly empty. */
function wholeDays(): URLSearchParams {
  const [from = '', to = ''] = [30, 1].map(days => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10))
  return new URLSearchParams({ period: 'custom', from, to })
}

/** A few visitors who are there now. */
async function sendHits(): Promise<void> {
  for (let version = 120; version < 138; version++) {
    const answer = await fetch(`${base}/api/event`, {
      method: 'POST',
      headers: {
        'Content-Type': 'text/plain',
        'User-Agent': `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 Safari/537.36`,
      },
      body: JSON.stringify({ n: 'pageview', d: 'garden.example.com', u: 'https://garden.example.com/journal/first-frost' }),
    })
    if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`)
  }
}

async function take(context: BrowserContext, name: string, address: string): Promise<void> {
  const page = await context.newPage()
  fs.writeFileSync(path.join(folder, `${name}.webp`), await pictureOf(page, base + address, QUALITY))
  await page.close()
}
