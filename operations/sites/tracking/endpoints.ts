/** The script of a site and its hits, at the site's own path. */
import type { HandlerServices } from '../../../runtime/table/services.ts'
import { endpoint, type EndpointAnswer, type EndpointRequest } from '../../../runtime/table/endpoint.ts'
import { fail } from '../../../runtime/table/errors.ts'
import { isObject } from '../../../runtime/values/json.ts'
import { parseJson } from '../../../runtime/call/parse-json.ts'
import { secretBox } from '../../../runtime/settings/secret-box.ts'
import type { SiteTrackingRow } from '../../../storage/tables/tracking.ts'
import { bodyOf, hitBytes, json, parsePlausible, receive, senderOf, outcomeHeaders, tracker } from '../collection/index.ts'
import { clickGoals } from '../goals/index.ts'
import { wildcard } from '../traffic-rules/index.ts'
import { confirm } from './confirm.ts'
import { isKey, PROXY_KEY, proxyKeys, visitorOf } from './proxy-key.ts'
import { trackingByPath } from './rows.ts'
import { scriptOf, scriptUrl } from './script.ts'
import { SCRIPT_PATH } from './script-path.ts'

/** The smallest GIF: one transparent pixel. */
const PIXEL = new Uint8Array(Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'))

export const site_script = endpoint({
  route: 'GET /{script}.js',
  pattern: SCRIPT_PATH,
  summary: 'The script of one site, with its settings',
  access: 'public',
  rate: 'none',
  crossOrigin: { headers: [] },
  async handle({ path }, app) {
    const row = await siteAt(path.script, app)
    const goals = await clickGoals(app.store.read, row.site_id)
    const body = scriptOf(row, { tracker: await app.use(tracker), src: scriptUrl(app.config.BASE_URL, row), goals })
    return { status: 200, headers: { 'Content-Type': 'text/javascript; charset=utf-8', 'Cache-Control': 'public, max-age=600' }, body }
  },
})

export const site_hit = endpoint({
  route: 'POST /{script}',
  pattern: SCRIPT_PATH,
  summary: 'Collect a hit from the script of one site',
  access: 'optional',
  rate: 'none',
  crossOrigin: { headers: ['Authorization'] },
  maxBytes: hitBytes,
  async handle(request, app) {
    const { site_id, script_path } = await siteAt(request.path.script, app)
    const body = await bodyOf(request, parseJson)
    const sender = await senderBehind(request, script_path, app)
    if (isObject(body) && body.n === 'verify') return json(202, await confirm(app, { siteId: site_id, nonce: body.nonce, ip: sender.ip }))
    // The path determines the site, whatever the body says.
    const parsed = parsePlausible(isObject(body) ? { ...body, d: site_id, domain: undefined } : body)
    if ('errors' in parsed) return json(400, parsed)
    const received = await receive(parsed.hits, sender, app)
    return { status: 202, headers: { 'Content-Type': 'text/plain; charset=utf-8', ...outcomeHeaders(received) }, body: 'ok' }
  },
})

export const site_pixel = endpoint({
  route: 'GET /{script}.gif',
  pattern: SCRIPT_PATH,
  summary: 'Collect a pageview without a script, for noscript and e-mails: of the page in `u`; otherwise, of the referring page',
  access: 'public',
  rate: 'none',
  crossOrigin: { headers: [] },
  async handle(request, app) {
    const row = await siteAt(request.path.script, app)
    if (request.method === 'HEAD') return pixel({}) // a program that asks whether the image exists, and shows nothing
    const query = queryOf(request)
    const url = query.get('u') ?? request.header('referer') ?? ''
    const parsed = parsePlausible({ n: 'pageview', u: url, d: row.site_id, r: query.get('r') ?? undefined, h: row.hash })
    if ('errors' in parsed || !wants(row, url, request.header)) return pixel(outcomeHeaders([{ dropped: 'invalid' }]))
    return pixel(
      outcomeHeaders(await receive(parsed.hits, { ...(await senderBehind(request, row.script_path, app)), caller: undefined }, app)),
    )
  },
})

/** @throws Failure `not_found` */
async function siteAt(path: string | undefined, app: HandlerServices): Promise<SiteTrackingRow> {
  return (await app.use(trackingByPath).find((path ?? '').replace(/\.\w+$/, ''))) ?? fail('not_found')
}

const queryOf = ({ url }: EndpointRequest): URLSearchParams => new URL(url, 'http://nowhere.invalid').searchParams

/** Describes the sender. Behind a proxy that shows the key of the site, this is the visitor for whom it sends. */
async function senderBehind(request: EndpointRequest, scriptPath: string, app: HandlerServices): Promise<ReturnType<typeof senderOf>> {
  const sender = senderOf(request)
  const given = queryOf(request).get(PROXY_KEY)
  if (given === null || !isKey(given, await proxyKeys(app.use(secretBox), app.store.read, scriptPath))) return sender
  return { ...sender, ip: visitorOf(request.header('x-forwarded-for'), request.ip) }
}

/** Whether to count the hit. Applies the rules that the script otherwise applies in the browser: paths, and Do-Not-Track. */
function wants(row: SiteTrackingRow, url: string, header: (name: string) => string | undefined): boolean {
  if (row.respect_dnt === 1 && (header('dnt') === '1' || header('sec-gpc') === '1')) return false
  const path = URL.canParse(url) ? new URL(url).pathname : '/'
  const isAmong = (json: string) => (JSON.parse(json) as string[]).some(pattern => wildcard(pattern)(path) || wildcard(`${pattern}/`)(path))
  return (row.include === '[]' || isAmong(row.include)) && !isAmong(row.exclude)
}

function pixel(headers: Readonly<Record<string, string>>): EndpointAnswer {
  return { status: 200, headers: { 'Content-Type': 'image/gif', 'Cache-Control': 'no-store', ...headers }, body: PIXEL }
}
