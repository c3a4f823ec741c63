import { LRUCache } from 'lru-cache'
import { UAParser } from 'ua-parser-js'
import { type Say, sayEnglish } from '../../../runtime/texts/say.ts'
import { m } from './messages.ts'

/** Undefined if the User-Agent does not say. */
interface Browser {
  readonly name: string | undefined
  readonly system: string | undefined
}
const known = new LRUCache<string, Browser>({ max: 200 })

/** Returns a readable name of a browser from its User-Agent, for example `Firefox on Linux`. @param say the language; defaults to English */
export function browserOf(userAgent: string, say: Say = sayEnglish): string {
  const read = userAgent.slice(0, 500)
  const browser = known.get(read) ?? parsed(read)
  known.set(read, browser)
  const { name, system } = browser
  if (name === undefined) return system === undefined ? say(m.an_unknown_browser) : say(m.a_browser_on_system, { system })
  return system === undefined ? name : say(m.browser_on_system, { browser: name, system })
}

/** Slow: it tries a hundred regular expressions. */
function parsed(userAgent: string): Browser {
  const { browser, os } = UAParser(userAgent)
  return { name: browser.name, system: os.name }
}
