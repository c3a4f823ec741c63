/**
 * Reads one JSON-RPC message in either version of the protocol: with an `initialize` handshake up to 2025-11-25;
 * stateless from 2026-07-28, where `_meta` and headers of each message replace the handshake.
 */
import { isObject } from '../../runtime/values/json.ts'

export type Era = 'handshake' | 'stateless'
export type Params = Readonly<Record<string, unknown>>
export type Message =
  | { readonly kind: 'request'; readonly id: Id; readonly method: string; readonly params: Params; readonly era: Era }
  | { readonly kind: 'notification' }
  | { readonly kind: 'response' }
type Id = string | number

/** Newest first. */
export const handshakeVersions: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07']
export const statelessVersions: readonly string[] = ['2026-07-28']

/** Codes of JSON-RPC 2.0 §5.1 and of MCP 2026-07-28; `status` is the HTTP status if the error is the whole answer. */
const faults = {
  unreadable: { code: -32700, status: 400 },
  invalid_request: { code: -32600, status: 400 },
  unknown_method: { code: -32601, status: 200 },
  unknown_stateless_method: { code: -32601, status: 404 },
  invalid_params: { code: -32602, status: 200 },
  invalid_envelope: { code: -32602, status: 400 },
  not_found: { code: -32002, status: 200 },
  stopped: { code: -32000, status: 200 },
  header_mismatch: { code: -32020, status: 400 },
  unsupported_version: { code: -32022, status: 400 },
} as const

/** A protocol error. (An operation's error is a tool result instead.) */
export class ProtocolFault extends Error {
  readonly code: number
  readonly status: number
  readonly data: unknown

  constructor(kind: keyof typeof faults, message: string, data?: unknown) {
    super(message)
    this.code = faults[kind].code
    this.status = faults[kind].status
    this.data = data
  }
}

export function fault(kind: keyof typeof faults, message: string, data?: unknown): never {
  throw new ProtocolFault(kind, message, data)
}

/** @throws ProtocolFault */
export function readMessage(value: unknown, headers: Headers): Message {
  if (!isObject(value) || value.jsonrpc !== '2.0') fault('invalid_request', 'A message is an object with "jsonrpc": "2.0".')
  const { method, id } = value
  const params = value.params ?? {}
  if (method === undefined && ('result' in value || 'error' in value)) return { kind: 'response' }
  if (typeof method !== 'string' || method === '') fault('invalid_request', 'A message names its "method".')
  if (!isObject(params)) fault('invalid_request', '"params" must be an object.')
  if (id === undefined) {
    if (!method.startsWith('notifications/')) fault('invalid_request', `${shown(method)} is a request: give it an "id".`)
    eraOf({ method, params, headers, isRequest: false })
    return { kind: 'notification' }
  }
  if (!isId(id)) fault('invalid_request', `"id" must be a string of at most ${maxIdLength} characters or an integer.`)
  return { kind: 'request', id, method, params, era: eraOf({ method, params, headers, isRequest: true }) }
}

/** The id of the answer; null if it cannot be read. */
export function idOf(value: unknown): Id | null {
  return isObject(value) && typeof value.method === 'string' && isId(value.id) ? value.id : null
}

const versionKey = 'io.modelcontextprotocol/protocolVersion'
const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities'

/** The parameter that `Mcp-Name` repeats. */
const named: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
])

interface EraOf {
  readonly method: string
  readonly params: Params
  readonly headers: Headers
  readonly isRequest: boolean
}

/** The body decides; headers must match it (MCP 2026-07-28, Streamable HTTP, "Server Validation"). */
function eraOf({ method, params, headers, isRequest }: EraOf): Era {
  const header = headers.get('mcp-protocol-version')
  const meta = isObject(params._meta) ? params._meta : {}
  const claimed = meta[versionKey]
  if (claimed === undefined) {
    if (header === null || handshakeVersions.includes(header)) return 'handshake'
    if (!statelessVersions.includes(header)) {
      return method === 'initialize' ? 'handshake' : unsupported(header, [...statelessVersions, ...handshakeVersions])
    }
    if (method === 'initialize') fault('header_mismatch', `Protocol ${header}, which the headers name, has no initialize.`)
    if (isRequest) fault('invalid_envelope', `Protocol ${header} needs "${versionKey}" and "${capabilitiesKey}" in params._meta.`)
  } else {
    if (typeof claimed !== 'string') fault('invalid_envelope', `params._meta: "${versionKey}" must be a string.`)
    if (isRequest && !isObject(meta[capabilitiesKey])) {
      fault('invalid_envelope', `params._meta: "${capabilitiesKey}" must be an object.`)
    }
    if (header !== null && header !== claimed) differs('Mcp-Protocol-Version', claimed, header)
    if (!statelessVersions.includes(claimed)) unsupported(claimed, statelessVersions)
  }
  const mirrored: ReadonlyArray<readonly [string, unknown]> = [
    ['Mcp-Protocol-Version', claimed ?? header],
    ['Mcp-Method', method],
    ...(isRequest && named.has(method) ? [['Mcp-Name', params[named.get(method) ?? '']] as const] : []),
  ]
  for (const [name, wanted] of mirrored) {
    const given = decoded(headers.get(name))
    if (typeof wanted !== 'string' || given === wanted || (given === null && !isRequest)) continue
    differs(name, wanted, given)
  }
  return 'stateless'
}

/** @throws ProtocolFault always: the two differ */
function differs(header: string, wanted: string, given: string | null): never {
  const received = given === null ? 'it is missing' : `received "${shown(given)}"`
  fault('header_mismatch', `The header ${header} must repeat the body's "${shown(wanted)}"; ${received}.`)
}

function unsupported(requested: string, supported: readonly string[]): never {
  const version = shown(requested)
  fault('unsupported_version', `Protocol version ${version} is not spoken here.`, { supported, requested: version })
}

/** Header values with non-ASCII characters are sent as `=?base64?…?=`. */
function decoded(value: string | null): string | null {
  const encoded = value?.match(/^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/)?.[1]
  return encoded === undefined ? value : Buffer.from(encoded, 'base64').toString('utf8')
}

/** The client's text, short enough to repeat. */
export function shown(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

/** Ids are repeated in answers, so their length is limited. */
const maxIdLength = 256

function isId(id: unknown): id is Id {
  return (typeof id === 'string' && id.length <= maxIdLength) || Number.isInteger(id)
}
