/** Names and lifetimes of cookies. */
import { DAY_MS } from '../../../storage/values/durations.ts'

export const sessionCookie = 'session'
/** Lifetime of the cookie: the longest that browsers allow (RFC 6265bis §5.5). Its value is useless once the session has ended. */
export const cookieSeconds = (400 * DAY_MS) / 1000

/** Distinguishes a browser that has signed in before from a new one. It is not a credential. */
export const deviceCookie = 'device'
/** How long a browser is remembered after its last sign-in. */
export const deviceMs = 400 * DAY_MS
