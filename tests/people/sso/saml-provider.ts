/** A SAML identity provider over HTTP on this machine: samlify reads the requests and signs the answers. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { samlify } from '../../../tools/samlify.mjs'
import type { TestService } from '../../support/world.ts'
import { makeSigner, type Signer } from './certificate.ts'
import { type Company, makeCompany } from './company.ts'

samlify.setSchemaValidator({ validate: async () => 'skipped' })

/** Everything an answer says; tests change one thing. */
export interface Said {
  responseId: string
  assertionId: string
  issuer: string
  responseIssuer: string
  destination: string
  inResponseTo: string
  confirmedInResponseTo: string
  recipient: string
  audience: string
  issuedAt: number
  notBefore: number
  notOnOrAfter: number
  confirmedUntil: number
  sessionUntil: number | undefined
  sessionIndex: string | undefined
  nameId: string
  format: string
  attributes: Readonly<Record<string, string>>
  status: string
  method: string
  /** Added to its conditions. */
  conditions: string
  /** Added inside of the assertion, before it is signed. */
  extra: string
}

export interface SamlProvider {
  readonly url: string
  readonly entityId: string
  /** What the browser would post, as the provider's page has it in its form. @param location where the service sent the browser */
  asked(location: string): Promise<{ acs: string; said: Said }>
  close(): Promise<void>
}

/** A company that signs in at a running SAML provider. `stranger` signs with a certificate that the company does not know. */
export async function startSaml(
  service: TestService,
): Promise<{ company: Company; provider: SamlProvider; signer: Signer; stranger: Signer }> {
  service.clock.now = Date.now() // providers and their libraries use the real clock
  const valid = { from: Date.now() - 86_400_000, until: Date.now() + 86_400_000 }
  const [signer, stranger] = await Promise.all([makeSigner(valid), makeSigner({ ...valid, name: 'stranger' })])
  const company = await makeCompany(service)
  const audience = `http://footfall.test/workspaces/${company.workspace}/sso/metadata`
  const provider = await startSamlProvider(signer, { nameId: 'person-1', email: `ada@${company.domain}`, audience })
  await company.configure({
    status: 'active',
    idp_sso_url: provider.url,
    idp_entity_id: provider.entityId,
    idp_certs: JSON.stringify([signer.certificate]),
  })
  return { company, provider, signer, stranger }
}

const minute = 60_000

export async function startSamlProvider(
  signer: Signer,
  person: { nameId: string; email: string; audience: string },
): Promise<SamlProvider> {
  const server = createServer((incoming, outgoing) => {
    const url = new URL(incoming.url ?? '/', base())
    void provider
      .parseLoginRequest(samlify.ServiceProvider({ entityID: person.audience, assertionConsumerService: [] }), 'redirect', {
        query: Object.fromEntries(url.searchParams),
      })
      .then(({ extract }) => {
        const { id, assertionConsumerServiceUrl, destination } = extract.request ?? {}
        if (destination !== `${base()}/sso` || extract.issuer !== person.audience) throw new Error('not asked of this provider')
        if (!incoming.headers.accept?.includes('text/html')) {
          outgoing.setHeader('Content-Type', 'application/json').end(JSON.stringify({ id, acs: assertionConsumerServiceUrl }))
          return
        }
        // A browser gets what browsers get: a form that posts itself.
        const [request, acs] = [String(id), String(assertionConsumerServiceUrl)]
        const answer = Buffer.from(goodAnswer(saidOf(request, acs), signer)).toString('base64')
        const form = `<form method="post" action="${acs}"><input type="hidden" name="SAMLResponse" value="${answer}"></form>`
        outgoing.setHeader('Content-Type', 'text/html').end(`<body>${form}<script>document.forms[0].submit()</script></body>`)
      })
      .catch((error: Error) => outgoing.writeHead(400).end(error.message))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  server.unref() // a test that fails leaves nothing waiting
  const base = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = samlify.IdentityProvider({
    entityID: `${base()}/metadata`,
    privateKey: signer.key,
    signingCert: signer.certificate,
    isAssertionEncrypted: false,
    singleSignOnService: [{ Binding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect', Location: `${base()}/sso` }],
  })
  const saidOf = (id: string, acs: string): Said => {
    const now = Date.now()
    return {
      responseId: '_response1',
      assertionId: '_assertion1',
      issuer: `${base()}/metadata`,
      responseIssuer: `${base()}/metadata`,
      destination: acs,
      inResponseTo: id,
      confirmedInResponseTo: id,
      recipient: acs,
      audience: person.audience,
      issuedAt: now,
      notBefore: now - minute,
      notOnOrAfter: now + 5 * minute,
      confirmedUntil: now + 5 * minute,
      sessionUntil: now + 60 * minute,
      sessionIndex: undefined,
      nameId: person.nameId,
      format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
      attributes: { email: person.email, firstName: 'Ada', lastName: 'Lovelace' },
      status: 'urn:oasis:names:tc:SAML:2.0:status:Success',
      method: 'urn:oasis:names:tc:SAML:2.0:cm:bearer',
      conditions: '',
      extra: '',
    }
  }
  return {
    url: `${base()}/sso`,
    entityId: `${base()}/metadata`,
    async asked(location) {
      const response = await fetch(location)
      if (!response.ok) throw new Error(await response.text())
      const { id, acs } = (await response.json()) as { id: string; acs: string }
      return { acs, said: saidOf(id, acs) }
    },
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const iso = (at: number): string => new Date(at).toISOString()

/** Without a signature. */
export function assertionOf(said: Said): string {
  const attributes = Object.entries(said.attributes).map(
    ([name, value]) => `<saml:Attribute Name="${name}"><saml:AttributeValue>${value}</saml:AttributeValue></saml:Attribute>`,
  )
  const until = said.sessionUntil === undefined ? '' : ` SessionNotOnOrAfter="${iso(said.sessionUntil)}"`
  const session = said.sessionIndex === undefined ? until : ` SessionIndex="${said.sessionIndex}"${until}`
  return `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${said.assertionId}" Version="2.0" IssueInstant="${iso(said.issuedAt)}"><saml:Issuer>${said.issuer}</saml:Issuer><saml:Subject><saml:NameID Format="${said.format}">${said.nameId}</saml:NameID><saml:SubjectConfirmation Method="${said.method}"><saml:SubjectConfirmationData InResponseTo="${said.confirmedInResponseTo}" Recipient="${said.recipient}" NotOnOrAfter="${iso(said.confirmedUntil)}"/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="${iso(said.notBefore)}" NotOnOrAfter="${iso(said.notOnOrAfter)}"><saml:AudienceRestriction><saml:Audience>${said.audience}</saml:Audience></saml:AudienceRestriction>${said.conditions}</saml:Conditions><saml:AuthnStatement AuthnInstant="${iso(said.issuedAt)}"${session}><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement><saml:AttributeStatement>${attributes.join('')}</saml:AttributeStatement>${said.extra}</saml:Assertion>`
}

export function responseOf(said: Said, assertion: string): string {
  return `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${said.responseId}" Version="2.0" IssueInstant="${iso(said.issuedAt)}" Destination="${said.destination}" InResponseTo="${said.inResponseTo}"><saml:Issuer>${said.responseIssuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="${said.status}"/></samlp:Status>${assertion}</samlp:Response>`
}

export const sha256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'
export const sha1 = 'http://www.w3.org/2000/09/xmldsig#rsa-sha1'

/** Signs the assertion, or with `message` the response, as identity providers do. */
export function signed(
  xml: string,
  signer: Signer,
  { algorithm = sha256, message = false }: { algorithm?: string; message?: boolean } = {},
): string {
  const place = message
    ? { reference: "/*[local-name(.)='Response']/*[local-name(.)='Issuer']", action: 'after' as const }
    : { reference: "/*[local-name(.)='Response']/*[local-name(.)='Assertion']/*[local-name(.)='Issuer']", action: 'after' as const }
  return samlify.SamlLib.constructSAMLSignature({
    rawSamlMessage: xml,
    referenceTagXPath: message ? "/*[local-name(.)='Response']" : "/*[local-name(.)='Response']/*[local-name(.)='Assertion']",
    privateKey: signer.key,
    privateKeyPass: undefined,
    signatureAlgorithm: algorithm,
    signingCert: signer.certificate.replace(/-----[^-]+-----|\s/g, ''),
    signatureConfig: { prefix: 'ds', location: place },
    isBase64Output: false,
  } as never)
}

/** The answer of a well-behaved provider. */
export const goodAnswer = (said: Said, signer: Signer): string => signed(responseOf(said, assertionOf(said)), signer)
