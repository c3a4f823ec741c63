/** A person who creates an account with a link, for an address of another person, loses it once the holder of the address comes. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { mails_send } from '../../operations/people/mail/tasks.ts'
import { softPasskey } from '../../operations/people/passkeys/soft-passkey.ts'
import { passwords_remind } from '../../operations/people/sign-in/tasks.ts'
import { secretOf } from '../../operations/people/sso/logins.ts'
import { totpOf } from '../../operations/people/two-factor/totp-codes.ts'
import { keepForm } from '../../runtime/call/kept-forms.ts'
import { secretBox } from '../../runtime/settings/secret-box.ts'
import { onAnyEngine } from '../support/engines.ts'
import { taskContext } from '../support/task-context.ts'
import { makeWorld, request, startService, type TestService, type World } from '../support/world.ts'
import { type MailServer, startMailServer } from '../watch/channels/receivers.ts'
import { asking, connect, consented, allowing, exchanging, refreshing, registered, token as exchange } from './oauth/client.ts'
import { makeProvider } from './scim/calling.ts'
import { openBrowser, type TestBrowser } from './sign-in/browser.ts'
import { linkFor, password, signedIn } from './sign-in/people.ts'
import { Browser, type Company, makeCompany } from './sso/company.ts'
import { type OwnProvider, startOwnProvider } from './sso/oidc-provider.ts'

const chosen = 'the sentence of the rightful one'

onAnyEngine('an account that was made for an address of another', engine => {
  let service: TestService
  let server: MailServer
  let idp: OwnProvider
  let mallory: World
  let acme: Company
  let email: string
  before(async () => {
    server = await startMailServer()
    idp = await startOwnProvider()
    service = await startService(engine, { SMTP_URL: server.url, SIGN_UP: 'open', OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8' })
    service.clock.now = Date.now()
  })
  after(async () => {
    await Promise.all([service.close(), server.close(), idp.close()])
  })
  beforeEach(async () => {
    mallory = await makeWorld(service)
    acme = await makeCompany(service, { protocol: 'oidc', status: 'active', oidc_client_id: 'c1', oidc_issuer: idp.issuer })
    const sealed = await service.app.use(secretBox).seal(service.store.write, 'a secret', secretOf(acme.workspace))
    await acme.configure({ oidc_client_secret: sealed })
    email = `hr@${acme.domain}`
  })

  const mailed = async (to: string): Promise<string[]> => {
    const context = taskContext(service.app)
    await passwords_remind.run(context)
    await mails_send.run(context)
    return server.mails
      .splice(0)
      .filter(mail => mail.to.includes(to))
      .map(({ text }) => /http:\/\/footfall\.test(\/\S+)/.exec(text.slice(text.indexOf('\n\n')))?.[1] ?? '')
      .filter(path => /^\/(links|invitations|sign_ups|account\/email)\//.test(path)) // not links of notices
  }
  const invite = async (address = email, world = mallory): Promise<string> => {
    const invitation = { email: address, role: 'admin' }
    const { body } = await request(service, 'POST', `/workspaces/${world.ids.workspace}/invitations`, {
      token: world.token,
      body: invitation,
    })
    return new URL(body.data.url).pathname
  }
  const accountOf = (address = email) =>
    service.store.read.selectFrom('accounts').selectAll().where('email', '=', address).executeTakeFirst()
  const seesAcme = async (browser: TestBrowser) =>
    (await browser.call('GET', `/account/memberships.json`)).body?.data?.some(
      (each: { workspace_id: string; state: string }) => each.workspace_id === acme.workspace && each.state === 'open',
    ) === true

  /** Everything that lets Mallory in, set up in an account for the address. */
  async function occupied() {
    const link = await invite()
    const browser = openBrowser(service)
    assert.equal((await browser.submit(link, { name: 'Human Resources', password })).status, 303)
    const device = softPasskey('http://footfall.test')
    const { options } = (await browser.call('POST', '/account/passkeys/options.json', { current_password: password })).body.data
    const made = { id: device.id, rawId: device.id, type: 'public-key', response: device.create(options.challenge) }
    assert.equal((await browser.call('POST', '/account/passkeys.json', { passkey: made })).status, 201)
    const { secret } = (await browser.call('POST', '/account/two_factor.json', { current_password: password })).body.data
    const code = totpOf(secret).generate({ timestamp: service.clock.now })
    const { recovery_codes } = (await browser.call('PATCH', '/account/two_factor.json', { code })).body.data
    const workspace = mallory.ids.workspace ?? ''
    const client = await connect(service, browser, workspace)
    const waiting = await registered(service)
    const unused = (await consented(browser, asking(waiting), allowing(workspace))).get('code') ?? ''
    assert.equal((await browser.submit(`/sites/${mallory.ids.site}/transfer/offer`)).status, 303)
    const named = { name: 'Mine' }
    const issued = await request(service, 'POST', `/workspaces/${workspace}/tokens`, { token: client.access, body: named })
    const pending = openBrowser(service)
    assert.equal((await pending.call('POST', '/session.json', { email, password })).body.data.status, 'code_required')
    await browser.call('PATCH', '/account.json', { email: `mallory@${mallory.ids.domain}` })
    const confirm =
      new URL((await mailed(`mallory@${mallory.ids.domain}`))[0] ?? '', 'http://footfall.test').searchParams.get('token') ?? ''
    const { id = '' } = (await accountOf()) ?? {}
    await keepForm(service.app, id, { operation: 'dashboards_create', path: {}, typed: '/name=Mine' })
    return { browser, device, secret, recovery_codes, client, waiting, unused, issued, pending, confirm }
  }

  /** None of it works any more. */
  async function assertOut(mine: Awaited<ReturnType<typeof occupied>>) {
    const { browser, device, secret, recovery_codes, client, waiting, unused, pending, confirm } = mine
    assert.equal((await browser.call('GET', '/account/sessions.json')).status, 401, 'the session')
    assert.equal((await browser.call('POST', '/account/email/confirm.json', { token: confirm })).status, 401, 'the changed address')
    const typed = { email, password }
    assert.equal((await openBrowser(service).call('POST', '/session.json', typed)).status, 401, 'the password')
    const code = totpOf(secret).generate({ timestamp: service.clock.now + 30_000 })
    assert.equal((await pending.call('POST', '/session.json', { code })).status, 401, 'the sign-in that waited for a code')
    assert.equal((await pending.call('POST', '/session.json', { recovery_code: recovery_codes[0] })).status, 401, 'a recovery code')
    const at = openBrowser(service)
    const { challenge } = (await at.call('POST', '/session/options.json', {})).body.data.options
    const passkey = { id: device.id, rawId: device.id, type: 'public-key', response: device.get(challenge) }
    assert.equal((await at.call('POST', '/session.json', { passkey })).status, 401, 'the passkey')
    assert.equal((await request(service, 'GET', '/account.json', { token: client.access })).status, 401, 'the token of a client')
    assert.equal((await exchange(service, refreshing(client.clientId, client.refresh))).status, 400, 'the refresh token')
    assert.equal((await exchange(service, exchanging(waiting, unused))).status, 400, 'the consent that no client had used')
    const offers = service.store.read
      .selectFrom('site_offers')
      .select('site_id')
      .where('site_id', '=', mallory.ids.site ?? '')
    assert.deepEqual(await offers.execute(), [], 'the code of a site')
    const row = await accountOf()
    const left = await service.store.read
      .selectFrom('api_tokens as t')
      .innerJoin('members as m', 'm.id', 't.member_id')
      .select('t.id')
      .where('m.account_id', '=', row?.id ?? '')
      .where('t.revoked_at', 'is', null)
      .execute()
    assert.deepEqual(left, [], 'API tokens')
    const forms = await service.store.read
      .selectFrom('kept_forms')
      .select('id')
      .where('account_id', '=', row?.id ?? '')
      .execute()
    assert.deepEqual(forms, [], 'forms that waited for a sign-in')
    assert.equal(row?.unconfirmed_email, null)
    assert.ok(row?.email_verified_at)
  }

  /** Signs in by the identity provider of Acme. */
  async function bySso(): Promise<Browser> {
    const browser = new Browser(service)
    const { location } = await browser.get(`/sso/start?workspace=${acme.workspace}`)
    const begun = new URL(location).searchParams
    const seconds = Math.floor(service.clock.now / 1_000)
    const about = { iss: idp.issuer, aud: 'c1', sub: 'sub-hr', email, email_verified: true, nonce: begun.get('nonce') }
    idp.forge({ claims: { ...about, iat: seconds, exp: seconds + 60 } })
    const back = `/sso/oidc/callback?${new URLSearchParams({ code: 'c', state: begun.get('state') ?? '', iss: idp.issuer })}`
    const end = await browser.get(back)
    assert.deepEqual([end.status, end.location, browser.isSignedIn], [303, '/', true], end.text)
    return browser
  }

  test('a claimed account belongs only to the holder once single sign-on links it', async () => {
    await acme.configure({ jit_provisioning: 1 })
    const mine = await occupied()
    const { id } = (await accountOf()) ?? {}
    const browser = await bySso()
    await assertOut(mine)
    assert.equal((await accountOf())?.id, id)
    assert.match((await browser.get('/account')).text, new RegExp(email))
    await bySso() // and again, as who is known
    assert.equal(
      (
        await service.store.read
          .selectFrom('sessions')
          .select('id')
          .where('account_id', '=', id ?? '')
          .execute()
      ).length,
      2,
    )
  })

  test('a claimed account belongs only to the holder once SCIM of the domain provisions it, and opens to them', async () => {
    const mine = await occupied()
    const scim = await makeProvider(service, acme.world)
    assert.equal((await scim.create(email)).status, 201)
    await assertOut(mine)
    await openBrowser(service).call('POST', '/password/forgot.json', { email })
    const [link = ''] = await mailed(email)
    assert.equal((await openBrowser(service).call('POST', `${link}.json`, { password: chosen })).status, 201)
    assert.ok(await seesAcme(await signedIn(service, { email }, chosen)))
  })

  test('a claimed account belongs only to the holder once SCIM links an existing member', async () => {
    const shown = await invite(email, acme.world)
    const insider = openBrowser(service)
    assert.equal((await insider.submit(shown, { password })).status, 303)
    assert.ok(await seesAcme(insider))
    const scim = await makeProvider(service, acme.world)
    const [found] = (await scim.find(`userName eq "${email}"`)).body.Resources
    assert.equal((await scim.patch(found.id, { op: 'replace', path: 'externalId', value: '00u1' })).status, 200)
    assert.equal((await insider.call('GET', '/account/sessions.json')).status, 401)
    assert.equal((await openBrowser(service).call('POST', '/session.json', { email, password })).status, 401)
  })

  test('a claimed account belongs only to the holder once its password is reset by mail; its workspaces await them', async () => {
    const mine = await occupied()
    await openBrowser(service).call('POST', '/password/forgot.json', { email })
    const [link = ''] = await mailed(email)
    assert.equal((await openBrowser(service).call('POST', `${link}.json`, { password: chosen })).status, 201)
    await assertOut(mine)
    const browser = await signedIn(service, { email }, chosen)
    assert.equal((await accountOf())?.two_factor, 0)
    const member = await service.store.read
      .selectFrom('members')
      .selectAll()
      .where('workspace_id', '=', mallory.ids.workspace ?? '')
      .where('account_id', '=', (await accountOf())?.id ?? '')
      .executeTakeFirstOrThrow()
    assert.equal(member.awaited_email, email)
    // Mallory deactivates the member: that says nothing about the account.
    const path = `/workspaces/${mallory.ids.workspace}/members/${member.id}`
    await request(service, 'PATCH', path, { token: mallory.token, body: { status: 'deactivated' } })
    assert.equal((await browser.call('GET', '/account/sessions.json')).status, 200)
    await signedIn(service, { email }, chosen)
  })

  test('a claimed account belongs only to the holder once they follow a link that the operator prints', async () => {
    const mine = await occupied()
    const link = await linkFor(service, (await accountOf())?.id ?? '')
    assert.equal((await openBrowser(service).call('POST', `/links/${link}.json`, { password: chosen })).status, 201)
    await assertOut(mine)
    await signedIn(service, { email }, chosen)
  })

  test('does not keep the holder from signing up', async () => {
    const mine = await occupied()
    await openBrowser(service).call('POST', '/sign_ups.json', { email, name: 'Hella' })
    const [link = ''] = await mailed(email)
    const browser = openBrowser(service)
    assert.equal((await browser.call('POST', `${link}.json`, { password: chosen, workspace: 'Mine' })).status, 201)
    await assertOut(mine)
    assert.equal((await accountOf())?.name, 'Hella')
    assert.match((await browser.open('/account')).text, /Mine/)
  })

  test('does not see what SCIM without a verified domain adds for the holder, until the address is proved', async () => {
    await service.store.write.updateTable('sso_domains').set({ verified_at: null }).where('workspace_id', '=', acme.workspace).execute()
    const { browser } = await occupied()
    const scim = await makeProvider(service, acme.world)
    assert.equal((await scim.create(email)).status, 201)
    assert.equal((await accountOf())?.email_verified_at, null, 'it does not prove it')
    assert.ok(!(await seesAcme(browser)))
    assert.match((await browser.open('/account')).text, /Prove your address above/)
    assert.notEqual((await browser.open(`/workspaces/${acme.workspace}/members`)).status, 200)
    assert.equal((await browser.submit('/account/email/verify')).status, 303)
    const [link = ''] = await mailed(email)
    const confirm = new URL(link, 'http://footfall.test').searchParams.get('token') ?? ''
    assert.equal((await openBrowser(service).call('POST', '/account/email/confirm.json', { token: confirm })).status, 401)
    assert.equal((await browser.call('POST', '/account/email/confirm.json', { token: confirm })).status, 200)
    assert.ok(await seesAcme(browser), 'nothing ended for who had both')
  })

  test('an invitation verifies the address only by its mailed link', async () => {
    const shown = await invite(`shown@${acme.domain}`)
    const [sent = ''] = await mailed(`shown@${acme.domain}`)
    assert.notEqual(sent, shown)
    assert.equal((await openBrowser(service).submit(shown, { password })).status, 303)
    assert.equal((await accountOf(`shown@${acme.domain}`))?.email_verified_at, null)
    assert.equal((await openBrowser(service).open(sent)).status, 410, 'one of the two, once')
    await invite(`mailed@${acme.domain}`)
    const [link = ''] = await mailed(`mailed@${acme.domain}`)
    assert.equal((await openBrowser(service).submit(link, { password })).status, 303)
    assert.ok((await accountOf(`mailed@${acme.domain}`))?.email_verified_at)
    const acc = await signedIn(service, { email: `shown@${acme.domain}` })
    await invite(`shown@${acme.domain}`, acme.world)
    const [own = ''] = await mailed(`shown@${acme.domain}`)
    assert.equal((await acc.submit(own)).status, 303)
    assert.ok((await accountOf(`shown@${acme.domain}`))?.email_verified_at, 'signed in as who has the mailbox')
    const [other, foreign] = [await signedIn(service, { email: `mailed@${acme.domain}` }), `third@${acme.domain}`]
    await invite(foreign, await makeWorld(service))
    const [passedOn = ''] = await mailed(foreign)
    assert.equal((await other.submit(passedOn)).status, 303)
    assert.equal(await accountOf(foreign), undefined)
  })

  test('an address that is typed with a link of the machine proves nothing, but for the first owner’s', async () => {
    const person = await mallory.join('viewer')
    const take = async (accountId: string, typed: string) => {
      const link = await linkFor(service, accountId)
      assert.equal((await openBrowser(service).call('POST', `/links/${link}.json`, { email: typed, password })).status, 201)
      return (await accountOf(typed))?.email_verified_at !== null
    }
    assert.equal(await take(person.accountId, email), false)
    assert.equal(await take(person.accountId, email.toUpperCase()), true, 'the link was printed for this one')
    const placeholder = 'owner@localhost.localdomain'
    await service.store.write.updateTable('accounts').set({ email: placeholder }).where('id', '=', person.accountId).execute()
    assert.equal(await take(person.accountId, `ceo@${acme.domain}`), true)
  })

  test('a mailed link to a new password is for the address that it was mailed to', async () => {
    const person = await mallory.join('viewer')
    await openBrowser(service).call('POST', '/password/forgot.json', { email: person.email })
    const [link = ''] = await mailed(person.email)
    await service.store.write.updateTable('accounts').set({ email, email_verified_at: null }).where('id', '=', person.accountId).execute()
    assert.equal((await openBrowser(service).call('POST', `${link}.json`, { password })).body.error.code, 'invalid_state')
    assert.equal((await accountOf())?.email_verified_at, null)
  })
})
