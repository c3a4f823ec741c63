/**
 * Checks the text of a SAML message before a parser reads it. Refuses constructs that no identity provider sends and that attacks
 * use, however a parser would read them. Wrapped signatures (Somorovsky et al., "On Breaking SAML", USENIX Security
 * 2012) need a second assertion; comments split a name (CERT VU#475445); document types and entities make it large.
 */
import { refuse } from './reasons.ts'
import { m } from './messages.ts'

/** Limit of a message before and after decompression. */
export const maxBytes = 200_000

/**
 * Limit of elements: a person in a thousand groups has half of it. Reading the document takes time by the square of their number.
 */
const maxElements = 3_000

const safeSignatures = /^http:\/\/www\.w3\.org\/2001\/04\/xmldsig-more#(rsa|ecdsa)-sha(256|384|512)$/
const safeDigests = /^http:\/\/www\.w3\.org\/2001\/04\/(xmlenc#sha(256|512)|xmldsig-more#sha384)$/

/**
 * A prefix of a name. XML allows letters of every script (Namespaces in XML §4); `\w` covers only ASCII. Anyone can send a text to be
 * searched, so no pattern of this file repeats beyond the next `<`: the time stays linear.
 */
const prefix = '(?:[^\\s<>/:]+:)?'

/** @throws SsoRefusal */
export function checkedText(encoded: string): string {
  const xml = decodedText(encoded)
  const body = plainBody(xml)
  const count = (name: string) => countIn(body, name)
  if (count('EncryptedAssertion') > 0) refuse('encrypted')
  if (count('Response') !== 1 || count('Assertion') > 1) refuse('structure')
  if (count('Assertion') === 0 && !/status:Success/.test(body)) return xml // the library reports the provider's error
  if (count('Assertion') === 0) refuse('structure')
  const status = statusIn(body)
  if (!status.endsWith(':status:Success')) refuse('provider_error', m.its_status_is({ status: status || 'missing' }))
  const signatures = count('Signature')
  if (signatures === 0) refuse('unsigned')
  if (signatures > 2) refuse('structure')
  refuseUnsafe(body, signatures)
  return xml
}

/**
 * Checks a logout request before a parser reads it.
 * @param signatures number in the message: none if the signature is detached
 * @throws SsoRefusal
 */
export function checkedLogout(xml: string, signatures: 0 | 1): void {
  const body = plainBody(xml)
  if (countIn(body, 'EncryptedID') > 0) refuse('encrypted')
  if (countIn(body, 'LogoutRequest') !== 1 || countIn(body, 'NameID') !== 1) refuse('structure')
  if (countIn(body, 'Signature') < signatures) refuse('unsigned')
  if (countIn(body, 'Signature') > signatures) refuse('structure')
  refuseUnsafe(body, signatures)
}

/** @throws SsoRefusal if it is not base64 */
export function decodedText(encoded: string): string {
  if (encoded.length > maxBytes || !/^[A-Za-z0-9+/=\s]+$/.test(encoded)) refuse('malformed')
  return Buffer.from(encoded, 'base64').toString('utf8')
}

/**
 * Checks an answer to our logout request before a parser reads it.
 * @param signatures as above @returns the id of the request that it answers @throws SsoRefusal also for a failed logout
 */
export function checkedLogoutAnswer(xml: string, signatures: 0 | 1): string {
  const body = plainBody(xml)
  if (countIn(body, 'LogoutResponse') !== 1 || countIn(body, 'Issuer') !== 1) refuse('structure')
  if (countIn(body, 'Signature') < signatures) refuse('unsigned')
  if (countIn(body, 'Signature') > signatures) refuse('structure')
  refuseUnsafe(body, signatures)
  const status = statusIn(body)
  if (!status.endsWith(':status:Success')) refuse('provider_error', m.its_status_is({ status: status || 'missing' }))
  return attributesOf(xml, 'LogoutResponse')('InResponseTo') || refuse('in_response_to')
}

/** The top-level status, which may contain a more specific one. */
function statusIn(body: string): string {
  return new RegExp(`<${prefix}StatusCode\\s+Value\\s*=\\s*["']([^"']*)["']`).exec(body)?.[1] ?? ''
}

function plainBody(xml: string): string {
  const body = xml.replace(/^\uFEFF?<\?xml [^>?]*\?>/, '')
  if ((body.match(/<[^/]/g)?.length ?? 0) > maxElements) refuse('malformed', m.most_elements({ most: maxElements }))
  if (/<[!?]/.test(body) || xml.includes('\0')) refuse('structure', m.has_comments())
  return body
}

function countIn(body: string, name: string): number {
  return body.match(new RegExp(`<${prefix}${name}[\\s/>]`, 'g'))?.length ?? 0
}

/** @param signatures their number: each signature names its algorithms once */
function refuseUnsafe(body: string, signatures: number): void {
  const algorithms = (name: string) =>
    [...body.matchAll(new RegExp(`<${prefix}${name}\\s+Algorithm\\s*=\\s*["']([^"']*)["']`, 'g'))].map(([, each = '']) => each)
  for (const [name, safe] of [
    ['SignatureMethod', safeSignatures],
    ['DigestMethod', safeDigests],
  ] as const) {
    const found = algorithms(name)
    const unsafe = found.find(each => !safe.test(each))
    if (unsafe !== undefined) refuse('weak_algorithm', m.it_says({ value: unsafe }))
    if (found.length !== countIn(body, name) || found.length !== signatures) refuse('structure')
  }
}

/** Returns attributes of the outermost element, and its issuer. */
export function rootOf(xml: string): { inResponseTo: string | undefined; destination: string | undefined; issuer: string | undefined } {
  const attribute = attributesOf(xml, 'Response')
  const [head = ''] = xml.split(new RegExp(`<${prefix}Assertion[\\s>]`))
  return {
    inResponseTo: attribute('InResponseTo'),
    destination: attribute('Destination'),
    issuer: issuerIn(head),
  }
}

/** Returns the first issuer of the text. */
export function issuerIn(xml: string): string | undefined {
  const issuer = new RegExp(`<${prefix}Issuer\\b[^<>]*>([^<]*)<`).exec(xml)?.[1]
  return issuer === undefined ? undefined : plain(issuer).trim()
}

/** Returns attributes of a verified logout request or answer. @throws SsoRefusal for an invalid time */
export function logoutRootOf(
  xml: string,
  element: 'LogoutRequest' | 'LogoutResponse' = 'LogoutRequest',
): {
  destination: string | undefined
  /** Epoch ms, like `notOnOrAfter`. */
  issuedAt: number
  notOnOrAfter: number | undefined
  /** Number of sessions that it names. */
  sessions: number
} {
  const attribute = attributesOf(xml, element)
  const [issued, until] = [attribute('IssueInstant'), attribute('NotOnOrAfter')]
  const at = (text: string) => (Number.isNaN(Date.parse(text)) ? refuse('malformed') : Date.parse(text))
  return {
    destination: attribute('Destination'),
    issuedAt: at(issued ?? ''),
    notOnOrAfter: until === undefined ? undefined : at(until),
    sessions: countIn(xml, 'SessionIndex'),
  }
}

function attributesOf(xml: string, element: string): (name: string) => string | undefined {
  const [, attributes = ''] = new RegExp(`<${prefix}${element}\\b([^<>]*)>`).exec(xml) ?? []
  return name => {
    const value = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(attributes)
    return value ? plain(value[1] ?? value[2] ?? '') : undefined
  }
}

/** Decodes the five entities of XML. */
const plain = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&apos;', "'").replaceAll('&amp;', '&')
