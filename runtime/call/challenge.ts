/** `WWW-Authenticate`: the fault of a credential, and the address that describes how to get one (RFC 6750 §3, RFC 9728 §5.1). */
import type { Request } from '../table/authenticator.ts'
import type { Caller } from '../table/caller.ts'
import type { Config } from '../settings/config.ts'
import { isPermission } from '../table/permissions.ts'

type About = readonly [config: Pick<Config, 'BASE_URL'>, request: Pick<Request, 'resource'>]

/** The challenge of a 401. */
export function challenge([config, request]: About, hasCredential: boolean): string {
  return hasCredential ? `Bearer error="invalid_token", ${metadata(config, request)}` : `Bearer ${metadata(config, request)}`
}

/**
 * The challenge of a 403. A client asks its user to consent to the scopes in it. For an OAuth client these include the
 * scopes that it has. There is no challenge if the user could not consent.
 */
export function insufficient([config, request]: About, caller: Caller, scope: string): Readonly<Record<string, string>> {
  const { obtainable, permissions } = caller
  if (obtainable !== undefined && !(isPermission(scope) && obtainable.has(scope))) return {}
  const wanted = obtainable === undefined ? scope : [...permissions, scope].join(' ')
  return { 'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${wanted}", ${metadata(config, request)}` }
}

const metadata = ({ BASE_URL }: Pick<Config, 'BASE_URL'>, { resource = '' }: Pick<Request, 'resource'>): string =>
  `resource_metadata="${BASE_URL}/.well-known/oauth-protected-resource${resource}"`
