/**
 * `node --import tsx scripts/screens.ts`, after `npm run build`: the pictures of docs/screens/, which the README shows, of
 * a new demo. The overview, light and dark, at twice its size; six pages in a window of 1280 × 820, two of them dark.
 */
import path from 'node:path'
import type { BrowserContext } from '../tools/playwright.mjs'
import { launchChromium } from '../tests/support/chromium.ts'
import { startDemo } from './bench/demo.ts'
import { root } from './build/root.ts'

const folder = path.join(root, 'docs/screens')
const demo = await startDemo()
const { base } = demo
const browser = await launchChromium()
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
    const large = { viewport: { width: 1360, height: 880 }, deviceScaleFactor: 1.5, reducedMotion: 'reduce' } as const
    await take(await browser.newContext({ ...large, colorScheme, storageState: await light.storageState() }), name, `${site}/overview`)
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

async function take(context: BrowserContext, name: string, address: string): Promise<void> {
  const page = await context.newPage()
  await page.goto(base + address)
  await page.screenshot({ path: path.join(folder, `${name}.png`) })
  await page.close()
}
