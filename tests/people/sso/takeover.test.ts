/** Configuring single sign-on gives no more power: not an owner's, not in other workspaces, not with another certificate. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import type { Permission } from '../../../runtime/table/permissions.ts'
import { onEachEngine } from '../../support/engines.ts'
import { makeWorld, request, startService, type TestService, type World } from '../../support/world.ts'
import { mails_send } from '../../../operations/people/mail/tasks.ts'
import { taskContext } from '../../support/task-context.ts'
import { type MailServer, startMailServer } from '../../watch/channels/receivers.ts'
import { allowing, asking, consented, exchanging, pathOf, registered, token as tokens } from '../oauth/client.ts'
import { openBrowser, type TestBrowser } from '../sign-in/browser.ts'
import { linkFor, password, type Person, personIn, signedIn } from '../sign-in/people.ts'
import { makeSigner, type Signer } from './certificate.ts'
import { Browser, type Company, makeCompany } from './company.ts'
import { goodAnswer, type Said, type SamlProvider, startSamlProvider } from './saml-provider.ts'

onEachEngine('single sign-on that an attacker configures', engine => {
  let service: TestService
  let company: Company
  let provider: SamlProvider
  let mailbox: MailServer
  const operators = 'operators.example'
  let [signer, own] = [{}, {}] as [Signer, Signer]
  const elsewhere = {} as { world: World }
  before(async () => {
    mailbox = await startMailServer()
    service = await startService(engine, {
      OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8',
      SMTP_URL: mailbox.url,
      OPERATORS: `@${operators}`,
    })
    service.clock.now = Date.now()
    const valid = { from: Date.now() - 86_400_000, until: Date.now() + 86_400_000 }
    ;[signer, own] = await Promise.all([makeSigner(valid), makeSigner({ ...valid, name: 'own' })])
    company = await makeCompany(service)
    elsewhere.world = await makeWorld(service)
    const audience = `http://footfall.test/workspaces/${company.workspace}/sso/metadata`
    provider = await startSamlProvider(signer, { nameId: 'nobody', email: `nobody@${company.domain}`, audience })
  })
  // Providers, and the libraries that read their answers, use the real clock: the service is never long behind it.
  beforeEach(() => {
    service.clock.now = Math.max(service.clock.now, Date.now())
  })
  after(async () => {
    await Promise.all([provider.close(), mailbox.close()])
    await service.close()
  })
  const activate = () =>
    company.configure({
      status: 'active',
      enforced: 0,
      default_role: 'viewer',
      idp_sso_url: provider.url,
      idp_entity_id: provider.entityId,
      idp_certs: JSON.stringify([signer.certificate]),
    })

  const sso = () => `/workspaces/${company.workspace}/sso`
  /** A person of the company, with an address of its domain. */
  async function personAt(role: 'owner' | 'admin' | 'billing', world = company.world): Promise<Person> {
    const person = await personIn(service, world, role)
    const email = person.email.replace(/@.*/, `@${company.domain}`)
    await service.store.write.updateTable('accounts').set({ email }).where('id', '=', person.accountId).execute()
    return { ...person, email }
  }
  /** Goes through the provider in a browser. @returns where it ends */
  async function through(browser: Browser, location: string, email: string, by = signer, change: Partial<Said> = {}): Promise<string> {
    const { acs, said } = await provider.asked(location)
    const answer = goodAnswer({ ...said, nameId: `id-${email}`, attributes: { email }, ...change }, by)
    const form = { SAMLResponse: Buffer.from(answer).toString('base64') }
    const back = await browser.ask('POST', acs, { form, isForeign: true })
    return back.location.startsWith('/sso/finish') ? (await browser.get(back.location)).location : back.location
  }
  async function signIn(email: string, by?: Signer, change?: Partial<Said>): Promise<{ browser: Browser; end: string }> {
    const browser = new Browser(service)
    const { location } = await browser.get(`/sso/start?workspace=${company.workspace}`)
    return { browser, end: await through(browser, location, email, by, change) }
  }
  /** The cookies of one in the other, which also calls operations. */
  function scripted(browser: Browser): TestBrowser {
    const opened = openBrowser(service)
    for (const [name, value] of browser.cookies) opened.cookies.set(name, value)
    return opened
  }
  function formed(from: TestBrowser): Browser {
    const browser = new Browser(service)
    for (const [name, value] of from.cookies) browser.cookies.set(name, value)
    return browser
  }
  async function tokenWith(permissions: readonly Permission[]): Promise<string> {
    const path = `/workspaces/${company.workspace}/api_tokens`
    const { status, text, body } = await request(service, 'POST', path, { token: company.world.token, body: { name: 'x', permissions } })
    assert.equal(status, 201, text)
    return body.data.token
  }

  test('an admin with a certificate of their own does not become an owner by it', async () => {
    await activate()
    const [admin, owner, biller] = [await personAt('admin'), await personAt('owner'), await personAt('billing')]
    const byToken = await request(service, 'PATCH', sso(), { token: admin.token, body: { idp_cert: own.certificate } })
    assert.equal(byToken.status, 403)
    assert.match(byToken.body.error.message, /also requires: billing\.manage\.$/)
    // Where no member may do more than they, they may change it; to be an owner, they may not.
    await service.store.write.deleteFrom('members').where('id', '=', biller.memberId).execute()
    const done = await request(service, 'PATCH', sso(), { token: admin.token, body: { idp_cert: own.certificate } })
    assert.equal(done.status, 200, done.text)
    const forged = await signIn(owner.email, own)
    assert.deepEqual([forged.end, forged.browser.isSignedIn], ['/sign-in/sso?error=owner', false])
    assert.equal((await openBrowser(service).call('POST', '/session.json', { email: owner.email, password })).status, 201)
    // Neither with an identity that the provider had made of them before.
    await service.store.write
      .insertInto('sso_identities')
      .values({
        workspace_id: company.workspace,
        issuer: provider.entityId,
        subject: `id-${owner.email}`,
        account_id: owner.accountId,
        created_at: 1,
        last_used_at: 1,
        linked_at: null,
        linked_member_id: null,
      })
      .execute()
    assert.equal((await signIn(owner.email, own)).end, '/sign-in/sso?error=owner')
    assert.match((await new Browser(service).get('/sign-in/sso?error=owner')).text, /Owners sign in with a password or a passkey/)
  })

  test('a token with only workspace.manage cannot change the trust, and the error names the missing permissions', async () => {
    await activate()
    const weak = await tokenWith(['workspace.manage'])
    const domains = (await request(service, 'GET', `${sso()}/domains`, { token: weak })).body.data
    const before = await company.configuration()
    const lacks = /also requires: analytics\.read, .*members\.manage/
    for (const [method, path, body] of [
      ['PATCH', '', { idp_cert: own.certificate }],
      ['PATCH', '', { idp_sso_url: 'https://evil.example/sso' }],
      ['PATCH', '', { idp_entity_id: 'evil' }],
      ['PATCH', '', { protocol: 'oidc' }],
      ['PATCH', '', { oidc_issuer: 'https://evil.example' }],
      ['PATCH', '', { oidc_client_secret: 'x' }],
      ['PATCH', '', { domains: ['evil.example'] }],
      ['PATCH', '', { default_role: 'admin' }],
      ['PATCH', '', { jit_provisioning: true }],
      ['POST', '/activate', {}],
      ['POST', '/deactivate', {}],
      ['POST', '/scim_token', {}],
      ['DELETE', '/scim_token', undefined],
      ['POST', '/domains', { domain: 'evil.example' }],
      ['POST', `/domains/${domains[0].id}/verify`, {}],
      ['DELETE', `/domains/${domains[0].id}`, undefined],
    ] as const) {
      const { status, body: answer } = await request(service, method, sso() + path, { token: weak, ...(body && { body }) })
      assert.deepEqual([status, answer.error?.code], [403, 'permission_denied'], `${method} ${path}`)
      assert.match(answer.error.message, lacks, `${method} ${path}`)
    }
    assert.deepEqual(await company.configuration(), before)
    assert.equal((await request(service, 'GET', sso(), { token: weak })).status, 200)
  })

  test('single sign-on cannot give a role with more permissions than its configurer', async () => {
    await activate()
    const { write } = service.store
    const { workspace } = company
    const roles = await write.selectFrom('members').select(['id', 'role']).where('workspace_id', '=', workspace).execute()
    await write.updateTable('members').set({ role: 'viewer' }).where('workspace_id', '=', workspace).where('role', '!=', 'owner').execute()
    const modest = await tokenWith(['workspace.manage', 'analytics.read'])
    const change = (default_role: string) => request(service, 'PATCH', sso(), { token: modest, body: { default_role } })
    assert.equal((await change('viewer')).status, 200)
    const refused = await change('analyst')
    assert.equal(refused.status, 403)
    assert.match(refused.body.error.message, /also requires: analytics\.export, content\.write\.$/)
    for (const { id, role } of roles) await write.updateTable('members').set({ role }).where('id', '=', id).execute()
  })

  test('a change is in the audit log before and after, without the secret, and mailed to each owner', async () => {
    await activate()
    const owner = await personAt('owner')
    mailbox.mails.length = 0
    service.clock.now += 1
    const { token } = company.world
    await request(service, 'PATCH', sso(), { token, body: { idp_cert: own.certificate, oidc_client_secret: 'top secret' } })
    const made = await request(service, 'POST', `${sso()}/scim_token`, { token, body: {} })
    const entries = await service.store.read
      .selectFrom('audit_entries')
      .selectAll()
      .where('workspace_id', '=', company.workspace)
      .where('operation', 'in', ['sso_update', 'sso_scim_token'])
      .where('at', '=', service.clock.now)
      .execute()
    const inputs = entries.map(({ input }) => input).join('\n')
    assert.equal(/top secret|BEGIN CERT/.test(inputs), false)
    assert.equal(inputs.includes(made.body.data.token), false)
    const changes = Object.assign({}, ...entries.map(({ input }) => JSON.parse(input).changes))
    assert.match(changes.idp_cert.before, /^([0-9A-F]{2}:){31}[0-9A-F]{2}$/)
    assert.equal(changes.idp_cert.after.split(', ').length, 2)
    assert.deepEqual(changes.oidc_client_secret, { before: null, after: 'set' })
    assert.equal(changes.scim_token.after, made.body.data.token_prefix)
    await mails_send.run(taskContext(service.app))
    const told = mailbox.mails.filter(({ to }) => to.includes(owner.email))
    assert.equal(told.length, 2)
    assert.match(told[0]?.headers.subject ?? '', /Single sign-on of .* was changed/)
    assert.match(told[0]?.text ?? '', /idp_cert: [0-9A-F:]+ → [0-9A-F:]+, [0-9A-F:]+/)
    assert.equal(/top secret/.test(JSON.stringify(mailbox.mails)), false)
  })

  test('on its pages a change wants a sign-in of the last ten minutes', async () => {
    await activate()
    const owner = await personAt('owner')
    const browser = await signedIn(service, owner)
    service.clock.now += 11 * 60_000
    const { status, headers } = await browser.submit(`${sso()}?_method=PATCH`, { '/default_role': 'viewer' })
    assert.equal(status, 303)
    assert.match(headers.get('location') ?? '', /^\/sign-in\?again=1/)
    const form = `${sso()}?do=sso_update`
    const opened = await browser.open(form) // before a certificate is pasted, which is not kept
    const { pathname, searchParams } = new URL(opened.headers.get('location') ?? '', 'http://footfall.test')
    assert.deepEqual([opened.status, pathname, searchParams.get('next')], [303, '/sign-in', form])
    assert.equal((await browser.open(sso())).status, 200, 'to look at it needs none')
    const fresh = await signedIn(service, owner)
    assert.equal((await fresh.open(form)).status, 200)
    const done = await fresh.submit(`${sso()}?_method=PATCH`, { '/default_role': 'viewer' })
    assert.notEqual(done.headers.get('location')?.startsWith('/sign-in'), true, done.text)
    service.clock.now = Date.now()
  })

  test('an owner links by their own hand, is signed in by that identity, and unlinks it', async () => {
    await activate()
    const [owner, admin] = [await personAt('owner'), await personAt('admin')]
    const link = `${sso()}/link`
    const begun = async (browser: Browser) => {
      const { text } = await browser.get((await browser.ask('POST', link, { form: { current_password: password } })).location)
      return (/http-equiv="refresh" content="0;url=([^"]+)"/.exec(text)?.[1] ?? '').replaceAll('&amp;', '&')
    }
    const browser = formed(await signedIn(service, owner))
    assert.match((await browser.get(link)).text, /Owners sign in with a password or a passkey\./)
    // Another browser, another session, another identity: none of them links.
    assert.equal((await formed(await signedIn(service, admin)).ask('POST', link, { form: {} })).status, 403)
    const stolen = await begun(browser)
    const other = formed(await signedIn(service, admin))
    assert.match(await through(other, stolen, owner.email), /error=other_browser$/)
    const left = await begun(browser)
    const [kept] = [browser.cookies.get('session') ?? '']
    browser.cookies.set('session', other.cookies.get('session') ?? '')
    assert.match(await through(browser, left, owner.email), /\/sso\/link\?error=signed_out$/)
    browser.cookies.set('session', kept)
    assert.equal((await signIn(admin.email)).end, '/')
    assert.match(await through(browser, await begun(browser), admin.email), /\/sso\/link\?error=linked_elsewhere$/)
    assert.equal((await signIn(owner.email)).end, '/sign-in/sso?error=owner')

    assert.equal(await through(browser, await begun(browser), owner.email), link)
    assert.ok((await browser.get(link)).text.includes(`id-${owner.email}`))
    const { browser: linked, end } = await signIn(owner.email)
    assert.equal(end, '/')
    assert.equal((await linked.get(`${sso()}/test`)).status, 200)
    // From then on the connection can sign an owner in: who is none may not change it.
    const refused = await request(service, 'PATCH', sso(), { token: admin.token, body: { idp_cert: own.certificate } })
    assert.match(refused.body.error.message, /also requires: .*billing\.manage/)
    // The identity provider opens the workspace, not the account.
    for (const [method, path, body] of [
      ['PATCH', '/account/password.json', { current_password: password, password: 'another sentence of mine' }],
      ['PATCH', '/account.json', { email: 'evil@evil.example' }],
      ['POST', '/account/passkeys/options.json', { current_password: password }],
      ['POST', '/account/two_factor.json', { current_password: password }],
      ['DELETE', '/account.json', { confirm: owner.email }],
      ['POST', `${link}.json`, {}],
    ] as const) {
      const { status, body: answer } = await scripted(linked).call(method, path, body)
      const isToken = path === '/account.json' && method === 'PATCH' // over HTTP it takes a token
      assert.deepEqual([status, answer.error?.code], isToken ? [401, 'authentication_required'] : [403, 'reauthentication_required'], path)
    }
    const made = await linked.ask('POST', `/workspaces/${company.workspace}/api_tokens`, {
      form: { '/name': 'from there', '/permissions': 'analytics.read' },
    })
    assert.ok(made.status < 400, made.text)
    assert.match((await browser.ask('POST', `${link}?_method=DELETE`, { form: {} })).location, /^\/account/)
    assert.equal((await linked.get('/account')).status, 303, 'the session that it began is over')
    const bySso = await service.store.read.selectFrom('api_tokens').selectAll().where('name', '=', 'from there').execute()
    assert.deepEqual(
      bySso.map(({ by_sso, revoked_at }) => [by_sso, revoked_at !== null]),
      [[1, true]],
    )
    assert.equal((await signIn(owner.email)).end, '/sign-in/sso?error=owner')
  })

  test('an owner links what they were shown: not what an admin has made of it while they were away', async () => {
    await activate()
    const [owner, admin] = [await personAt('owner'), await personAt('admin')]
    await service.store.write.deleteFrom('members').where('role', '=', 'billing').where('workspace_id', '=', company.workspace).execute()
    const browser = formed(await signedIn(service, owner))
    const { text } = await browser.get((await browser.ask('POST', `${sso()}/link`, { form: { current_password: password } })).location)
    const begun = (/http-equiv="refresh" content="0;url=([^"]+)"/.exec(text)?.[1] ?? '').replaceAll('&amp;', '&')
    service.clock.now += 1_000
    const added = await request(service, 'PATCH', sso(), { token: admin.token, body: { idp_cert: own.certificate } })
    assert.equal(added.status, 200, added.text)
    assert.match(await through(browser, begun, owner.email), /\/sso\/link\?error=changed$/)
    assert.equal((await signIn(owner.email, own)).end, '/sign-in/sso?error=owner')
  })

  test('a consent in a session of single sign-on that no client has used is not good once its person is an owner', async () => {
    await activate()
    const person = await personAt('admin')
    const { browser } = await signIn(person.email)
    const client = await registered(service)
    const code = (await consented(scripted(browser), asking(client), allowing(company.workspace))).get('code') ?? ''
    const promoted = await request(service, 'PATCH', `/workspaces/${company.workspace}/members/${person.memberId}`, {
      token: company.world.token,
      body: { role: 'owner' },
    })
    assert.equal(promoted.status, 200)
    assert.equal((await tokens(service, exchanging(client, code))).status, 400)
  })

  test('a session of single sign-on gives up no address that waits, and mails no link to it', async () => {
    await activate()
    const person = await personAt('admin')
    const { browser } = await signIn(person.email)
    const waiting = { unconfirmed_email: 'new@elsewhere.example' }
    await service.store.write.updateTable('accounts').set(waiting).where('id', '=', person.accountId).execute()
    for (const path of ['/account/email?_method=DELETE', '/account/email/resend', '/account/email/verify'])
      assert.equal((await browser.ask('POST', path, { form: {} })).location.startsWith('/sign-in'), true, path)
    const row = await service.store.read.selectFrom('accounts').selectAll().where('id', '=', person.accountId).executeTakeFirst()
    assert.equal(row?.unconfirmed_email, waiting.unconfirmed_email)
    assert.equal((await browser.get('/account')).text.includes('/account/email/resend'), false)
  })

  test('a new owner is no longer signed in by the identity provider, and tokens of such sessions end', async () => {
    await activate()
    const person = await personAt('admin')
    const { browser } = await signIn(person.email)
    const made = await browser.ask('POST', `/workspaces/${company.workspace}/api_tokens`, {
      form: { '/name': 'before', '/permissions': 'workspace.manage' },
    })
    const [secret = ''] = /pat_\w{30,}/.exec((await browser.get(made.location)).text) ?? []
    const read = () => request(service, 'GET', sso(), { token: secret })
    assert.equal((await read()).status, 200, made.text)
    const role = (of: string) =>
      request(service, 'PATCH', `/workspaces/${company.workspace}/members/${person.memberId}`, {
        token: company.world.token,
        body: { role: of },
      })
    assert.equal((await role('owner')).status, 200)
    assert.equal((await browser.get('/account')).status, 303)
    assert.equal((await read()).body.error.code, 'token_revoked')
    assert.equal((await signIn(person.email)).end, '/sign-in/sso?error=owner')
    assert.equal((await role('admin')).status, 200)
    assert.equal((await signIn(person.email)).end, '/')
    // Even a person who became an owner by a row that no operation wrote.
    const again = (await signIn(person.email)).browser
    await service.store.write.updateTable('members').set({ role: 'owner' }).where('id', '=', person.memberId).execute()
    assert.equal((await again.get(`${sso()}/test`)).status, 303)
  })

  test('an identity provider of the operators’ domain makes no operator: their mailbox does, and ends what the provider could set up', async () => {
    await activate()
    await company.configure({ status: 'active', jit_provisioning: 1 })
    const checked = { verified_at: 1, checked_at: 1, check_error: null, created_at: 1 }
    await service.store.write
      .insertInto('sso_domains')
      .values({ id: 'dom_operators', workspace_id: company.workspace, domain: operators, proof: 'x', ...checked })
      .execute()
    const [boss, colleague] = [`boss@${operators}`, await personIn(service, company.world, 'viewer')]
    const installation = async (browser: TestBrowser) => (await browser.call('GET', '/installation.json')).status
    const accountOf = (email: string) =>
      service.store.read.selectFrom('accounts').select(['id', 'mailbox_proved_at']).where('email', '=', email).executeTakeFirstOrThrow()
    const reset = async (accountId: string) => {
      const link = await linkFor(service, accountId, 'reset')
      assert.equal((await openBrowser(service).call('POST', `/links/${link}.json`, { password })).status, 201)
    }

    // An account that the provider makes, and a password that its session sets.
    const forged = await signIn(boss)
    assert.equal(forged.end, '/')
    const byProvider = scripted(forged.browser)
    const refused = await byProvider.call('GET', '/installation.json')
    assert.deepEqual([refused.status, refused.body.error.code], [403, 'reauthentication_required'])
    const { location } = await forged.browser.get('/installation')
    assert.equal(location, '/sign-in?again=1&next=%2Finstallation')
    assert.match(
      (await byProvider.open('/sign-in?again=1&next=%2Finstallation')).text,
      /single sign-on, which opens only its own workspace/,
    )
    assert.equal((await byProvider.open('/help')).text.includes('/installation'), false)
    const stolen = 'a password of the attacker'
    assert.equal((await byProvider.call('PATCH', '/account/password.json', { password: stolen })).status, 200)
    const withPassword = await signedIn(service, { email: boss }, stolen)
    assert.equal(await installation(withPassword), 403)
    assert.match((await withPassword.call('GET', '/installation.json')).body.error.message, /set a password with a mailed link first/)
    const page = await withPassword.open('/installation')
    assert.equal(page.status, 403)
    assert.match(page.text, /set a password with a mailed link first/)
    assert.doesNotMatch(page.text, /Your role in this workspace/)

    // A token that a session of the provider made stays; one of the password ends with it.
    const { id: account_id } = await accountOf(boss)
    const member = await service.store.read
      .selectFrom('members')
      .select('id')
      .where('account_id', '=', account_id)
      .executeTakeFirstOrThrow()
    const made = async (by_sso: number): Promise<string> => {
      const token = await tokenWith(['analytics.read'])
      const own = service.store.write.updateTable('api_tokens').set({ member_id: member.id, by_sso })
      await own.where('created_at', '=', service.clock.now).where('member_id', '!=', member.id).execute()
      service.clock.now += 1
      return token
    }
    service.clock.now += 1
    const [ofProvider, ofPassword] = [await made(1), await made(0)]
    const reads = async (token: string) => (await request(service, 'GET', `/workspaces/${company.workspace}/sites`, { token })).status
    assert.deepEqual([await reads(ofProvider), await reads(ofPassword)], [200, 200])

    await reset((await accountOf(boss)).id)
    assert.deepEqual([await reads(ofProvider), await reads(ofPassword)], [200, 401])
    assert.equal((await withPassword.call('GET', '/account.json')).status, 401)
    await assert.rejects(signedIn(service, { email: boss }, stolen))
    const operator = await signedIn(service, { email: boss })
    assert.equal(await installation(operator), 200)
    assert.equal(await installation(scripted((await signIn(boss)).browser)), 403, 'not by single sign-on, now either')

    // Whom the mailbox had proved before, the provider changes nothing about.
    await service.store.write
      .updateTable('accounts')
      .set({ email: `ada@${operators}` })
      .where('id', '=', colleague.accountId)
      .execute()
    const ada = { ...colleague, email: `ada@${operators}` }
    assert.equal(await installation(await signedIn(service, ada)), 200)
    assert.equal((await signIn(ada.email)).end, '/')
    assert.equal(await installation(await signedIn(service, ada)), 200)

    // An account that SCIM made, of the same domain.
    const scim = (await request(service, 'POST', `${sso()}/scim_token`, { token: company.world.token, body: {} })).body.data.token
    const user = { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], userName: `eve@${operators}`, active: true }
    assert.equal((await request(service, 'POST', '/scim/v2/Users', { token: scim, body: user })).status, 201)
    assert.equal((await accountOf(`eve@${operators}`)).mailbox_proved_at, null)
    await service.store.write.deleteFrom('sso_domains').where('id', '=', 'dom_operators').execute()
  })

  test('a session of single sign-on reaches its workspace, and no other of its person', async () => {
    await activate()
    const { world } = elsewhere
    // The owner of a private workspace has an address of the company's domain; the company lets them in.
    const stranger = await personAt('owner', world)
    const name = 'Nobody elses business'
    await service.store.write
      .updateTable('workspaces')
      .set({ name })
      .where('id', '=', world.ids.workspace ?? '')
      .execute()
    const { browser, end } = await signIn(stranger.email)
    assert.equal(end, '/')
    const [theirs, ours] = [world.ids.workspace ?? '', company.workspace]
    assert.equal((await browser.get(`/workspaces/${ours}/sites`)).status, 200)
    const foreign = await browser.get(`/workspaces/${theirs}/sites`)
    assert.equal(foreign.status, 404)
    assert.match(foreign.text, /single sign-on, which opens one workspace\..*href="\/sign-in\?again=1&amp;next=/s)
    for (const path of [`/sites/${world.ids.site}/overview`, `/workspaces/${theirs}/members`, `/workspaces/${theirs}/sso/link`])
      assert.equal((await browser.get(path)).status, 404, path)
    const account = await browser.get('/account')
    assert.deepEqual([account.text.includes(theirs), account.text.includes(name)], [false, false])
    assert.match(account.text, /Signed in with single sign-on/)
    for (const hidden of ['Delete the account', 'New password', 'Add a passkey']) assert.equal(account.text.includes(hidden), false, hidden)
    const script = scripted(browser)
    const memberships = await script.call('GET', '/account/memberships.json')
    assert.deepEqual(
      memberships.body.data.map((each: { workspace_id: string }) => each.workspace_id),
      [ours],
    )
    const sessions = await script.call('GET', '/account/sessions.json')
    assert.deepEqual(
      sessions.body.data.map((each: { current: boolean }) => each.current),
      [true],
    )
    const otherSession = await signedIn(service, stranger)
    const [own] = (await otherSession.call('GET', '/account/sessions.json')).body.data.filter((each: { current: boolean }) => each.current)
    assert.equal((await script.call('DELETE', `/account/sessions/${own.id}.json`)).status, 404)
    assert.equal(
      (await script.call('DELETE', '/account/sessions.json')).status,
      403,
      'that would end sessions that the company did not begin',
    )
    assert.equal((await otherSession.open('/account')).status, 200)

    // Consent covers that workspace, and so does what comes of it: over HTTP, over MCP, and for the account.
    const client = await registered(service)
    assert.equal((await browser.get(pathOf(asking(client)))).text.includes(theirs), false)
    const denied = await script.submit('/oauth/authorize', { ...asking(client), ...allowing(theirs) })
    assert.equal(denied.status, 422)
    const asked = asking(client)
    const code = (await consented(script, asked, allowing(ours, { permissions: 'analytics.read' }))).get('code') ?? ''
    const { access_token: access } = (await tokens(service, exchanging(client, code))).body
    assert.equal((await request(service, 'GET', `/workspaces/${ours}`, { token: access })).status, 200)
    assert.equal((await request(service, 'GET', `/workspaces/${theirs}`, { token: access })).status, 404)
    const mcp = await request(service, 'POST', '/mcp', {
      token: access,
      headers: { Accept: 'application/json, text/event-stream' },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'workspaces_get', arguments: { workspace_id: theirs } } },
    })
    assert.match(mcp.text, /nothing here that this caller may see/)
    assert.equal(mcp.text.includes(name), false)
    const affiliate = await request(service, 'GET', '/account/affiliate', { token: access })
    assert.deepEqual([affiliate.status, affiliate.body.error?.code], [403, 'permission_denied'])

    // Neither does it make or enter another one.
    const another = await browser.ask('POST', '/workspaces', { form: { '/name': 'Another' } })
    assert.equal(another.status, 403)
    const invited = await request(service, 'POST', `/workspaces/${theirs}/invitations`, {
      token: world.token,
      body: { email: 'somebody@elsewhere.example', role: 'viewer' },
    })
    const { pathname } = new URL(invited.body.data.url)
    const accepted = await script.call('POST', `${pathname}.json`, {})
    assert.deepEqual([accepted.status, accepted.body.error?.code], [403, 'reauthentication_required'])

    // Their password still opens what is theirs, also where the company enforces its sign-in.
    await company.configure({ enforced: 1 })
    const byPassword = await signedIn(service, stranger)
    assert.equal((await byPassword.open(`/workspaces/${theirs}/sites`)).status, 200)
    assert.equal((await byPassword.open(`/workspaces/${ours}/sites`)).status, 404)
    await company.configure({ enforced: 0 })
  })

  test('an account that single sign-on made, and that has nothing else, is looked after in its session', async () => {
    await activate()
    const { browser } = await signIn(`new@${company.domain}`)
    const script = scripted(browser)
    assert.equal(
      (await script.call('PATCH', '/account/password.json', { current_password: password, password: 'a sentence of their own' })).status,
      200,
    )
    const again = await script.call('PATCH', '/account/password.json', {
      current_password: password,
      password: 'another sentence of theirs',
    })
    assert.deepEqual([again.status, again.body.error?.code], [403, 'reauthentication_required'], 'now there is more to it')
  })

  test('the session ends when the identity provider says, and with the membership', async () => {
    await activate()
    const email = `short@${company.domain}`
    const { browser } = await signIn(email, signer, { sessionUntil: service.clock.now + 3_600_000 })
    const [listed] = (await scripted(browser).call('GET', '/account/sessions.json')).body.data
    assert.equal(Date.parse(listed.expires_at), service.clock.now + 3_600_000)
    service.clock.now += 3_540_000
    assert.equal((await browser.get('/account')).status, 200)
    service.clock.now += 60_000
    assert.equal((await browser.get('/account')).status, 303)
    service.clock.now = Date.now()
    const removed = (await signIn(email)).browser
    const row = await service.store.read
      .selectFrom('members as m')
      .innerJoin('accounts as a', 'a.id', 'm.account_id')
      .select('m.id')
      .where('a.email', '=', email)
      .executeTakeFirstOrThrow()
    await request(service, 'DELETE', `/workspaces/${company.workspace}/members/${row.id}`, { token: company.world.token })
    assert.equal((await removed.get('/account')).status, 303)
  })
})
