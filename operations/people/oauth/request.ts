/** An authorization request (RFC 6749 §4.1.1, RFC 7636, RFC 8707), from the query of the browser or from the consent form. */
import type { Permission } from '../../../runtime/table/permissions.ts'
import { type Client, findClient } from './client.ts'
import type { ClientLookup } from './client-document.ts'
import { ClientFault } from './fault.ts'
import { resourceIn, resourceWords } from './protected-resource.ts'
import { isRegistered } from './redirect.ts'
import { permissionsIn } from './scope.ts'
import { m } from './messages.ts'
import type { Message } from '../../../runtime/texts/message.ts'

/** The parameters of a request; the consent page repeats them as hidden fields. */
export const parameters = [
  'client_id',
  'redirect_uri',
  'response_type',
  'code_challenge',
  'code_challenge_method',
  'state',
  'scope',
  'resource',
] as const
export type Parameters = Readonly<Partial<Record<(typeof parameters)[number], string>>>

export interface AuthorizationRequest {
  readonly client: Client
  readonly redirectUri: string
  readonly challenge: string
  readonly resource: string
  readonly permissions: readonly Permission[]
}

/** A known client with a request that cannot be granted. If the person agrees, the client receives the error. */
export interface Ungrantable {
  readonly client: Client
  readonly redirectUri: string
  readonly error: 'invalid_request' | 'unsupported_response_type' | 'invalid_scope' | 'invalid_target'
  readonly message: Message
}

/** @throws ClientFault if only the person may see the error, because the redirect URI is not known to belong to the client */
export async function readRequest(finding: ClientLookup, given: Parameters): Promise<AuthorizationRequest | Ungrantable> {
  const { client_id, redirect_uri: redirectUri } = given
  if (client_id === undefined) throw new ClientFault(m.no_client_id())
  const client = await findClient(finding, client_id)
  if (redirectUri === undefined || !isRegistered(redirectUri, client.redirectUris)) throw new ClientFault(m.redirect_not_registered())
  const no = (error: Ungrantable['error'], message: Message): Ungrantable => ({ client, redirectUri, error, message })
  if (given.response_type !== 'code') return no('unsupported_response_type', m.response_type_must_be_code())
  if (given.code_challenge_method !== 'S256') return no('invalid_request', m.challenge_method_must_be_s256())
  if (!/^[\w-]{43}$/.test(given.code_challenge ?? '')) return no('invalid_request', m.challenge_malformed())
  const { BASE_URL } = finding.config
  const resource = resourceIn(given.resource ?? BASE_URL, BASE_URL)
  if (resource === undefined) return no('invalid_target', resourceWords(BASE_URL))
  const permissions = permissionsIn(given.scope)
  if (!permissions) return no('invalid_scope', m.scope_without_permissions())
  return { client, redirectUri, challenge: given.code_challenge ?? '', resource, permissions }
}

/** Reads the parameters of a query. @throws ClientFault for a repeated parameter, which parsers read differently, or a long one */
export function parametersIn(query: URLSearchParams): Parameters {
  const found: { -readonly [K in keyof Parameters]: Parameters[K] } = {}
  for (const name of parameters) {
    const [value, ...more] = query.getAll(name)
    if (more.length > 0) throw new ClientFault(m.parameter_repeated({ name }))
    if (value !== undefined && value.length > 2_000) throw new ClientFault(m.parameter_too_long({ name }))
    if (value !== undefined && value !== '') found[name] = value
  }
  return found
}
