/**
 * Matomo's Tracking HTTP API: `/matomo.php`, with parameters in the query, in a form, or many in a JSON body
 * (developer.matomo.org/api-reference/tracking-api).
 */
import { isObject } from '../../../../runtime/values/json.ts'
import { objectOf } from '../formats/json-object.ts'
import { LIMITS } from '../hit.ts'
import { json } from '../receive.ts'
import type { Format, Message, Read, Wire } from './format.ts'
import { jsonListOf } from './json.ts'
import { empty, hitOf, type MessageFields, messagesOf, moneyOf, pixel } from './message.ts'
import { paramsIn } from './params.ts'

type Params = ReadonlyMap<string, string>

/** Parameters of plug-ins for forms, videos, heatmaps and crashes. */
const PLUGINS = /^(fa_|ma_id|ma_le|hsr_|cra$|cra_)/

export const matomo: Format = {
  async read(wire): Promise<Read> {
    if (/^\s*[{[]/.test(wire.body)) return bulk(await jsonListOf(wire.body), wire)
    const params = paramsIn(wire.query, wire.body)
    return { messages: [messageOf(params, wire)], token: params.get('token_auth') ?? undefined }
  },
  answer(received, { body, query }) {
    const valid = received.filter(each => !('dropped' in each && each.dropped === 'invalid')).length
    if (/^\s*[{[]/.test(body)) return json(200, { status: 'success', tracked: valid, invalid: received.length - valid })
    if (valid === 0) return { ...pixel(400) }
    return paramsIn(query, body).get('send_image') === '0' ? empty : pixel()
  },
}

/** `{requests: ["?idsite=1&…", {idsite: 1, …}], token_auth}` */
async function bulk(body: unknown, wire: Wire): Promise<Read> {
  const requests = isObject(body) ? body.requests : body
  if (!Array.isArray(requests)) return { errors: { requests: ['must be a list of requests'] } }
  if (requests.length > LIMITS.batch) return { errors: { requests: [`must contain at most ${LIMITS.batch} requests`] } }
  const token = isObject(body) && typeof body.token_auth === 'string' ? body.token_auth : undefined
  const messages = await messagesOf(requests, (each: unknown): Message => {
    if (typeof each === 'string') return messageOf(paramsIn(each.replace(/^[^?]*\?/, '')), wire)
    if (!isObject(each)) return 'invalid'
    return messageOf(
      new Map(
        Object.entries(each)
          .slice(0, 200)
          .map(([name, value]) => [name, String(value ?? '')]),
      ),
      wire,
    )
  })
  return { messages, token }
}

function messageOf(params: Params, { page }: Wire): Message {
  const read = (name: string) => params.get(name) ?? undefined
  const at = read('cdt')
  return hitOf({
    product: 'matomo',
    id: read('idsite'),
    url: read('url') ?? page,
    referrer: read('urlref'),
    title: read('action_name'),
    screen: read('res'),
    language: read('lang'),
    user: read('uid'),
    ip: read('cip'),
    userAgent: read('ua'),
    at: at?.replace(/^(\d{4}-\d\d-\d\d) (\d\d:)/, '$1T$2'),
    ...actionOf(params),
  })
}

/** The first that applies is the action of a request. */
function actionOf(params: Params): Pick<MessageFields, 'kind' | 'name' | 'props' | 'revenue' | 'interactive' | 'refused'> {
  const read = (name: string) => params.get(name) ?? undefined
  const has = (name: string) => (read(name) ?? '') !== ''
  const event = (name: unknown, props: object) => ({ kind: 'event' as const, name, props: { ...props, ...ofPage(params) } })
  if (read('rec') === '0' || [...params.keys()].some(name => PLUGINS.test(name))) return { kind: 'event', refused: 'unsupported' }
  if (has('ping')) return { kind: 'engagement' }
  if (has('e_c') || has('e_a')) {
    const value = read('e_v')
    return event([read('e_c'), read('e_a')].filter(Boolean).join(' - '), {
      category: read('e_c'),
      action: read('e_a'),
      name: read('e_n'),
      value: value === undefined || !Number.isFinite(Number(value)) ? value : Number(value),
    })
  }
  if (has('download')) return event('File Download', { url: read('download') })
  if (has('link')) return event('Outbound Link: Click', { url: read('link') })
  if (has('idgoal')) return conversionOf(params, event)
  if (has('search')) return event('Search', { keyword: read('search'), category: read('search_cat'), results: read('search_count') })
  if (has('c_n')) {
    const props = { name: read('c_n'), piece: read('c_p'), target: read('c_t') }
    if (has('c_i')) return event('Content Interaction', { ...props, interaction: read('c_i') })
    return { ...event('Content Impression', props), interactive: false }
  }
  return { kind: 'pageview', props: ofPage(params) }
}

function conversionOf(params: Params, event: (name: unknown, props: object) => ReturnType<typeof actionOf>): ReturnType<typeof actionOf> {
  const read = (name: string) => params.get(name) ?? undefined
  if (read('idgoal') !== '0') return { ...event(`Goal ${read('idgoal') ?? ''}`, {}), revenue: moneyOf(read('revenue')) }
  const items = itemsIn(read('ec_items'))
  if ((read('ec_id') ?? '') === '') return event('Abandoned Cart', { items, value: read('revenue') })
  const props = {
    ...{ order_id: read('ec_id'), items, subtotal: read('ec_st'), tax: read('ec_tx') },
    ...{ shipping: read('ec_sh'), discount: read('ec_dt') },
  }
  return { ...event('Purchase', props), revenue: moneyOf(read('revenue')) }
}

/** The number of things in `[["sku", "name", "category", price, quantity], …]`. */
function itemsIn(sent: string | undefined): number | undefined {
  const items = sent === undefined ? null : objectOf(`{"items":${sent.slice(0, 20_000)}}`)?.items
  if (!Array.isArray(items)) return undefined
  const quantities = items.map((item: unknown) => (Array.isArray(item) ? Number(item[4] ?? 1) : 1))
  return quantities.reduce((sum: number, quantity) => sum + (Number.isFinite(quantity) ? quantity : 0), 0)
}

/** Custom dimensions, custom variables (`{"1": ["name", "value"]}`), and the viewed product. */
function ofPage(params: Params): Readonly<Record<string, unknown>> {
  const variables = ['_cvar', 'cvar'].flatMap(name => Object.values(objectOf(params.get(name) ?? '') ?? {}))
  const pairs = variables.flatMap(each => (Array.isArray(each) && typeof each[0] === 'string' ? [[each[0], each[1]] as const] : []))
  const dimensions = [...params].filter(([name]) => /^dimension\d{1,3}$/.test(name))
  const products = Object.entries({ _pks: 'sku', _pkn: 'product', _pkc: 'product_category', _pkp: 'price' })
  const product = products.flatMap(([from, to]) => (params.has(from) ? [[to, params.get(from)] as const] : []))
  return Object.fromEntries([...pairs, ...dimensions, ...product])
}
