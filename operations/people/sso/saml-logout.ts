/**
 * Single logout of SAML (SAML Profiles §4.4): what this service tells the identity provider, by redirect, and what that
 * tells it, by redirect or POST. Messages are signed both ways.
 */
import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'
import { ValidateInResponseTo } from '@node-saml/node-saml'
import type { SsoConfigurationRow } from '../../../storage/tables/sso.ts'
import type { NameId } from './profile.ts'
import { refuse, SsoRefusal } from './reasons.ts'
import { library, type SamlAddresses, skewMs } from './saml.ts'
import { checkedLogout, checkedLogoutAnswer, decodedText, issuerIn, logoutRootOf, mostBytes } from './saml-text.ts'
import { m } from './messages.ts'

/** A message is good for so long: what was taken is remembered until then. */
export const logoutMs = 10 * 60_000

const unspecified = 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified'

interface Signing {
  readonly row: SsoConfigurationRow
  readonly addresses: SamlAddresses
  readonly key: string
  readonly id: string
}

function signing({ row, addresses, key, id }: Signing) {
  return library({
    row,
    addresses,
    id,
    more: {
      logoutUrl: row.idp_slo_url ?? refuse('incomplete'),
      privateKey: key,
      signatureAlgorithm: 'sha256',
    },
  })
}

interface LogoutUrl {
  readonly row: SsoConfigurationRow
  readonly addresses: SamlAddresses
  readonly key: string
  readonly id: string
  readonly nameId: NameId
}

/** The address at which the browser signs out at the identity provider. @param id of the message @param key PKCS #8, PEM */
export function logoutUrl({ row, addresses, key, id, nameId }: LogoutUrl): Promise<string> {
  const { value, format, ...qualifiers } = nameId
  const person = { issuer: addresses.sp_entity_id, nameID: value, nameIDFormat: format || unspecified, ...qualifiers }
  return signing({ row, addresses, key, id }).getLogoutUrlAsync(person, '', {})
}

interface LogoutAnswerUrl {
  readonly row: SsoConfigurationRow
  readonly addresses: SamlAddresses
  readonly key: string
  readonly id: string
}

/** The address to which the browser brings the answer to a request of the identity provider. */
export async function logoutAnswerUrl(
  { row, addresses, key, id }: LogoutAnswerUrl,
  { id: asked, nameId, relayState }: LogoutRequest,
): Promise<string> {
  const request = { ID: asked, issuer: row.idp_entity_id ?? '', nameID: nameId, nameIDFormat: unspecified }
  return asSigned(await signing({ row, addresses, key, id }).getLogoutResponseUrlAsync(request, relayState, {}, true))
}

/** The library signs a space as `%20` and writes it as `+`: what is verified is the query as it is written. */
function asSigned(location: string): string {
  const { origin, pathname, searchParams } = new URL(location)
  const query = [...searchParams].map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
  return `${origin}${pathname}?${query.join('&')}`
}

export interface LogoutRequest {
  readonly id: string
  readonly nameId: string
  /** Undefined where it is about all sessions. */
  readonly sessionIndex: string | undefined
  /** Goes back with the answer. */
  readonly relayState: string
}

/** The message as the browser brings it: the query of the address, or the fields of a form. */
export type Brought = { readonly query: string } | { readonly form: URLSearchParams }

type Read = Omit<LogoutRequest, 'sessionIndex'> & { sessionIndex: unknown; xml: string }

interface VerifiedLogout {
  readonly row: SsoConfigurationRow
  readonly addresses: SamlAddresses & { readonly slo_url: string }
  readonly brought: Brought
  readonly now: number
}

/** @throws SsoRefusal for what is not signed by this identity provider, not for this address or not of this time */
export async function verifiedLogout({ row, addresses, brought, now }: VerifiedLogout): Promise<LogoutRequest> {
  const { xml, sessionIndex, ...request } = await ('query' in brought ? byRedirect : byPost)(row, addresses, brought as never)
  const root = logoutRootOf(xml)
  const { sessions } = root
  refuseElsewhere(root, addresses, now)
  return { ...request, sessionIndex: sessions === 1 && typeof sessionIndex === 'string' ? sessionIndex : undefined }
}

interface VerifiedLogoutAnswer {
  readonly row: SsoConfigurationRow
  readonly addresses: SamlAddresses & { readonly slo_url: string }
  readonly brought: Brought
  readonly now: number
}

/**
 * The answer of the identity provider to our own request.
 * @returns the id of that request, which must still be known
 * @throws SsoRefusal as `verifiedLogout`, and where the identity provider has not signed everybody out
 */
export async function verifiedLogoutAnswer({ row, addresses, brought, now }: VerifiedLogoutAnswer): Promise<string> {
  const { xml, id } = await ('query' in brought ? answerByRedirect : answerByPost)(row, addresses, brought as never)
  const issuer = issuerIn(xml)
  if (issuer !== row.idp_entity_id) refuse('issuer', m.it_says({ value: issuer ?? 'nothing' }))
  refuseElsewhere(logoutRootOf(xml, 'LogoutResponse'), addresses, now)
  return id
}

function refuseElsewhere(
  { destination, issuedAt, notOnOrAfter }: ReturnType<typeof logoutRootOf>,
  { slo_url }: { readonly slo_url: string },
  now: number,
): void {
  if (destination !== slo_url) refuse('recipient', m.its_destination_is({ destination: destination ?? 'missing' }))
  const isOver = now - skewMs - logoutMs >= issuedAt || (notOnOrAfter !== undefined && now - skewMs >= notOnOrAfter)
  if (isOver || now + skewMs < issuedAt) refuse('clock')
}

async function answerByRedirect(row: SsoConfigurationRow, addresses: SamlAddresses, { query }: { query: string }) {
  const { container, signed, xml } = await readQuery(query, 'SAMLResponse')
  const id = checkedLogoutAnswer(xml, 0)
  await trusted(library({ row, addresses, id }).validateRedirectAsync(container, signed))
  return { xml, id }
}

async function answerByPost(row: SsoConfigurationRow, addresses: SamlAddresses, { form }: { form: URLSearchParams }) {
  const encoded = form.get('SAMLResponse') ?? ''
  const xml = decodedText(encoded)
  const id = checkedLogoutAnswer(xml, 1)
  // The library looks for the id in answers to a sign-in alone: here it is looked at by us.
  const saml = library({ row, addresses, id, more: { validateInResponseTo: ValidateInResponseTo.never } })
  await trusted(saml.validatePostResponseAsync({ SAMLResponse: encoded }))
  return { xml, id }
}

/** The signature is beside the message, of the query as it was sent (SAML Bindings §3.4.4.1). */
async function byRedirect(row: SsoConfigurationRow, addresses: SamlAddresses, { query }: { query: string }): Promise<Read> {
  const { container, signed, xml } = await readQuery(query, 'SAMLRequest')
  checkedLogout(xml, 0)
  const { profile } = await trusted(library({ row, addresses, id: '' }).validateRedirectAsync(container, signed))
  return { ...readOf(profile), relayState: container.RelayState ?? '', xml }
}

/** A message in a query, and what of it was signed. @throws SsoRefusal for what is not signed, or not safely */
async function readQuery(query: string, message: 'SAMLRequest' | 'SAMLResponse') {
  const names = [message, 'RelayState', 'SigAlg', 'Signature'] as const
  const parts = names.map(name => {
    const [part, ...more] = query.split('&').filter(each => each.startsWith(`${name}=`))
    return more.length > 0 ? refuse('structure', m.more_than_one({ name })) : part
  })
  // Only those: the library takes the first parameter that has such a name anywhere in it.
  const signed = parts.filter(part => part !== undefined).join('&')
  const given = new URLSearchParams(signed)
  const valueOf = (name: (typeof names)[number]) => given.get(name) ?? ''
  if (valueOf('Signature') === '') refuse('unsigned')
  const algorithm = valueOf('SigAlg')
  if (!/^http:\/\/www\.w3\.org\/2001\/04\/xmldsig-more#rsa-sha(256|384|512)$/.test(algorithm))
    refuse('weak_algorithm', m.it_says({ value: algorithm }))
  const container: Record<string, string> = Object.fromEntries(names.map(name => [name, valueOf(name)]))
  return { container, signed, xml: await inflated(valueOf(message)) }
}

/** The signature is in the message. */
async function byPost(row: SsoConfigurationRow, addresses: SamlAddresses, { form }: { form: URLSearchParams }): Promise<Read> {
  const encoded = form.get('SAMLRequest') ?? ''
  const xml = decodedText(encoded)
  checkedLogout(xml, 1)
  const { profile } = await trusted(library({ row, addresses, id: '' }).validatePostRequestAsync({ SAMLRequest: encoded }))
  return { ...readOf(profile), relayState: form.get('RelayState') ?? '', xml }
}

function readOf(profile: { ID?: unknown; nameID?: unknown; sessionIndex?: unknown } | null) {
  const { ID: id, nameID: nameId, sessionIndex } = profile ?? refuse('structure')
  if (typeof id !== 'string' || typeof nameId !== 'string') refuse('structure')
  return { id, nameId: nameId.trim(), sessionIndex }
}

async function inflated(encoded: string): Promise<string> {
  if (encoded.length > mostBytes) refuse('malformed')
  try {
    return (await promisify(inflateRaw)(Buffer.from(encoded, 'base64'), { maxOutputLength: mostBytes })).toString('utf8')
  } catch {
    return refuse('malformed')
  }
}

async function trusted<T>(verifying: Promise<T>): Promise<T> {
  try {
    return await verifying
  } catch (thrown) {
    if (thrown instanceof SsoRefusal) throw thrown
    return refuse(thrown instanceof Error && /issuer/i.test(thrown.message) ? 'issuer' : 'signature')
  }
}
