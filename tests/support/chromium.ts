/** A real Chromium, where there is one. */
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

/** `CHROMIUM_PATH`, else Debian's; null when neither is there. */
export const chromiumPath = (): string | null =>
  [process.env.CHROMIUM_PATH, '/usr/bin/chromium'].find(path => path && existsSync(path)) ?? null

/** For `test(name, { skip: withoutChromium }, …)`: why there is nothing to run in. On CI it runs, and fails. */
export const withoutChromium: string | false = chromiumPath() === null && process.env.CI !== 'true' && ADVICE

/** Starts Chromium; the caller closes it. Throws an Error when there is none. */
export const launchChromium = async (options: LaunchOptions = {}): Promise<Browser> => {
  const executablePath = chromiumPath()
  if (executablePath === null) throw new Error(ADVICE)
  return chromium.launch({ executablePath, args: [...CHROMIUM_ARGUMENTS], ...options })
}
