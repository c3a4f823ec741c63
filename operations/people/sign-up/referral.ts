/** The referral code of an affiliate, which a browser keeps until its person signs up. */
import { cookieFor, cookieOf } from '../../../runtime/call/credentials.ts'
import { DAY_MS } from '../../../storage/values/durations.ts'

const cookie = 'referral'
/** How long a code counts, ms. The last code wins. */
export const referralMs = 60 * DAY_MS
export const isCode = (text: string): boolean => /^[a-z0-9]{6,20}$/.test(text)

/** `Set-Cookie` for a browser that opens a link with a code; it replaces an earlier code. */
export const referralCookie = (code: string, now: number, baseUrl: string): string =>
  cookieFor({ name: cookie, value: `${code}.${now.toString(36)}`, seconds: referralMs / 1000, baseUrl })

/** Returns the code that a browser keeps, while it counts. */
export function referralIn(request: { header(name: string): string | undefined }, now: number, baseUrl: string): string | undefined {
  const [code = '', since = ''] = (cookieOf(request, cookie, baseUrl) ?? '').split('.')
  const at = /^[a-z0-9]{1,10}$/.test(since) ? Number.parseInt(since, 36) : Number.NaN
  return isCode(code) && at <= now && now < at + referralMs ? code : undefined
}
