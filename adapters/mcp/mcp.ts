/**
 * `POST /mcp`: Streamable HTTP without streams or sessions, implemented here. With the SDK's server (a new one for each
 * request, each message through zod) a call took 5 to 7 times as long as over HTTP; this takes twice as long. The tests
 * use the clients of both SDKs.
 */
import type { Context } from 'hono'
import type { App } from '../../runtime/app.ts'
import { fail } from '../../runtime/errors.ts'
import { readText } from '../http/body.ts'
import { addressOf, type Env, headerOf, type Mount, requestId } from '../http/http.ts'
import { securityHeaders } from '../http/security.ts'
import { answer, refusal, type Reply } from './answer.ts'
import { ProtocolFault } from './message.ts'
import { openVisit, type Visit } from './visit.ts'

/** Most messages in one POST. Batches exist in the protocol up to 2025-03-26. */
const longestBatch = 50

export const mcp: Mount = (web, app) => {
  web.post('/mcp', c => post(app, c))
}

async function post(app: App, c: Context<Env>): Promise<Response> {
  const { headers } = c.req.raw
  refuseOtherOrigins(app.config.BASE_URL, headers.get('origin'))
  const query = new URL(c.req.url).searchParams
  const visit = openVisit({ app, headers, ip: addressOf(c, app), requestId: requestId(c), query })
  // Read as JSON whatever its Content-Type says, so that a bare `curl -d` works. Insisting on a type would only keep
  // out forms of other sites, which the token in a header and the check of Origin do already.
  const { status, body } = await reply(visit, await readText(c.req.raw, headerOf(c, 'content-length')))
  // Made with all headers, as in http.ts: adding one later costs as much as the call.
  const all = { ...securityHeaders(app.config.BASE_URL), 'X-Request-Id': visit.requestId, 'Cache-Control': 'no-store', ...visit.noted }
  if (!body) return new Response(null, { status, headers: all })
  return new Response(JSON.stringify(body), { status, headers: { ...all, 'Content-Type': 'application/json; charset=utf-8' } })
}

async function reply(visit: Visit, text: string): Promise<Reply> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return refusal(visit, null, new ProtocolFault('unreadable', 'The body is not JSON.'))
  }
  return Array.isArray(value) ? replyToBatch(visit, value) : answer(visit, value)
}

/** One after another: a batch is no way to have more at a time than single calls would. */
async function replyToBatch(visit: Visit, values: readonly unknown[]): Promise<Reply> {
  await visit.identify()
  if (values.length === 0 || values.length > longestBatch) {
    const message = `A batch has 1 to ${longestBatch} messages; received ${values.length}.`
    return refusal(visit, null, new ProtocolFault('invalid_request', message))
  }
  const replies: object[] = []
  for (const value of values) {
    const { body } = await answer({ ...visit, inBatch: true }, value)
    if (body) replies.push(body)
  }
  return replies.length === 0 ? { status: 202 } : { status: 200, body: replies }
}

/** Against DNS rebinding: a browser says in `Origin` which page sends the request (MCP, "Security Warning"). */
function refuseOtherOrigins(baseUrl: string, origin: string | null): void {
  if (origin === null || (URL.canParse(baseUrl) && origin === new URL(baseUrl).origin)) return
  fail('permission_denied', 'Requests from pages of another origin are refused.')
}
