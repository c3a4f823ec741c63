/** `tools/call`: hands an operation's arguments to the one way through a call, and makes a result of its answer. */
import type { Answer } from '../../runtime/app.ts'
import { errorBody, Failure, fail } from '../../runtime/errors.ts'
import type { NamedOperation } from '../../runtime/table.ts'
import { fault, isObject, type Params, shown } from './message.ts'
import { calledBySearch, search } from './search.ts'
import type { Visit } from './visit.ts'
import { cleaned } from './visitor-text.ts'

/** Where a client of MCP puts an idempotency key; the header does as well where a POST holds one call. */
export const idempotencyKeyName = 'footfall/idempotency-key'

export async function callTool(visit: Visit, params: Params): Promise<object> {
  const { name } = params
  if (typeof name !== 'string') fault('invalid_params', 'params.name must be the name of a tool.')
  const args = params.arguments ?? {}
  const offer = visit.offer()
  const operation = offer.find(name)
  if (operation) return call(visit, operation, args, params)
  if (offer.search && name === 'tools_call') {
    const called = attempt(() => calledBySearch(offer, args))
    if (!(called instanceof Failure)) return call(visit, called.operation, called.args ?? {}, params)
    await visit.identify()
    return toolResult(errorBody(called, 'body'))
  }
  const caller = await visit.identify()
  if (offer.search && name === 'tools_search') {
    const allowed = offer.operations.filter(each => visit.app.allows(caller, each))
    const found = attempt(() => search(allowed, args, visit.tools()))
    return toolResult(found instanceof Failure ? errorBody(found, 'body') : found)
  }
  const hint = visit.app.table.operations.has(name) ? 'This address does not offer it.' : 'tools/list names those there are.'
  fault('invalid_params', `Unknown tool: ${shown(name)}. ${hint}`)
}

/** A call is authenticated, and counted, by `app.call`; what is open to all of HTTP still asks for a token here. */
async function call(visit: Visit, operation: NamedOperation, args: unknown, params: Params): Promise<object> {
  if (operation.access === 'public') await visit.identify()
  const given = Object.entries(isObject(args) ? args : {})
  const isPath = ([name]: readonly [string, unknown]) => Object.hasOwn(operation.pathInput, name)
  const answer = await visit.app.call({
    operation,
    surface: 'mcp',
    authorization: visit.headers.get('authorization') ?? undefined,
    ip: visit.ip,
    requestId: visit.requestId,
    idempotencyKey: idempotencyKey(visit, params),
    path: Object.fromEntries(given.filter(isPath)),
    async input() {
      const received = Array.isArray(args) ? 'an array' : `a ${typeof args}`
      if (!isObject(args)) fail('invalid_json', `The arguments must be a JSON object; received ${received}.`)
      return Object.fromEntries(given.filter(entry => !isPath(entry)))
    },
  })
  refusedAtTheDoor(answer)
  visit.note(answer.headers)
  return toolResult(answer.body)
}

/**
 * Who is not let in at all hears it from HTTP, whatever was called; and where the same call will do later, as HTTP alone
 * has a word for when. @throws Failure
 */
function refusedAtTheDoor({ status, body, headers }: Answer): void {
  if (!('error' in body)) return
  const { code, message } = body.error
  if (status === 401 || 'Retry-After' in headers || code === 'ip_not_allowed') throw new Failure(code, message, [], headers)
}

/** A key of the wrong type is none that can be used: the runtime says so. */
function idempotencyKey({ headers, inBatch }: Visit, { _meta }: Params): string | undefined {
  const key = isObject(_meta) ? _meta[idempotencyKeyName] : undefined
  if (key !== undefined) return typeof key === 'string' ? key : ''
  return inBatch ? undefined : (headers.get('idempotency-key') ?? undefined)
}

function toolResult(body: object): object {
  const { text, value } = cleaned(body)
  return { content: [{ type: 'text', text }], structuredContent: value, ...('error' in value ? { isError: true } : {}) }
}

function attempt<T>(run: () => T): T | Failure {
  try {
    return run()
  } catch (thrown) {
    if (thrown instanceof Failure) return thrown
    throw thrown
  }
}
