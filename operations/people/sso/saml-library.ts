/** The library that reads SAML, as the service uses it. Also runs in a thread, so it imports nothing of the service. */
import { SAML, ValidateInResponseTo } from '@node-saml/node-saml'

export interface SamlAddresses {
  readonly acs_url: string
  readonly sp_entity_id: string
}

/** The configuration of an identity provider. */
export interface SamlProvider {
  readonly url: string
  readonly entityId: string
  /** PEM. */
  readonly certificates: readonly string[]
}

export interface LibraryOptions {
  readonly provider: SamlProvider
  readonly addresses: SamlAddresses
  /** Id of the request, which the answer repeats. */
  readonly id: string
  /** For single logout. */
  readonly more?:
    | { logoutUrl?: string; privateKey?: string; signatureAlgorithm?: 'sha256'; validateInResponseTo?: ValidateInResponseTo.never }
    | undefined
}

/** Largest accepted difference between clocks, ms. */
export const skewMs = 60_000
const answerMs = 10 * 60_000

export function library({ provider, addresses: { acs_url, sp_entity_id }, id, more = {} }: LibraryOptions): SAML {
  const begun = new Date().toISOString()
  const known = async (key: string | null) => (key === id ? begun : null)
  return new SAML({
    callbackUrl: acs_url,
    issuer: sp_entity_id,
    audience: sp_entity_id,
    entryPoint: provider.url,
    idpIssuer: provider.entityId,
    idpCert: [...provider.certificates],
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

/** A message for the library, and the binding by which it arrived. */
export type SamlWork = LibraryOptions &
  (
    | { readonly by: 'post'; readonly form: Readonly<Partial<Record<'SAMLResponse' | 'SAMLRequest', string>>> }
    | { readonly by: 'redirect'; readonly query: Readonly<Record<string, string>>; readonly signed: string }
  )

/** The verified content of an answer to a sign-in, or the parts of a request to sign out. */
export interface SamlRead {
  readonly assertion: Readonly<Record<string, unknown>> | undefined
  readonly id: unknown
  readonly nameId: unknown
  readonly sessionIndex: unknown
}
/** @property fault the message of the library */
export type SamlOutcome = { readonly read: SamlRead } | { readonly fault: string }

/** Parses a message and verifies its signature. */
export async function readSaml(work: SamlWork): Promise<SamlOutcome> {
  try {
    const { profile } = await validated(work)
    const { ID: id, nameID: nameId, sessionIndex } = profile ?? {}
    return { read: { assertion: profile?.getAssertion?.(), id, nameId, sessionIndex } }
  } catch (thrown) {
    return { fault: thrown instanceof Error ? thrown.message : '' }
  }
}

function validated(work: SamlWork): ReturnType<SAML['validatePostResponseAsync']> {
  const saml = library(work)
  if (work.by === 'redirect') return saml.validateRedirectAsync({ ...work.query }, work.signed)
  const { SAMLResponse, SAMLRequest } = work.form
  if (SAMLResponse !== undefined) return saml.validatePostResponseAsync({ SAMLResponse })
  return saml.validatePostRequestAsync({ SAMLRequest: SAMLRequest ?? '' })
}
