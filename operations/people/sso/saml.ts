/**
 * SAML 2.0, Web Browser SSO profile: the request by redirect, the answer by POST. The library verifies the signature.
 * Only the signed content is read, and every condition of the profile is checked (SAML Profiles §4.1.4.3).
 */
import { SAML, ValidateInResponseTo } from '@node-saml/node-saml'
import type { SsoConfigurationRow } from '../../../storage/tables/sso.ts'
import { emailOf, nameIn, verifiedClaims } from './assertion.ts'
import type { Profile } from './profile.ts'
import { refuse, SsoRefusal } from './reasons.ts'
import { certificatesOf } from './records.ts'
import { checkedText, rootOf } from './saml-text.ts'
import { m } from './messages.ts'

export interface SamlAddresses {
  readonly acs_url: string
  readonly sp_entity_id: string
}

/** Largest accepted difference between clocks, ms. */
export const skewMs = 60_000
const answerMs = 10 * 60_000

interface LibraryOptions {
  readonly row: SsoConfigurationRow
  readonly addresses: SamlAddresses
  readonly id: string
  readonly more?:
    | { logoutUrl?: string; privateKey?: string; signatureAlgorithm?: 'sha256'; validateInResponseTo?: ValidateInResponseTo.never }
    | undefined
}

/** @param id of the request, which the answer repeats @param more options for single logout */
export function library({ row, addresses: { acs_url, sp_entity_id }, id, more = {} }: LibraryOptions): SAML {
  const begun = new Date().toISOString()
  const known = async (key: string | null) => (key === id ? begun : null)
  return new SAML({
    callbackUrl: acs_url,
    issuer: sp_entity_id,
    audience: sp_entity_id,
    entryPoint: row.idp_sso_url ?? refuse('incomplete'),
    idpIssuer: row.idp_entity_id ?? refuse('incomplete'),
    idpCert: certificatesOf(row),
    wantAssertionsSigned: true,
    wantAuthnResponseSigned: false,
    acceptedClockSkewMs: skewMs,
    validateInResponseTo: ValidateInResponseTo.always,
    requestIdExpirationPeriodMs: answerMs,
    generateUniqueId: () => id,
    identifierFormat: null,
    disableRequestedAuthnContext: true,
    cacheProvider: { saveAsync: async (_, value) => ({ value, createdAt: Date.now() }), getAsync: known, removeAsync: async key => key },
    ...more,
  })
}

/** The URL at the identity provider, with a SAML request, to redirect the browser to. */
export function samlUrl(row: SsoConfigurationRow, addresses: SamlAddresses, id: string): Promise<string> {
  return library({ row, addresses, id }).getAuthorizeUrlAsync('', undefined, {})
}

interface SamlProfile {
  readonly row: SsoConfigurationRow
  readonly addresses: SamlAddresses
  readonly id: string
  readonly encoded: string
  readonly now: number
}

/**
 * Returns the profile in an answer.
 * @param encoded `SAMLResponse`, base64
 * @throws SsoRefusal with the reason
 */
export async function samlProfile({ row, addresses, id, encoded, now }: SamlProfile): Promise<Profile> {
  const xml = checkedText(encoded)
  const { destination, issuer } = rootOf(xml)
  if (destination !== undefined && destination !== addresses.acs_url) refuse('recipient', m.its_destination_is({ destination }))
  if (issuer !== undefined && issuer !== row.idp_entity_id) refuse('issuer', m.it_says({ value: issuer }))
  const claims = verifiedClaims(await verified(library({ row, addresses, id }), encoded))
  if (claims.issuer !== row.idp_entity_id) refuse('issuer', m.it_says({ value: claims.issuer }))
  if (claims.audiences.length === 0 || !claims.audiences.every(each => each.includes(addresses.sp_entity_id)))
    refuse('audience', m.it_says({ value: claims.audiences.flat().join(', ') }))
  const bearer = claims.confirmations.find(each => each.inResponseTo === id && each.recipient === addresses.acs_url)
  if (!bearer) {
    const [first] = claims.confirmations
    if (first && first.recipient !== addresses.acs_url) refuse('recipient', m.it_says({ value: first.recipient ?? 'nothing' }))
    refuse('in_response_to')
  }
  const until = [claims.notOnOrAfter, bearer.notOnOrAfter ?? 0].filter(each => each !== undefined)
  const from = [claims.notBefore, bearer.notBefore, claims.issuedAt].filter(each => each !== undefined)
  if (until.some(end => now - skewMs >= end))
    refuse('clock', m.it_ended_at({ at: new Date(Math.min(...until)).toISOString(), now: new Date(now).toISOString() }))
  const { sessionNotOnOrAfter: endsAt } = claims
  if (endsAt !== undefined && endsAt <= now) refuse('clock', m.session_ended_at({ at: new Date(endsAt).toISOString() }))
  if (from.some(start => now + skewMs < start))
    refuse('clock', m.it_begins_at({ at: new Date(Math.max(...from)).toISOString(), now: new Date(now).toISOString() }))
  if (claims.nameId.format.endsWith(':transient')) refuse('transient')
  return {
    subject: claims.nameId.value,
    nameId: claims.nameId,
    email: emailOf(claims),
    name: nameIn(claims),
    ...(endsAt !== undefined && { endsAt }),
  }
}

/** @returns the signed content, parsed */
async function verified(saml: SAML, encoded: string): Promise<Record<string, unknown>> {
  try {
    const { profile } = await saml.validatePostResponseAsync({ SAMLResponse: encoded })
    return profile?.getAssertion?.() ?? refuse('structure')
  } catch (thrown) {
    if (thrown instanceof SsoRefusal) throw thrown
    return explained(thrown instanceof Error ? thrown.message : '')
  }
}

const explanations: ReadonlyArray<readonly [RegExp, Parameters<typeof refuse>[0]]> = [
  [/SAML provider returned/, 'provider_error'],
  [/audience/i, 'audience'],
  [/expired|not yet valid|too old|subject confirmation/i, 'clock'],
  [/InResponseTo/, 'in_response_to'],
  [/multiple assertions|Missing SAML assertion|multiple conditions/, 'structure'],
  [/signature|signed|transforms|reference/i, 'signature'],
]

/** Includes the library's message if it helps an administrator. */
function explained(message: string): never {
  const [, reason = 'malformed'] = explanations.find(([pattern]) => pattern.test(message)) ?? []
  refuse(reason, ['provider_error', 'audience', 'clock'].includes(reason) ? `${message.replace(/\s+/g, ' ').slice(0, 300)}.` : undefined)
}
