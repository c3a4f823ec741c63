/** Runs axe on a page in Chromium. */
import { readFileSync } from 'node:fs'
import type { CDPSession, Page } from '../../tools/playwright.mjs'
import { fileOf } from '../../tools/paths.mjs'
import { isFull } from './full.ts'

const axe = readFileSync(fileOf('axe-core', 'axe.min.js'), 'utf8')

const protocols = new WeakMap<Page, Promise<CDPSession>>()
/** One for each page: where one ends, virtual devices of the page end with it. */
export function protocolOf(page: Page): Promise<CDPSession> {
  const known = protocols.get(page) ?? page.context().newCDPSession(page)
  protocols.set(page, known)
  return known
}

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string }[]
}

/** Rules about the colours or the width of a page. */
export const rulesOf = { dark: ['color-contrast'], narrow: ['target-size', 'scrollable-region-focusable'] } as const

/** Runs axe. @param rules undefined for all of WCAG 2.2 AA */
export async function violationsOf(page: Page, rules?: readonly string[]): Promise<string[]> {
  const runOnly = rules
    ? { type: 'rule', values: rules }
    : { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }
  // Passed checks are not reported: finding selectors for them takes as long as the checks. Frames have no axe to answer it.
  const options = { runOnly, resultTypes: ['violations'], selectors: false, preload: false, iframes: false }
  // By the debugger, which the policy of a page does not hold back.
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(axe)
  const found = (await page.evaluate(`axe.run(${JSON.stringify(options)}).then(found => found.violations)`)) as Violation[] // as axe answers
  return found.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
}

/** Faults that axe finds (WCAG 2.2 AA), and whether something stands out at the side, in both schemes and at both widths. */
export async function faultsOf(page: Page): Promise<string[]> {
  const faults: string[] = []
  for (const [colorScheme, width, rules] of [
    ['light', 1280, undefined],
    ['dark', 360, isFull ? undefined : [...rulesOf.dark, ...rulesOf.narrow]],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 800 })
    const where = `${new URL(page.url()).pathname} ${colorScheme} ${width}`
    faults.push(...(await violationsOf(page, rules)).map(fault => `${where}: ${fault}`))
    if (await page.evaluate('document.documentElement.scrollWidth > innerWidth')) faults.push(`${where}: scrolls sideways`)
  }
  return faults
}
