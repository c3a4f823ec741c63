/** A workspace may add any address by SCIM, but gets no control over the account of a stranger. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { mails_send } from '../../../operations/people/mail/tasks.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { taskContext } from '../../support/task-context.ts'
import { makeSite, request, startService, type TestService, type World } from '../../support/world.ts'
import { type MailServer, startMailServer } from '../../watch/channels/receivers.ts'
import { openBrowser } from '../sign-in/browser.ts'
import { password, type Person, personIn, signedIn } from '../sign-in/people.ts'
import { makeCompany } from '../sso/company.ts'
import { makeProvider, type Provider } from './calling.ts'

onAnyEngine('a person whom a stranger’s SCIM adds', engine => {
  let service: TestService
  let server: MailServer
  let tenant: Provider
  let home: World
  before(async () => {
    server = await startMailServer()
    service = await startService(engine, { SMTP_URL: server.url, SIGN_UP: 'open' })
  })
  after(async () => {
    await Promise.all([service.close(), server.close()])
  })
  beforeEach(async () => {
    tenant = await makeProvider(service)
    home = await makeSite(service)
  })

  const suspend = { op: 'replace', path: 'active', value: false }
  const suspended = async (email: string, by = tenant): Promise<string> => {
    const { id } = (await by.create(email)).body
    assert.equal((await by.patch(id, suspend)).body.active, false)
    return id
  }
  /** A person whose only membership ended. */
  async function freePerson(): Promise<Person> {
    const person = await personIn(service, home)
    await service.store.write.deleteFrom('members').where('id', '=', person.memberId).execute()
    return person
  }
  const invited = async (email: string) => {
    const path = `/workspaces/${home.ids.workspace}/invitations`
    const { body } = await request(service, 'POST', path, { token: home.token, body: { email, role: 'viewer' } })
    return new URL(body.data.url).pathname
  }
  const open = async (browser: ReturnType<typeof openBrowser>) => (await browser.call('GET', '/account/sessions.json')).status
  const newAddress = () => `${crypto.randomUUID()}@elsewhere.example`

  test('and suspends, still signs in, stays signed in, and accepts an invitation', async () => {
    const ada = await freePerson()
    const browser = await signedIn(service, ada)
    await suspended(ada.email)
    assert.equal(await open(browser), 200)
    await signedIn(service, ada)
    assert.equal((await browser.submit(await invited(ada.email))).status, 303)
    assert.match((await browser.open('/account')).text, /You were deactivated in this workspace/, 'of the one workspace')
  })

  test('with an account that was not there, accepts an invitation as if there were none', async () => {
    for (const state of ['active', 'suspended', 'deleted', 'renamed']) {
      const email = newAddress()
      const { id } = (await tenant.create(email, { displayName: 'A name of theirs' })).body
      if (state === 'suspended') await tenant.patch(id, suspend)
      if (state === 'deleted') await tenant.call('DELETE', `/Users/${id}`)
      if (state === 'renamed') await tenant.patch(id, { op: 'replace', path: 'userName', value: `x${email}` }, suspend)
      const browser = openBrowser(service)
      const link = await invited(email)
      assert.equal((await browser.submit(link, { password })).status, 303, state)
      await signedIn(service, { email })
      const again = await invited(`x${email}`)
      assert.equal((await openBrowser(service).call('POST', `${again}.json`, { password })).status, 201, 'the name at SCIM is nobody’s')
    }
  })

  test('with an account that was not there, signs up', async () => {
    const email = newAddress()
    await suspended(email)
    await openBrowser(service).call('POST', '/sign_ups.json', { email })
    while ((await mails_send.run(taskContext(service.app)))?.more);
    const link = /\/sign_ups\/\S+/.exec(server.mails.splice(0).find(({ to }) => to.includes(email))?.text ?? '')?.[0]
    const browser = openBrowser(service)
    assert.equal((await browser.call('POST', `${link}.json`, { password, workspace: 'Mine' })).status, 201)
    assert.equal(await open(browser), 200)
    await signedIn(service, { email })
  })

  test('an invitation does not open an account in use, verified or not', async () => {
    const email = newAddress()
    const first = await invited(email)
    assert.equal((await openBrowser(service).submit(first, { password })).status, 303)
    const other = await makeProvider(service)
    await other.create(email)
    const path = `/workspaces/${other.world.ids.workspace}/invitations`
    // A member of theirs already, by SCIM; a third workspace invites.
    assert.equal((await request(service, 'POST', path, { token: other.world.token, body: { email } })).status, 422)
    const third = await makeSite(service)
    const { body } = await request(service, 'POST', `/workspaces/${third.ids.workspace}/invitations`, {
      token: third.token,
      body: { email },
    })
    const link = new URL(body.data.url).pathname
    assert.equal((await openBrowser(service).call('POST', `${link}.json`, { password: 'a sentence of a thief' })).status, 422)
    await signedIn(service, { email })
  })

  test('signs in by password, whatever the stranger demands of its members', async () => {
    const ada = await freePerson()
    const company = await makeCompany(service, { status: 'active', protocol: 'oidc', oidc_issuer: 'https://idp.example', enforced: 1 })
    const scim = await makeProvider(service, company.world)
    const { id } = (await scim.create(ada.email)).body
    const settings = `/workspaces/${company.workspace}/settings`
    await request(service, 'PATCH', settings, { token: company.world.token, body: { require_two_factor: true } })
    const browser = await signedIn(service, ada)
    assert.equal(await open(browser), 200)
    assert.equal(
      (await browser.call('PATCH', '/account/password.json', { current_password: password, password: 'another sentence of mine' })).status,
      200,
    )
    assert.equal((await scim.call('DELETE', `/Users/${id}`)).status, 204)
    assert.equal(await open(browser), 200)
  })

  test('is not seen signing in by the audit log of the stranger', async () => {
    const ada = await personIn(service, home)
    await tenant.create(ada.email)
    await openBrowser(service).call('POST', '/session.json', { email: ada.email, password: 'not the password' })
    const browser = await signedIn(service, ada)
    const entriesOf = async (world: World) => {
      const of = service.store.read.selectFrom('audit_entries').selectAll().where('actor', '=', ada.email)
      return (await of.where('workspace_id', '=', world.ids.workspace ?? '').execute()).map(({ outcome }) => outcome).sort()
    }
    assert.deepEqual([await entriesOf(tenant.world), await entriesOf(home)], [[], ['done', 'refused']])
    await browser.open(`/workspaces/${tenant.world.ids.workspace}/sites`) // comes in
    await signedIn(service, ada)
    assert.deepEqual(await entriesOf(tenant.world), ['done'])
  })

  test('is kept out by the company whose domain the address has, come or not, and by a workspace they came to', async () => {
    const company = await makeCompany(service)
    const scim = await makeProvider(service, company.world)
    const person = await freePerson()
    const email = `ada@${company.domain}`
    await service.store.write.updateTable('accounts').set({ email }).where('id', '=', person.accountId).execute()
    const browser = await signedIn(service, { email })
    const id = await suspended(email, scim)
    assert.equal(await open(browser), 401)
    await assert.rejects(signedIn(service, { email }))
    await tenant.create(email)
    assert.equal(await open(browser), 200, 'an active membership opens the account; the company stays closed')
    await service.store.write.deleteFrom('members').where('id', '=', id).execute()
    const own = await tenant.find(`userName eq "${email}"`)
    await browser.open(`/workspaces/${tenant.world.ids.workspace}/sites`)
    await tenant.patch(own.body.Resources[0].id, suspend)
    assert.equal(await open(browser), 401)
  })
})
