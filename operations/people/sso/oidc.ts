/**
 * OpenID Connect: authorization code with PKCE, state and nonce. The discovery document, the keys and the token are
 * requested through the outbound guard. The signature of the ID token is verified, only with public-key algorithms.
 */
import * as client from 'openid-client'
import type { Config } from '../../../runtime/settings/config.ts'
import { canonicalEmail } from '../../../runtime/values/email.ts'
import { isObject } from '../../../runtime/values/json.ts'
import { endpointGuard, guardedFetch, OutboundError, targetUrl } from '../../../runtime/outbound/outbound.ts'
import { matches } from '../../../runtime/values/matches.ts'
import type { SsoConfigurationRow } from '../../../storage/tables/sso.ts'
import { nameOf, Profile } from './profile.ts'
import { refuse, SsoRefusal } from './reasons.ts'
import { m } from './messages.ts'

export interface OidcSecrets {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

/** Largest accepted difference between clocks, s. */
const skewSeconds = 60

/** @param secret null for a public client @throws SsoRefusal if the discovery document cannot be used */
export async function discovered(
  row: SsoConfigurationRow,
  secret: string | null,
  config: Pick<Config, 'OUTBOUND_ALLOW_CIDRS'>,
): Promise<client.Configuration> {
  const issuer = new URL(row.oidc_issuer ?? refuse('incomplete'))
  const fetch = guarded(config)
  try {
    const found = await client.discovery(
      issuer,
      row.oidc_client_id ?? refuse('incomplete'),
      { [client.clockTolerance]: skewSeconds },
      secret === null ? client.None() : undefined,
      {
        [client.customFetch]: fetch,
        execute: [client.enableNonRepudiationChecks, ...(issuer.protocol === 'http:' ? [client.allowInsecureRequests] : [])],
        timeout: 10,
      },
    )
    if (secret === null) return found
    const metadata = found.serverMetadata()
    const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const auth = methods.includes('client_secret_basic') ? client.ClientSecretBasic(secret) : client.ClientSecretPost(secret)
    const whole = new client.Configuration(metadata, row.oidc_client_id ?? '', { [client.clockTolerance]: skewSeconds }, auth)
    whole[client.customFetch] = fetch
    client.enableNonRepudiationChecks(whole)
    if (issuer.protocol === 'http:') client.allowInsecureRequests(whole)
    return whole
  } catch (thrown) {
    if (thrown instanceof SsoRefusal) throw thrown
    return refuse('discovery', `${issuer.href}: ${messageOf(thrown)}.`)
  }
}

export async function oidcUrl(found: client.Configuration, redirectUri: string, { state, nonce, verifier }: OidcSecrets): Promise<string> {
  return client.buildAuthorizationUrl(found, {
    redirect_uri: redirectUri,
    scope: 'openid email profile',
    state,
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }).href
}

interface OidcProfile {
  readonly found: client.Configuration
  readonly redirectUri: string
  readonly url: URL
  readonly secrets: OidcSecrets
  readonly domains: readonly string[]
  readonly now: number
}

/** @param url of the callback, with its query @throws SsoRefusal */
export async function oidcProfile({
  found,
  redirectUri,
  url,
  secrets: { state, nonce, verifier },
  domains,
  now,
}: OidcProfile): Promise<Profile> {
  const current = new URL(redirectUri)
  current.search = url.search
  try {
    const tokens = await client.authorizationCodeGrant(found, current, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    })
    const claims = tokens.claims() ?? refuse('token')
    // OpenID Connect Core §2: the client that the token was issued to. The library compares it only if there are several audiences.
    if (claims.azp !== undefined && claims.azp !== found.clientMetadata().client_id)
      refuse('audience', m.it_says({ value: String(claims.azp).slice(0, 100) }))
    // Take the address and `email_verified` from the same source, because they are meaningful only together.
    const isWhole = claims.email !== undefined && claims.email_verified !== undefined
    const { email, email_verified, ...more } =
      !isWhole && found.serverMetadata().userinfo_endpoint ? await client.fetchUserInfo(found, tokens.access_token, claims.sub) : claims
    if (claims.iat > now / 1000 + skewSeconds)
      refuse('clock', m.issued_at({ at: new Date(claims.iat * 1000).toISOString(), now: new Date(now).toISOString() }))
    return profileOf({ ...claims, ...more, email, email_verified }, found.serverMetadata().issuer, domains)
  } catch (thrown) {
    if (thrown instanceof SsoRefusal) throw thrown
    return refuse(reasonOf(thrown), `${messageOf(thrown)}.`)
  }
}

function profileOf(claims: Readonly<Record<string, unknown>>, issuer: string, domains: readonly string[]): Profile {
  const { sub, email, email_verified: isVerified, name, given_name, family_name } = claims
  // OpenID Connect Core §2: at most 255 ASCII characters.
  if (typeof sub !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(sub)) return refuse('subject')
  if (typeof email !== 'string' || !matches(Profile.properties.email, email)) return refuse('email_missing')
  if (isVerified !== true && !isVerifiedByEntra(claims, issuer)) refuse('email_unverified')
  // Anyone can have a Google account with an address of the company; only `hd` proves that the company created it.
  if (issuer === 'https://accounts.google.com' && !domains.includes(String(claims.hd).toLowerCase()))
    refuse('domain', m.no_organization_of_yours())
  return { subject: sub, email: canonicalEmail(email), name: nameOf(name, given_name, family_name) }
}

/**
 * Entra ID has no `email_verified`. Its optional claim `xms_edov` confirms that the tenant has verified the domain of the address;
 * without it, anyone with a tenant could claim any address.
 */
const isVerifiedByEntra = ({ xms_edov: is }: Readonly<Record<string, unknown>>, issuer: string): boolean =>
  new URL(issuer).host === 'login.microsoftonline.com' && (is === true || is === 1 || is === '1' || is === 'true')

/** Sends the requests of the library through the outbound guard, like all others of the service. */
function guarded(config: Pick<Config, 'OUTBOUND_ALLOW_CIDRS'>): client.CustomFetch {
  return async (target, { method, headers, body, signal }) => {
    const url = targetUrl(target)
    if (method !== 'GET' && method !== 'POST') throw new OutboundError('invalid_target')
    const answer = await guardedFetch(url.href, {
      ...endpointGuard(url, config),
      method,
      headers: { ...Object.fromEntries(new Headers(headers)), accept: 'application/json' },
      body: body === undefined || body === null ? undefined : String(body),
      timeoutMs: 10_000,
      connectMs: 5_000,
      maxBytes: 512 * 1024,
      redirects: 0,
      ...(signal && { signal }),
    })
    return new Response([204, 304].includes(answer.status) ? null : new Uint8Array(answer.body), {
      status: answer.status,
      headers: answer.headers,
    })
  }
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

function reasonOf(thrown: unknown): Parameters<typeof refuse>[0] {
  const messageText = [thrown, isObject(thrown) || thrown instanceof Error ? thrown.cause : undefined].map(messageOf).join(' ')
  if (thrown instanceof client.AuthorizationResponseError) return 'provider_error'
  if (/"aud"|audience/.test(messageText)) return 'audience'
  if (/"iss"|issuer/.test(messageText)) return 'issuer'
  if (/"alg"|algorithm/.test(messageText)) return 'weak_algorithm'
  if (/signature|JWKS|key/i.test(messageText)) return 'signature'
  if (/timestamp|"exp"|"nbf"|"iat"|expired/.test(messageText)) return 'clock'
  return 'token'
}

/** Returns the library's message without the sent values, which may include codes and tokens. */
function messageOf(thrown: unknown): string {
  if (thrown instanceof client.ResponseBodyError || thrown instanceof client.AuthorizationResponseError) {
    return [thrown.error, text(thrown.error_description)].filter(Boolean).join(': ').slice(0, 200)
  }
  if (thrown instanceof client.WWWAuthenticateChallengeError)
    return `${thrown.cause[0]?.parameters.error ?? 'invalid_client'}: check the client id and the client secret`
  if (thrown instanceof Error) {
    const cause = thrown.cause instanceof Error ? ` (${thrown.cause.message.slice(0, 120)})` : ''
    return `${thrown.message.slice(0, 160)}${cause}`.replace(/[.\s]+$/, '')
  }
  return 'unknown'
}
