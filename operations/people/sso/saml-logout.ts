/**
 * Single logout of SAML (SAML Profiles §4.4): messages to the identity provider, by redirect, and from it,
 * by redirect or POST. Messages are signed in both directions.
 */
import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'
import { ValidateInResponseTo } from '@node-saml/node-saml'
import type { SsoConfigurationRow } from '../../../storage/tables/sso.ts'
import { Failure } from '../../../runtime/table/errors.ts'
import type { NameId } from './profile.ts'
import { refuse, SsoRefusal } from './reasons.ts'
import { providerOf } from './saml.ts'
import { readInThread } from './saml-in-thread.ts'
import { library, type SamlAddresses, type SamlRead, skewMs } from './saml-library.ts'
import { checkedLogout, checkedLogoutAnswer, decodedText, issuerIn, logoutRootOf, maxBytes } from './saml-text.ts'
import { m } from './messages.ts'

/** Lifetime of a message, ms. Received messages are remembered for this time. */
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
    provider: providerOf(row),
    addresses,
    id,
    more: {
      logoutUrl: row.idp_slo_url ?? refuse('incomplete'),
      privateKey: key,
      signatureAlgorithm: 'sha256',
    },
  })
}

interface LogoutUrl extends Signing {
  readonly nameId: NameId
}

/** The URL at which the browser signs out at the identity provider. @param id of the message @param key PKCS #8, PEM */
export function logoutUrl({ nameId, ...signs }: LogoutUrl): Promise<string> {
  const { value, format, ...qualifiers } = nameId
  const person = { issuer: signs.addresses.sp_entity_id, nameID: value, nameIDFormat: format || unspecified, ...qualifiers }
  return signing(signs).getLogoutUrlAsync(person, '', {})
}

/** The URL to which the browser takes the answer to a request of the identity provider. */
export async function logoutAnswerUrl(signs: Signing, { id, nameId, relayState }: LogoutRequest): Promise<string> {
  const request = { ID: id, issuer: signs.row.idp_entity_id ?? '', nameID: nameId, nameIDFormat: unspecified }
  return asSigned(await signing(signs).getLogoutResponseUrlAsync(request, relayState, {}, true))
}

/** The library signs a space as `%20` and writes it as `+`, but the receiver verifies the query as it is written. */
function asSigned(location: string): string {
  const { origin, pathname, searchParams } = new URL(location)
  const query = [...searchParams].map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
  return `${origin}${pathname}?${query.join('&')}`
}

export interface LogoutRequest {
  readonly id: string
  readonly nameId: string
  /** Undefined if the request applies to all sessions. */
  readonly sessionIndex: string | undefined
  /** Returned with the answer. */
  readonly relayState: string
}

/** The message as the browser sends it: the query of the URL, or the fields of a form. */
export type LogoutMessage = { readonly query: string } | { readonly form: URLSearchParams }

type Read = Omit<LogoutRequest, 'sessionIndex'> & { sessionIndex: unknown; xml: string }

interface ReceivedMessage {
  readonly row: SsoConfigurationRow
  readonly addresses: SamlAddresses & { readonly slo_url: string }
  readonly message: LogoutMessage
  readonly now: number
}

/** @throws SsoRefusal unless it is signed by this identity provider, for this URL, and current */
export async function verifiedLogout({ row, addresses, message, now }: ReceivedMessage): Promise<LogoutRequest> {
  const { xml, sessionIndex, ...request } = await ('query' in message ? byRedirect : byPost)(row, addresses, message as never)
  const root = logoutRootOf(xml)
  const { sessions } = root
  refuseElsewhere(root, addresses, now)
  return { ...request, sessionIndex: sessions === 1 && typeof sessionIndex === 'string' ? sessionIndex : undefined }
}

/**
 * Verifies the answer of the identity provider to our own request.
 * @returns the id of that request, which the caller checks
 * @throws SsoRefusal as `verifiedLogout`, and if the identity provider has not signed out all participants
 */
export async function verifiedLogoutAnswer({ row, addresses, message, now }: ReceivedMessage): Promise<string> {
  const { xml, id } = await ('query' in message ? answerByRedirect : answerByPost)(row, addresses, message as never)
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
  await trusted(readInThread({ provider: providerOf(row), addresses, id, by: 'redirect', query: container, signed }))
  return { xml, id }
}

async function answerByPost(row: SsoConfigurationRow, addresses: SamlAddresses, { form }: { form: URLSearchParams }) {
  const encoded = form.get('SAMLResponse') ?? ''
  const xml = decodedText(encoded)
  const id = checkedLogoutAnswer(xml, 1)
  // The library checks the id only in answers to a sign-in.
  const more = { validateInResponseTo: ValidateInResponseTo.never } as const
  await trusted(readInThread({ provider: providerOf(row), addresses, id, more, by: 'post', form: { SAMLResponse: encoded } }))
  return { xml, id }
}

/** Reads a message whose detached signature covers the query as it was sent (SAML Bindings §3.4.4.1). */
async function byRedirect(row: SsoConfigurationRow, addresses: SamlAddresses, { query }: { query: string }): Promise<Read> {
  const { container, signed, xml } = await readQuery(query, 'SAMLRequest')
  checkedLogout(xml, 0)
  const read = await trusted(readInThread({ provider: providerOf(row), addresses, id: '', by: 'redirect', query: container, signed }))
  return { ...requestIn(read), relayState: container.RelayState ?? '', xml }
}

/** Reads a message in a query, and its signed part. @throws SsoRefusal for an unsigned message, or an unsafe signature */
async function readQuery(query: string, message: 'SAMLRequest' | 'SAMLResponse') {
  const names = [message, 'RelayState', 'SigAlg', 'Signature'] as const
  const parts = names.map(name => {
    const [part, ...more] = query.split('&').filter(each => each.startsWith(`${name}=`))
    return more.length > 0 ? refuse('structure', m.more_than_one({ name })) : part
  })
  // Pass only these: the library takes the first parameter whose name contains one of them.
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

/** Reads a message that contains its signature. */
async function byPost(row: SsoConfigurationRow, addresses: SamlAddresses, { form }: { form: URLSearchParams }): Promise<Read> {
  const encoded = form.get('SAMLRequest') ?? ''
  const xml = decodedText(encoded)
  checkedLogout(xml, 1)
  const read = await trusted(readInThread({ provider: providerOf(row), addresses, id: '', by: 'post', form: { SAMLRequest: encoded } }))
  return { ...requestIn(read), relayState: form.get('RelayState') ?? '', xml }
}

function requestIn({ id, nameId, sessionIndex }: SamlRead) {
  if (typeof id !== 'string' || typeof nameId !== 'string') return refuse('structure')
  return { id, nameId: nameId.trim(), sessionIndex }
}

async function inflated(encoded: string): Promise<string> {
  if (encoded.length > maxBytes) refuse('malformed')
  try {
    return (await promisify(inflateRaw)(Buffer.from(encoded, 'base64'), { maxOutputLength: maxBytes })).toString('utf8')
  } catch {
    return refuse('malformed')
  }
}

async function trusted<T>(verifying: Promise<T>): Promise<T> {
  try {
    return await verifying
  } catch (thrown) {
    if (thrown instanceof SsoRefusal || thrown instanceof Failure) throw thrown
    return refuse(thrown instanceof Error && /issuer/i.test(thrown.message) ? 'issuer' : 'signature')
  }
}
