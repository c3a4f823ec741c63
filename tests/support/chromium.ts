/** A real Chromium, if installed. */
import { existsSync } from 'node:fs'
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type LaunchOptions } from '../../tools/playwright.mjs'

export const CHROMIUM_ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--renderer-process-limit=1', // pages of a context share a process, with their frames
  '--disable-site-isolation-trials',
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

declare global {
  /** Called after the last test of a process, if it is a process of tests (scripts/build/tests.ts). */
  var atEndOfTests: (() => Promise<unknown>)[] | undefined
}

const WAIT_MS = 180_000

/** Browsers of this process, the shell and the whole one, which its test files share: a start takes a second of CPU time. */
const shared = new Map<boolean, Promise<Browser>>()

/**
 * Opens Chromium; the caller closes it, which closes its contexts. Playwright's limit of 30 s fails
 * on a busy machine, but without a limit a page that is drawn again and again keeps the watchdog from ending a test. Throws an Error if there is none.
 * @param options of a browser that is not shared
 */
export const launchChromium = async ({ whole = false, ...options }: LaunchOptions & { whole?: boolean } = {}): Promise<Browser> => {
  const ends = globalThis.atEndOfTests
  if (ends === undefined || Object.keys(options).length > 0) {
    const own = await start({ whole, ...options })
    return patient(own, () => own.close())
  }
  const started = shared.get(whole) ?? start({ whole })
  if (!shared.has(whole)) {
    shared.set(whole, started)
    ends.push(async () => (await started).close())
  }
  return patient(await started)
}

async function start({ whole, ...options }: LaunchOptions & { readonly whole: boolean }): Promise<Browser> {
  const executablePath = chromiumPath({ whole })
  if (executablePath === null) throw new Error(ADVICE)
  return chromium.launch({ executablePath, args: [...CHROMIUM_ARGUMENTS], timeout: 0, ...options })
}

/** The browser as one caller sees it. @param end after its contexts */
function patient(browser: Browser, end: () => Promise<void> = async () => {}): Browser {
  const contexts: BrowserContext[] = []
  return Object.assign(Object.create(browser) as Browser, {
    async newContext(of?: BrowserContextOptions) {
      const context = await browser.newContext(of)
      contexts.push(context)
      context.setDefaultTimeout(WAIT_MS)
      return context
    },
    async close() {
      for (const context of contexts) await context.close()
      await end()
    },
  })
}
