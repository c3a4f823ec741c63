/** Signing in by SAML, against a provider that is real; and everything that pretends to be one. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { onAnyEngine } from '../../support/engines.ts'
import { turnsDuring } from '../../support/event-loop-turns.ts'
import { request, startService, type TestService } from '../../support/world.ts'
import { makeSigner, type Signer } from './certificate.ts'
import { Browser, type Company, makeCompany } from './company.ts'
import {
  assertionOf,
  goodAnswer,
  responseOf,
  type Said,
  type SamlProvider,
  sha1,
  signed,
  startSaml,
  startSamlProvider,
} from './saml-provider.ts'

const encode = (xml: string) => Buffer.from(xml).toString('base64')

onAnyEngine('SAML', engine => {
  let service: TestService
  let company: Company
  let provider: SamlProvider
  let signer: Signer
  let stranger: Signer
  before(async () => {
    service = await startService(engine, { OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8' })
    ;({ company, provider, signer, stranger } = await startSaml(service))
  })
  // Providers, and the libraries that read their answers, use the real clock: the service is never long behind it.
  beforeEach(() => {
    service.clock.now = Math.max(service.clock.now, Date.now())
  })
  after(async () => {
    await provider.close()
    await service.close()
  })

  /** Begins in a browser and asks the provider. */
  async function begin(browser: Browser, query = `workspace=${company.workspace}`) {
    const { status, location } = await browser.get(`/sso/start?${query}`)
    assert.equal(status, 303)
    assert.ok(location.startsWith(`${provider.url}?SAMLRequest=`), location)
    return provider.asked(location)
  }
  const post = (browser: Browser, acs: string, xml: string) =>
    browser.ask('POST', acs, { form: { SAMLResponse: encode(xml), RelayState: 'https://evil.example' }, isForeign: true })
  /** A whole sign-in. @returns where the browser ends */
  async function signIn(browser: Browser, change: Partial<Said> = {}, query?: string): Promise<string> {
    const { acs, said } = await begin(browser, query)
    const back = await post(browser, acs, goodAnswer({ ...said, ...change }, signer))
    assert.equal(back.status, 303)
    return back.location.startsWith('/sso/finish') ? (await browser.get(back.location)).location : back.location
  }
  const person = (name: string) => ({ nameId: `id-${name}`, attributes: { email: `${name}@${company.domain}`, displayName: name } })
  const memberOf = (email: string) =>
    service.store.read
      .selectFrom('members as m')
      .innerJoin('accounts as a', 'a.id', 'm.account_id')
      .selectAll('m')
      .select(['a.email', 'a.name'])
      .where('m.workspace_id', '=', company.workspace)
      .where('a.email', '=', email)
      .executeTakeFirst()
  const entries = () =>
    service.store.read
      .selectFrom('audit_entries')
      .selectAll()
      .where('workspace_id', '=', company.workspace)
      .where('operation', 'like', 'sso_%')
      .execute()

  test('a first sign-in creates a member with the default role and a session, with an event and an audit entry', async () => {
    await company.configure({ default_role: 'analyst' })
    const browser = new Browser(service)
    assert.equal(await signIn(browser), '/')
    assert.ok(browser.isSignedIn)
    const page = await browser.get('/account')
    assert.equal(page.status, 200)
    assert.ok(page.text.includes(`ada@${company.domain}`))
    const member = await memberOf(`ada@${company.domain}`)
    assert.deepEqual([member?.role, member?.name, member?.active], ['analyst', 'Ada Lovelace', 1])
    const [event] = await service.store.read
      .selectFrom('events')
      .selectAll()
      .where('workspace_id', '=', company.workspace)
      .where('type', '=', 'member.added')
      .execute()
    assert.deepEqual([JSON.parse(event?.data ?? '{}').via, JSON.parse(event?.data ?? '{}').member.id], ['sso', member?.id])
    const entry = (await entries()).at(-1)
    assert.deepEqual([entry?.operation, entry?.door, entry?.outcome, entry?.actor], ['sso_login', 'sso', 'done', `ada@${company.domain}`])
    // The second time they are who they were, whatever the address is now.
    const again = new Browser(service)
    assert.equal(await signIn(again, { attributes: { email: `renamed@${company.domain}` } }), '/')
    assert.ok((await again.get('/account')).text.includes(`ada@${company.domain}`))
    assert.equal(await memberOf(`renamed@${company.domain}`), undefined)
  })

  test('the sign-in page finds the provider by the domain, and returns to the requested page', async () => {
    const browser = new Browser(service)
    const found = await browser.get(
      `/sign-in/sso?email=${encodeURIComponent(`BOB@${company.domain.toUpperCase()}`)}&next=%2Faccount%3Fx%3D1`,
    )
    const [, url = ''] = /http-equiv="refresh" content="0;url=([^"]+)"/.exec(found.text) ?? []
    assert.equal(await signIn(browser, person('bob'), url.replaceAll('&amp;', '&').split('?')[1]), '/account?x=1')
    const unknown = await new Browser(service).get('/sign-in/sso?email=a@nowhere.example')
    assert.match(unknown.text, /No workspace offers single sign-on/)
    for (const next of ['https://evil.example', '//evil.example', '/\\evil.example', '/x/..//evil.example', 'javascript:alert(1)']) {
      const elsewhere = new Browser(service)
      assert.equal(
        await signIn(elsewhere, person('bob'), new URLSearchParams({ workspace: company.workspace, next }).toString()),
        '/',
        next,
      )
    }
  })

  test('sessions end when single sign-on is deactivated, loses a certificate or a domain; password sessions stay', async () => {
    const other = `other.${company.domain}`
    const { write } = service.store
    const claimed = await write.selectFrom('sso_domains').selectAll().where('domain', '=', company.domain).executeTakeFirstOrThrow()
    await write
      .insertInto('sso_domains')
      .values({ ...claimed, id: `${claimed.id}x`, domain: other })
      .execute()
    const call = (method: string, path: string, body: object = {}) =>
      request(service, method, `/workspaces/${company.workspace}/sso${path}`, { token: company.world.token, body })
    const isIn = async (browser: Browser) => (await browser.get('/account')).status === 200
    const enter = async (email: string) => {
      const browser = new Browser(service)
      await signIn(browser, { nameId: `id-${email}`, attributes: { email } })
      assert.equal(await isIn(browser), true, email)
      return browser
    }
    const [ada, bob] = [await enter(`leaving@${company.domain}`), await enter(`leaving@${other}`)]

    assert.equal((await call('PATCH', '', { idp_cert: `${stranger.certificate}${signer.certificate}` })).status, 200)
    assert.deepEqual([await isIn(ada), await isIn(bob)], [true, true], 'a certificate more takes no trust away')
    assert.equal((await call('DELETE', `/domains/${claimed.id}x`)).status, 200)
    assert.deepEqual([await isIn(ada), await isIn(bob)], [true, false], 'a domain')
    const third = await makeSigner({ from: Date.now() - 86_400_000, until: Date.now() + 86_400_000, name: 'third' })
    assert.equal((await call('PATCH', '', { idp_cert: `${third.certificate}${signer.certificate}` })).status, 200)
    assert.equal(await isIn(ada), false, 'a certificate')

    const eve = await enter(`leaving-last@${company.domain}`)
    assert.equal((await call('POST', '/deactivate')).status, 200)
    assert.equal(await isIn(eve), false, 'all')
    await company.configure({ status: 'active', idp_certs: JSON.stringify([signer.certificate]) })
  })

  test('a page of another site starts no sign-in without a click', async () => {
    const ask = (path: string, site?: string) =>
      request(service, 'GET', path, { headers: { Accept: 'text/html', ...(site !== undefined && { 'Sec-Fetch-Site': site }) } })
    const start = `/sso/start?workspace=${company.workspace}&next=%2Faccount`
    for (const site of ['same-origin', 'none']) assert.match((await ask(start, site)).headers.get('location') ?? '', /SAMLRequest=/, site)
    for (const site of ['cross-site', 'same-site']) {
      const { status, headers } = await ask(start, site)
      const location = headers.get('location') ?? ''
      assert.deepEqual([status, headers.getSetCookie(), location], [303, [], `/sign-in/sso?workspace=${company.workspace}&next=%2Faccount`])
      const page = await ask(location, site)
      assert.doesNotMatch(page.text, /http-equiv="refresh"/)
      assert.match(page.text, new RegExp(`<a class="button" href="/sso/start\\?workspace=${company.workspace}&(amp;)?next=%2Faccount"`))
      const byEmail = await ask(`/sign-in/sso?email=ada%40${company.domain}`, site)
      assert.doesNotMatch(byEmail.text, /http-equiv="refresh"/)
    }
    assert.match((await ask(`/sign-in/sso?email=ada%40${company.domain}`, 'same-origin')).text, /http-equiv="refresh"/)
  })

  test('an account with the address is used; a deactivated member or an unknown person stays out', async () => {
    const email = `old@${company.domain}`
    const { accountId, memberId } = await company.world.join('editor')
    await service.store.write.updateTable('accounts').set({ email }).where('id', '=', accountId).execute()
    const browser = new Browser(service)
    assert.equal(await signIn(browser, person('old')), '/')
    assert.equal((await memberOf(email))?.id, memberId)
    // The address is given to a new person, who is not the previous holder.
    assert.equal(await signIn(new Browser(service), { ...person('old'), nameId: 'another' }), '/sign-in/sso?error=other_subject')
    // A person who took the account elsewhere does not get it from the company any more.
    await service.store.write
      .updateTable('accounts')
      .set({ email: `old@private.${company.world.ids.domain}` })
      .where('id', '=', accountId)
      .execute()
    assert.equal(await signIn(new Browser(service), person('old')), '/sign-in/sso?error=domain')
    await service.store.write.updateTable('accounts').set({ email }).where('id', '=', accountId).execute()
    await service.store.write.updateTable('members').set({ active: 0 }).where('id', '=', memberId).execute()
    assert.equal(await signIn(new Browser(service), person('old')), '/sign-in/sso?error=deactivated')

    await company.configure({ jit_provisioning: 0 })
    assert.equal(await signIn(new Browser(service), person('nobody')), '/sign-in/sso?error=no_member')
    await company.configure({ jit_provisioning: 1 })
    assert.equal((await entries()).at(-1)?.outcome, 'refused')
  })

  test('two certificates are good while one takes over from the other', async () => {
    const { idp_certs } = await company.configuration()
    await company.configure({ idp_certs: JSON.stringify([stranger.certificate, signer.certificate]) })
    assert.equal(await signIn(new Browser(service), person('bob')), '/')
    await company.configure({ idp_certs })
  })

  test('enforced: a session of another kind does not reach the workspace, an owner’s does', async () => {
    const browser = new Browser(service)
    await signIn(browser, person('carol'))
    await company.configure({ default_role: 'viewer' })
    const carol = await memberOf(`carol@${company.domain}`)
    await service.store.write
      .updateTable('members')
      .set({ role: 'admin' })
      .where('id', '=', carol?.id ?? '')
      .execute()
    const test = `/workspaces/${company.workspace}/sso/test`
    assert.equal((await browser.get(test)).status, 200)
    await company.configure({ enforced: 1 })
    assert.equal((await browser.get(test)).status, 200)
    await service.store.write.deleteFrom('sso_sessions').execute()
    await service.store.write.updateTable('sessions').set({ method: 'password' }).execute() // as if it had begun with one
    assert.equal((await browser.get(test)).status, 404)
    assert.equal((await browser.get('/account')).status, 200)
    await service.store.write
      .updateTable('members')
      .set({ role: 'owner' })
      .where('id', '=', carol?.id ?? '')
      .execute()
    assert.equal((await browser.get(test)).status, 200)
    await company.configure({ enforced: 0 })
  })

  /** Each is refused and starts no session. */
  const second = (said: Said) =>
    assertionOf({ ...said, assertionId: '_evil', nameId: 'person-1', attributes: { email: `boss@${company.domain}` } })
  const cut = (xml: string) => {
    const assertion = /<saml:Assertion[^]*<\/saml:Assertion>/.exec(xml)?.[0] ?? ''
    const signature = /<ds:Signature[^]*<\/ds:Signature>/.exec(assertion)?.[0] ?? ''
    return {
      assertion,
      signature,
      bare: assertion.replace(signature, ''),
      head: xml.slice(0, xml.indexOf(assertion)),
      tail: xml.slice(xml.indexOf(assertion) + assertion.length),
    }
  }
  type Attack = readonly [what: string, answer: (said: Said) => string, reason: string]
  const changed = (what: string, change: (said: Said) => Partial<Said>, reason: string): Attack => [
    what,
    said => goodAnswer({ ...said, ...change(said) }, signer),
    reason,
  ]
  const wrapped = (what: string, wrap: (parts: ReturnType<typeof cut>, evil: string) => string): Attack => [
    what,
    said => wrap(cut(goodAnswer(said, signer)), second(said)),
    'structure',
  ]
  const hour = 3_600_000
  const attacks: readonly Attack[] = [
    ['unsigned', said => responseOf(said, assertionOf(said)), 'unsigned'],
    ['signed by somebody else', said => goodAnswer(said, stranger), 'signature'],
    ['only the response signed', said => signed(responseOf(said, assertionOf(said)), signer, { message: true }), 'signature'],
    [
      'changed after it was signed',
      said => goodAnswer(said, signer).replace(`ada@${company.domain}`, `boss@${company.domain}`),
      'signature',
    ],
    [
      'a signature of nothing',
      said => goodAnswer(said, signer).replace(/<ds:SignatureValue>[^<]*/, '<ds:SignatureValue>AAAA'),
      'signature',
    ],
    ['a digest of nothing', said => goodAnswer(said, signer).replace(/<ds:DigestValue>[^<]*/, '<ds:DigestValue>AAAA'), 'signature'],
    ['a reference to nothing', said => goodAnswer(said, signer).replace('URI="#_assertion1"', 'URI=""'), 'signature'],
    ['a reference elsewhere', said => goodAnswer(said, signer).replace('URI="#_assertion1"', 'URI="#_response1"'), 'signature'],
    ['SHA-1', said => signed(responseOf(said, assertionOf(said)), signer, { algorithm: sha1 }), 'weak_algorithm'],
    [
      'HMAC with the certificate',
      said => goodAnswer(said, signer).replace(/xmldsig-more#rsa-sha256/, 'xmldsig-more#hmac-sha256'),
      'weak_algorithm',
    ],
    ['a digest by MD5', said => goodAnswer(said, signer).replace(/xmlenc#sha256/, 'xmldsig-more#md5'), 'weak_algorithm'],
    [
      'an algorithm written in entities',
      said => goodAnswer(said, signer).replace('xmldsig-more#rsa', 'xmldsig-more&#35;rsa'),
      'weak_algorithm',
    ],
    changed('another audience', () => ({ audience: 'https://other.example' }), 'audience'),
    changed('the audience of another workspace', said => ({ audience: said.audience.replace(/ws_\w+/, 'ws_other') }), 'audience'),
    changed('another recipient', () => ({ recipient: 'https://other.example/acs' }), 'recipient'),
    changed('another destination', () => ({ destination: 'https://other.example/acs' }), 'recipient'),
    changed('another issuer', () => ({ issuer: 'https://other.example', responseIssuer: 'https://other.example' }), 'issuer'),
    changed('another issuer in the assertion alone', () => ({ issuer: 'https://other.example' }), 'issuer'),
    changed('another issuer of the response alone', () => ({ responseIssuer: 'https://other.example' }), 'issuer'),
    changed('for another request, inside', () => ({ confirmedInResponseTo: '_other' }), 'in_response_to'),
    changed('expired', () => ({ notOnOrAfter: Date.now() - hour }), 'clock'),
    changed('confirmation expired', () => ({ confirmedUntil: Date.now() - hour }), 'clock'),
    changed('a condition that nobody knows', () => ({ conditions: '<saml:Condition/>' }), 'condition'),
    changed('a condition of another namespace', () => ({ conditions: '<x:Delegation xmlns:x="urn:x"/>' }), 'condition'),
    changed(
      'another audience beside ours',
      () => ({
        conditions: '<saml:AudienceRestriction><saml:Audience>https://other.example</saml:Audience></saml:AudienceRestriction>',
      }),
      'audience',
    ),
    changed('a session that ended a moment ago', () => ({ sessionUntil: service.clock.now - 1 }), 'clock'),
    changed('session over', () => ({ sessionUntil: Date.now() - hour }), 'clock'),
    changed('not valid yet', () => ({ notBefore: Date.now() + hour, notOnOrAfter: Date.now() + 2 * hour }), 'clock'),
    changed('issued in the future', () => ({ issuedAt: Date.now() + hour }), 'clock'),
    changed('holder of key, not bearer', () => ({ method: 'urn:oasis:names:tc:SAML:2.0:cm:holder-of-key' }), 'in_response_to'),
    changed('a comment in the NameID', () => ({ nameId: 'person-1<!-- -->.evil' }), 'structure'),
    changed('a comment in the address', () => ({ attributes: { email: `boss@${company.domain}<!-- -->.evil.example` } }), 'structure'),
    changed('character data in the NameID', () => ({ nameId: '<![CDATA[person-1]]>' }), 'structure'),
    changed('an instruction in the NameID', () => ({ nameId: 'person-1<?x y?>' }), 'structure'),
    changed('a NameID of one sign-in', () => ({ format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' }), 'transient'),
    changed('no NameID', () => ({ nameId: '' }), 'subject'),
    changed('no address', () => ({ attributes: {} }), 'email_missing'),
    changed('two addresses in one', () => ({ attributes: { email: `ada@${company.domain},x@evil.example` } }), 'email_missing'),
    changed('an address elsewhere', () => ({ nameId: 'x', attributes: { email: 'boss@evil.example' } }), 'domain'),
    changed('an address below the domain', () => ({ nameId: 'x', attributes: { email: `boss@sub.${company.domain}` } }), 'domain'),
    changed(
      'an address of a domain that ends alike',
      () => ({ nameId: 'x', attributes: { email: `boss@evil${company.domain}` } }),
      'domain',
    ),
    changed('a second NameID', said => ({ extra: `<saml:Subject><saml:NameID>${said.nameId}</saml:NameID></saml:Subject>` }), 'subject'),
    changed(
      'another assertion as advice',
      said => ({ extra: `<saml:Advice>${assertionOf({ ...said, assertionId: '_a2' })}</saml:Advice>` }),
      'structure',
    ),
    changed('status of a refusal', () => ({ status: 'urn:oasis:names:tc:SAML:2.0:status:Requester' }), 'provider_error'),
    ['a document type', said => `<!DOCTYPE x [<!ENTITY e "person-1">]>${goodAnswer(said, signer)}`, 'structure'],
    [
      'entities in each other',
      said => `<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>${goodAnswer(said, signer)}`,
      'structure',
    ],
    ['an encrypted assertion', said => responseOf(said, '<saml:EncryptedAssertion/>'), 'encrypted'],
    ['no assertion', said => responseOf(said, ''), 'structure'],
    ['two assertions', said => responseOf(said, cut(goodAnswer(said, signer)).assertion + second(said)), 'structure'],
    ['two signatures', said => goodAnswer(said, signer).replace(/(<ds:Signature [^]*<\/ds:Signature>)/, '$1$1'), 'any'],
    ['no XML', () => 'SAMLResponse InResponseTo', 'idp_initiated'],
    ['nothing', () => '', 'malformed'],
    // The eight ways to wrap a signature (Somorovsky et al. 2012).
    wrapped(
      'XSW1: the response copied into its own signature',
      ({ head, assertion, tail }, evil) =>
        `${head}${evil}<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:Object>${head}${assertion}${tail}</ds:Object></ds:Signature>${tail}`,
    ),
    wrapped(
      'XSW2: the response copied before its signature',
      ({ head, assertion, tail }, evil) => `${head}${head}${assertion}${tail}${evil}${tail}`,
    ),
    wrapped('XSW3: an evil assertion before the signed one', ({ head, assertion, tail }, evil) => `${head}${evil}${assertion}${tail}`),
    wrapped(
      'XSW4: the signed assertion inside of an evil one',
      ({ head, assertion, tail }, evil) => `${head}${evil.replace('</saml:Assertion>', `${assertion}</saml:Assertion>`)}${tail}`,
    ),
    wrapped(
      'XSW5: the signature in an evil assertion, the signed one behind it',
      ({ head, bare, signature, tail }, evil) => `${head}${evil.replace('</saml:Issuer>', `</saml:Issuer>${signature}`)}${bare}${tail}`,
    ),
    wrapped(
      'XSW6: the signed assertion inside of the signature of an evil one',
      ({ head, bare, signature, tail }, evil) =>
        `${head}${evil.replace('</saml:Issuer>', `</saml:Issuer>${signature.replace('</ds:Signature>', `${bare}</ds:Signature>`)}`)}${tail}`,
    ),
    wrapped(
      'XSW7: an evil assertion in extensions',
      ({ head, assertion, tail }, evil) => `${head}<samlp:Extensions>${evil}</samlp:Extensions>${assertion}${tail}`,
    ),
    wrapped(
      'XSW8: the signed assertion in an object of the signature',
      ({ head, bare, signature, tail }, evil) =>
        `${head}${evil.replace('</saml:Issuer>', `</saml:Issuer>${signature.replace('</ds:Signature>', `<ds:Object>${bare}</ds:Object></ds:Signature>`)}`)}${tail}`,
    ),
    [
      'an evil assertion of another prefix',
      said => {
        const { head, assertion, tail } = cut(goodAnswer(said, signer))
        return `${head}${second(said).replaceAll('saml:', 'x:').replace('xmlns:saml', 'xmlns:x')}${assertion}${tail}`
      },
      'structure',
    ],
    wrapped(
      'XSW7 with a prefix in another script',
      ({ head, assertion, tail }, evil) =>
        `${head}<samlp:Extensions>${evil.replaceAll('saml:', 'é:').replace('xmlns:saml', 'xmlns:é')}</samlp:Extensions>${assertion}${tail}`,
    ),
    ['one ID twice', said => goodAnswer({ ...said, assertionId: '_response1' }, signer), 'signature'],
  ]

  for (const [what, answer, reason] of attacks) {
    test(`refused: ${what}`, async () => {
      const browser = new Browser(service)
      const { acs, said } = await begin(browser)
      const back = await post(browser, acs, answer(said))
      const end = back.location.startsWith('/sso/finish') ? await browser.get(back.location) : back
      assert.equal(end.status, 303, end.text)
      if (reason === 'any') assert.match(end.location, /^\/sign-in\/sso\?error=/)
      else assert.equal(end.location, `/sign-in/sso?error=${reason}`)
      assert.equal(browser.isSignedIn, false)
      assert.equal(await memberOf(`boss@${company.domain}`), undefined)
    })
  }

  test('refused: replayed, unasked, in another browser, at another workspace, too late, and after the configuration changed', async () => {
    const browser = new Browser(service)
    const { acs, said } = await begin(browser)
    const good = goodAnswer(said, signer)
    const other = new Browser(service)
    const stolen = await post(other, acs, good)
    assert.match(stolen.location, /^\/sso\/finish\?ticket=/)
    assert.equal((await other.get(stolen.location)).location, '/sign-in/sso?error=other_browser')
    assert.equal((await browser.get(stolen.location)).location, '/sign-in/sso?error=unknown_request', 'the ticket is used')
    assert.equal((await post(browser, acs, good)).location, '/sign-in/sso?error=unknown_request', 'replayed')
    assert.equal(
      (await post(browser, acs, goodAnswer({ ...said, inResponseTo: '_made_up', confirmedInResponseTo: '_made_up' }, signer))).location,
      '/sign-in/sso?error=unknown_request',
    )
    const unasked = goodAnswer(said, signer).replace(/ InResponseTo="[^"]*"/g, '')
    assert.equal((await post(browser, acs, unasked)).location, '/sign-in/sso?error=idp_initiated')

    const fresh = await begin(browser)
    const elsewhere = await makeCompany(service)
    assert.equal(
      (await post(browser, acs.replace(company.workspace, elsewhere.workspace), goodAnswer(fresh.said, signer))).location,
      '/sign-in/sso?error=recipient',
    )

    const late = await begin(browser)
    service.clock.now += 11 * 60_000
    assert.equal((await post(browser, acs, goodAnswer(late.said, signer))).location, '/sign-in/sso?error=unknown_request')
    service.clock.now = Date.now()

    const moved = await begin(browser)
    await company.configure({ idp_entity_id: 'https://other.example' })
    assert.equal(
      (
        await post(
          browser,
          acs,
          goodAnswer({ ...moved.said, issuer: 'https://other.example', responseIssuer: 'https://other.example' }, signer),
        )
      ).location,
      '/sign-in/sso?error=changed',
    )
    await company.configure({ idp_entity_id: provider.entityId })

    const off = await begin(browser)
    await company.configure({ status: 'draft' })
    assert.equal((await post(browser, acs, goodAnswer(off.said, signer))).location, '/sign-in/sso?error=inactive')
    assert.equal((await browser.get(`/sso/start?workspace=${company.workspace}`)).location, '/sign-in/sso?error=inactive')
    await company.configure({ status: 'active' })
    assert.equal(browser.isSignedIn || other.isSignedIn, false)
    assert.equal((await service.store.read.selectFrom('sso_requests').select('id').where('kind', '=', 'finish').execute()).length, 0)
  })

  test('a text of the largest size, made to be read slowly, does not hold up the service', async () => {
    const acs = `/sso/saml/${company.workspace}/acs`
    const before = process.cpuUsage()
    for (const xml of [
      '<Response '.repeat(14_000),
      `<Response InResponseTo="x">${'<Issuer '.repeat(18_000)}`,
      '<Response '.repeat(36_000),
    ]) {
      const { status, location } = await post(new Browser(service), acs, xml)
      assert.equal(status, 303)
      assert.match(location, /error=(malformed|idp_initiated|unknown_request)$/)
    }
    const { user } = process.cpuUsage(before)
    assert.ok(user < 2_000_000, `${user} µs of the processor; in linear time, a few thousand`)
  })

  test('a text of many elements, which is read slowly, holds up no other request', async () => {
    const grouped = (count: number) => `<saml:Advice>${'<saml:AssertionURIRef/>'.repeat(count)}</saml:Advice>`
    const end = async (made: (said: Said) => string, watched = (work: () => Promise<void>): Promise<unknown> => work()) => {
      const browser = new Browser(service)
      const { acs, said } = await begin(browser)
      const xml = made(said)
      let location = ''
      await watched(async () => {
        location = (await post(browser, acs, xml)).location
      })
      return location.replace(/ticket=.*/, '')
    }
    assert.equal(await end(said => goodAnswer(said, signer)), '/sso/finish?')
    const turns: number[] = []
    const counting = async (work: () => Promise<void>) => turns.push((await turnsDuring(work)).count)
    const signedByNobody = (said: Said) => goodAnswer(said, signer).replace('</saml:Assertion>', `${grouped(2_900)}</saml:Assertion>`)
    assert.equal(await end(said => goodAnswer({ ...said, extra: grouped(1_500) }, signer), counting), '/sso/finish?')
    assert.equal(await end(signedByNobody, counting), '/sign-in/sso?error=signature')
    assert.ok(
      turns.every(count => count > 300),
      `${turns.join(', ')} turns of the event loop; dozens, if it reads the text itself`,
    )
    const tooMany = (said: Said) => goodAnswer(said, signer).replace('</samlp:Response>', `${'<a/>'.repeat(3_000)}</samlp:Response>`)
    assert.equal(await end(tooMany), '/sign-in/sso?error=malformed')
  })

  test('an error of another making shows nothing of what was sent', async () => {
    const page = await new Browser(service).get('/sign-in/sso?error=%3Cscript%3Ealert(1)%3C/script%3E')
    assert.equal(page.status, 200)
    assert.equal(page.text.includes('<script>alert'), false)
  })

  test('the test shows faults, starts no session, and allows the activation', async () => {
    const own = await makeCompany(service)
    const audience = `http://footfall.test/workspaces/${own.workspace}/sso/metadata`
    const idp = await startSamlProvider(signer, { nameId: 'p', email: `ada@${own.domain}`, audience })
    await own.configure({ idp_sso_url: idp.url, idp_entity_id: idp.entityId, idp_certs: JSON.stringify([signer.certificate]) })
    const path = `/workspaces/${own.workspace}/sso/test`
    const browser = new Browser(service)
    assert.match((await browser.get(path)).location, /^\/sign-in\?/)
    browser.cookies.set('session', own.world.shown.session ?? '')
    assert.equal((await browser.get(path)).status, 200)

    const run = async (change: Partial<Said>, by = signer) => {
      const begun = await browser.get((await browser.ask('POST', path, { form: {} })).location)
      const [, url = ''] = /http-equiv="refresh" content="0;url=([^"]+)"/.exec(begun.text) ?? []
      assert.equal((await own.configuration()).status, 'testing')
      const { acs, said } = await idp.asked(url.replaceAll('&amp;', '&'))
      const back = await post(browser, acs, goodAnswer({ ...said, ...change }, by))
      const end = back.location.startsWith('/sso/finish') ? await browser.get(back.location) : back
      assert.equal(end.location, path)
      return (await browser.get(path)).text
    }
    const wrong: ReadonlyArray<readonly [Partial<Said>, Signer, RegExp]> = [
      [{ audience: 'https://other.example' }, signer, /for another audience.*Received: https:\/\/other\.example/],
      [{ notOnOrAfter: Date.now() - hour }, signer, /The clocks .* differ/],
      [{}, stranger, /does not match the stored certificate/],
      [{ attributes: {} }, signer, /no e-mail address/],
      [
        { attributes: { email: 'ada@elsewhere.example' } },
        signer,
        /does not belong to a verified domain.*The address is ada@elsewhere\.example; verified domains: work\./,
      ],
      [{ recipient: 'https://other.example/' }, signer, /for another URL.*https:\/\/other\.example/],
    ]
    for (const [change, by, said] of wrong) {
      assert.match(await run(change, by), said)
      assert.equal((await own.configuration()).status, 'draft')
    }
    const members = () => service.store.read.selectFrom('members').select('id').where('workspace_id', '=', own.workspace).execute()
    const before = (await members()).length
    assert.match(await run({}), /the test succeeded/)
    const { status, test_error } = await own.configuration()
    assert.deepEqual([status, test_error, (await members()).length], ['tested', null, before])
    assert.equal(browser.cookies.get('session'), own.world.shown.session, 'nobody else is signed in')
    await idp.close()
  })
})
