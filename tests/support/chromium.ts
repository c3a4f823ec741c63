/** A real Chromium, if installed. */
import { existsSync } from 'node:fs'
import { chromium, type Browser, type LaunchOptions } from 'playwright-core'

export const CHROMIUM_ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
] as const

const ADVICE = 'no Chromium: install it (apt-get install chromium) or set CHROMIUM_PATH'

/** `CHROMIUM_PATH`, else Debian's; null if neither exists. */
export const chromiumPath = (): string | null =>
  [process.env.CHROMIUM_PATH, '/usr/bin/chromium'].find(path => path && existsSync(path)) ?? null

/** For `test(name, { skip: withoutChromium }, …)`: why it is skipped. On CI the test runs, and fails. */
export const withoutChromium: string | false = chromiumPath() === null && process.env.CI !== 'true' && ADVICE

/** Starts Chromium; the caller closes it. Throws an Error if there is none. */
export const launchChromium = async (options: LaunchOptions = {}): Promise<Browser> => {
  const executablePath = chromiumPath()
  if (executablePath === null) throw new Error(ADVICE)
  return chromium.launch({ executablePath, args: [...CHROMIUM_ARGUMENTS], ...options })
}
