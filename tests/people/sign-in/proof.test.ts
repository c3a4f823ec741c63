/** The current password, which each change of how an account signs in asks for. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { softPasskey } from '../../../operations/people/passkeys/soft-passkey.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { makeSite, request, startService, type TestService, type World } from '../../support/world.ts'
import { openBrowser, type TestBrowser } from './browser.ts'
import { password, type Person, personIn, signedIn } from './people.ts'

const MINUTE = 60_000
const other = 'another sentence of mine'

onAnyEngine('a change of how an account signs in', engine => {
  let service: TestService
  let world: World
  let person: Person
  before(async () => {
    service = await startService(engine, { SIGN_IN_TRIES: 3, TRUSTED_PROXIES: '127.0.0.1' })
    world = await makeSite(service)
  })
  after(() => service.close())
  beforeEach(async () => {
    person = await personIn(service, world)
  })

  const passkeyIn = (browser: TestBrowser, typed: object = { current_password: password }) => makePasskey(browser, typed)
  async function makePasskey(browser: TestBrowser, typed: object) {
    const device = softPasskey('http://footfall.test')
    const { options } = (await browser.call('POST', '/account/passkeys/options.json', typed)).body.data
    const passkey = { id: device.id, rawId: device.id, type: 'public-key', response: device.create(options.challenge) }
    const { status, text, body } = await browser.call('POST', '/account/passkeys.json', { passkey })
    assert.equal(status, 201, text)
    return { device, id: body.data.id as string }
  }
  async function enter(device: ReturnType<typeof softPasskey>): Promise<TestBrowser> {
    const browser = openBrowser(service)
    const { options } = (await browser.call('POST', '/session/options.json', {})).body.data
    const passkey = { id: device.id, rawId: device.id, type: 'public-key', response: device.get(options.challenge) }
    assert.equal((await browser.call('POST', '/session.json', { passkey })).status, 201)
    return browser
  }
  const deletePassword = () => service.store.write.deleteFrom('passwords').where('account_id', '=', person.accountId).execute()

  test('needs the current password on every surface, also right after the sign-in, and changes nothing without it', async () => {
    const browser = await signedIn(service, person)
    const { id } = await passkeyIn(browser)
    await service.store.write.updateTable('sessions').set({ method: 'password' }).where('account_id', '=', person.accountId).execute()
    const changes: readonly [string, string, Record<string, string>][] = [
      ['PATCH', '/account/password', { password: other }],
      ['POST', '/account/two_factor', {}],
      ['DELETE', '/account/two_factor', {}],
      ['POST', '/account/two_factor/codes', {}],
      ['POST', '/account/passkeys/options', {}],
      ['DELETE', `/account/passkeys/${id}`, {}],
      ['PATCH', '/account', { email: `new-${person.email}` }],
    ]
    const declared = [...service.app.table.operations.values()].filter(({ proof }) => proof !== false)
    const covered = changes.map(([method, path]) => `${method} ${path.replace(id, '{id}')}`)
    assert.deepEqual(
      declared
        .map(({ method, path }) => `${method} ${path}`)
        .filter(each => !/\/sso\//.test(each))
        .sort(),
      covered.sort(),
    )
    const state = async () => {
      const rows = ['passwords', 'totp', 'recovery_codes', 'passkeys', 'passkey_challenges'] as const
      const all = rows.map(table => service.store.read.selectFrom(table).selectAll().where('account_id', '=', person.accountId).execute())
      return [
        await Promise.all(all),
        await service.store.read.selectFrom('accounts').selectAll().where('id', '=', person.accountId).execute(),
      ]
    }
    const before = await state()
    for (const [i, [method, path, input]] of changes.entries()) {
      service.clock.now += 16 * MINUTE // tries are counted for a quarter of an hour
      await browser.call('POST', '/session.json', { email: person.email, password })
      for (const [typed, code] of [
        [{}, 'required'],
        [{ current_password: `${other}${i}` }, 'mismatch'],
      ] as const) {
        const form = await browser.submit(`${path}?_method=${method}`, { ...input, ...typed })
        const isShown = form.status === 422 && /id="\w+-current-password-fault"/.test(form.text)
        const hasForm = !path.endsWith('/options')
        assert.equal(isShown, hasForm, `${path} ${form.status}`)
        assert.doesNotMatch(form.text, new RegExp(`${other}${i}`))
        if (path === '/account') continue // its JSON accepts no session
        const { status, body } = await browser.call(method, `${path}.json`, { ...input, ...typed })
        assert.deepEqual(
          [status, body.error?.details?.[0]?.pointer, body.error?.details?.[0]?.code],
          [422, '/current_password', code],
          path,
        )
      }
    }
    assert.deepEqual(await state(), before)
    const audit = await request(service, 'GET', `/workspaces/${world.ids.workspace}/audit.json`, { token: world.token })
    assert.ok(
      audit.body.data.some(
        ({ operation, outcome, actor }: Record<string, string>) =>
          operation === 'passwords_update' && outcome === 'refused' && actor === person.email,
      ),
    )
  })

  test('needs no recent sign-in with it; the browser gets another cookie, and a copy of the former one ends', async () => {
    const browser = await signedIn(service, person)
    const [copied] = [browser.cookies.get('session') ?? '']
    const session = async () => (await browser.call('GET', '/account/sessions.json')).body.data[0]
    const before = await session()
    service.clock.now += 60 * MINUTE
    assert.equal((await browser.submit('/account/password?_method=PATCH', { current_password: password, password: other })).status, 303)
    const copy = await request(service, 'GET', '/account/sessions.json', { headers: { Cookie: `session=${copied}` } })
    const { id, ends_at, signed_in_at } = await session()
    assert.deepEqual([copy.status, id, ends_at], [401, before.id, before.ends_at])
    assert.equal(Date.parse(signed_in_at), service.clock.now)
    await signedIn(service, person, other)
    const [fresh] = [browser.cookies.get('session')]
    const again = { current_password: other, password }
    assert.equal((await browser.call('PATCH', '/account/password.json', again)).status, 200)
    assert.equal(browser.cookies.get('session'), fresh, 'its cookie is new enough')
  })

  test('counts wrong passwords together with wrong passwords of sign-ins', async () => {
    const browser = await signedIn(service, person)
    const change = (current_password: string) => browser.call('PATCH', '/account/password.json', { current_password, password: other })
    const statuses = []
    for (const typed of ['wrong', 'wrong', 'wrong', password]) statuses.push((await change(typed)).status)
    assert.deepEqual(statuses, [422, 422, 422, 429])
    assert.equal((await openBrowser(service).call('POST', '/session.json', { email: person.email, password })).status, 429)
    service.clock.now += 16 * MINUTE
    assert.equal((await change(password)).status, 200)
  })

  test('of a person with only passkeys needs a sign-in of the last ten minutes', async () => {
    const { device } = await passkeyIn(await signedIn(service, person))
    await deletePassword()
    const browser = await enter(device)
    assert.doesNotMatch((await browser.open('/account')).text, /current_password/)
    await passkeyIn(browser, {})
    service.clock.now += 10 * MINUTE
    const late = await browser.call('POST', '/account/passkeys/options.json', { current_password: password })
    assert.deepEqual([late.status, late.body.error.code], [403, 'reauthentication_required'])
    const form = await browser.submit('/account/two_factor')
    assert.match(form.headers.get('location') ?? '', /^\/sign-in\?again=1/)
  })

  test('needs the current password also after a passkey was added: to add one is no sign-in with it', async () => {
    const browser = await signedIn(service, person)
    const { id } = await passkeyIn(browser)
    for (const [method, path, input] of [
      ['PATCH', '/account/password', { password: other }],
      ['POST', '/account/two_factor', {}],
      ['DELETE', `/account/passkeys/${id}`, {}],
    ] as const) {
      const { status, body } = await browser.call(method, `${path}.json`, input)
      assert.deepEqual([status, body.error?.details?.[0]?.pointer], [422, '/current_password'], path)
    }
    assert.match((await browser.open('/account')).text, /name="current_password"/)
    assert.equal((await browser.call('PATCH', '/account/password.json', { current_password: password, password: other })).status, 200)
  })

  test('accepts a passkey of the last ten minutes instead, for example for a forgotten password', async () => {
    const { device } = await passkeyIn(await signedIn(service, person))
    const browser = await enter(device)
    assert.doesNotMatch((await browser.open('/account')).text, /current_password/)
    assert.equal((await browser.submit('/account/password?_method=PATCH', { password: other })).status, 303)
    service.clock.now += 10 * MINUTE
    assert.match((await browser.open('/account')).text, /name="current_password".*name="current_password".*name="current_password"/s)
    assert.equal((await browser.submit('/account/password?_method=PATCH', { password })).status, 422)
    assert.equal((await browser.submit('/account/two_factor', { current_password: other })).status, 303)
    assert.equal((await browser.open('/account/two_factor')).status, 200, 'the next step is as after a sign-in')
  })
})
