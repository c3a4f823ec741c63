/** Cloudflare Web Analytics: `/cdn-cgi/rum`, to which `beacon.min.js` sends page loads and web vitals. */
import { isObject } from '../../../../runtime/values/json.ts'
import { vitalNames } from '../../../../storage/values/web-vitals.ts'
import type { Format } from './format.ts'
import { jsonOf } from './json.ts'
import { empty, hitOf } from './message.ts'

/** `eventType` of a message that adds to an earlier page load. */
const LOAD = 1

export const cloudflare: Format = {
  async read({ body, page }) {
    const sent = await jsonOf(body)
    if (!isObject(sent)) return { errors: { request: ['must be a JSON object in UTF-8'] } }
    const of = { product: 'cloudflare', id: sent.siteToken, url: sent.location ?? page, referrer: sent.referrer }
    if ((sent.eventType ?? LOAD) === LOAD) return { messages: [hitOf({ ...of, kind: 'pageview' })] }
    const vitals = Object.fromEntries(
      vitalNames.flatMap(name => {
        const value = isObject(sent[name]) ? sent[name].value : undefined
        return typeof value === 'number' && value >= 0 ? [[name, value]] : []
      }),
    )
    const isEmpty = Object.keys(vitals).length === 0
    return { messages: [hitOf({ ...of, kind: 'vitals', vitals, refused: isEmpty ? 'unsupported' : undefined })] }
  },
  answer: () => empty,
}
