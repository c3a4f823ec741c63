import { UAParser } from 'ua-parser-js'

/** A browser in words, from its User-Agent: `Firefox on Linux`. */
export function browserOf(userAgent: string): string {
  const { browser, os } = UAParser(userAgent)
  if (browser.name === undefined) return os.name === undefined ? 'An unknown browser' : `A browser on ${os.name}`
  return os.name === undefined ? browser.name : `${browser.name} on ${os.name}`
}
