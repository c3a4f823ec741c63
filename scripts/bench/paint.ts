/**
 * `npm run bench -- paint`: what a person waits for, in Chromium, on a demo of 60,000 hits: the largest contentful paint and
 * the layout shift of the overview, and how long another period and another filter take until they are painted.
 */
import type { Browser, Page } from '../../tools/playwright.mjs'
import { launchChromium } from '../../tests/support/chromium.ts'
import { startDemo } from './demo.ts'
import { median } from './load.ts'

const HITS = 60_000
const RUNS = 5

interface Painted {
  readonly lcp: number
  readonly cls: number
}

const demo = await startDemo(['--hits', String(HITS)])
const browser = await launchChromium()
try {
  await measure(browser)
} finally {
  await browser.close()
  await demo.stop()
}

async function measure(browser: Browser): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  await demo.signIn(page)
  const overview = `${demo.base}/sites/${demo.site_id}/overview`
  const paints: Painted[] = []
  for (let i = 0; i <= RUNS; i++) {
    await page.goto(overview, { waitUntil: 'load' })
    const painted = await paintedOf(page)
    if (i > 0) paints.push(painted) // the first fills caches
  }
  const changes: number[] = []
  for (let i = 0; i < RUNS; i++) for (const period of ['7d', '30d']) changes.push(await changeTo(page, period))
  const filters: number[] = []
  for (let i = 0; i < RUNS; i++) {
    filters.push(await untilPainted(page, '#places tbody th a', '.chips'))
    await untilPainted(page, '.chips a.off', undefined)
  }
  process.stdout.write(
    `paint            LCP ${Math.round(median(paints.map(({ lcp }) => lcp)))} ms · CLS ${Math.max(...paints.map(({ cls }) => cls)).toFixed(3)}` +
      ` · another period ${Math.round(median(changes))} ms · a filter ${Math.round(median(filters))} ms\n`,
  )
}

function paintedOf(page: Page): Promise<Painted> {
  return page.evaluate(
    () =>
      new Promise<Painted>(resolve => {
        let [lcp, cls] = [0, 0]
        new PerformanceObserver(list => {
          for (const entry of list.getEntries()) lcp = entry.startTime
        }).observe({ type: 'largest-contentful-paint', buffered: true })
        new PerformanceObserver(list => {
          for (const entry of list.getEntries()) if ('value' in entry && typeof entry.value === 'number') cls += entry.value
        }).observe({ type: 'layout-shift', buffered: true })
        setTimeout(() => resolve({ lcp, cls }), 300)
      }),
  )
}

function changeTo(page: Page, period: string): Promise<number> {
  return untilPainted(page, `.period-menu a[href*="period=${period}"]`, `.period-menu a[aria-current][href*="period=${period}"]`)
}

/** From a click until the frame after what comes of it, ms. @param shown what is there then; undefined: it is gone */
function untilPainted(page: Page, clicked: string, shown: string | undefined): Promise<number> {
  return page.evaluate(
    ([clicked, shown]) =>
      new Promise<number>(resolve => {
        const link = document.querySelector<HTMLElement>(clicked ?? '')
        if (!link) throw new Error(`there is no ${clicked}`)
        const began = performance.now()
        const seen = new MutationObserver(() => {
          if (shown !== null && shown !== undefined ? !document.querySelector(shown) : document.querySelector('.chips')) return
          seen.disconnect()
          requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - began)))
        })
        seen.observe(document, { childList: true, subtree: true })
        link.click()
      }),
    [clicked, shown ?? null] as const,
  )
}
