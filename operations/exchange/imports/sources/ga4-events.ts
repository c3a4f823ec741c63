/** Events of Google Analytics 4 as hits: pageviews, attention, events with their properties and revenue. */
import { isObject } from '../../../../runtime/values/json.ts'
import { m } from '../messages.ts'
import type { LeaveOut } from '../left-out.ts'
import { type JsonObject, objectOf } from '../../../sites/collection/index.ts'
import { textIn } from './values.ts'

/** An object inside of a record, which some tools write as the text of its JSON. */
export const inside = (record: JsonObject, name: string): JsonObject => (Object.hasOwn(record, name) ? (objectOf(record[name]) ?? {}) : {})

/** Parameters that are not properties of the event. */
const notProperties =
  /^(page_|ga_|gclid$|gclsrc$|dclid$|srsltid$|engagement_|engaged_|session_|entrances$|batch_|firebase_|term$|content$|campaign|source$|medium$|ignore_referrer$|debug_mode$|synthetic_bundle$)/

export function paramsOf({ event_params }: JsonObject): ReadonlyMap<string, string> {
  const list = typeof event_params === 'string' ? parsed(event_params) : event_params
  if (!Array.isArray(list)) return new Map()
  return new Map(
    list.flatMap(param => {
      if (!isObject(param)) return []
      const value = inside(param, 'value')
      const text = ['string_value', 'int_value', 'float_value', 'double_value'].map(kind => textIn(value, kind)).find(Boolean)
      return text === undefined ? [] : [[textIn(param, 'key'), text] as const]
    }),
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

interface Event {
  readonly name: string
  readonly params: ReadonlyMap<string, string>
  readonly leaveOut: LeaveOut
}

/** Events of enhanced measurement that scripts of Footfall send under another name. */
const renamed: ReadonlyMap<string, string> = new Map([
  ['click', 'Outbound Link: Click'],
  ['file_download', 'File Download'],
])

/** The hits of an event, its main one first. */
export function ga4Event(event: JsonObject, { name, params, leaveOut }: Event): readonly JsonObject[] {
  const attention = attentionIn(params)
  if (name === 'page_view') return [{ name: 'pageview', ...attention, props: propsOf(params) }]
  const engagement = Object.keys(attention).length === 0 ? [] : [{ name: 'engagement', ...attention }]
  if (name === 'user_engagement' || (name === 'scroll' && params.has('percent_scrolled'))) {
    if (engagement.length === 0) leaveOut(`event_name: ${name}`, m.ga4_no_attention())
    return engagement
  }
  const url = params.get('link_url')
  const ours = url === undefined ? undefined : renamed.get(name)
  const main =
    ours === undefined ? { name, props: propsOf(params), ...revenueOf(event, { name, params, leaveOut }) } : { name: ours, props: { url } }
  return [main, ...engagement]
}

/** Time of attention since the last event, on the page of this one, and the share that was scrolled. */
function attentionIn(params: ReadonlyMap<string, string>): JsonObject {
  const [engaged, scroll] = [Number(params.get('engagement_time_msec') ?? 0), Number(params.get('percent_scrolled') ?? 0)]
  return { ...(engaged > 0 && { engaged_ms: engaged }), ...(scroll > 0 && scroll <= 100 && { scroll }) }
}

function propsOf(params: ReadonlyMap<string, string>): JsonObject | undefined {
  const props = Object.fromEntries([...params].filter(([key]) => !notProperties.test(key)))
  return Object.keys(props).length === 0 ? undefined : props
}

const purchases = new Set(['purchase', 'in_app_purchase', 'ecommerce_purchase'])

/** Google counts `value` as revenue only with a purchase. The amount in the currency of the event takes precedence over US dollars. */
function revenueOf(event: JsonObject, { name, params, leaveOut }: Event): JsonObject {
  const isRefund = name === 'refund'
  if (!purchases.has(name) && !isRefund) return {}
  const ecommerce = inside(event, 'ecommerce')
  const field = isRefund ? 'refund_value' : 'purchase_revenue'
  const [amount, currency] = [textIn(ecommerce, field) || (params.get('value') ?? ''), params.get('currency') ?? '']
  const dollars = textIn(ecommerce, `${field}_in_usd`)
  const signed = (text: string) => (isRefund && !text.startsWith('-') ? `-${text}` : text)
  if (amount !== '' && currency !== '') return { revenue: { amount: signed(amount), currency } }
  if (dollars !== '') return { revenue: { amount: signed(dollars), currency: 'USD' } }
  if (amount !== '') leaveOut('revenue', m.no_currency())
  return {}
}
