/** A real Chromium, if installed. */
import { existsSync } from 'node:fs'
import { chromium, type Browser, type BrowserContextOptions, type LaunchOptions } from '../../tools/playwright.mjs'

export const CHROMIUM_ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-blink-features=AutomationControlled', // our script does not count a browser with navigator.webdriver
] as const

const ADVICE = 'no Chromium: install it (apt-get install chromium chromium-headless-shell) or set CHROMIUM_PATH'

/** Debian's. The shell draws pages without the rest of a browser, in half the time. */
const SHELL = '/usr/bin/chromium-headless-shell'
const WHOLE = '/usr/bin/chromium'

/**
 * `CHROMIUM_PATH`, else Debian's; null if neither exists.
 * @param whole a browser that also keeps pages that one leaves, and renders pages ahead
 */
export const chromiumPath = ({ whole = false } = {}): string | null =>
  [process.env.CHROMIUM_PATH, ...(whole ? [] : [SHELL]), WHOLE].find(path => path && existsSync(path)) ?? null

/** For `test(name, { skip: withoutChromium }, …)`: why it is skipped. On CI the test runs, and fails. */
export const withoutChromium: string | false = chromiumPath() === null && process.env.CI !== 'true' && ADVICE
export const withoutWholeChromium: string | false = chromiumPath({ whole: true }) === null && process.env.CI !== 'true' && ADVICE

/**
 * Starts Chromium; the caller closes it. Pages wait as long as the machine needs: Playwright's limit of 30 s fails on a busy one, and the
 * watchdog ends a process that waits for nothing. Throws an Error if there is none.
 */
export const launchChromium = async ({ whole = false, ...options }: LaunchOptions & { whole?: boolean } = {}): Promise<Browser> => {
  const executablePath = chromiumPath({ whole })
  if (executablePath === null) throw new Error(ADVICE)
  const browser = await chromium.launch({ executablePath, args: [...CHROMIUM_ARGUMENTS], timeout: 0, ...options })
  const newContext = browser.newContext.bind(browser)
  return Object.assign(browser, {
    async newContext(of?: BrowserContextOptions) {
      const context = await newContext(of)
      context.setDefaultTimeout(0)
      return context
    },
  })
}
