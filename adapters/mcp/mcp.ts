/**
 * `POST /mcp`: Streamable HTTP without streams or sessions, implemented here. With the SDK's server (a new one for each
 * request, each message through zod) a call took 5 to 7 times as long as over HTTP; this takes twice as long. The tests
 * use the clients of both SDKs.
 */
import { setImmediate } from 'node:timers/promises'
import type { Context } from 'hono'
import type { App } from '../../runtime/app.ts'
import { fail, Failure } from '../../runtime/table/errors.ts'
import { parseJsonList } from '../../runtime/call/parse-json.ts'
import { readText } from '../http/body.ts'
import { addressOf, type Env, type Mount, requestId } from '../http/web.ts'
import { respond } from '../http/respond.ts'
import { securityHeaders } from '../http/security.ts'
import { answer, refusal, type Reply } from './answer.ts'
import { ProtocolFault } from './message.ts'
import { openRequest, type McpRequest } from './request.ts'

/** At most this many messages in one POST. Batches exist in the protocol up to 2025-03-26. */
const maxBatchSize = 50
/** When the answers of a batch exceed this, further messages are refused. (50 lists of tools would be 40 MB.) */
const maxBatchCharacters = 1024 * 1024

/** Messages longer than this yield to other requests while they are processed. */
const longMessageCharacters = 64 * 1024

/** The HTTP answer; without text for notifications. */
interface PostReply {
  readonly status: number
  readonly text?: string
}

export const mcp: Mount = (web, app) => {
  for (const path of ['/mcp', '/mcp/']) web.post(path, c => post(app, c)) // people copy addresses with a slash at the end
}

async function post(app: App, c: Context<Env>): Promise<Response> {
  const { headers } = c.req.raw
  refuseOtherOrigins(app.config.BASE_URL, headers.get('origin'))
  const query = new URL(c.req.url).searchParams
  const request = openRequest({ app, headers, ip: addressOf(c, app), requestId: requestId(c), query })
  // Read as JSON whatever its Content-Type says, so that a bare `curl -d` works. Insisting on a type would only keep
  // out forms of other sites, which the token in a header and the check of Origin do already.
  const { status, text } = await reply(request, await readText(c))
  // The response is created with all headers, as in http.ts: adding one later costs as much as the call.
  const responseHeaders = {
    ...securityHeaders(app.config.BASE_URL),
    'X-Request-Id': request.requestId,
    'Cache-Control': 'no-store',
    ...request.noted,
  }
  if (text === undefined) return new Response(null, { status, headers: responseHeaders })
  return respond(c, { status, headers: { ...responseHeaders, 'Content-Type': 'application/json; charset=utf-8' }, body: text })
}

async function reply(request: McpRequest, text: string): Promise<PostReply> {
  let value: unknown
  try {
    value = await parseJsonList(text) // each message of a batch may be as large as a single one
  } catch (thrown) {
    const message = thrown instanceof Failure ? thrown.message : 'The body is not JSON.'
    return toPostReply(await refusal(request, null, new ProtocolFault('unreadable', message)))
  }
  if (Array.isArray(value)) return replyToBatch(request, value)
  if (text.length <= longMessageCharacters) return toPostReply(await answer(request, value))
  await setImmediate()
  const replied = await answer(request, value)
  await setImmediate()
  return toPostReply(replied)
}

function toPostReply({ status, body }: Reply): PostReply {
  return { status, ...(body && { text: JSON.stringify(body) }) }
}

/** Processes messages one after another, yielding to other requests: a batch gets no priority over single calls. */
async function replyToBatch(request: McpRequest, values: readonly unknown[]): Promise<PostReply> {
  await request.identify()
  if (values.length === 0 || values.length > maxBatchSize) {
    const message = `A batch has 1 to ${maxBatchSize} messages; received ${values.length}.`
    return toPostReply(await refusal(request, null, new ProtocolFault('invalid_request', message)))
  }
  const replies: string[] = []
  let characters = 0
  for (const value of values) {
    const { text = '' } = toPostReply(
      await (characters < maxBatchCharacters ? answer({ ...request, inBatch: true }, value) : refusal(request, value, tooMuch())),
    )
    characters += text.length
    if (text !== '') replies.push(text)
    await setImmediate()
  }
  return replies.length === 0 ? { status: 202 } : { status: 200, text: `[${replies.join(',')}]` }
}

const tooMuch = () => new ProtocolFault('stopped', 'The answers to this batch are too long already; send this message again by itself.')

/** Against DNS rebinding: a browser's `Origin` header names the page that sends the request (MCP, "Security Warning"). */
function refuseOtherOrigins(baseUrl: string, origin: string | null): void {
  if (origin === null || (URL.canParse(baseUrl) && origin === new URL(baseUrl).origin)) return
  fail('permission_denied', 'Requests from pages of another origin are refused.')
}
