import { readable } from '../../../../runtime/values/readable-path.ts'
import { bareHost, urlOf } from '../formats/address.ts'
import { cachedByAddress } from '../formats/cached-addresses.ts'
import { text } from '../formats/text.ts'
import { sourceOfApp, sourceOfHost, type Source } from './sources.ts'

export interface Referrer {
  /** Host without `www.`; for an app its package. */
  readonly host: string
  /** Host and path, without query. */
  readonly page: string
  readonly source: Source | undefined
}

const SCHEMES = new Map([
  ['https:', sourceOfHost],
  ['http:', sourceOfHost],
  ['android-app:', sourceOfApp],
  ['ios-app:', sourceOfApp],
])

/** The page that an app showed: the path of `android-app://com.example/https/www.example.org/path` (Android App Indexing). */
const PAGE_OF_APP = /^\/(https?)\/([^/].*)$/

/** Returns the page or app that a visit came from. Null if it is missing, invalid, or on the site's own host. */
export function referrerOf(referrer: string, hostname: string): Referrer | null {
  const found = referrer === '' ? null : parsed(referrer)
  return found === null || found.host === bareHost(hostname) ? null : found
}

const parsed = cachedByAddress((referrer: string): Referrer | null => {
  const url = urlOf(referrer)
  const sourceOf = SCHEMES.get(url?.protocol ?? '')
  if (!url || !sourceOf) return null
  const host = bareHost(url.hostname)
  const source = sourceOf(host)
  const [, scheme, page] = source === undefined && sourceOf === sourceOfApp ? (PAGE_OF_APP.exec(url.pathname) ?? []) : []
  if (page !== undefined) return parsed(`${scheme}://${page}`)
  if (host === '') return null
  return Object.freeze({ host, page: text(host + readable(url.pathname.replace(/\/$/, ''))), source })
})
