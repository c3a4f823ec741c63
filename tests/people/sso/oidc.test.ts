/** Signing in by OpenID Connect, against a provider that is real; and everything that pretends to be one. */
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { secretOf } from '../../../operations/people/sso/logins.ts'
import { sessionRow } from '../../../operations/people/sessions/records.ts'
import { secretBox } from '../../../runtime/settings/secret-box.ts'
import { randomBytes } from '../../support/chance.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { request, startService, type TestService } from '../../support/world.ts'
import { Browser, type Company, makeCompany } from './company.ts'
import {
  callback,
  type Forging,
  type OwnProvider,
  type RealProvider,
  startOidcProvider,
  startOwnProvider,
  throughProvider,
} from './oidc-provider.ts'
import { sentenceOf } from '../../../runtime/texts/message.ts'

onAnyEngine('OpenID Connect', engine => {
  let service: TestService
  let company: Company
  let attacked: Company
  let provider: RealProvider
  let own: OwnProvider
  before(async () => {
    service = await startService(engine, { OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8' })
    service.clock.now = Date.now()
    company = await makeCompany(service, { protocol: 'oidc', status: 'active', oidc_client_id: 'c1' })
    attacked = await makeCompany(service, { protocol: 'oidc', status: 'active', oidc_client_id: 'c1' })
    provider = await startOidcProvider(
      { sub: 'sub-1', email: `ada@${company.domain}`, email_verified: true, name: 'Ada Lovelace' },
      {
        logoutUri: `http://footfall.test/sso/oidc/${company.workspace}/logout`,
        fetch: async (url, options) => service.web.request(String(url), options),
      },
    )
    own = await startOwnProvider()
    const sealed = await service.app
      .use(secretBox)
      .seal(service.store.write, 'a-client-secret-of-32-characters', secretOf(company.workspace))
    await company.configure({ oidc_issuer: provider.issuer, oidc_client_secret: sealed })
    await attacked.configure({ oidc_issuer: own.issuer })
  })
  // Providers, and the libraries that read their answers, use the real clock: the service is never long behind it.
  beforeEach(() => {
    service.clock.now = Math.max(service.clock.now, Date.now())
  })
  after(async () => {
    await Promise.all([provider.close(), own.close()])
    await service.close()
  })

  const start = async (browser: Browser, of = company) => {
    const { status, location } = await browser.get(`/sso/start?workspace=${of.workspace}`)
    assert.equal(status, 303)
    return location
  }
  const members = (of: Company) =>
    service.store.read
      .selectFrom('members as m')
      .innerJoin('accounts as a', 'a.id', 'm.account_id')
      .select(['a.email', 'a.name', 'm.role'])
      .where('m.workspace_id', '=', of.workspace)
      .execute()

  test('a first sign-in uses code, PKCE, state and nonce', async () => {
    const browser = new Browser(service)
    const location = await start(browser)
    const asked = new URL(location).searchParams
    assert.deepEqual(
      ['response_type', 'code_challenge_method', 'redirect_uri', 'scope', 'client_id'].map(name => asked.get(name)),
      ['code', 'S256', callback, 'openid email profile', 'c1'],
    )
    for (const name of ['state', 'nonce', 'code_challenge']) assert.ok((asked.get(name)?.length ?? 0) > 20, name)
    const back = await throughProvider(location)
    const end = await browser.get(back)
    assert.deepEqual([end.status, end.location, browser.isSignedIn], [303, '/', true], end.text)
    assert.ok((await browser.get('/account')).text.includes(`ada@${company.domain}`))
    assert.deepEqual(
      (await members(company)).find(({ email }) => email === `ada@${company.domain}`),
      { email: `ada@${company.domain}`, name: 'Ada Lovelace', role: 'viewer' },
    )
    assert.equal((await browser.get(back)).location, '/sign-in/sso?error=unknown_request', 'replayed')
  })

  test('the provider’s logout ends the sessions that it started, and no others', async () => {
    const [browser, other] = [new Browser(service), new Browser(service)]
    for (const each of [browser, other]) assert.equal((await each.get(await throughProvider(await start(each)))).location, '/')
    const { account_id } = await service.store.read
      .selectFrom('sso_identities')
      .selectAll()
      .where('subject', '=', 'sub-1')
      .executeTakeFirstOrThrow()
    const byPassword = randomBytes(32).toString('base64url')
    await service.store.write
      .insertInto('sessions')
      .values(
        sessionRow({ id: `ses_${randomBytes(12).toString('hex')}`, accountId: account_id, secret: byPassword, now: service.clock.now }),
      )
      .execute()
    assert.equal((await browser.get('/account')).status, 200)
    await provider.signOut()
    for (const each of [browser, other]) assert.equal((await each.get('/account')).status, 303, 'it goes to the sign-in')
    const kept = new Browser(service)
    kept.cookies.set('session', byPassword)
    assert.equal((await kept.get('/account')).status, 200)
    const entries = await service.store.read.selectFrom('audit_entries').selectAll().where('operation', '=', 'sso_logout').execute()
    assert.deepEqual(
      entries.map(({ workspace_id, outcome, door }) => [workspace_id, outcome, door]),
      [[company.workspace, 'done', 'sso']],
    )
  })

  test('no token but a logout token of the provider ends a session', async () => {
    own.forge({ claims: {} })
    const browser = new Browser(service)
    const claims = { iss: own.issuer, aud: 'c1', sub: 'sub-9', email: `eve@${attacked.domain}`, email_verified: true }
    const seconds = () => Math.floor(service.clock.now / 1000)
    const begun = new URL(await start(browser, attacked)).searchParams
    own.forge({ claims: { ...claims, nonce: begun.get('nonce'), iat: seconds(), exp: seconds() + 60 } })
    const back = `/sso/oidc/callback?${new URLSearchParams({ code: 'c', state: begun.get('state') ?? '', iss: own.issuer })}`
    assert.equal((await browser.get(back)).location, '/')
    const event = { 'http://schemas.openid.net/event/backchannel-logout': {} }
    const good = { iss: own.issuer, aud: 'c1', sub: 'sub-9', jti: 'j1', iat: seconds(), exp: seconds() + 120, events: event }
    const { privateKey: stranger } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
    const say = async (of: Company, forging: Partial<Forging>) => {
      own.forge(forging)
      const body = new URLSearchParams({ logout_token: own.token() }).toString()
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
      return request(service, 'POST', `/sso/oidc/${of.workspace}/logout`, { body, headers })
    }
    const { events: _, ...withoutEvent } = good
    const { sub: __, ...withoutSub } = good
    const { jti: ___, ...withoutId } = good
    const cases: ReadonlyArray<readonly [what: string, forging: Partial<Forging>, of?: Company]> = [
      ['unsigned', { claims: good, header: { alg: 'none' }, key: 'none' }],
      ['signed by a stranger', { claims: good, key: stranger }],
      ['signed with the public key as a secret', { claims: good, header: { alg: 'HS256' }, key: Buffer.from(own.publicPem) }],
      ['an ID token', { claims: withoutEvent }],
      ['with a nonce', { claims: { ...good, nonce: 'n' } }],
      ['for another client', { claims: { ...good, aud: 'c2' } }],
      ['of another issuer', { claims: { ...good, iss: provider.issuer } }],
      ['old', { claims: { ...good, iat: seconds() - 3_600, exp: seconds() + 120 } }],
      ['expired', { claims: { ...good, exp: seconds() - 120 } }],
      ['of the future', { claims: { ...good, iat: seconds() + 3_600 } }],
      ['without an id', { claims: withoutId }],
      ['without a subject', { claims: withoutSub }],
      ['to another workspace', { claims: good }, company],
      ['about somebody else', { claims: { ...good, sub: 'sub-8' } }],
    ]
    for (const [what, forging, of = attacked] of cases) {
      const { status, text } = await say(of, forging)
      assert.equal(status, what === 'about somebody else' ? 200 : 400, `${what}: ${text}`)
      assert.equal((await browser.get('/account')).status, 200, what)
    }
    const done = await say(attacked, { claims: good })
    assert.deepEqual([done.status, done.headers.get('cache-control')], [200, 'no-store'], done.text)
    assert.equal((await browser.get('/account')).status, 303)
  })

  test('the test of a configuration starts no session, and shows the answer of the provider', async () => {
    const tested = await makeCompany(service, { protocol: 'oidc', oidc_client_id: 'c1', oidc_issuer: provider.issuer })
    const sealed = await service.app.use(secretBox).seal(service.store.write, 'a-wrong-secret', secretOf(tested.workspace))
    await tested.configure({ oidc_client_secret: sealed })
    const browser = new Browser(service)
    browser.cookies.set('session', tested.world.shown.session ?? '')
    const path = `/workspaces/${tested.workspace}/sso/test`
    const begun = await browser.get((await browser.ask('POST', path, { form: {} })).location)
    const [, url = ''] = /http-equiv="refresh" content="0;url=([^"]+)"/.exec(begun.text) ?? []
    assert.equal((await browser.get(await throughProvider(url.replaceAll('&amp;', '&')))).location, path)
    const { status, test_error } = await tested.configuration()
    assert.equal(status, 'draft')
    assert.match(String(sentenceOf(test_error ?? '')), /did not confirm the sign-in\. invalid_client/)
    assert.equal((test_error ?? '').includes('wrong-secret'), false)
    // An invalid issuer is reported before any redirect.
    await tested.configure({ oidc_issuer: own.issuer })
    own.forge({ discovery: { issuer: 'https://other.example' } })
    const refused = await browser.ask('POST', path, { form: {} })
    assert.equal(refused.status, 422)
    assert.match(refused.text, /discovery document of the issuer could not be used/)
    own.forge({})
  })

  /** An answer of a provider that returns the given values. @param callbackOf the address that the browser comes back by */
  async function attack(
    forging: (good: Record<string, unknown>) => Partial<Forging>,
    callbackOf = (query: URLSearchParams) => query,
  ): Promise<string> {
    const browser = new Browser(service)
    own.forge({})
    service.clock.now = Date.now() // the library that checks ID tokens uses the real clock
    const asked = new URL(await start(browser, attacked)).searchParams
    const now = Math.floor(Date.now() / 1000)
    const good = {
      iss: own.issuer,
      sub: 'sub-1',
      aud: 'c1',
      iat: now,
      exp: now + 300,
      nonce: asked.get('nonce'),
      email: `ada@${attacked.domain}`,
      email_verified: true,
    }
    own.forge({ claims: good, ...forging(good) })
    const query = callbackOf(new URLSearchParams({ code: 'the-code', state: asked.get('state') ?? '' }))
    const end = await browser.get(`${callback}?${query}`)
    assert.equal(end.status, 303, end.text)
    if (end.location !== '/') assert.equal(browser.isSignedIn, false)
    return end.location
  }
  const claims = (change: Record<string, unknown>) => (good: Record<string, unknown>) => ({ claims: { ...good, ...change } })
  const now = () => Math.floor(Date.now() / 1000)
  const stranger = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey

  test('the provider that attacks is one that signs in when it says the truth', async () => {
    assert.equal(await attack(() => ({})), '/')
    assert.ok((own.asked.at(-1)?.get('code_verifier')?.length ?? 0) >= 43)
    assert.equal(await attack(claims({ exp: now() - 5, iat: now() + 30 })), '/', 'clocks may differ by a minute')
    assert.equal(await attack(claims({ azp: 'c1' })), '/', 'it may name the party that asked')
  })

  const attacks: ReadonlyArray<readonly [what: string, forging: Parameters<typeof attack>[0], reason: RegExp]> = [
    ['alg none', good => ({ claims: good, header: { alg: 'none' }, key: 'none' }), /weak_algorithm|signature|token/],
    [
      'HS256 with the public key',
      good => ({ claims: good, header: { alg: 'HS256' }, key: Buffer.from(own.publicPem) }),
      /weak_algorithm|signature|token/,
    ],
    [
      'HS256 with the client id',
      good => ({ claims: good, header: { alg: 'HS256' }, key: Buffer.from('c1') }),
      /weak_algorithm|signature|token/,
    ],
    [
      'HS256, which the discovery document allows',
      good => ({
        claims: good,
        header: { alg: 'HS256' },
        key: Buffer.from(own.publicPem),
        discovery: { id_token_signing_alg_values_supported: ['HS256', 'none'] },
      }),
      /weak_algorithm|signature|token/,
    ],
    ['signed by somebody else', good => ({ claims: good, key: stranger }), /signature|token/],
    ['a key that is not among the keys', good => ({ claims: good, key: stranger, header: { kid: 'k2' } }), /signature|token/],
    [
      'a key in the header',
      good => ({ claims: good, key: stranger, header: { jwk: stranger.export({ format: 'jwk' }) } }),
      /signature|token/,
    ],
    ['no keys at all', good => ({ claims: good, keys: [] }), /signature|token/],
    ['another issuer', claims({ iss: 'https://other.example' }), /issuer/],
    ['no issuer', claims({ iss: undefined }), /issuer|token/],
    ['another audience', claims({ aud: 'c2' }), /audience/],
    ['several audiences, for another party', claims({ aud: ['c1', 'c2'], azp: 'c2' }), /audience|token/],
    ['one audience, for another party', claims({ azp: 'c2' }), /audience/],
    ['another nonce', claims({ nonce: 'other' }), /token/],
    ['no nonce', claims({ nonce: undefined }), /token/],
    ['expired', claims({ exp: now() - 3_600 }), /clock/],
    ['no end', claims({ exp: undefined }), /clock|token/],
    ['not valid yet', claims({ nbf: now() + 3_600 }), /clock/],
    ['no subject', claims({ sub: undefined }), /token|subject/],
    ['a subject that is no text', claims({ sub: 7 }), /token|subject/],
    ['no address', claims({ email: undefined }), /email_missing/],
    ['an address that is a list', claims({ email: ['a@b.example'] }), /email_missing/],
    ['an address that is not verified', claims({ email_verified: false }), /email_unverified/],
    ['an address of which nothing is said', claims({ email_verified: undefined }), /email_unverified/],
    ['an address that is verified as a text', claims({ email_verified: 'true' }), /email_unverified/],
    ['an address that Entra vouches for, of another issuer', claims({ email_verified: undefined, xms_edov: true }), /email_unverified/],
    ['issued in the future', claims({ iat: now() + 3_600, exp: now() + 7_200 }), /clock/],
    ['a subject of 256 characters', claims({ sub: 's'.repeat(256) }), /subject/],
    ['a subject that is no ASCII', claims({ sub: 'sub-é' }), /subject/],
    ['an address elsewhere', claims({ email: 'boss@evil.example' }), /domain/],
    ['an address that another subject has', claims({ sub: 'sub-2' }), /other_subject/],
    ['no ID token', () => ({ token: { id_token: undefined } }), /token/],
    ['an ID token that is none', () => ({ token: { id_token: 'a.b.c' } }), /token|signature|weak/],
    ['an error of the token endpoint', () => ({ status: 400, token: { error: 'invalid_grant' } }), /token/],
    [
      'the issuer of the discovery document swapped',
      good => ({ claims: good, discovery: { issuer: 'https://other.example' } }),
      /discovery/,
    ],
    [
      'a token endpoint inside of the network',
      good => ({ claims: good, discovery: { token_endpoint: 'http://169.254.169.254/token' } }),
      /token/,
    ],
    ['keys inside of the network', good => ({ claims: good, discovery: { jwks_uri: 'http://10.0.0.1/jwks' } }), /token|signature/],
  ]
  for (const [what, forging, reason] of attacks) {
    test(`refused: ${what}`, async () => {
      const location = await attack(forging)
      assert.match(location, /^\/sign-in\/sso\?error=/, what)
      assert.match(location, new RegExp(`error=(${reason.source})$`), what)
    })
  }

  test('refused: an answer of another issuer, with an unknown state, with an error, in another browser', async () => {
    const good = () => ({})
    const changed = (change: Record<string, string | undefined>) => (query: URLSearchParams) => {
      for (const [name, value] of Object.entries(change)) value === undefined ? query.delete(name) : query.set(name, value)
      return query
    }
    assert.match(await attack(good, changed({ iss: 'https://other.example' })), /error=(issuer|token)$/)
    assert.match(await attack(good, changed({ state: 'made-up' })), /error=unknown_request$/)
    assert.match(await attack(good, changed({ state: undefined })), /error=idp_initiated$/)
    assert.match(await attack(good, changed({ code: undefined })), /error=token$/)
    assert.match(await attack(good, changed({ code: undefined, error: 'access_denied' })), /error=provider_error$/)
    assert.match(await attack(good, query => new URLSearchParams(`${query}&${query}`)), /error=(token|unknown_request)$/)

    own.forge({})
    const [mine, theirs] = [new Browser(service), new Browser(service)]
    const state = new URL(await start(theirs, attacked)).searchParams.get('state') ?? ''
    await start(mine, attacked)
    const mixed = await mine.get(`${callback}?${new URLSearchParams({ code: 'c', state })}`)
    assert.equal(mixed.location, '/sign-in/sso?error=other_browser')
    assert.equal(
      (await new Browser(service).get(`${callback}?${new URLSearchParams({ code: 'c', state })}`)).location,
      '/sign-in/sso?error=unknown_request',
    )
    // A code that one workspace's provider gave does not open another's.
    const here = new URL(await start(mine, company)).searchParams.get('state') ?? ''
    assert.match(
      (await mine.get(`${callback}?${new URLSearchParams({ code: 'of-another', state: here })}`)).location,
      /error=(token|issuer)$/,
    )
    assert.equal(mine.isSignedIn || theirs.isSignedIn, false)
  })

  test('no row of the database has codes, tokens, secrets, or values that only the browser knows', async () => {
    const browser = new Browser(service)
    await start(browser, attacked)
    const rows = JSON.stringify([
      await service.store.read.selectFrom('sso_requests').selectAll().execute(),
      await service.store.read.selectFrom('sso_configurations').selectAll().execute(),
      await service.store.read.selectFrom('audit_entries').selectAll().execute(),
    ])
    for (const secret of [
      'the-code',
      'a-client-secret-of-32-characters',
      browser.cookies.get('sso') ?? '?',
      own.asked.at(-1)?.get('code_verifier') ?? '?',
    ]) {
      assert.equal(rows.includes(secret), false, secret)
    }
  })
})
