/**
 * SAML 2.0, Web Browser SSO profile: the request by redirect, the answer by POST. The library verifies the signature.
 * Only the signed content is read, and every condition of the profile is checked (SAML Profiles §4.1.4.3).
 */
import type { SsoConfigurationRow } from '../../../storage/tables/sso.ts'
import { Failure } from '../../../runtime/table/errors.ts'
import { emailOf, nameIn, verifiedClaims } from './assertion.ts'
import type { Profile } from './profile.ts'
import { refuse, SsoRefusal } from './reasons.ts'
import { certificatesOf } from './records.ts'
import { readInThread } from './saml-in-thread.ts'
import { library, type SamlAddresses, type SamlProvider, type SamlWork, skewMs } from './saml-library.ts'
import { checkedText, rootOf } from './saml-text.ts'
import { m } from './messages.ts'

/** @throws SsoRefusal if the configuration is incomplete */
export const providerOf = (row: SsoConfigurationRow): SamlProvider => ({
  url: row.idp_sso_url ?? refuse('incomplete'),
  entityId: row.idp_entity_id ?? refuse('incomplete'),
  certificates: certificatesOf(row),
})

/** The URL at the identity provider, with a SAML request, to redirect the browser to. */
export function samlUrl(row: SsoConfigurationRow, addresses: SamlAddresses, id: string): Promise<string> {
  return library({ provider: providerOf(row), addresses, id }).getAuthorizeUrlAsync('', undefined, {})
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
  const claims = verifiedClaims(await verified({ provider: providerOf(row), addresses, id, by: 'post', form: { SAMLResponse: encoded } }))
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
async function verified(work: SamlWork): Promise<Readonly<Record<string, unknown>>> {
  try {
    return (await readInThread(work)).assertion ?? refuse('structure')
  } catch (thrown) {
    if (thrown instanceof SsoRefusal || thrown instanceof Failure) throw thrown
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
