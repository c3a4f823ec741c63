/** Answers a request of another product: finds the token, reads the body, calls operations with that token, answers in the other form. */
import type { EndpointAnswer, EndpointRequest } from '../../../runtime/table/endpoint.ts'
import { errors, Failure } from '../../../runtime/table/errors.ts'
import type { CallingServices } from '../../../runtime/table/services.ts'
import { type Answer, isRefusal } from '../../../runtime/table/answer.ts'
import type { Answers, Found } from './answers.ts'
import { fieldsOf } from './body.ts'
import { type Asked, type FaultOfOurs, type ForeignApi, refuse, Refused } from './format.ts'

/** @param withoutToken the body has it, or none is needed */
export async function answerTo(
  format: ForeignApi,
  { request, app, withoutToken }: { request: EndpointRequest; app: CallingServices; withoutToken: boolean },
): Promise<EndpointAnswer> {
  const headers: Record<string, string> = {}
  try {
    const { token, userName } = credentialIn(request)
    if (token === undefined && !withoutToken) refuse(401, 'Send an API token of Footfall: "Authorization: Bearer pat_…".')
    const body = request.method === 'GET' || request.method === 'HEAD' ? {} : await fieldsOf(request)
    return sent(
      format.success ?? 200,
      await format.answer(askedOf({ request, app, token: token ?? '', userName, body, headers, format })),
      headers,
    )
  } catch (thrown) {
    const refused = refusedOf(thrown)
    return sent(format.status?.(refused) ?? refused.status, format.refusal(refused), headers)
  }
}

/** @throws what is not a refusal: a fault of ours */
function refusedOf(thrown: unknown): Refused {
  if (thrown instanceof Refused) return thrown
  if (thrown instanceof Failure) return new Refused(errors[thrown.code].status, thrown.message)
  throw thrown
}

const sent = (status: number, body: unknown, headers: Record<string, string>): EndpointAnswer => ({
  status,
  headers: { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store', ...headers },
  body: JSON.stringify(body),
})

interface Credential {
  readonly token: string | undefined
  readonly userName: string
}

/**
 * A token in a header of one of the products. Umami's own header comes first: a proxy may ask for basic authentication next to it.
 * Cookies are ignored: a page of others could send one.
 */
function credentialIn({ header }: EndpointRequest): Credential {
  const key = header('x-umami-api-key')
  const [, scheme = '', given = ''] = /^(bearer|basic) +(\S+)\s*$/i.exec(header('authorization') ?? '') ?? []
  if (key !== undefined || scheme.toLowerCase() !== 'basic') return { token: key ?? (given === '' ? undefined : given), userName: '' }
  const [, userName = '', password = ''] = /^([^:]*):([\x21-\x7e]+)$/.exec(Buffer.from(given, 'base64').toString()) ?? []
  return { token: password === '' ? undefined : password, userName }
}

interface AskedOf {
  readonly request: EndpointRequest
  readonly app: CallingServices
  readonly token: string
  readonly userName: string
  readonly body: Asked['body']
  /** Headers of the answer: rate limits of the last operation, and what a refusal has. */
  readonly headers: Record<string, string>
  readonly format: ForeignApi
}

function askedOf({ request, app, token, userName, body, headers, format }: AskedOf): Asked {
  const query = new URL(request.url, 'http://nowhere.invalid').searchParams
  const header = (name: string) => (name === 'authorization' ? `Bearer ${token}` : name === 'cookie' ? undefined : request.header(name))
  const call = async <O extends keyof Answers>(operation: O, path: Asked['path'] = {}, input: Asked['body'] = {}): Promise<Found<O>> => {
    const given = await app.callOperation({
      operation,
      header,
      ip: request.ip,
      id: request.id,
      path,
      input: async () => input,
    })
    keepHeaders(headers, given)
    if (!isRefusal(given)) return given.body as Found<O> // the envelope of this operation
    const { message, details } = given.body.error
    const sentences = details.map(({ pointer, message: said }) => {
      const path = pointer.split('/').slice(1)
      return inTheirWords(format, { path, input, query }, String(said))
    })
    return refuse(given.status, sentences.length > 0 ? sentences.join(' ') : String(message))
  }
  return {
    method: request.method,
    path: request.path,
    query,
    body,
    db: app.store.read,
    now: app.now(),
    baseUrl: app.config.BASE_URL,
    token,
    userName,
    call,
    with: other => askedOf({ request, app, token: other, userName, body, headers, format }),
    workspace: async () => (await call('caller_get')).data.workspace_id,
  }
}

/** A sentence of ours begins with the path of its input, for example `filters.0.2 must be a country`. */
function inTheirWords({ named, says }: ForeignApi, fault: FaultOfOurs, sentence: string): string {
  const own = fault.path.join('.')
  const theirs = named?.(fault)
  const isTheirs = theirs !== undefined && sentence.startsWith(own)
  return says?.(fault) ?? (isTheirs ? `${theirs}${sentence.slice(own.length).replace(theirs.endsWith(':') ? /^=/ : /^$/, '')}` : sentence)
}

function keepHeaders(headers: Record<string, string>, { headers: given }: Answer): void {
  for (const [name, value] of Object.entries(given)) if (/^(ratelimit|retry-after|www-authenticate)/i.test(name)) headers[name] = value
}
