/**
 * When the person at this browser looked at a site before: what "since you last looked" counts from. A cookie keeps it, so
 * that looking changes nothing in the service.
 */
import type { App } from '../../runtime/app.ts'
import { cookieFor, cookieOf } from '../../runtime/call/credentials.ts'
import { headerOf } from '../http/web.ts'
import type { PageAsk } from './call-operation.ts'
import { MINUTE_MS } from '../../runtime/values/durations.ts'

const cookie = 'looked'
const keptSeconds = 90 * 86_400
const maxSites = 20
/** Pages that are looked at one after the other are one look. */
const oneLook = 30 * MINUTE_MS

interface Looks {
  /** Epoch ms: the end of the look before, and what was seen last. */
  readonly before: number
  readonly last: number
}

/** `site.before.last`, in minutes, the latest first. */
function read(text: string | undefined): Map<string, Looks> {
  const found = (text ?? '').slice(0, 4_000).matchAll(/(\w{5,40})\.([\da-z]{1,8})\.([\da-z]{1,8})/g)
  return new Map(
    [...found].map(([, site = '', before = '0', last = '0']) => [
      site,
      { before: Number.parseInt(before, 36) * MINUTE_MS, last: Number.parseInt(last, 36) * MINUTE_MS },
    ]),
  )
}

export interface Looked {
  /** Epoch ms of the previous look; undefined if it is unknown. */
  before(siteId: string): number | undefined
  /** The `Set-Cookie` header that stores this look; absent if it is already stored to the minute. */
  noted(siteId: string): readonly string[]
}

export function lookedAt(app: App, c: PageAsk): Looked {
  const given = cookieOf({ header: name => headerOf(c, name) }, cookie, app.config.BASE_URL)
  const looks = read(given)
  const now = app.now()
  const of = (siteId: string): Looks => {
    const { before, last } = looks.get(siteId) ?? { before: 0, last: 0 }
    return now - last > oneLook ? { before: last, last: now } : { before, last: now }
  }
  return {
    before(siteId) {
      const { before } = of(siteId)
      return before > 0 && before < now ? before : undefined
    },
    noted(siteId) {
      const all = [[siteId, of(siteId)] as const, ...[...looks].filter(([site]) => site !== siteId)].slice(0, maxSites)
      const minutes = (at: number): string => Math.floor(at / MINUTE_MS).toString(36)
      const value = all.map(([site, { before, last }]) => `${site}.${minutes(before)}.${minutes(last)}`).join('~')
      return value === given ? [] : [cookieFor({ name: cookie, value, seconds: keptSeconds, baseUrl: app.config.BASE_URL })]
    },
  }
}
