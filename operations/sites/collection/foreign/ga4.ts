/**
 * Google Analytics 4: `/g/collect` of `gtag.js`, and the Measurement Protocol at `/mp/collect`
 * (developers.google.com/analytics/devguides/collection/protocol/ga4).
 */
import { isObject } from '../../../../runtime/values/json.ts'
import { json } from '../receive.ts'
import { LIMITS } from '../hit.ts'
import type { Format, Message, Read, Wire } from './format.ts'
import { jsonOf } from './json.ts'
import { empty, hitOf, type MessageFields, messagesOf, moneyOf } from './message.ts'
import { paramsIn } from './params.ts'

type Fields = Readonly<Record<string, unknown>>

/** Events that the library sends by itself, and that say nothing that is not counted anyway. */
const AUTOMATIC = new Set(['session_start', 'first_visit', 'first_open'])
const PURCHASES = new Set(['purchase', 'in_app_purchase', 'ecommerce_purchase'])

/** Parameters that are not properties of an event. */
const OWN =
  /^(page_|ga_|engagement_time_msec$|engaged_|session_|debug_mode$|user_id$|timestamp_micros$|send_to$|currency$|items$|event_callback$)/

export const ga4: Format = {
  read: async wire => (wire.path.endsWith('/mp/collect') ? measurementProtocol(wire) : { messages: await fromGtag(wire) }),
  answer: (_, { path }) => (path.startsWith('/debug/') ? json(200, { validationMessages: [] }) : empty),
}

/** `{client_id, user_id, timestamp_micros, events: [{name, params}]}`; a token of ours may be the secret. */
async function measurementProtocol({ body, query, page }: Wire): Promise<Read> {
  const sent = await jsonOf(body)
  if (!isObject(sent) || !Array.isArray(sent.events)) return { errors: { events: ['must be a list of events'] } }
  if (sent.events.length > LIMITS.batch) return { errors: { events: [`must contain at most ${LIMITS.batch} events`] } }
  const { ip_override: ip, user_id: user, timestamp_micros: micros, user_agent: userAgent } = sent
  const messages = await messagesOf(sent.events, (event: unknown): Message => {
    if (!isObject(event)) return 'invalid'
    const params = isObject(event.params) ? event.params : {}
    const moment = Number(event.timestamp_micros ?? micros ?? Number.NaN)
    return messageOf(event.name, params, {
      id: query.get('measurement_id') ?? query.get('firebase_app_id'),
      url: params.page_location ?? (page === '' ? undefined : page),
      referrer: params.page_referrer,
      title: params.page_title,
      language: params.language,
      user,
      ip,
      userAgent,
      ...(Number.isFinite(moment) && { at: Math.round(moment / 1000) }),
    })
  })
  return { messages, token: query.get('api_secret') ?? undefined }
}

/** One event in the query; or what they share in the query, and each one on a line of the body. */
function fromGtag({ query, body, page }: Wire): Promise<Message[]> {
  const lines = body.split(/\r?\n/, LIMITS.batch).filter(line => line.trim() !== '')
  return messagesOf(lines.length === 0 ? [''] : lines, line => {
    const fields = paramsIn(query, line)
    const read = (name: string) => fields.get(name)
    const params: Record<string, unknown> = {}
    for (const [name, value] of fields) {
      if (name.startsWith('ep.')) params[name.slice(3)] = value
      if (name.startsWith('epn.')) params[name.slice(4)] = Number(value)
    }
    params.engagement_time_msec ??= Number(read('_et') ?? 0)
    params.currency ??= read('cu')
    return messageOf(read('en'), params, {
      id: read('tid'),
      url: read('dl') ?? page,
      referrer: read('dr'),
      title: read('dt'),
      screen: read('sr'),
      language: read('ul'),
      user: read('uid'),
    })
  })
}

function messageOf(name: unknown, params: Fields, of: Omit<MessageFields, 'product' | 'kind'>): Message {
  return hitOf({ product: 'google', ...of, ...actionOf(name, params) })
}

function actionOf(
  name: unknown,
  params: Fields,
): Pick<MessageFields, 'kind' | 'name' | 'props' | 'revenue' | 'engagedMs' | 'scroll' | 'refused'> {
  const event = (named: unknown, props: object) => ({ kind: 'event' as const, name: named, props })
  if (typeof name === 'string' && AUTOMATIC.has(name)) return { ...event(name, {}), refused: 'unsupported' }
  if (name === 'page_view') return { kind: 'pageview', props: propsOf(params) }
  if (name === 'user_engagement') return { kind: 'engagement', engagedMs: Number(params.engagement_time_msec ?? 0) }
  if (name === 'scroll' && params.percent_scrolled !== undefined) return { kind: 'engagement', scroll: Number(params.percent_scrolled) }
  if (name === 'click' && params.link_url !== undefined) return event('Outbound Link: Click', { url: params.link_url })
  if (name === 'file_download' && params.link_url !== undefined) return event('File Download', { url: params.link_url })
  if (name === 'view_search_results') return event('Search', { keyword: params.search_term })
  const isRefund = name === 'refund'
  if (!isRefund && !(typeof name === 'string' && PURCHASES.has(name))) return event(name, propsOf(params))
  const amount = Number(params.value ?? Number.NaN)
  return {
    ...event(name, propsOf({ ...params, value: undefined })),
    revenue: moneyOf(isRefund ? -Math.abs(amount) : amount, params.currency),
  }
}

function propsOf(params: Fields): Fields {
  return Object.fromEntries(Object.entries(params).filter(([name, value]) => value !== undefined && !OWN.test(name)))
}
