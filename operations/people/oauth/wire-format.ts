/** Responses in the format of OAuth (RFC 6749 §5), also for errors that the runtime reports. */
import { type Answer, isRefusal } from '../../../runtime/table/answer.ts'
import type { EndpointAnswer, EndpointRequest } from '../../../runtime/table/endpoint.ts'
import { plain } from '../../../runtime/table/answer-kinds.ts'
import { wireFormat } from '../../../runtime/table/wire-format.ts'

export interface Refusal {
  readonly error: string
  readonly description: string
}
export const refuse = (error: string, description: string): Refusal => ({ error, description })

/** Responses with tokens are neither cached nor compressed: a compressed length could reveal the secret. */
const headers = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-store, no-transform',
  Pragma: 'no-cache',
} as const

export const answered = (body: Readonly<Record<string, unknown>>, status = 200): EndpointAnswer => ({
  status,
  headers,
  body: JSON.stringify(body),
})

export function refused({ error, description }: Refusal): EndpointAnswer {
  const body = { error, error_description: described(description) }
  // A 401 must name an authentication scheme, even though clients have no secret here (RFC 6749 §5.2).
  return error === 'invalid_client'
    ? { ...answered(body, 401), headers: { ...headers, 'WWW-Authenticate': 'Basic realm="Footfall"' } }
    : answered(body, 400)
}

/** RFC 6749 §5.2 allows neither quotes, backslashes nor letters beyond ASCII in a description. */
const described = (text: string): string =>
  text
    .replaceAll(/["\\]/g, "'")
    .replaceAll(/[^\x20-\x7e]/g, '?')
    .slice(0, 400)

export const oauthWireFormat = wireFormat({
  names: {},
  read: given => given,
  present(answer: Answer) {
    if (!isRefusal(answer)) return answer
    const { status, body, headers: given } = answer
    const error = status === 429 || status === 503 ? 'temporarily_unavailable' : status >= 500 ? 'server_error' : 'invalid_request'
    const { message, details } = body.error
    const description = [message, ...details.slice(0, 5).map(detail => detail.message)].join(' ')
    return { ...answer, kind: plain, headers: { ...given, ...headers }, body: { error, error_description: described(description) } }
  },
})

/**
 * Reads the fields of a form (RFC 6749 §3.2), by name. @returns a refusal if the body is not a form, or repeats a field
 * @throws Failure `payload_too_large`
 */
export async function fieldsOf(request: EndpointRequest): Promise<ReadonlyMap<string, string> | Refusal> {
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(request.header('content-type') ?? ''))
    return refuse('invalid_request', 'Send the body as application/x-www-form-urlencoded.')
  if (request.header('authorization') !== undefined)
    return refuse('invalid_client', 'Clients have no secret here: send client_id in the body, and no Authorization header.')
  const fields = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(await request.text())) {
    if (fields.has(name)) return refuse('invalid_request', `${name.slice(0, 50)} appears more than once.`)
    if (value !== '') fields.set(name, value) // an empty value counts as omitted (RFC 6749 §3.2)
  }
  return fields
}
