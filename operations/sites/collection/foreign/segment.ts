/** Segment's HTTP API, which RudderStack shares: `/v1/page`, `/v1/track`, `/v1/identify`, `/v1/batch` (segment.com/docs/connections/spec). */
import { isObject } from '../../../../runtime/values/json.ts'
import { LIMITS } from '../hit.ts'
import { json } from '../receive.ts'
import type { Format, Message, Read, Wire } from './format.ts'
import { jsonListOf } from './json.ts'
import { hitOf, type MessageFields, messagesOf, moneyOf } from './message.ts'

type Fields = Readonly<Record<string, unknown>>

/** Last segment of a path, or its short form, as the type of a message that names none. */
const TYPES: Readonly<Record<string, string>> = { p: 'page', t: 'track', i: 'identify', s: 'screen', g: 'group', a: 'alias' }

export const segment: Format = {
  async read(wire): Promise<Read> {
    const sent = await jsonListOf(wire.body)
    if (!isObject(sent)) return { errors: { request: ['must be a JSON object in UTF-8'] } }
    const list: readonly unknown[] = Array.isArray(sent.batch) ? sent.batch : [sent]
    if (list.length > LIMITS.batch) return { errors: { batch: [`must contain at most ${LIMITS.batch} messages`] } }
    const key = keyIn(wire) ?? sent.writeKey
    const shared = isObject(sent.context) ? sent.context : {}
    const type = typeIn(wire.path)
    return {
      messages: await messagesOf(list, each =>
        isObject(each) ? messageOf(each, { key: key ?? each.writeKey, shared, type, page: wire.page }) : 'invalid',
      ),
      token: typeof key === 'string' ? key : undefined,
    }
  },
  answer: received =>
    received.length === 1 && received.every(each => 'dropped' in each && each.dropped === 'invalid')
      ? json(400, { success: false })
      : json(200, { success: true }),
}

/** The write key is the user of HTTP Basic (RFC 7617). */
function keyIn({ header }: Wire): string | undefined {
  const [, encoded] = /^basic +([\w+/=-]{1,1000})/i.exec(header('authorization') ?? '') ?? []
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString('utf8').split(':')[0]
}

function typeIn(path: string): string {
  const last = path.split('/').at(-1) ?? ''
  return TYPES[last] ?? last
}

interface Around {
  readonly key: unknown
  readonly shared: Fields
  readonly type: string
  readonly page: string
}

function messageOf(sent: Fields, { key, shared, type, page }: Around): Message {
  const inside = (from: Fields, name: string): Fields => {
    const value = from[name]
    return isObject(value) ? value : {}
  }
  const context = { ...shared, ...inside(sent, 'context') }
  const [onPage, screen, properties] = [inside(context, 'page'), inside(context, 'screen'), inside(sent, 'properties')]
  return hitOf({
    product: 'segment',
    id: key,
    url: (sent.type === 'page' || type === 'page' ? properties.url : undefined) ?? onPage.url ?? (page || undefined),
    referrer: onPage.referrer ?? properties.referrer,
    title: onPage.title ?? properties.title,
    language: context.locale,
    screen: `${String(screen.width ?? '')}x${String(screen.height ?? '')}`,
    user: sent.userId,
    traits: { ...inside(context, 'traits'), ...inside(sent, 'traits') },
    ip: context.ip,
    userAgent: context.userAgent,
    at: sent.timestamp,
    ...actionOf(typeof sent.type === 'string' ? sent.type : type, sent, properties),
  })
}

/** Properties of a page that are fields of a hit. */
const PAGE = new Set([
  'url',
  'path',
  'referrer',
  'search',
  'title',
  'initial_referrer',
  'initial_referring_domain',
  'referring_domain',
  'tab_url',
])

function actionOf(type: string, sent: Fields, properties: Fields): Pick<MessageFields, 'kind' | 'name' | 'props' | 'revenue' | 'refused'> {
  if (type === 'page') {
    const own = Object.fromEntries(Object.entries(properties).filter(([name]) => !PAGE.has(name)))
    return { kind: 'pageview', props: { ...own, category: sent.category } }
  }
  if (type === 'identify') return { kind: 'identify' }
  if (type !== 'track') return { kind: 'event', refused: 'unsupported' }
  const { revenue, currency, products, ...props } = properties
  const isOrder = sent.event === 'Order Completed' || sent.event === 'Order Refunded'
  const amount = revenue ?? (isOrder ? properties.total : undefined)
  const money = moneyOf(amount, currency)
  const isRefund = sent.event === 'Order Refunded' && money !== null && money !== 'invalid'
  return {
    kind: 'event',
    name: sent.event,
    props: { ...props, ...(Array.isArray(products) && { products: products.length }) },
    revenue: isRefund ? { ...money, amount: -Math.abs(money.amount) } : money,
  }
}
