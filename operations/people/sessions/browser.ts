import { LRUCache } from 'lru-cache'
import { UAParser } from 'ua-parser-js'
import { filledIn } from '../../../runtime/texts/index.ts'

type Saying = (text: string, values: Readonly<Record<string, string>>) => string

/** Undefined where the User-Agent does not tell. */
interface Browser {
  readonly name: string | undefined
  readonly system: string | undefined
}
const known = new LRUCache<string, Browser>({ max: 200 })

/** A browser in words, from its User-Agent: `Firefox on Linux`. @param say in whose language; English without */
export function browserOf(userAgent: string, say: Saying = filledIn): string {
  const read = userAgent.slice(0, 500)
  const browser = known.get(read) ?? parsed(read)
  known.set(read, browser)
  const { name, system } = browser
  if (name === undefined) return system === undefined ? say('An unknown browser', {}) : say('A browser on {system}', { system })
  return system === undefined ? name : say('{browser} on {system}', { browser: name, system })
}

/** Takes a hundred regular expressions. */
function parsed(userAgent: string): Browser {
  const { browser, os } = UAParser(userAgent)
  return { name: browser.name, system: os.name }
}
