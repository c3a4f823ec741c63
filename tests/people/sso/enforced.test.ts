/** Where a workspace enforces single sign-on, its people do not sign in by what they have themselves. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onAnyEngine } from '../../support/engines.ts'
import { startService, type TestService } from '../../support/world.ts'
import { openBrowser } from '../sign-in/browser.ts'
import { softPasskey } from '../../../operations/people/passkeys/soft-passkey.ts'
import { linkFor, password, personIn, signedIn } from '../sign-in/people.ts'
import { makeProvider } from '../scim/calling.ts'
import { Browser, type Company, makeCompany } from './company.ts'

onAnyEngine('enforced single sign-on', engine => {
  let service: TestService
  let company: Company
  before(async () => {
    service = await startService(engine)
    company = await makeCompany(service, {
      status: 'active',
      protocol: 'saml',
      idp_sso_url: 'https://idp.example/sso',
      idp_entity_id: 'https://idp.example',
      enforced: 1,
    })
  })
  after(() => service.close())

  const signIn = (email: string, typed = password) => openBrowser(service).call('POST', '/session.json', { email, password: typed })
  /** A person of the company with this address. */
  async function personAt(domain: string, role: 'admin' | 'owner' = 'admin') {
    const person = await personIn(service, company.world, role)
    const email = person.email.replace(/@.*/, `@${domain}`)
    await service.store.write.updateTable('accounts').set({ email }).where('id', '=', person.accountId).execute()
    return { ...person, email }
  }

  test('the right password of an enforced member returns the same bytes as a wrong one and as an unknown account', async () => {
    const { email } = await personAt(company.domain)
    const replies = [await signIn(email), await signIn(email, 'not the password'), await signIn(`nobody@${company.domain}`)]
    assert.deepEqual(
      replies.map(({ status, text }) => [status, text]),
      replies.map(() => [401, replies[0]?.text]),
    )
    const entries = await service.store.read.selectFrom('audit_entries').selectAll().where('actor', '=', email).execute()
    assert.deepEqual([...new Set(entries.map(({ operation, outcome }) => `${operation} ${outcome}`))], ['sessions_create refused'])
  })

  test('a person whom a stranger’s SCIM adds, and who never accepted, has no password sign-in for it', async () => {
    const { email } = await personAt(company.domain)
    const stranger = await makeProvider(service)
    assert.equal((await stranger.create(email)).status, 201)
    assert.equal((await signIn(email)).status, 401)
  })

  test('a password set by a mailed link does not help', async () => {
    const { accountId, email } = await personAt(company.domain)
    const browser = openBrowser(service)
    const link = await linkFor(service, accountId, 'reset')
    const chosen = 'another sentence of mine'
    assert.equal((await browser.call('POST', `/links/${link}.json`, { password: chosen })).status, 201)
    assert.equal((await signIn(email, chosen)).status, 401)
  })

  test('a passkey that was made before does not help, and is good again for an owner', async () => {
    await company.configure({ enforced: 0 })
    const person = await personAt(company.domain)
    const browser = await signedIn(service, person)
    const device = softPasskey('http://footfall.test')
    const { options } = (await browser.call('POST', '/account/passkeys/options.json', { current_password: password })).body.data
    const made = { id: device.id, rawId: device.id, type: 'public-key', response: device.create(options.challenge) }
    assert.equal((await browser.call('POST', '/account/passkeys.json', { name: 'Laptop', passkey: made })).status, 201)
    const enter = async (id = device.id) => {
      const at = openBrowser(service)
      const { challenge } = (await at.call('POST', '/session/options.json', {})).body.data.options
      const passkey = { id, rawId: id, type: 'public-key', response: device.get(challenge) }
      return at.call('POST', '/session.json', { passkey })
    }
    assert.equal((await enter()).status, 201)
    await company.configure({ enforced: 1 })
    const [refused, unknown] = [await enter(), await enter('AAAAAAAAAAAAAAAAAAAAAA')]
    assert.deepEqual([refused.status, refused.text], [401, unknown.text], 'as one that nobody has')
    assert.deepEqual(refused.headers.getSetCookie(), [])
    await service.store.write.updateTable('members').set({ role: 'owner' }).where('id', '=', person.memberId).execute()
    assert.equal((await enter()).status, 201)
  })

  test('owners, and members whose domain the workspace has not proved, sign in as before', async () => {
    assert.equal((await signIn((await personAt(company.domain, 'owner')).email)).status, 201)
    assert.equal((await signIn((await personAt('elsewhere.example')).email)).status, 201)
    const { email, memberId } = await personAt(company.domain)
    await service.store.write.updateTable('sso_domains').set({ verified_at: null }).where('workspace_id', '=', company.workspace).execute()
    assert.equal((await signIn(email)).status, 201, 'the domain is not proved')
    await service.store.write.updateTable('sso_domains').set({ verified_at: 1 }).where('workspace_id', '=', company.workspace).execute()
    assert.equal((await signIn(email)).status, 401)
    await service.store.write.updateTable('members').set({ role: 'owner' }).where('id', '=', memberId).execute()
    assert.equal((await signIn(email)).status, 201)
    await service.store.write.updateTable('members').set({ role: 'viewer' }).where('id', '=', memberId).execute()
    await company.configure({ enforced: 0 })
    assert.equal((await signIn(email)).status, 201, 'it is not enforced')
    await company.configure({ enforced: 1 })
  })

  test('the sign-in page sends every address of the domain to single sign-on, and finds the identity provider by it', async () => {
    const { email } = await personAt(company.domain)
    const texts = []
    for (const address of [email, `nobody@${company.domain}`]) {
      const { status, text } = await new Browser(service).ask('POST', '/session', { form: { email: address, password } })
      assert.equal(status, 401)
      assert.match(text, /continue with single sign-on/)
      texts.push(
        text
          .replace(/name="_key" value="[^"]*"/g, '')
          .replaceAll(address, 'them')
          .replaceAll(encodeURIComponent(address), 'them'),
      )
    }
    assert.equal(texts[0], texts[1])
    const onwards = await new Browser(service).get(`/sign-in/sso?${new URLSearchParams({ email })}`)
    assert.match(onwards.text, /\/sso\/start\?workspace=/)
    const elsewhere = await new Browser(service).ask('POST', '/session', { form: { email: 'ada@elsewhere.example', password } })
    assert.doesNotMatch(elsewhere.text, /continue with single sign-on/)
  })
})
