/** Names of what a browser keeps, and for how long. */
const DAY = 86_400_000

export const sessionCookie = 'session'
/** Lifetime of the cookie: browsers keep none longer (RFC 6265bis §5.5), and its value is useless once the session has ended. */
export const cookieSeconds = (400 * DAY) / 1000

/** Tells a browser that has signed in before from a new one; it opens nothing. */
export const deviceCookie = 'device'
/** Browsers that were not seen for so long are new again. */
export const deviceMs = 400 * DAY
