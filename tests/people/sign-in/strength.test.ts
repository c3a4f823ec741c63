/** Factors of a sign-in, and the access that they give: an existing factor is not a used factor. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { softPasskey } from '../../../operations/people/passkeys/soft-passkey.ts'
import { totpOf } from '../../../operations/people/two-factor/totp-codes.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { makeSite, request, startService, type TestService, type World } from '../../support/world.ts'
import { makeCompany } from '../sso/company.ts'
import { openBrowser, type TestBrowser } from './browser.ts'
import { password, type Person, personIn, signedIn } from './people.ts'

onAnyEngine('a workspace that asks for a second factor', engine => {
  let service: TestService
  let world: World
  before(async () => {
    service = await startService(engine)
    world = await makeSite(service)
    const { ids, owner } = world
    await service.store.write.updateTable('accounts').set({ passkeys: 1 }).where('id', '=', owner.accountId).execute()
    const settings = `/workspaces/${ids.workspace}/settings`
    const { status, text } = await request(service, 'PATCH', settings, { token: world.token, body: { require_two_factor: true } })
    assert.equal(status, 200, text)
  })
  after(() => service.close())

  const sees = async (browser: TestBrowser) => (await browser.open(`/workspaces/${world.ids.workspace}/sites`)).status === 200
  const shown = async (browser: TestBrowser) => (await browser.open('/account')).text
  const device = () => softPasskey('http://footfall.test')
  async function makePasskey(browser: TestBrowser, of = device()) {
    const { options } = (await browser.call('POST', '/account/passkeys/options.json', { current_password: password })).body.data
    const passkey = { id: of.id, rawId: of.id, type: 'public-key', response: of.create(options.challenge) }
    const { status, text } = await browser.call('POST', '/account/passkeys.json', { passkey })
    assert.equal(status, 201, text)
    return of
  }
  async function enter(of: ReturnType<typeof device>): Promise<TestBrowser> {
    const browser = openBrowser(service)
    const { options } = (await browser.call('POST', '/session/options.json', {})).body.data
    const passkey = { id: of.id, rawId: of.id, type: 'public-key', response: of.get(options.challenge) }
    assert.equal((await browser.call('POST', '/session.json', { passkey })).status, 201)
    return browser
  }
  /** As if an identity provider of this workspace had begun the session. */
  async function bySso({ accountId }: Person, browser: TestBrowser, workspaceId: string) {
    const session = await service.store.write
      .updateTable('sessions')
      .set({ method: 'sso' })
      .where('account_id', '=', accountId)
      .returning('id')
      .executeTakeFirstOrThrow()
    await service.store.write
      .insertInto('sso_sessions')
      .values({ session_id: session.id, workspace_id: workspaceId, name_id: null, is_linked: 0, ends_at: null })
      .execute()
    return browser
  }

  test('a workspace with a required factor refuses the password of a member with a passkey, and accepts the passkey', async () => {
    const ada = await personIn(service, world)
    const browser = await signedIn(service, ada)
    assert.equal(await sees(browser), false)
    assert.match(await shown(browser), /requires a second factor\. Set one up below/)
    const of = await makePasskey(browser)
    assert.equal(await sees(browser), true, 'it was just shown')
    const byPassword = await signedIn(service, ada)
    assert.equal(await sees(byPassword), false)
    assert.match(await shown(byPassword), /which this sign-in lacks:.*sign in with a passkey/s)
    assert.equal(await sees(await enter(of)), true)
  })

  test('is open to password and code', async () => {
    const ada = await personIn(service, world)
    const browser = await signedIn(service, ada)
    const { secret } = (await browser.call('POST', '/account/two_factor.json', { current_password: password })).body.data
    const code = () => totpOf(secret).generate({ timestamp: service.clock.now })
    await browser.call('PATCH', '/account/two_factor.json', { code: code() })
    assert.equal(await sees(browser), true)
    service.clock.now += 30_000
    const next = openBrowser(service)
    await next.call('POST', '/session.json', { email: ada.email, password, code: code() })
    assert.equal(await sees(next), true)
  })

  test('is open to its own identity provider, and to no other’s; that changes no factors either', async () => {
    const elsewhere = await makeCompany(service)
    const [ada, bob] = [await personIn(service, world), await personIn(service, world)]
    const own = await bySso(bob, await signedIn(service, bob), world.ids.workspace ?? '')
    assert.equal(await sees(own), true)
    const begun = await signedIn(service, ada)
    const of = await makePasskey(begun)
    await begun.call('DELETE', '/session.json', {})
    const foreign = await bySso(ada, await signedIn(service, ada), elsewhere.workspace)
    assert.equal((await foreign.call('GET', '/account/sessions.json')).status, 401, 'they are no member there')
    await service.store.write
      .insertInto('members')
      .values({ ...(await memberOf(ada)), id: `mem_${'x'.repeat(22)}`, workspace_id: elsewhere.workspace })
      .execute()
    assert.equal(await sees(foreign), false)
    for (const [method, path, body] of [
      ['POST', '/account/passkeys/options.json', { current_password: password }],
      ['POST', '/account/two_factor.json', { current_password: password }],
      ['PATCH', '/account/password.json', { current_password: password, password: 'a sentence of theirs' }],
      ['DELETE', '/account.json', { confirm: ada.email }],
    ] as const) {
      const { status, body: answer } = await foreign.call(method, path, body)
      assert.deepEqual([status, answer.error?.code], [403, 'reauthentication_required'], path)
    }
    assert.equal(await sees(await enter(of)), true)
    // Neither where it is the only way into that workspace.
    await elsewhere.configure({ status: 'active', enforced: 1 })
    assert.equal((await foreign.call('POST', '/account/passkeys/options.json', { current_password: password })).status, 403)
    const byPassword = await enter(of)
    assert.match(await shown(byPassword), /opens only with single sign-on:.*\/sso\/start\?workspace=/s)
  })
  const memberOf = ({ memberId }: Person) =>
    service.store.read.selectFrom('members').selectAll().where('id', '=', memberId).executeTakeFirstOrThrow()
})
