/** Endpoints for hits: for our own script, and unmodified third-party trackers (docs/analytics.md §4). */
import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { after, type Awaitable } from '../../../storage/values/awaitable.ts'
import type { HandlerServices } from '../../../runtime/table/services.ts'
import { endpoint, type EndpointAnswer, type EndpointRequest } from '../../../runtime/table/endpoint.ts'
import { maxFaults } from '../../../runtime/table/errors.ts'
import { parseJson, parseJsonList } from '../../../runtime/call/parse-json.ts'
import type { Received } from './collector.ts'
import { parsePlausible } from './formats/plausible.ts'
import { parseUmami, parseUmamiBatch } from './formats/umami.ts'
import type { Parsed } from './hit.ts'
import type { Sender } from './sender.ts'
import { bodyOf, hitBytes, json, receive, senderOf, outcomeHeaders } from './receive.ts'
import { script } from './script-answer.ts'
import { scriptNamed } from './script-names.ts'
import { tracker } from './tracker.ts'

/** Hits of a batch to process before yielding to the event loop. */
const hitsAtOnce = 50

export const plausible_event = endpoint({
  route: 'POST /api/event',
  summary: 'Collect a hit from our own script, Plausible’s trackers or a server',
  access: 'optional',
  rate: 'none',
  crossOrigin: { headers: ['Authorization', 'X-Debug-Request'] },
  maxBytes: hitBytes,
  handle: (request, app) => bodyOf(request, parseJson).then(body => plausibleAnswer(parsePlausible(body), request, app)),
})

/** Waits only for the store. */
function plausibleAnswer(parsed: Parsed, request: EndpointRequest, app: HandlerServices): Awaitable<EndpointAnswer> {
  if ('errors' in parsed) return json(400, parsed)
  const sender = senderOf(request)
  if (request.header('x-debug-request') === 'true') return json(200, { ip: sender.ip })
  return after(receive(parsed.hits, sender, app), received => {
    if (received.every(each => 'dropped' in each && each.dropped === 'unknown_site')) {
      return json(
        400,
        { errors: { domain: [`no site has the domain ${parsed.hits.map(hit => hit.site.value).join(', ')}`] } },
        outcomeHeaders(received),
      )
    }
    return { status: 202, headers: { 'Content-Type': 'text/plain; charset=utf-8', ...outcomeHeaders(received) }, body: 'ok' }
  })
}

export const umami_send = endpoint({
  route: 'POST /api/send',
  summary: 'Collect a hit from Umami’s script',
  access: 'optional',
  rate: 'none',
  crossOrigin: { headers: ['Authorization', 'x-umami-cache'] },
  maxBytes: hitBytes,
  async handle(request, app) {
    const parsed = parseUmami(await bodyOf(request, parseJson))
    const [answer] = await umamiAnswers([parsed], senderOf(request), app)
    const { status, body, headers } = answer ?? invalid
    return json(status, body, headers)
  },
})

export const umami_batch = endpoint({
  route: 'POST /api/batch',
  summary: 'Collect several hits in Umami’s format',
  access: 'optional',
  rate: 'none',
  crossOrigin: { headers: ['Authorization', 'x-umami-cache'] },
  async handle(request, app) {
    const body = await bodyOf(request, parseJsonList)
    request.countBatch(Array.isArray(body) ? body.length : 1)
    const parsed = await parseUmamiBatch(body)
    if ('errors' in parsed) return json(400, parsed)
    const sender = senderOf(request)
    const answers: UmamiAnswer[] = []
    for (let from = 0; from < parsed.length; from += hitsAtOnce) {
      answers.push(...(await umamiAnswers(parsed.slice(from, from + hitsAtOnce), sender, app)))
      await setImmediate()
    }
    const failures = answers.flatMap(({ status, body }, index) => (status === 200 ? [] : [{ index, response: body }]))
    const cache = answers.flatMap(({ body }) => ('cache' in body ? [body.cache] : [])).at(-1) ?? null
    return json(200, {
      size: answers.length,
      processed: answers.length - failures.length,
      errors: failures.length,
      details: failures.slice(0, maxFaults),
      cache,
    })
  },
})

export const tracker_scripts = endpoint({
  route: 'GET /js/{name}',
  summary: 'The tracker script, and the script for Plausible’s snippet by its names, for example `script.hash.outbound-links.js`',
  access: 'public',
  rate: 'none',
  crossOrigin: { headers: [] },
  async handle({ path: { name = '' } }, app) {
    const scripts = await app.use(tracker)
    return script(name === 'count.js' ? await scripts.count() : scriptNamed(name, scripts), app.config)
  },
})

type UmamiBody = { beep: 'boop' } | { errors: object } | { cache: string; sessionId: string; visitId: string }
interface UmamiAnswer {
  readonly status: number
  readonly body: UmamiBody
  readonly headers: Record<string, string>
}

/** Returns the answer to each message; their hits are stored together. */
async function umamiAnswers(parsed: readonly Parsed[], sender: Sender, app: HandlerServices): Promise<UmamiAnswer[]> {
  const hits = parsed.flatMap(each => ('hits' in each ? each.hits : [])) // a message of Umami's is one hit
  const received = hits.length === 0 ? [] : await receive(hits, sender, app)
  let next = 0
  return parsed.map(each => ('errors' in each ? { status: 400, body: each, headers: {} } : umamiAnswer(received[next++])))
}

function umamiAnswer(received: Received | undefined): UmamiAnswer {
  if (received === undefined) return invalid
  const headers = outcomeHeaders([received])
  if ('site' in received) return { status: 200, body: names(received), headers }
  if (!('dropped' in received) || received.dropped !== 'unknown_site') return { status: 200, body: { beep: 'boop' }, headers }
  return { status: 400, body: { errors: { website: ['belongs to no site: set this id as the umami_id of the site'] } }, headers }
}

const invalid: UmamiAnswer = { status: 200, body: { beep: 'boop' }, headers: outcomeHeaders([{ dropped: 'invalid' }]) }

/** Umami's clients expect ids of the visit. These ids reveal nothing, because they consist of the day's numbers. */
function names({ site, visit }: Extract<Received, { site: unknown }>) {
  const uuid = (text: string) =>
    createHash('sha256')
      .update(text)
      .digest('hex')
      .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5')
  const visitor = `${site.id} ${visit?.day} ${visit === null ? '' : Math.floor(visit.id / 256)}`
  return { cache: uuid(`cache ${visitor}`), sessionId: uuid(visitor), visitId: uuid(`${visitor} ${visit?.id}`) }
}
