import type { EventOptions, Hit, Outcome } from './protocol.ts'
import type { PageSettings } from './settings.ts'

/** The service refuses longer URLs, so they are clipped. */
const URL_LENGTH = 2000

const optedOut = (key: string) => {
  try {
    return localStorage[key] === 'true'
  } catch {
    return false // blocked storage is not an opt-out
  }
}

/** Do-Not-Track in browsers' spellings, and Global Privacy Control. */
const asksNotToBeTracked = () => {
  const { doNotTrack, globalPrivacyControl }: { doNotTrack?: unknown; globalPrivacyControl?: unknown } = navigator
  return doNotTrack === '1' || globalPrivacyControl === true
}

/** Posts a body; resolves with the answer. */
export const post = (url: string, body: string) => fetch(url, { method: 'POST', body, keepalive: true, credentials: 'omit' })

export type Send = ReturnType<typeof createSender>

/**
 * Sends a hit, unless settings or opt-outs forbid it, and reports the outcome to `callback`. Rejects only when the
 * callback throws. A string body is sent as text/plain, which needs no CORS preflight (Fetch, CORS-safelisted
 * request-header); with `keepalive` it outlives the page; without credentials an answer cannot set a cookie.
 */
export const createSender = (name: string, settings: PageSettings) => {
  /** Says in the console why nothing is sent, once. */
  let tell = (why: string) => {
    tell = () => {}
    console.warn(name + ': nothing is sent, ' + why)
  }
  const reasonAgainst = ({ protocol }: URL) => {
    const key = name + '_ignore'
    if (!/^http/.test(protocol)) return 'the page is not an http address: ' + protocol
    return settings.refused() || (optedOut(key) && 'localStorage.' + key + ' is set')
  }

  return async (hit: Hit, callback?: EventOptions['callback']) => {
    let outcome: Outcome
    try {
      const url = new URL(hit.u, location.href)
      if (!settings.hash) url.hash = ''
      const why = reasonAgainst(url)
      if (why) tell(why)
      else if (settings.covers(url.pathname + url.hash) && !(settings.dnt && asksNotToBeTracked())) {
        const where = { u: url.href.slice(0, URL_LENGTH), d: settings.domain, h: settings.hash ? 1 : undefined, user: settings.user }
        const body = JSON.stringify(Object.assign({}, hit, where))
        const { status } = await (settings.post || post)(settings.endpoint, body)
        outcome = { status }
      }
    } catch (error) {
      outcome = { error }
    }
    if (typeof callback === 'function') callback(outcome)
  }
}
