/**
 * Single logout of OpenID Connect: the identity provider says that somebody has signed out, or was signed out, and the
 * sessions that it began here end (OpenID Connect Back-Channel Logout 1.0).
 */
import { createLocalJWKSet, decodeJwt, errors as joseErrors, type JSONWebKeySet, jwtVerify } from 'jose'
import type { App } from '../../../runtime/app.ts'
import { auditPerson } from '../../../runtime/audit.ts'
import { type EndpointAnswer, type EndpointRequest, endpoint } from '../../../runtime/endpoint.ts'
import { isObject, parseJson } from '../../../runtime/json.ts'
import { endpointGuard, guardedFetch, OutboundError, targetUrl } from '../../../runtime/outbound/outbound.ts'
import type { SsoConfigurationRow } from '../../../storage/tables/sso.ts'
import { endSessionsWith } from '../sessions/index.ts'
import { clientSecret } from './logins.ts'
import { discovered } from './oidc.ts'
import { refuse, SsoRefusal } from './reasons.ts'
import { findConfiguration } from './records.ts'
import { issuerOf } from './requests.ts'

const event = 'http://schemas.openid.net/event/backchannel-logout'
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']
const longestToken = 16_384

export const sso_oidc_logout = endpoint({
  route: 'POST /sso/oidc/{id}/logout',
  summary: 'OpenID Connect: where the identity provider says that somebody has signed out',
  access: 'public',
  maxBytes: 2 * longestToken,
  async handle(request, app) {
    try {
      const row = await findConfiguration(app.store.read, request.path.id ?? '')
      if (row?.status !== 'active' || row.protocol !== 'oidc') return refused('This workspace has no OpenID Connect that is active.')
      const token = new URLSearchParams(await request.text()).get('logout_token') ?? ''
      const subject = await subjectOf(app, row, token)
      await endSessions(app, request, row, subject)
      return { status: 200, headers: { 'Cache-Control': 'no-store' } }
    } catch (thrown) {
      if (thrown instanceof joseErrors.JOSEError || thrown instanceof SsoRefusal || thrown instanceof OutboundError)
        return refused('The logout token is not valid.')
      throw thrown
    }
  },
})

/** §2.8 */
const refused = (description: string): EndpointAnswer => ({
  status: 400,
  headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
  body: JSON.stringify({ error: 'invalid_request', error_description: description }),
})

/** Whom a token is about, once all of §2.6 holds. @throws JOSEError, SsoRefusal, OutboundError */
async function subjectOf(app: App, row: SsoConfigurationRow, token: string): Promise<string> {
  if (token === '' || token.length > longestToken) refuse('malformed')
  // Nobody is asked for keys on account of a token that is plainly another's.
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
  // An ID token has a nonce and no such event: it is no logout token, though it is signed alike.
  if (!isObject(payload.events) || !isObject(payload.events[event]) || 'nonce' in payload) refuse('token')
  return payload.sub ?? refuse('subject')
}

async function keysAt(uri: string, { config }: App): Promise<JSONWebKeySet> {
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

/** Those that this identity provider began; who signed in otherwise stays. It is told the same where there are none. */
async function endSessions(app: App, request: EndpointRequest, row: SsoConfigurationRow, subject: string): Promise<void> {
  const { workspace_id } = row
  await app.store.transaction(async db => {
    const sessions = await db
      .selectFrom('sso_sessions as i')
      .innerJoin('sessions as s', 's.id', 'i.session_id')
      .innerJoin('sso_identities as k', 'k.account_id', 's.account_id')
      .innerJoin('accounts as a', 'a.id', 's.account_id')
      .select(['s.id', 's.account_id', 'a.email'])
      .where('i.workspace_id', '=', workspace_id)
      .where('k.workspace_id', '=', workspace_id)
      .where('k.issuer', '=', issuerOf(row))
      .where('k.subject', '=', subject)
      .execute()
    const [first] = sessions
    if (!first) return
    await endSessionsWith(
      db,
      sessions.map(({ id }) => id),
    )
    const about = { id: request.id, ip: request.ip, surface: 'http' }
    const entry = { now: app.now(), random: app.random, request: about, operation: 'sso_logout', door: 'sso' }
    await auditPerson(db, { ...entry, accountId: first.account_id, actor: first.email, outcome: 'done' })
  })
}
