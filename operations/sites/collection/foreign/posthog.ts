/** PostHog: `/e/`, `/i/v0/e/`, `/capture/`, `/batch/`: JSON, or a form with `data` that is JSON in base64; compressed or not. */
import { isObject } from '../../../../runtime/values/json.ts'
import { LIMITS } from '../hit.ts'
import { json } from '../receive.ts'
import type { Format, Message, Read, Wire } from './format.ts'
import { jsonListOf } from './json.ts'
import { hitOf, type MessageFields, messagesOf, moneyOf } from './message.ts'

type Fields = Readonly<Record<string, unknown>>

export const posthog: Format = {
  async read(wire): Promise<Read> {
    const sent = await jsonListOf(dataIn(wire))
    const list = listIn(sent)
    if (!list) return { errors: { request: ['must be JSON: an event, a list of events, or {batch}'] } }
    if (list.length > LIMITS.batch) return { errors: { batch: [`must contain at most ${LIMITS.batch} events`] } }
    const key = isObject(sent) ? (sent.api_key ?? sent.token) : undefined
    return {
      messages: await messagesOf(list, each => (isObject(each) ? messageOf(each, key) : 'invalid')),
      token: typeof key === 'string' ? key : undefined,
    }
  },
  answer: received =>
    received.length === 1 && received.every(each => 'dropped' in each && each.dropped === 'invalid')
      ? json(400, { type: 'validation_error', code: 'invalid_payload', detail: 'An event needs a name, and a page or a key of a site.' })
      : json(200, { status: 1 }),
}

/** Settings that scripts ask for: no flags, no recordings, nothing to load. */
const settings = {
  ...{ status: 1, config: { enable_collect_everything: false }, supportedCompression: ['gzip-js', 'base64'] },
  ...{ featureFlags: {}, featureFlagPayloads: {}, flags: {}, errorsWhileComputingFlags: false, hasFeatureFlags: false },
  ...{ sessionRecording: false, autocapture_opt_out: true, capturePerformance: false, autocaptureExceptions: false },
  ...{ surveys: false, heatmaps: false, captureDeadClicks: false, siteApps: [], toolbarParams: {}, isAuthenticated: false },
}
export const posthogSettings: Format = {
  read: () => ({ messages: [] }),
  answer(_, { path }) {
    const [, , key, file] = path.split('/')
    if (file !== 'config.js') return json(200, settings)
    const config = JSON.stringify({ [String(key)]: { config: settings, siteApps: [] } }).replace(/</g, '\\u003c')
    const headers = { 'Content-Type': 'text/javascript; charset=utf-8', 'Cache-Control': 'public, max-age=600' }
    return { status: 200, headers, body: `window._POSTHOG_REMOTE_CONFIG=Object.assign(window._POSTHOG_REMOTE_CONFIG||{},${config})` }
  },
}

/** Recordings: answered, so that scripts do not send them again. */
export const posthogRecordings: Format = { read: () => ({ messages: [] }), answer: () => json(200, { status: 1 }) }

function dataIn({ method, query, body }: Wire): string {
  if (method === 'GET') return decoded(query.get('data') ?? '')
  if (!body.startsWith('data=')) return /^[A-Za-z0-9+/=\s]+$/.test(body.slice(0, 200)) ? decoded(body) : body
  return decoded(new URLSearchParams(body).get('data') ?? '')
}

const decoded = (data: string): string => (/^\s*[{[]/.test(data) ? data : Buffer.from(data, 'base64').toString('utf8'))

function listIn(sent: unknown): readonly unknown[] | undefined {
  if (Array.isArray(sent)) return sent
  if (!isObject(sent)) return undefined
  return Array.isArray(sent.batch) ? sent.batch : [sent]
}

function messageOf(sent: Fields, key: unknown): Message {
  const properties = isObject(sent.properties) ? sent.properties : {}
  const read = (name: string) => properties[name]
  const isBrowser = read('$lib') === 'web' || read('$current_url') !== undefined
  const distinct = sent.distinct_id ?? read('distinct_id')
  const { $current_url: url, $host: host, $referrer: referrer } = properties
  return hitOf({
    product: 'posthog',
    id: sent.api_key ?? sent.token ?? key ?? read('token'),
    url,
    host,
    referrer: referrer === '$direct' ? undefined : referrer,
    title: read('title'),
    screen: `${String(read('$screen_width') ?? '')}x${String(read('$screen_height') ?? '')}`,
    language: read('$browser_language'),
    // A browser invents an id until the page says who it is.
    user: isBrowser ? (read('$user_id') ?? (read('$is_identified') === true ? distinct : undefined)) : distinct,
    traits: sent.$set ?? read('$set'),
    ip: read('$ip'),
    userAgent: read('$raw_user_agent') ?? read('$useragent'),
    at: sent.timestamp,
    ...actionOf(sent.event, properties),
  })
}

/** Vitals by our name. */
const VITALS = { lcp: '$web_vitals_LCP_value', inp: '$web_vitals_INP_value', cls: '$web_vitals_CLS_value', fcp: '$web_vitals_FCP_value' }

function actionOf(
  name: unknown,
  properties: Fields,
): Pick<MessageFields, 'kind' | 'name' | 'props' | 'revenue' | 'vitals' | 'engagedMs' | 'scroll' | 'refused'> {
  const props = Object.fromEntries(
    Object.entries(properties).filter(([key]) => !key.startsWith('$') && !['token', 'distinct_id', 'title', 'currency'].includes(key)),
  )
  if (name === '$pageview') return { kind: 'pageview', props }
  if (name === '$identify') return { kind: 'identify' }
  if (name === '$pageleave') {
    const [seconds, share] = [properties.$prev_pageview_duration, properties.$prev_pageview_max_content_percentage]
    return {
      kind: 'engagement',
      engagedMs: typeof seconds === 'number' ? seconds * 1000 : undefined,
      scroll: typeof share === 'number' ? share * 100 : undefined,
    }
  }
  if (name === '$web_vitals')
    return { kind: 'vitals', vitals: Object.fromEntries(Object.entries(VITALS).map(([to, from]) => [to, properties[from]])) }
  if (typeof name === 'string' && name.startsWith('$')) return { kind: 'event', name, refused: 'unsupported' }
  return { kind: 'event', name, props, revenue: moneyOf(properties.$revenue ?? properties.revenue, properties.currency) }
}
