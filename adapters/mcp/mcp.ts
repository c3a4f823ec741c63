/**
 * `POST /mcp`: Streamable HTTP without streams or sessions, spoken by hand. With the SDK's server (a new one a request,
 * each message through zod) a call took 5 to 7 times the same call over HTTP; like this it takes 2 times. The clients
 * of both SDKs are the counterparts in tests/mcp.
 */
import { setImmediate } from 'node:timers/promises'
import type { Context } from 'hono'
import type { App } from '../../runtime/app.ts'
import { fail, Failure } from '../../runtime/errors.ts'
import { parseJson } from '../../runtime/json.ts'
import { readText } from '../http/body.ts'
import { addressOf, type Env, headerOf, type Mount, requestId } from '../http/http.ts'
import { securityHeaders } from '../http/security.ts'
import { answer, refusal, type Reply } from './answer.ts'
import { ProtocolFault } from './message.ts'
import { openVisit, type Visit } from './visit.ts'

/** Messages in one POST; batches are of the protocol up to 2025-03-26. */
const longestBatch = 50
/** Characters of a batch's answers, after which the rest of its messages are refused: fifty lists of tools are 40 MB. */
const mostAnswered = 1024 * 1024

/** Of HTTP; no text where there is nothing to answer. */
interface Sent { readonly status: number; readonly text?: string }

export const mcp: Mount = (web, app) => {
  web.post('/mcp', c => post(app, c))
}

async function post(app: App, c: Context<Env>): Promise<Response> {
  const { headers } = c.req.raw
  refuseOtherOrigins(app.config.BASE_URL, headers.get('origin'))
  const query = new URL(c.req.url).searchParams
  const visit = openVisit({ app, headers, ip: addressOf(c, app), requestId: requestId(c), query })
  // Read as JSON whatever its Content-Type says, so that a bare `curl -d` works: a token in a header and the Origin
  // above keep out the forms of other sites, which is what insisting on a type would be for.
  const { status, text } = await reply(visit, await readText(c.req.raw, headerOf(c, 'content-length')))
  // With every header at once, as http.ts makes its own: adding one afterwards costs as much as the call.
  const all = { ...securityHeaders(app.config.BASE_URL), 'X-Request-Id': visit.requestId, 'Cache-Control': 'no-store', ...visit.noted }
  if (text === undefined) return new Response(null, { status, headers: all })
  return new Response(text, { status, headers: { ...all, 'Content-Type': 'application/json; charset=utf-8' } })
}

async function reply(visit: Visit, text: string): Promise<Sent> {
  let value: unknown
  try {
    value = parseJson(text)
  } catch (thrown) {
    const message = thrown instanceof Failure ? thrown.message : 'The body is not JSON.'
    return sent(await refusal(visit, null, new ProtocolFault('unreadable', message)))
  }
  return Array.isArray(value) ? replyToBatch(visit, value) : sent(await answer(visit, value))
}

function sent({ status, body }: Reply): Sent {
  return { status, ...(body && { text: JSON.stringify(body) }) }
}

/** One after another, others in between: a batch is no way to have more at a time than single calls would. */
async function replyToBatch(visit: Visit, values: readonly unknown[]): Promise<Sent> {
  await visit.identify()
  if (values.length === 0 || values.length > longestBatch) {
    const message = `A batch has 1 to ${longestBatch} messages; received ${values.length}.`
    return sent(await refusal(visit, null, new ProtocolFault('invalid_request', message)))
  }
  const replies: string[] = []
  let answered = 0
  for (const value of values) {
    const { text = '' } = sent(await (answered < mostAnswered ? answer({ ...visit, inBatch: true }, value) : refusal(visit, value, tooMuch())))
    answered += text.length
    if (text !== '') replies.push(text)
    await setImmediate()
  }
  return replies.length === 0 ? { status: 202 } : { status: 200, text: `[${replies.join(',')}]` }
}

const tooMuch = () => new ProtocolFault('stopped', 'The batch is answered too much already; send this message again by itself.')

/** A page elsewhere that reaches this address by DNS rebinding says where it is from (MCP, "Security Warning"). */
function refuseOtherOrigins(baseUrl: string, origin: string | null): void {
  if (origin === null || (URL.canParse(baseUrl) && origin === new URL(baseUrl).origin)) return
  fail('permission_denied', 'Requests from pages of another origin are refused.')
}
