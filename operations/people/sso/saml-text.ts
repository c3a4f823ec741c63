/**
 * A SAML answer as text, before anything parses it: what no identity provider sends and attacks are made of is refused
 * here, whatever a parser would make of it. Wrapped signatures (Somorovsky et al., "On Breaking SAML", USENIX Security
 * 2012) need a second assertion; comments split a name (CERT VU#475445); document types and entities make it large.
 */
import { refuse } from './reasons.ts'

const mostBytes = 200_000

const safeSignatures = /^http:\/\/www\.w3\.org\/2001\/04\/xmldsig-more#(rsa|ecdsa)-sha(256|384|512)$/
const safeDigests = /^http:\/\/www\.w3\.org\/2001\/04\/(xmlenc#sha(256|512)|xmldsig-more#sha384)$/

/** @throws SsoRefusal */
export function checkedText(encoded: string): string {
  if (encoded.length > mostBytes || !/^[A-Za-z0-9+/=\s]+$/.test(encoded)) refuse('malformed')
  const xml = Buffer.from(encoded, 'base64').toString('utf8')
  const body = xml.replace(/^\uFEFF?<\?xml [^>?]*\?>/, '')
  if (/<[!?]/.test(body) || xml.includes('\0')) refuse('structure', 'It has comments, a document type or instructions in it.')
  const count = (name: string) => body.match(new RegExp(`<(?:[\\w.-]+:)?${name}[\\s/>]`, 'g'))?.length ?? 0
  if (count('EncryptedAssertion') > 0) refuse('encrypted')
  if (count('Response') !== 1 || count('Assertion') > 1) refuse('structure')
  if (count('Assertion') === 0 && !/status:Success/.test(body)) return xml // the library says what the provider says
  if (count('Assertion') === 0) refuse('structure')
  const [, status = ''] = /<(?:[\w.-]+:)?StatusCode\s+Value\s*=\s*["']([^"']*)["']/.exec(body) ?? []
  if (!status.endsWith(':status:Success')) refuse('provider_error', `Its status is ${status || 'missing'}.`)
  const signatures = count('Signature')
  if (signatures === 0) refuse('unsigned')
  if (signatures > 2) refuse('structure')
  const algorithms = (name: string) =>
    [...body.matchAll(new RegExp(`<(?:[\\w.-]+:)?${name}\\s+Algorithm\\s*=\\s*["']([^"']*)["']`, 'g'))].map(([, each = '']) => each)
  for (const [name, safe] of [
    ['SignatureMethod', safeSignatures],
    ['DigestMethod', safeDigests],
  ] as const) {
    const found = algorithms(name)
    const unsafe = found.find(each => !safe.test(each))
    if (unsafe !== undefined) refuse('weak_algorithm', `It says ${unsafe}.`)
    if (found.length !== count(name) || found.length !== signatures) refuse('structure')
  }
  return xml
}

/** What the outermost element says of itself. */
export function rootOf(xml: string): { inResponseTo: string | undefined; destination: string | undefined; issuer: string | undefined } {
  const [, attributes = ''] = /<(?:[\w.-]+:)?Response\b([^>]*)>/.exec(xml) ?? []
  const attribute = (name: string) => {
    const value = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(attributes)
    return value ? plain(value[1] ?? value[2] ?? '') : undefined
  }
  const [head = ''] = xml.split(/<(?:[\w.-]+:)?Assertion[\s>]/)
  const issuer = /<(?:[\w.-]+:)?Issuer\b[^>]*>([^<]*)</.exec(head)?.[1]
  return {
    inResponseTo: attribute('InResponseTo'),
    destination: attribute('Destination'),
    issuer: issuer === undefined ? undefined : plain(issuer).trim(),
  }
}

/** The five entities of XML. */
const plain = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&apos;', "'").replaceAll('&amp;', '&')
