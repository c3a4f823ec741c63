/** Answers one JSON-RPC message. */
import { Failure } from '../../runtime/table/errors.ts'
import { serverInfo } from './server-description.ts'
import { fault, idOf, ProtocolFault, readMessage, shown } from './message.ts'
import { methods } from './methods.ts'
import type { McpRequest } from './request.ts'

export interface Reply {
  /** HTTP status. */
  readonly status: number
  /** Undefined for notifications, which have no answer. */
  readonly body?: object
}

/** @throws Failure if authentication or the rate limit refuses the caller: answered as an HTTP status */
export async function answer(request: McpRequest, value: unknown): Promise<Reply> {
  try {
    const message = readMessage(value, request.headers)
    if (message.kind !== 'request') {
      await request.identify()
      return { status: 202 }
    }
    const { id, era, params } = message
    const method = Object.hasOwn(methods, message.method) ? methods[message.method] : undefined
    if (!method?.eras.includes(era)) {
      fault(era === 'stateless' ? 'unknown_stateless_method' : 'unknown_method', `There is no method ${shown(message.method)}.`)
    }
    if (request.inBatch && (era === 'stateless' || message.method === 'initialize')) {
      fault('invalid_request', `${message.method} is not sent in a batch.`)
    }
    if (!method.identifies) await request.identify()
    const result = await method.answer(request, params, era)
    return { status: 200, body: { jsonrpc: '2.0', id, result: era === 'stateless' ? withStatelessFields(result, method.ttlMs) : result } }
  } catch (thrown) {
    if (thrown instanceof ProtocolFault) return refusal(request, value, thrown)
    // In a batch, one refused call must not discard the other answers.
    if (!request.inBatch || !(thrown instanceof Failure)) throw thrown
    return refusal(request, value, new ProtocolFault('stopped', thrown.message, { code: thrown.code }))
  }
}

/** Authenticates first: without a valid token, a client learns nothing about its message. @throws Failure */
export async function refusal(request: McpRequest, value: unknown, thrown: ProtocolFault): Promise<Reply> {
  await request.identify()
  const { code, message, data, status } = thrown // JSON leaves out `data` if undefined
  return { status, body: { jsonrpc: '2.0', id: idOf(value), error: { code, message, data } } }
}

/** Adds the fields that results have since 2026-07-28. */
function withStatelessFields(result: object, ttlMs: number | undefined): object {
  const caching = ttlMs === undefined ? {} : { ttlMs, cacheScope: 'private' }
  return { resultType: 'complete', ...result, ...caching, _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo } }
}
