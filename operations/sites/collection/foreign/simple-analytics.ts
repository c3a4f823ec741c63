/** Simple Analytics: the image `/simple.gif`, the beacon `/append` when a page is left, and `/events` of servers. */
import { objectOf } from '../formats/json-object.ts'
import { text } from '../formats/text.ts'
import { json } from '../receive.ts'
import type { Format } from './format.ts'
import { jsonOf } from './json.ts'
import { empty, hitOf, type MessageFields, pixel } from './message.ts'

type Fields = Readonly<Record<string, unknown>>

export const simpleAnalytics: Format = {
  async read({ method, query, body }) {
    const sent = method === 'GET' ? Object.fromEntries([...query].slice(0, 100)) : await jsonOf(body)
    const fields = typeof sent === 'object' && sent !== null && !Array.isArray(sent) ? (sent as Fields) : undefined
    return fields ? { messages: [hitOf(messageIn(fields))] } : { errors: { request: ['must be a JSON object in UTF-8'] } }
  },
  answer(received, { method, path }) {
    if (path === '/events') return json(200, { status: 'ok' })
    if (method === 'POST') return empty
    return pixel(received.some(each => 'dropped' in each && each.dropped === 'invalid') ? 400 : 200)
  },
}

function messageIn(fields: Fields): MessageFields {
  const [path, query] = [text(fields.path, Infinity), text(fields.query, Infinity)]
  const onPage = path === '' ? undefined : `${path.startsWith('/') ? '' : '/'}${path}${query === '' ? '' : `?${query.replace(/^\?/, '')}`}`
  const referrer = text(fields.referrer, Infinity)
  const screen = [fields.screen_width, fields.screen_height].map(each => text(String(each ?? '')))
  return {
    product: 'simple',
    host: fields.hostname,
    url: onPage,
    referrer: referrer === '' || referrer === 'null' || /^https?:/.test(referrer) ? referrer.replace(/^null$/, '') : `https://${referrer}`,
    props: objectOf(fields.metadata),
    screen: screen.join('x'),
    language: fields.language,
    userAgent: fields.ua,
    ip: fields.ip,
    ...actionOf(fields),
    ...(/^(true|1)$/.test(String(fields.bot)) && { refused: 'bot' as const }),
  }
}

function actionOf(fields: Fields): Pick<MessageFields, 'kind' | 'name' | 'engagedMs' | 'scroll' | 'refused'> {
  const type = text(fields.type)
  if (type === 'event' || (type === '' && fields.event !== undefined)) return { kind: 'event', name: fields.event }
  if (type === 'append') return { kind: 'engagement', engagedMs: Number(fields.duration ?? 0) * 1000, scroll: Number(fields.scrolled ?? 0) }
  return type === 'pageview' || type === '' ? { kind: 'pageview' } : { kind: 'event', name: type, refused: 'unsupported' }
}
