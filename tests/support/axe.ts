/** Runs axe on a page in Chromium. */
import { readFileSync } from 'node:fs'
import type { CDPSession, Page } from '../../tools/playwright.mjs'
import { fileOf } from '../../tools/paths.mjs'

const axe = readFileSync(fileOf('axe-core', 'axe.min.js'), 'utf8')

const protocols = new WeakMap<Page, Promise<CDPSession>>()
/** One for each page: where one ends, virtual devices of the page end with it. */
export function protocolOf(page: Page): Promise<CDPSession> {
  const known = protocols.get(page) ?? page.context().newCDPSession(page)
  protocols.set(page, known)
  return known
}

/** Faults that axe finds (WCAG 2.2 AA), and whether something stands out at the side, in both schemes and at both widths. */
export async function faultsOf(page: Page): Promise<string[]> {
  const faults: string[] = []
  for (const [colorScheme, width] of [
    ['light', 1280],
    ['dark', 360],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 800 })
    const where = `${new URL(page.url()).pathname} ${colorScheme} ${width}`
    // Through the protocol: the pages' own policy lets no script in.
    const client = await protocolOf(page)
    await client.send('Runtime.evaluate', { expression: axe })
    const { result } = await client.send('Runtime.evaluate', {
      expression: `axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa'] }).then(found => JSON.stringify(found.violations.map(({ id, nodes }) => id + ' ' + nodes[0].html)))`,
      awaitPromise: true,
      returnByValue: true,
    })
    faults.push(...(JSON.parse(String(result.value)) as string[]).map(fault => `${where}: ${fault}`))
    if (await page.evaluate('document.documentElement.scrollWidth > innerWidth')) faults.push(`${where}: scrolls sideways`)
  }
  return faults
}
