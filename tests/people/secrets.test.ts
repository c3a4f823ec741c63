/**
 * One story through every way in: passwords, codes, links, passkeys, invitations, sign-up, API tokens, OAuth, SCIM, SAML
 * and OpenID Connect; with what goes well, what is refused and what fails inside. None of its secrets is in the database,
 * the log or an answer that refuses something.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { Writable } from 'node:stream'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { pino } from 'pino'
import { createWeb } from '../../adapters/http/http.ts'
import { mounts } from '../../adapters/index.ts'
import { mails_send } from '../../operations/people/mail/tasks.ts'
import { softPasskey } from '../../operations/people/passkeys/soft-passkey.ts'
import { passwords_remind } from '../../operations/people/sign-in/tasks.ts'
import { oidcSecrets } from '../../operations/people/sso/requests.ts'
import { totpOf } from '../../operations/people/two-factor/totp-codes.ts'
import { createApp } from '../../runtime/create-app.ts'
import { secretBox } from '../../runtime/settings/secret-box.ts'
import { onAnyEngine } from '../support/engines.ts'
import { taskContext } from '../support/task-context.ts'
import { makeWorld, request, startService, type TestService } from '../support/world.ts'
import { type MailServer, startMailServer } from '../watch/channels/receivers.ts'
import { allowing, asking, connect, consented, exchanging, post, refreshing, token, verifier } from './oauth/client.ts'
import { makeProvider } from './scim/calling.ts'
import { openBrowser } from './sign-in/browser.ts'
import { linkFor, personIn } from './sign-in/people.ts'
import { makeSigner } from './sso/certificate.ts'
import { Browser, makeCompany } from './sso/company.ts'
import { callback, type OwnProvider, startOwnProvider } from './sso/oidc-provider.ts'
import { goodAnswer, type SamlProvider, startSamlProvider } from './sso/saml-provider.ts'

onAnyEngine('the secrets of people', engine => {
  let quiet: TestService
  /** The same, with a log that says everything. */
  let service: TestService
  let mail: MailServer
  let oidc: OwnProvider
  let saml: SamlProvider | undefined
  const secrets = new Map<string, string>()
  const places = new Map<string, string[]>([
    ['log', []],
    ['refusals', []],
    ['database', []],
  ])
  const put = (place: string, text: string) => void places.get(place)?.push(text)
  /** Remembers a secret by what it is, in the forms in which it could be written down. */
  function keep(what: string, secret: string | undefined): string {
    assert.ok(secret !== undefined && secret.length >= 10, `${what}: ${secret}`)
    secrets.set(what, secret)
    secrets.set(`${what}, in base64`, Buffer.from(secret).toString('base64').slice(0, -4))
    return secret
  }
  before(async () => {
    ;[mail, oidc] = [await startMailServer(), await startOwnProvider()]
    quiet = await startService(engine, { SMTP_URL: mail.url, SIGN_UP: 'open', OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8', OAUTH_REGISTRATIONS: 0 })
    quiet.clock.now = Date.now()
    const write = (chunk: unknown, _: unknown, done: () => void) => {
      put('log', String(chunk))
      done()
    }
    const app = createApp({ ...quiet.app, log: pino({ level: 'trace' }, new Writable({ write })) })
    const web = createWeb(app, mounts)
    const ask = web.request.bind(web)
    web.request = async (...args) => {
      const answer = await ask(...args)
      // A page that is shown again leads to itself.
      const own = /text\/html/.test(answer.headers.get('content-type') ?? '') ? String(args[0]).split('/').at(-1) : undefined
      const text = answer.status < 400 ? '' : (await answer.clone().text()).replaceAll(own || '\0', '')
      if (answer.status >= 400) put('refusals', `${JSON.stringify([...answer.headers])} ${text}`)
      return answer
    }
    service = { ...quiet, app, web }
  })
  after(async () => {
    await saml?.close()
    await oidc.close()
    await quiet.close()
    await mail.close()
  })

  async function dump(): Promise<void> {
    for (const { name } of await service.store.read.introspection.getTables())
      put('database', JSON.stringify((await sql`select * from ${sql.table(name)}`.execute(service.store.read)).rows))
  }
  async function deliver(): Promise<string> {
    await dump() // what waits to be sent
    const context = taskContext(service.app)
    await passwords_remind.run(context)
    await dump()
    await mails_send.run(context)
    return mail.mails
      .splice(0)
      .map(({ text }) => text)
      .join('\n')
  }
  /** Nothing can be audited meanwhile, so that every write fails. */
  async function broken(work: () => Promise<unknown>): Promise<void> {
    await sql`alter table audit_entries rename to audit_entries_away`.execute(service.store.write)
    try {
      await work()
    } finally {
      await sql`alter table audit_entries_away rename to audit_entries`.execute(service.store.write)
    }
  }

  test('are in no row, no line of the log and no refusal', async () => {
    const world = await makeWorld(service)
    const workspace = world.ids.workspace ?? ''
    const person = await personIn(service, world, 'admin')
    const browser = openBrowser(service)
    const call = async (method: string, path: string, body: object) => (await browser.call(method, path, body)).body
    const asAdmin = (method: string, path: string, body?: object) =>
      request(service, method, `/workspaces/${workspace}${path}`, { token: world.token, body })

    // A link of the machine, a password, an attempt with a wrong one, a second factor, a passkey.
    const link = keep('link of the machine', await linkFor(service, person.accountId))
    const password = keep('password', 'S3cret passphrase of ada')
    await broken(() => call('POST', `/links/${link}.json`, { password }))
    await call('POST', `/links/${link}.json`, { password })
    await call('POST', `/links/${link}.json`, { password: keep('password too late', 'S3cret passphrase too late') })
    keep('cookie of the session', browser.cookies.get('session'))
    keep('cookie of the device', browser.cookies.get('device'))
    const wrong = keep('wrong password', 'S3cret but wrong one')
    for (const email of [person.email, 'nobody@example.com']) await call('POST', '/session.json', { email, password: wrong })
    await call('POST', '/session.json', { email: 'no address', password: wrong, passwort: wrong })
    await call('POST', '/session.json', { email: person.email, password: [wrong] })
    await browser.submit('/session', { email: person.email, password: wrong })
    const { secret } = (await call('POST', '/account/two_factor.json', { current_password: password })).data
    keep('secret of the app', secret)
    const code = () => totpOf(secret).generate({ timestamp: service.clock.now })
    const { recovery_codes: codes } = (await call('PATCH', '/account/two_factor.json', { code: code() })).data
    for (const [i, each] of codes.entries()) {
      keep(`recovery code ${i}`, each)
      keep(`recovery code ${i}, without hyphens`, each.replaceAll('-', ''))
    }
    const device = softPasskey('http://footfall.test')
    const { options } = (await call('POST', '/account/passkeys/options.json', { current_password: password })).data
    keep('challenge of a passkey', options.challenge)
    const response = device.create(options.challenge)
    await call('POST', '/account/passkeys.json', { passkey: { id: device.id, rawId: device.id, type: 'public-key', response } })
    const pending = openBrowser(service)
    await pending.call('POST', '/session.json', { email: person.email, password })
    keep('cookie between password and code', pending.cookies.get('sign-in'))
    await pending.call('POST', '/session.json', { recovery_code: 'aaaa-bbbb-cccc-dddd' })
    await broken(() => pending.call('POST', '/session.json', { recovery_code: codes[0] }))
    await browser.call('POST', '/session.json', { email: person.email, password, recovery_code: codes[1] })
    keep('cookie of the second session', browser.cookies.get('session'))

    // Mails: a forgotten password, another address, an invitation, a sign-up.
    await call('POST', '/password/forgot.json', { email: person.email })
    await call('PATCH', '/account.json', { email: 'x' })
    const reset = keep('link to a new password', /\/links\/([\w-]{43})/.exec(await deliver())?.[1])
    await openBrowser(service).call('POST', `/links/${reset}.json`, { password: 'short' })
    await browser.submit('/account?_method=PATCH', { email: `new-${person.email}`, current_password: password })
    const confirm = keep('link to a new address', /token=([\w-]{43})/.exec(await deliver())?.[1])
    await openBrowser(service).call('POST', '/account/email/confirm.json', { token: confirm })
    const invited = (await asAdmin('POST', '/invitations', { email: `grace@${world.ids.domain}`, role: 'viewer' })).body.data
    const invitation = keep('link of an invitation', invited.url.split('/').at(-1))
    const theirs = keep('password of who was invited', 'S3cret passphrase of grace')
    await deliver()
    await broken(() => openBrowser(service).call('POST', `/invitations/${invitation}.json`, { password: theirs }))
    await openBrowser(service).submit(`/invitations/${invitation}`, { password: 'password123' })
    await openBrowser(service).call('POST', `/invitations/${invitation}.json`, { password: theirs })
    await openBrowser(service).call('POST', `/invitations/${invitation}.json`, { password: theirs })
    await openBrowser(service).call('POST', '/sign_ups.json', { email: `bob@${world.ids.domain}` })
    const signUp = keep('link of a sign-up', /\/sign_ups\/([\w-]{43})/.exec(await deliver())?.[1])
    await openBrowser(service).call('POST', `/sign_ups/${signUp}.json`, {
      password: keep('password of a sign-up', 'S3cret passphrase of bob'),
    })
    await openBrowser(service).call('POST', `/sign_ups/${signUp}.json`, { password: 'S3cret passphrase of bob', workspace: 'Bob' })

    // Tokens and clients.
    const key = { 'Idempotency-Key': 'once' }
    const made = await request(service, 'POST', `/workspaces/${workspace}/api_tokens`, {
      token: world.token,
      body: { name: 'CI' },
      headers: key,
    })
    const pat = keep('API token', made.body.data.token)
    await request(service, 'DELETE', `/workspaces/${workspace}/api_tokens/${made.body.data.id}`, { token: world.token })
    await request(service, 'GET', '/account.json', { token: pat })
    await request(service, 'GET', `/account.json?access_token=${pat}`)
    const client = await connect(service, browser, workspace)
    const renewed = (await token(service, refreshing(client.clientId, client.refresh))).body
    const second = (await consented(browser, asking(client.clientId), allowing(workspace))).get('code') ?? ''
    keep('code', client.code)
    keep('code that is shown with a wrong verifier', second)
    keep('verifier', verifier)
    keep('access token', client.access)
    keep('refresh token', client.refresh)
    keep('access token after that', renewed.access_token)
    keep('refresh token after that', renewed.refresh_token)
    await token(service, exchanging(client.clientId, second, { code_verifier: keep('wrong verifier', 'w'.repeat(50)) }))
    await broken(() => token(service, exchanging(client.clientId, client.code)))
    await token(service, refreshing(client.clientId, client.refresh)) // again, which ends all of it
    await post(service, '/oauth/revoke', { token: renewed.refresh_token, client_id: 'another' })
    await request(service, 'POST', '/mcp', { token: renewed.access_token, body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } })

    // Provisioning.
    const provider = await makeProvider(service, world)
    keep('SCIM token', provider.token)
    const sent = keep('password that a provider sends', 'S3cret of the provider')
    await provider.create(`scim@${world.ids.domain}`, { password: sent, active: 'maybe' })
    const user = (await provider.create(`scim@${world.ids.domain}`, { password: sent })).body
    await provider.patch(user.id, { op: 'replace', path: 'password', value: sent }, { op: 'replace', path: 'active', value: 'perhaps' })
    await provider.patch(user.id, { op: 'replace', value: { password: sent } })
    await provider.call('PUT', `/Users/${user.id}`, { userName: `scim@${world.ids.domain}`, password: sent, 'urn:x:password': sent })
    await provider.json('PATCH', `/Users/${user.id}`, {
      Operations: [{ op: 'Add', path: 'urn:ietf:params:scim:schemas:core:2.0:User:Password', value: sent }],
    })
    await broken(() => provider.patch(user.id, { op: 'replace', path: 'displayName', value: 'x' }))
    keep('SCIM token of the API', (await asAdmin('POST', '/sso/scim_token')).body.data.token)
    await provider.find('userName pr') // with the one before

    // SAML.
    const valid = { from: Date.now() - 86_400_000, until: Date.now() + 86_400_000 }
    const [signer, stranger] = [await makeSigner(valid), await makeSigner({ ...valid, name: 'stranger' })]
    const company = await makeCompany(service)
    const audience = `http://footfall.test/workspaces/${company.workspace}/sso/metadata`
    saml = await startSamlProvider(signer, { nameId: 'p', email: `ada@${company.domain}`, audience })
    const shared = {
      status: 'active',
      idp_sso_url: saml.url,
      idp_entity_id: saml.entityId,
      idp_certs: JSON.stringify([signer.certificate]),
    }
    await company.configure(shared)
    const slo = { token: company.world.token, body: { idp_slo_url: 'https://idp.example/slo' } }
    await request(service, 'PATCH', `/workspaces/${company.workspace}/sso`, slo)
    const { sp_key } = await company.configuration()
    const pem = await service.app.use(secretBox).unseal(service.store.read, sp_key ?? '', `sso ${company.workspace}`)
    keep('private key', pem?.split('\n')[2])
    for (const [i, by] of [stranger, signer, signer].entries()) {
      quiet.clock.now = Date.now() // providers use the real clock
      const visitor = new Browser(service)
      const { acs, said } = await saml.asked((await visitor.get(`/sso/start?workspace=${company.workspace}`)).location)
      const xml = goodAnswer(said, by)
      keep(`signature of assertion ${i}`, /<ds:SignatureValue>([^<]{40})/.exec(xml)?.[1])
      keep(`assertion ${i}`, /<saml:Assertion.{60}/.exec(xml)?.[0])
      keep(`cookie of sign-in ${i}`, visitor.cookies.get('sso'))
      const form = { SAMLResponse: Buffer.from(xml).toString('base64') }
      const { location } = await visitor.ask('POST', acs, { form, isForeign: true })
      if (!location.startsWith('/sso/finish')) continue
      keep(`ticket ${i}`, location.split('=')[1])
      await dump()
      if (i === 1) await broken(() => visitor.get(location))
      await visitor.get(location)
      if (!visitor.isSignedIn) continue
      keep('cookie of a session by SAML', visitor.cookies.get('session'))
      const out = await visitor.ask('POST', '/session?_method=DELETE', { form: {} })
      keep('ticket to sign out', out.location.split('=')[1])
      await dump()
      await visitor.get(out.location)
    }

    // OpenID Connect.
    const other = await makeCompany(service, { protocol: 'oidc', oidc_client_id: 'c1', oidc_issuer: oidc.issuer })
    const own = { token: other.world.token, body: { oidc_client_secret: keep('client secret', 'S3cret-of-the-client') } }
    await request(service, 'PATCH', `/workspaces/${other.workspace}/sso`, own)
    await other.configure({ status: 'active' })
    for (const [i, kind] of (['good', 'refused', 'no token', 'broken'] as const).entries()) {
      quiet.clock.now = Date.now()
      const visitor = new Browser(service)
      oidc.forge({})
      const asked = new URL((await visitor.get(`/sso/start?workspace=${other.workspace}`)).location).searchParams
      const [now, state] = [Math.floor(Date.now() / 1000), asked.get('state') ?? '']
      const hidden = oidcSecrets(state, visitor.cookies.get('sso') ?? '')
      keep(`nonce ${i}`, hidden.nonce)
      keep(`verifier of the provider ${i}`, hidden.verifier)
      const person = { sub: `sub-${i}`, email: `o${i}@${other.domain}`, email_verified: true, nonce: hidden.nonce }
      const claims = { iss: oidc.issuer, aud: kind === 'refused' ? 'c2' : 'c1', iat: now, exp: now + 300, ...person }
      const access = keep(`access token of the provider ${i}`, `S3cret-access-${i}-${'a'.repeat(20)}`)
      oidc.forge({
        claims,
        token: { access_token: access },
        ...(kind === 'no token' && { status: 400, token: { error: 'invalid_grant', error_description: 'no', access_token: access } }),
      })
      keep(`ID token ${i}`, oidc.token().split('.')[1]?.slice(0, 60))
      keep(`signature of the ID token ${i}`, oidc.token().split('.')[2]?.slice(0, 60))
      const back = `${callback}?${new URLSearchParams({ code: keep(`code of the provider ${i}`, `S3cret-code-${i}-xyz`), state })}`
      if (kind === 'broken') await broken(() => visitor.get(back))
      await visitor.get(back)
      if (kind === 'good') keep('cookie of a session by OpenID Connect', visitor.cookies.get('session'))
    }
    await request(service, 'POST', `/sso/oidc/${other.workspace}/logout`, {
      body: new URLSearchParams({ logout_token: oidc.token() }).toString(),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    })

    await dump()
    const found: string[] = []
    for (const [place, texts] of places) {
      const text = texts.join('\n')
      for (const [what, value] of secrets)
        if (text.includes(value) || text.includes(encodeURIComponent(value))) found.push(`${what} in ${place}`)
    }
    assert.deepEqual(found, [])
    // What is looked through is what it should be.
    assert.ok(secrets.size > 120, String(secrets.size))
    const [log = '', refusals = '', database = ''] = [...places.values()].map(texts => texts.join('\n'))
    assert.ok(log.includes('a call failed') && refusals.includes('internal_error') && refusals.includes('invalid_grant'))
    assert.ok(database.includes(person.email) && database.includes(createHash('sha256').update(pat).digest('hex')), 'its hash is there')
  })
})
