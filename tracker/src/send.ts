import type { EventOptions, Hit, Outcome } from './protocol.ts'
import type { Settings } from './settings.ts'

/** The service refuses longer URLs, so they are clipped. */
const URL_LENGTH = 2000

const optedOut = () => {
  try {
    return localStorage.footfall_ignore === 'true'
  } catch {
    return false // blocked storage is not an opt-out
  }
}

/** Do-Not-Track in browsers' spellings, and Global Privacy Control. */
const asksNotToBeTracked = () => {
  const { doNotTrack, globalPrivacyControl }: { doNotTrack?: unknown; globalPrivacyControl?: unknown } = navigator
  return doNotTrack === '1' || globalPrivacyControl === true
}

export type Send = ReturnType<typeof createSender>

/**
 * Sends a hit, unless settings or opt-outs forbid it, and reports the outcome to `callback`. Rejects only when the
 * callback throws. A string body is sent as text/plain, which needs no CORS preflight (Fetch, CORS-safelisted
 * request-header); with `keepalive` it outlives the page; without credentials an answer cannot set a cookie.
 */
export const createSender = (settings: Settings) => async (hit: Hit, callback?: EventOptions['callback']) => {
  let outcome: Outcome
  try {
    const url = new URL(hit.u, location.href)
    if (!settings.hash) url.hash = ''
    const wanted =
      /^http/.test(url.protocol) && settings.covers(url.pathname + url.hash) && !optedOut() && !(settings.dnt && asksNotToBeTracked())
    if (wanted) {
      const where = { u: url.href.slice(0, URL_LENGTH), d: settings.domain, h: settings.hash ? 1 : undefined }
      const body = JSON.stringify(Object.assign({}, hit, where))
      const { status } = await fetch(settings.endpoint, { method: 'POST', body, keepalive: true, credentials: 'omit' })
      outcome = { status }
    }
  } catch (error) {
    outcome = { error }
  }
  if (typeof callback === 'function') callback(outcome)
}
