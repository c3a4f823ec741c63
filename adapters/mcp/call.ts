/** `tools/call`: calls the operation by `app.call`, and turns its answer into a tool result. */
import { type Answer, isRefusal } from '../../runtime/table/answer.ts'
import { isBlank } from '../../runtime/call/blank-arguments.ts'
import { refuseManyFields } from '../../runtime/call/input-bounds.ts'
import { type ErrorBody, errorBody, Failure, fail } from '../../runtime/table/errors.ts'
import { isObject } from '../../runtime/values/json.ts'
import type { NamedOperation } from '../../runtime/table/table.ts'
import { fault, type Params, shown } from './message.ts'
import { calledBySearch, search } from './search.ts'
import type { McpRequest } from './request.ts'
import { cleaned } from './visitor-text.ts'

/** The key in `_meta` for an idempotency key. The HTTP header also works if a POST has a single call. */
export const idempotencyKeyName = 'footfall/idempotency-key'

export async function callTool(request: McpRequest, params: Params): Promise<object> {
  const { name } = params
  if (typeof name !== 'string') fault('invalid_params', 'params.name must be the name of a tool.')
  const args = params.arguments ?? {}
  const offer = request.offer()
  const operation = offer.find(name)
  if (operation) return call(request, { operation, args, params })
  if (offer.searched && name === 'tools_call') {
    const called = attempt(() => calledBySearch(offer, args))
    if (!(called instanceof Failure)) return call(request, { operation: called.operation, args: called.args ?? {}, params })
    await request.identify()
    return toolResult(request, errorBody(called, 'body'))
  }
  const caller = await request.identify()
  if (offer.searched && name === 'tools_search') {
    const allowed = offer.searched.filter(each => request.app.allows(caller, each))
    const found = attempt(() => search(allowed, args, each => request.listed([each])[0]))
    return toolResult(request, found instanceof Failure ? errorBody(found, 'body') : found)
  }
  const elsewhere = offer.searched?.some(({ id }) => id === name) ? 'tools_call calls it here.' : 'This address does not offer it.'
  const hint = request.app.table.operations.has(name) ? elsewhere : 'tools/list lists the tools.'
  fault('invalid_params', `Unknown tool: ${shown(name)}. ${hint}`)
}

async function call(
  request: McpRequest,
  { operation, args, params }: { operation: NamedOperation; args: unknown; params: Params },
): Promise<object> {
  const answer = await answerTo(request, { operation, args, key: idempotencyKey(request, params) })
  return toolResult(request, Object(answer.body))
}

/**
 * The answer of an operation. `app.call` authenticates and counts; operations that are public over HTTP need a token here.
 * @throws Failure if the caller is refused, rather than the call
 */
export async function answerTo(
  request: McpRequest,
  { operation, args, key }: { operation: NamedOperation; args: unknown; key?: string | undefined },
): Promise<Answer> {
  if (operation.access === 'public') await request.identify()
  const inPath = Object.keys(operation.pathInput).filter(name => isObject(args) && Object.hasOwn(args, name))
  const named = inPath.filter(name => isObject(args) && !isBlank(args[name]))
  const answer = await request.app.call({
    operation,
    surface: 'mcp',
    resource: '/mcp',
    completes: true,
    header: name => request.headers.get(name) ?? undefined,
    ip: request.ip,
    id: request.requestId,
    idempotencyKey: key,
    path: Object.fromEntries(named.map(name => [name, isObject(args) ? args[name] : undefined])),
    async input() {
      const received = Array.isArray(args) ? 'an array' : `a ${typeof args}`
      if (!isObject(args)) fail('invalid_json', `The arguments must be a JSON object; received ${received}.`)
      refuseManyFields(args)
      return Object.fromEntries(Object.entries(args).filter(([name]) => !inPath.includes(name)))
    },
  })
  throwAsStatus(answer, request.inBatch)
  request.note(answer.headers)
  return answer
}

/**
 * Refusals of the caller, rather than the call, become HTTP statuses: not authenticated, to be retried later, or an OAuth
 * client that can ask its user for more (MCP, "Scope Challenge Handling"). Only HTTP has headers for these.
 * @throws Failure
 */
function throwAsStatus(answer: Answer, inBatch: boolean): void {
  if (!isRefusal(answer)) return
  const { status, body, headers, caller } = answer
  const { code, message } = body.error
  const canAskForMore = caller?.obtainable !== undefined && 'WWW-Authenticate' in headers && !inBatch
  if (status === 401 || 'Retry-After' in headers || code === 'ip_not_allowed' || canAskForMore)
    throw new Failure(code, message, { headers })
}

/** A key of the wrong type becomes '', which the runtime refuses with a message. */
function idempotencyKey({ headers, inBatch }: McpRequest, { _meta }: Params): string | undefined {
  const key = isObject(_meta) ? _meta[idempotencyKeyName] : undefined
  if (key !== undefined) return typeof key === 'string' ? key : ''
  return inBatch ? undefined : (headers.get('idempotency-key') ?? undefined)
}

function toolResult(request: McpRequest, body: object): object {
  const { text, value } = cleaned(limitFaults(request, body))
  return { content: [{ type: 'text', text }], structuredContent: value, ...('error' in value ? { isError: true } : {}) }
}

/**
 * Limits the faults in the answers to one POST, however many messages it has. The arguments of a tool are one object
 * without path and query.
 */
function limitFaults({ left }: McpRequest, body: object): object {
  if (!isErrorBody(body) || body.error.details.length === 0) return body
  const details = body.error.details.slice(0, left.faults).map(detail => ({ ...detail, in: 'body' as const }))
  left.faults -= details.length
  return { error: { ...body.error, details } }
}

const isErrorBody = (body: object): body is ErrorBody => 'error' in body

function attempt<T>(run: () => T): T | Failure {
  try {
    return run()
  } catch (thrown) {
    if (thrown instanceof Failure) return thrown
    throw thrown
  }
}
