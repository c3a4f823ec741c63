/** `POST /api/v0/count`: pageviews and events of a server. */
import { addressIn } from '../../../../runtime/outbound/network.ts'
import { isObject } from '../../../../runtime/values/json.ts'
import { type ForeignApi, refuse } from '../format.ts'
import { goatcounter, isOn, RefusedHits, siteOf } from './form.ts'

const MAX_HITS = 500
const NO_VISITOR = 'browser/IP not set; a session id of your own is not supported'

const counting = goatcounter(async asked => {
  const site = await siteOf(asked)
  const { hits } = asked.body
  if (!Array.isArray(hits) || hits.length === 0) return refuse(400, 'no hits')
  if (hits.length > MAX_HITS) return refuse(400, `maximum amount of pageviews in one batch is ${MAX_HITS}`)
  const { data } = await asked.call('sites_get', { site_id: site.id })
  const faults: Record<number, string> = {}
  const read = hits.flatMap((hit: unknown, index) => {
    const of = readHit(hit, data.domain ?? site.id)
    if (typeof of !== 'string') return [of]
    faults[index] = of
    return []
  })
  if (read.length > 0) await asked.call('hits_create', { site_id: site.id }, { hits: read })
  if (Object.keys(faults).length > 0) throw new RefusedHits(faults)
  return { status: 'ok' }
})

export const count: ForeignApi = { ...counting, success: 202 }

const textIn = (hit: Readonly<Record<string, unknown>>, name: string): string => {
  const given = hit[name]
  return typeof given === 'string' ? given : ''
}

/** @returns the fields of `hits_create`, or what is wrong */
function readHit(hit: unknown, domain: string): object | string {
  if (!isObject(hit)) return 'not an object'
  const [path, ip, user_agent] = [textIn(hit, 'path'), textIn(hit, 'ip'), textIn(hit, 'user_agent')]
  if (path === '') return 'path: must be set'
  if (ip === '' || user_agent === '') return NO_VISITOR
  if (addressIn(ip) === undefined) return 'ip: must be an IPv4 or IPv6 address'
  const at = textIn(hit, 'created_at')
  if (at !== '' && Number.isNaN(Date.parse(at))) return 'created_at: must be a time: 2026-10-31T12:00:00Z'
  const isEvent = hit.event === true || hit.event === 1 || isOn(textIn(hit, 'event'))
  const [ref, query, title] = [textIn(hit, 'ref'), textIn(hit, 'query').replace(/^\?/, ''), textIn(hit, 'title')]
  const on = isEvent ? '/' : path.startsWith('/') ? path : `/${path}`
  return {
    name: isEvent ? path.replace(/^\/+/, '') || path : 'pageview',
    url: `https://${domain}${on}${query === '' ? '' : `${on.includes('?') ? '&' : '?'}${query}`}`,
    ip,
    user_agent,
    ...(ref !== '' && { referrer: ref }),
    ...(title !== '' && { title }),
    ...(widthIn(hit.size) !== undefined && { screen_width: widthIn(hit.size) }),
    ...(textIn(hit, 'language') !== '' && { l: textIn(hit, 'language') }),
    ...(at !== '' && !at.startsWith('0001-') && { timestamp: at }),
  }
}

/** `1920`, `"1920,1080,1"`, `[1920, 1080, 1]` */
function widthIn(size: unknown): number | undefined {
  const first: unknown = Array.isArray(size) ? size[0] : typeof size === 'string' ? size.split(',')[0] : size
  const width = typeof first === 'number' || typeof first === 'string' ? Number(first) : Number.NaN
  return Number.isFinite(width) && width > 0 ? Math.round(width) : undefined
}
