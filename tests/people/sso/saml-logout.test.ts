/** Single logout of SAML, with a provider that is real; and everything that pretends to be one. */
import assert from 'node:assert/strict'
import { createHash, sign, X509Certificate } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { samlify } from '../../../tools/samlify.mjs'
import { onAnyEngine } from '../../support/engines.ts'
import { request, startService, type TestService } from '../../support/world.ts'
import type { Signer } from './certificate.ts'
import { Browser, type Company, makeCompany } from './company.ts'
import { goodAnswer, type SamlProvider, sha1, sha256, startSaml } from './saml-provider.ts'
import { personIn, signedIn } from '../sign-in/people.ts'

const minute = 60_000
const encode = (text: string | Buffer) => Buffer.from(text).toString('base64')
const persistent = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'

onAnyEngine('single logout of SAML', engine => {
  let service: TestService
  let company: Company
  let provider: SamlProvider
  let signer: Signer
  let stranger: Signer
  let slo: string
  const idpSlo = 'https://idp.example/slo?tenant=1'
  before(async () => {
    service = await startService(engine, { OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8' })
    ;({ company, provider, signer, stranger } = await startSaml(service))
    const set = await update({ idp_slo_url: idpSlo })
    assert.equal(set.status, 200, set.text)
    slo = set.body.data.slo_url
  })
  // Providers, and the libraries that read their answers, use the real clock: the service is never long behind it.
  beforeEach(() => {
    service.clock.now = Math.max(service.clock.now, Date.now())
  })
  after(async () => {
    await provider.close()
    await service.close()
  })

  const path = () => `/workspaces/${company.workspace}/sso`
  const update = (body: object) => request(service, 'PATCH', `${path()}.json`, { token: company.world.token, body })

  /** Signs a person in by the provider. @param sessionIndex what it calls its own session */
  async function come(name: string, sessionIndex?: string): Promise<Browser> {
    const browser = new Browser(service)
    const { acs, said } = await provider.asked((await browser.get(`/sso/start?workspace=${company.workspace}`)).location)
    const whole = { ...said, sessionIndex, nameId: `id-${name}`, attributes: { email: `${name}@${company.domain}` } }
    const answer = goodAnswer(whole, signer)
    const { location } = await browser.ask('POST', acs, { form: { SAMLResponse: encode(answer) }, isForeign: true })
    assert.equal((await browser.get(location)).location, '/')
    return browser
  }
  const isIn = async (browser: Browser) => (await browser.get('/account')).status === 200
  /** The two parties as the provider knows them: this service by its metadata. */
  async function parties() {
    const metadata = (await request(service, 'GET', `${path()}/metadata`)).text
    const redirect = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'
    const shared = { wantLogoutRequestSigned: true, wantLogoutResponseSigned: true }
    return {
      sp: samlify.ServiceProvider({ metadata, ...shared }),
      idp: samlify.IdentityProvider({
        entityID: provider.entityId,
        privateKey: signer.key,
        signingCert: signer.certificate,
        singleSignOnService: [{ Binding: redirect, Location: provider.url }],
        singleLogoutService: [{ Binding: redirect, Location: idpSlo }],
        ...shared,
      }),
    }
  }
  /** The request that a provider reads from the address that a browser came to. */
  function arrived(location: string) {
    assert.ok(location.startsWith(`${idpSlo}&`), location)
    const { search, searchParams } = new URL(location)
    const octetString = search
      .slice(1)
      .split('&')
      .filter(part => /^(SAMLRequest|SAMLResponse|RelayState|SigAlg)=/.test(part))
      .join('&')
    return { query: Object.fromEntries(searchParams), octetString }
  }
  const linkIn = (text: string) => /href="(https:[^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? ''

  interface Logout {
    id: string
    issuer: string
    destination: string
    issuedAt: number
    until: number | undefined
    nameId: string
    extra: string
  }
  let count = 0
  const logoutOf = (name: string, change: Partial<Logout> = {}): string => {
    const all: Logout = {
      id: `_logout${++count}`,
      issuer: provider.entityId,
      destination: slo,
      issuedAt: Date.now(),
      until: Date.now() + 5 * minute,
      nameId: `<saml:NameID Format="${persistent}">id-${name}</saml:NameID>`,
      extra: '',
      ...change,
    }
    const until = all.until === undefined ? '' : ` NotOnOrAfter="${new Date(all.until).toISOString()}"`
    return `<samlp:LogoutRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${all.id}" Version="2.0" IssueInstant="${new Date(all.issuedAt).toISOString()}"${until} Destination="${all.destination}"><saml:Issuer>${all.issuer}</saml:Issuer>${all.nameId}${all.extra}</samlp:LogoutRequest>`
  }
  const packed = (xml: string) => encodeURIComponent(deflateRawSync(xml).toString('base64'))
  function byRedirect(xml: string, { key = signer.key, algorithm = sha256, relay = '' } = {}): string {
    const signed = `SAMLRequest=${packed(xml)}${relay && `&RelayState=${encodeURIComponent(relay)}`}&SigAlg=${encodeURIComponent(algorithm)}`
    const signature = sign(algorithm === sha1 ? 'sha1' : 'sha256', Buffer.from(signed), key).toString('base64')
    return `${signed}&Signature=${encodeURIComponent(signature)}`
  }
  const signedXml = (
    xml: string,
    by = signer,
    algorithm = sha256,
    of: string | undefined = undefined,
    root: 'LogoutRequest' | 'LogoutResponse' = 'LogoutRequest',
    reference = of ?? `/*[local-name(.)='${root}']`,
  ): string =>
    samlify.SamlLib.constructSAMLSignature({
      rawSamlMessage: xml,
      referenceTagXPath: reference,
      privateKey: by.key,
      signatureAlgorithm: algorithm,
      signingCert: by.certificate.replace(/-----[^-]+-----|\s/g, ''),
      signatureConfig: {
        prefix: 'ds',
        location: { reference: `/*[local-name(.)='${root}']/*[local-name(.)='Issuer']`, action: 'after' },
      },
      isBase64Output: false,
    } as never)
  const send = (query: string) => new Browser(service).get(`${slo}?${query}`)
  const post = (xml: string, to = slo) => new Browser(service).ask('POST', to, { form: { SAMLRequest: encode(xml) }, isForeign: true })

  test('it is offered once an address is set: with a certificate of this service, in the metadata, too', async () => {
    const { idp_slo_url, slo_url, sp_certificate } = (await request(service, 'GET', `${path()}.json`, { token: company.world.token })).body
      .data
    assert.deepEqual([idp_slo_url, slo_url], [idpSlo, `http://footfall.test/sso/saml/${company.workspace}/logout`])
    const certificate = new X509Certificate(sp_certificate)
    assert.ok(certificate.verify(certificate.publicKey))
    assert.deepEqual(certificate.subject, 'CN=Footfall single sign-on')
    assert.equal(certificate.publicKey.asymmetricKeyDetails?.modulusLength, 2_048)
    assert.ok(Math.abs(Date.parse(certificate.validFrom) - service.clock.now) < minute)
    assert.ok(Date.parse(certificate.validTo) > service.clock.now + 3_600 * 86_400_000)
    const { text } = await request(service, 'GET', `${path()}/metadata`)
    assert.ok(text.includes(sp_certificate.replace(/-----[^-]+-----|\s/g, '')), text)
    assert.match(text, /SingleLogoutService [^>]*HTTP-Redirect[^>]*\/logout"/)
    const again = await update({ idp_slo_url: idpSlo })
    assert.equal(again.body.data.sp_certificate, sp_certificate, 'it stays the same')
    const row = await company.configuration()
    assert.doesNotMatch(row.sp_key ?? '', /PRIVATE/)
    for (const wrong of ['javascript:alert(1)', 'ftp://idp.example/x', 'nothing']) {
      assert.equal((await update({ idp_slo_url: wrong })).status, 422, wrong)
    }
  })

  test('signing out redirects to the provider with a signed request that it accepts', async () => {
    const [browser, other] = [await come('ada'), await come('ada', 'index-7')]
    const out = await other.ask('POST', '/session?_method=DELETE', { form: {} })
    assert.equal(out.status, 303, out.text)
    assert.match(out.location, /^\/sso\/leave\?ticket=[\w-]{43}$/)
    assert.deepEqual([await isIn(other), await isIn(browser)], [false, true], 'the session ends whatever comes then')
    const page = await other.get(out.location)
    assert.equal(page.status, 200, page.text)
    assert.match(page.text, /http-equiv="refresh" content="0;url=https:\/\/idp\.example\/slo/)
    const { sp, idp } = await parties()
    const { extract } = await idp.parseLogoutRequest(sp, 'redirect', arrived(linkIn(page.text)))
    assert.deepEqual(
      [extract.nameID, extract.sessionIndex, extract.issuer, extract.request?.destination],
      ['id-ada', 'index-7', `http://footfall.test${path()}/metadata`, idpSlo],
    )
    assert.equal((await other.get(out.location)).location, '/sign-in', 'once')
    const { context } = idp.createLogoutResponse(sp, { extract } as never, 'redirect', '') as { context: string }
    const back = await other.get(context)
    assert.deepEqual([back.status, back.location], [303, everywhere])
    assert.match((await other.get(back.location)).text, /signed out, here and at your identity provider/)
    assert.equal((await other.get(context)).location, onlyHere, 'an answer is taken once')
    const entry = await service.store.read
      .selectFrom('audit_entries')
      .selectAll()
      .where('operation', '=', 'sso_logout')
      .where('input', 'like', '%confirmed%')
      .executeTakeFirstOrThrow()
    assert.deepEqual([entry.actor, entry.outcome, entry.workspace_id], [`ada@${company.domain}`, 'done', company.workspace])
  })

  const [everywhere, onlyHere] = ['/sign-in?signed_out=everywhere', '/sign-in?signed_out=here']
  interface Answer {
    inResponseTo: string
    issuer: string
    destination: string
    issuedAt: number
    status: string
  }
  const answerOf = (inResponseTo: string, change: Partial<Answer> = {}): string => {
    const all: Answer = {
      inResponseTo,
      issuer: provider.entityId,
      destination: slo,
      issuedAt: Date.now(),
      status: 'urn:oasis:names:tc:SAML:2.0:status:Success',
      ...change,
    }
    return `<samlp:LogoutResponse xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_answer${++count}" Version="2.0" IssueInstant="${new Date(all.issuedAt).toISOString()}" InResponseTo="${all.inResponseTo}" Destination="${all.destination}"><saml:Issuer>${all.issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="${all.status}"/></samlp:Status></samlp:LogoutResponse>`
  }
  const asAnswer = (query: string) => query.replace('SAMLRequest=', 'SAMLResponse=')
  function answerByRedirect(xml: string, { key = signer.key, algorithm = sha256 } = {}): string {
    const signed = `SAMLResponse=${packed(xml)}&SigAlg=${encodeURIComponent(algorithm)}`
    const signature = sign(algorithm === sha1 ? 'sha1' : 'sha256', Buffer.from(signed), key).toString('base64')
    return `${signed}&Signature=${encodeURIComponent(signature)}`
  }
  const postAnswer = (xml: string) => new Browser(service).ask('POST', slo, { form: { SAMLResponse: encode(xml) }, isForeign: true })
  /** Signs a person out at Footfall. @returns the id of the request that their browser takes to the provider */
  async function leave(name: string): Promise<string> {
    const browser = await come(name)
    const out = await browser.ask('POST', '/session?_method=DELETE', { form: {} })
    const { query } = arrived(linkIn((await browser.get(out.location)).text))
    const xml = inflateRawSync(Buffer.from(query.SAMLRequest ?? '', 'base64')).toString()
    return / ID="([^"]+)"/.exec(xml)?.[1] ?? ''
  }

  test('the answer of the provider is taken by redirect and by a form, once, and only where it was asked', async () => {
    assert.equal((await send(answerByRedirect(answerOf(await leave('gina'))))).location, everywhere)
    const id = await leave('gina')
    const form = signedXml(answerOf(id), signer, sha256, undefined, 'LogoutResponse')
    assert.equal((await postAnswer(form)).location, everywhere)
    assert.equal((await postAnswer(form)).location, onlyHere, 'replayed')
    const late = await leave('gina')
    service.clock.now += 11 * minute
    assert.equal((await send(answerByRedirect(answerOf(late, { issuedAt: service.clock.now })))).location, onlyHere, 'eleven minutes later')
    service.clock.now = Date.now()
  })

  test('nothing else is taken for the answer of the provider', async () => {
    const id = await leave('hugo')
    const good = () => answerOf(id)
    const failed = 'urn:oasis:names:tc:SAML:2.0:status:Responder'
    const queries: Record<string, string> = {
      unsigned: `SAMLResponse=${packed(good())}`,
      'signed by a stranger': answerByRedirect(good(), { key: stranger.key }),
      'SHA-1': answerByRedirect(good(), { algorithm: sha1 }),
      'another answer than was signed': answerByRedirect(answerOf('_other')).replace(
        /SAMLResponse=[^&]*/,
        `SAMLResponse=${packed(good())}`,
      ),
      'two answers': `SAMLResponse=${packed(good())}&${answerByRedirect(answerOf('_other'))}`,
      'to a request of nobody': answerByRedirect(answerOf('_other')),
      'to no request': answerByRedirect(good().replace(/ InResponseTo="[^"]*"/, '')),
      'another issuer': answerByRedirect(answerOf(id, { issuer: 'https://evil.example' })),
      'another destination': answerByRedirect(answerOf(id, { destination: 'https://evil.example/' })),
      'an old one': answerByRedirect(answerOf(id, { issuedAt: Date.now() - 12 * minute })),
      'of the future': answerByRedirect(answerOf(id, { issuedAt: Date.now() + 2 * minute })),
      'it could not': answerByRedirect(answerOf(id, { status: failed })),
      'it says nothing': answerByRedirect(good().replace(/<samlp:Status>.*<\/samlp:Status>/, '')),
      'a request for an answer': asAnswer(byRedirect(logoutOf('hugo'))),
      'a document type': answerByRedirect(`<!DOCTYPE x>${good()}`),
      'no XML': answerByRedirect('LogoutResponse'),
      nothing: 'SAMLResponse=',
    }
    for (const [what, query] of Object.entries(queries)) assert.equal((await send(query)).location, onlyHere, what)
    const forms: Record<string, string> = {
      unsigned: good(),
      'signed by a stranger': signedXml(good(), stranger, sha256, undefined, 'LogoutResponse'),
      'SHA-1': signedXml(good(), signer, sha1, undefined, 'LogoutResponse'),
      'changed after it was signed': signedXml(answerOf('_other'), signer, sha256, undefined, 'LogoutResponse').replace('_other', id),
      'a signature of the status alone': signedXml(
        good().replace('<samlp:Status>', '<samlp:Status ID="_status">'),
        signer,
        sha256,
        "//*[local-name(.)='Status']",
        'LogoutResponse',
      ),
      'another issuer': signedXml(answerOf(id, { issuer: 'https://evil.example' }), signer, sha256, undefined, 'LogoutResponse'),
      'it could not': signedXml(answerOf(id, { status: failed }), signer, sha256, undefined, 'LogoutResponse'),
      'a sign-in': goodAnswer(
        { ...(await provider.asked((await new Browser(service).get(`/sso/start?workspace=${company.workspace}`)).location)).said },
        signer,
      ),
    }
    for (const [what, xml] of Object.entries(forms)) assert.equal((await postAnswer(xml)).location, onlyHere, what)
    assert.match((await new Browser(service).get(onlyHere)).text, /has not confirmed that you are signed out there/)
    assert.equal((await send(answerByRedirect(good()))).location, everywhere, 'the true one is still waited for')
  })

  test('a session of another kind, or without single logout, ends only in Footfall', async () => {
    const person = await personIn(service, company.world, 'editor')
    const byPassword = await signedIn(service, person)
    assert.equal((await byPassword.submit('/session?_method=DELETE')).headers.get('location'), '/sign-in')
    const browser = await come('bob')
    await update({ idp_slo_url: null })
    assert.doesNotMatch((await request(service, 'GET', `${path()}/metadata`)).text, /SingleLogoutService|KeyDescriptor/)
    assert.equal((await send(byRedirect(logoutOf('bob')))).status, 400)
    assert.equal(await isIn(browser), true)
    assert.equal((await browser.ask('POST', '/session?_method=DELETE', { form: {} })).location, '/sign-in')
    await update({ idp_slo_url: idpSlo })
  })

  test('the provider’s logout ends all sessions that it started, and gets an answer', async () => {
    const [one, two, other] = [await come('carol'), await come('carol'), await come('dave')]
    const { sp, idp } = await parties()
    const asked = idp.createLogoutRequest(sp, 'redirect', { logoutNameID: 'id-carol' } as never, 'token 1&2') as {
      id: string
      context: string
    }
    const { status, location, text } = await one.get(asked.context)
    assert.equal(status, 303, text)
    assert.deepEqual([await isIn(one), await isIn(two), await isIn(other)], [false, false, true])
    const came = arrived(location)
    assert.equal(came.query.RelayState, 'token 1&2')
    const { extract } = await idp.parseLogoutResponse(sp, 'redirect', came)
    assert.deepEqual([extract.response?.inResponseTo, extract.response?.destination], [asked.id, idpSlo])
    assert.match(inflateRawSync(Buffer.from(came.query.SAMLResponse ?? '', 'base64')).toString(), /status:Success/)
    const entries = await service.store.read
      .selectFrom('audit_entries')
      .selectAll()
      .where('operation', '=', 'sso_logout')
      .where('input', '=', '{}')
      .execute()
    assert.deepEqual(
      entries.map(({ actor, door, outcome }) => [actor, door, outcome]),
      [[`carol@${company.domain}`, 'sso', 'done']],
    )
    assert.equal((await send(byRedirect(logoutOf('nobody')))).status, 303, 'as where there is nobody')
  })

  test('by a form, and of one of its sessions where it names that', async () => {
    const [first, later] = [await come('erin', 'index-1'), await come('erin', 'index-2')]
    const index = (name: string) => `<samlp:SessionIndex>${name}</samlp:SessionIndex>`
    assert.equal((await post(signedXml(logoutOf('erin', { extra: index('index-9') })))).status, 303)
    assert.deepEqual([await isIn(first), await isIn(later)], [true, true])
    const { status, text } = await post(signedXml(logoutOf('erin', { extra: index('index-2') })))
    assert.equal(status, 303, text)
    assert.deepEqual([await isIn(first), await isIn(later)], [true, false])
    assert.equal((await post(signedXml(logoutOf('erin', { extra: index('index-1') + index('index-2') })))).status, 303)
    assert.equal(await isIn(first), false)
  })

  test('no other request ends a session', async () => {
    const victim = await come('frank')
    const other = await makeCompany(service)
    const { idp_certs, idp_sso_url } = await company.configuration()
    await other.configure({ status: 'active', idp_certs, idp_sso_url, idp_entity_id: 'https://another.example' })
    await request(service, 'PATCH', `/workspaces/${other.workspace}/sso.json`, { token: other.world.token, body: { idp_slo_url: idpSlo } })
    const elsewhere = slo.replace(company.workspace, other.workspace)
    const nameId = `<saml:NameID>id-frank</saml:NameID>`
    const good = () => logoutOf('frank')
    const reused = byRedirect(logoutOf('nobody-here'))
    const [, request64 = ''] = /SAMLRequest=([^&]*)/.exec(byRedirect(logoutOf('somebody'))) ?? []
    const wrapped = signedXml(logoutOf('nobody-else', { id: '_inner' })).replace(
      /^<samlp:LogoutRequest/,
      `${good().replace(/<\/samlp:LogoutRequest>$/, '')}<samlp:LogoutRequest`,
    )
    const queries: Record<string, string> = {
      nothing: '',
      'no message': 'RelayState=x',
      'no base64': 'SAMLRequest=%00%01&SigAlg=x&Signature=y',
      unsigned: `SAMLRequest=${packed(good())}`,
      'an algorithm without a signature': `SAMLRequest=${packed(good())}&SigAlg=${encodeURIComponent(sha256)}`,
      'an empty signature': `SAMLRequest=${packed(good())}&SigAlg=${encodeURIComponent(sha256)}&Signature=`,
      'signed by a stranger': byRedirect(good(), { key: stranger.key }),
      'SHA-1': byRedirect(good(), { algorithm: sha1 }),
      'no algorithm': byRedirect(good()).replace(/&SigAlg=[^&]*/, ''),
      'another algorithm than it was signed with': byRedirect(good()).replace('rsa-sha256', 'rsa-sha512'),
      'another message than was signed': reused.replace(/SAMLRequest=[^&]*/, `SAMLRequest=${packed(good())}`),
      'two messages': `SAMLRequest=${packed(good())}&${reused}`,
      'two messages, the other way round': `${reused}&SAMLRequest=${packed(good())}`,
      'a signed message under a longer name': `x${reused}&SAMLRequest=${packed(good())}`,
      'a relay state that was not signed': `${byRedirect(good())}&RelayState=x`,
      'two signatures': `${byRedirect(good())}&Signature=x`,
      'another issuer': byRedirect(logoutOf('frank', { issuer: 'https://evil.example' })),
      'another destination': byRedirect(logoutOf('frank', { destination: elsewhere })),
      'no destination': byRedirect(good().replace(/ Destination="[^"]*"/, '')),
      expired: byRedirect(logoutOf('frank', { until: Date.now() - 2 * minute })),
      'from long ago': byRedirect(logoutOf('frank', { issuedAt: Date.now() - 12 * minute, until: undefined })),
      'from the future': byRedirect(logoutOf('frank', { issuedAt: Date.now() + 2 * minute })),
      'without a time': byRedirect(good().replace(/ IssueInstant="[^"]*"/, '')),
      'without an id': byRedirect(good().replace(/ ID="[^"]*"/, '')),
      'without a name': byRedirect(logoutOf('frank', { nameId: '' })),
      'two names': byRedirect(logoutOf('frank', { nameId: nameId + nameId })),
      'a comment in the name': byRedirect(logoutOf('frank', { nameId: nameId.replace('frank', 'fr<!---->ank') })),
      'an encrypted name': byRedirect(logoutOf('frank', { nameId: `${nameId}<saml:EncryptedID/>` })),
      'a document type': byRedirect(`<!DOCTYPE x [<!ENTITY e "id-frank">]>${logoutOf('frank')}`),
      'no XML': byRedirect('LogoutRequest'),
      'half of it': byRedirect(good().slice(0, -20)),
      'a bomb': byRedirect(`${good()}${' '.repeat(5_000_000)}`),
      'an answer beside it': `${byRedirect(good(), { key: stranger.key })}&SAMLResponse=x`,
      'a sign-in': byRedirect(good().replaceAll('LogoutRequest', 'AuthnRequest')),
      'a signed message of another, with a name that is not': `SAMLRequest=${request64}&SigAlg=${encodeURIComponent(sha256)}&Signature=${encodeURIComponent('x'.repeat(344))}`,
    }
    for (const [what, query] of Object.entries(queries)) {
      const { status, text } = await send(query)
      assert.equal(status, 400, `${what}: ${text}`)
      assert.equal(await isIn(victim), true, what)
    }
    const forms: Record<string, string> = {
      unsigned: good(),
      'signed by a stranger': signedXml(good(), stranger),
      'SHA-1': signedXml(good(), signer, sha1),
      'changed after it was signed': signedXml(logoutOf('nobody')).replace('id-nobody', 'id-frank'),
      'a signature of the name alone': signedXml(
        logoutOf('frank', { nameId: '<saml:NameID ID="_name">id-frank</saml:NameID>' }),
        signer,
        sha256,
        "//*[local-name(.)='NameID']",
      ),
      'a signed request within another': wrapped,
      'another issuer': signedXml(logoutOf('frank', { issuer: 'https://evil.example' })),
      'another destination': signedXml(logoutOf('frank', { destination: elsewhere })),
      expired: signedXml(logoutOf('frank', { until: Date.now() - 2 * minute })),
      'no XML': 'SAMLRequest',
    }
    for (const [what, xml] of Object.entries(forms)) {
      const { status, text } = await post(xml)
      assert.equal(status, 400, `${what}: ${text}`)
      assert.equal(await isIn(victim), true, what)
    }
    // Another workspace's identity provider knows a person by the same name.
    const [theirs, unknown] = [
      signedXml(logoutOf('frank', { issuer: 'https://another.example', destination: elsewhere })),
      slo.replace(/ws_\w+/, 'ws_nothing'),
    ]
    assert.equal((await post(theirs, elsewhere)).status, 303)
    assert.equal(await isIn(victim), true, 'another workspace')
    assert.equal((await post(signedXml(good()), unknown)).status, 400)
    const once = byRedirect(logoutOf('frank'))
    assert.equal((await send(once)).status, 303)
    assert.equal(await isIn(victim), false)
    const back = await come('frank')
    assert.equal((await send(once)).status, 400, 'replayed')
    assert.equal(await isIn(back), true)
    for (const ticket of ['', 'x', createHash('sha256').update('x').digest('hex'), '%00'])
      assert.equal((await new Browser(service).get(`/sso/leave?ticket=${ticket}`)).location, '/sign-in', ticket)
  })
})
