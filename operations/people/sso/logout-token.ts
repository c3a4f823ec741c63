/**
 * The logout token of OpenID Connect: a JWT that names the subject who signed out, verified with the keys of the identity provider
 * (OpenID Connect Back-Channel Logout 1.0).
 */
import { createLocalJWKSet, decodeJwt, errors as joseErrors, type JSONWebKeySet, jwtVerify } from 'jose'
import type { HandlerServices } from '../../../runtime/table/services.ts'
import { isObject } from '../../../runtime/values/json.ts'
import { parseJson } from '../../../runtime/call/parse-json.ts'
import { endpointGuard, guardedFetch, OutboundError, targetUrl } from '../../../runtime/outbound/outbound.ts'
import type { SsoConfigurationRow } from '../../../storage/tables/sso.ts'
import { clientSecret } from './logins.ts'
import { discovered } from './oidc.ts'
import { refuse } from './reasons.ts'
import { issuerOf } from './requests.ts'

const event = 'http://schemas.openid.net/event/backchannel-logout'
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']

/** Returns the subject of a token that meets all requirements of §2.6. @throws SsoRefusal */
export async function subjectOf(app: HandlerServices, row: SsoConfigurationRow, token: string): Promise<string> {
  try {
    return await verifiedSubject(app, row, token)
  } catch (thrown) {
    if (thrown instanceof joseErrors.JOSEError || thrown instanceof OutboundError) return refuse('token')
    throw thrown
  }
}

async function verifiedSubject(app: HandlerServices, row: SsoConfigurationRow, token: string): Promise<string> {
  // Checks the issuer first, so that a foreign token causes no request for keys.
  const { iss, aud } = decodeJwt(token)
  const audience = row.oidc_client_id ?? refuse('incomplete')
  if (iss === undefined || !URL.canParse(iss) || new URL(iss).origin !== new URL(issuerOf(row)).origin) refuse('issuer')
  if (aud !== audience && !(Array.isArray(aud) && aud.includes(audience))) refuse('audience')
  const found = (await discovered(row, await clientSecret(app.store.read, app, row), app.config)).serverMetadata()
  const { payload } = await jwtVerify(token, createLocalJWKSet(await keysAt(found.jwks_uri ?? refuse('discovery'), app)), {
    issuer: found.issuer,
    audience,
    algorithms,
    clockTolerance: 60,
    maxTokenAge: 600,
    currentDate: new Date(app.now()),
    requiredClaims: ['jti'],
  })
  // An ID token has a nonce and no such event, so it is not a logout token, though it has the same signature.
  if (!isObject(payload.events) || !isObject(payload.events[event]) || 'nonce' in payload) refuse('token')
  return payload.sub ?? refuse('subject')
}

async function keysAt(uri: string, { config }: HandlerServices): Promise<JSONWebKeySet> {
  const url = targetUrl(uri)
  const { status, body } = await guardedFetch(url.href, {
    ...endpointGuard(url, config),
    method: 'GET',
    headers: { accept: 'application/json' },
    body: undefined,
    timeoutMs: 10_000,
    connectMs: 5_000,
    maxBytes: 512 * 1024,
    redirects: 0,
  })
  const keys: unknown = status === 200 ? parsed(body) : undefined
  return isObject(keys) && Array.isArray(keys.keys) ? { keys: keys.keys.filter(isObject) } : refuse('discovery')
}

function parsed(body: Uint8Array): unknown {
  try {
    return parseJson(Buffer.from(body).toString('utf8'))
  } catch {
    return undefined
  }
}
