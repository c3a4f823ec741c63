/** When sessions end: on a day that no use moves, and when the way to sign in changes. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { softPasskey } from '../../../operations/people/passkeys/soft-passkey.ts'
import { totpOf } from '../../../operations/people/two-factor/totp-codes.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { makeSite, request, startService, type TestService, type World } from '../../support/world.ts'
import { until } from '../../runtime/tasks/tasks.ts'
import type { TestBrowser } from '../sign-in/browser.ts'
import { password, type Person, personIn, signedIn } from '../sign-in/people.ts'

const DAY = 86_400_000

onAnyEngine('the end of a session', engine => {
  let service: TestService
  let world: World
  let person: Person
  before(async () => {
    service = await startService(engine)
  })
  after(() => service.close())
  beforeEach(async () => {
    world = await makeSite(service)
    person = await personIn(service, world)
  })
  const statusOf = async (browser: TestBrowser) => (await browser.call('GET', '/account/sessions.json')).status
  const rows = (on = service) =>
    on.store.read.selectFrom('sessions').selectAll().where('account_id', '=', person.accountId).orderBy('id').execute()
  /** Uses the session, and waits until the use is noted, which happens after the answer. */
  async function use(browser: TestBrowser, on = service): Promise<number> {
    const status = await statusOf(browser)
    if (status === 200) await until(async () => (await rows(on)).some(({ last_used_at }) => last_used_at === on.clock.now))
    return status
  }

  test('a session ends 30 days after it began, however much it is used, and says so', async () => {
    const start = service.clock.now
    const browser = await signedIn(service, person)
    const shown = async () => (await browser.call('GET', '/account/sessions.json')).body.data[0]
    const first = await shown()
    assert.deepEqual(
      [first.started_at, first.ends_at, first.created_at].map(Date.parse),
      [start, start + 30 * DAY, start].map(at => at - (at % 1000)),
    )
    service.clock.now = start + 20 * DAY
    assert.equal(await use(browser), 200)
    const [row] = await rows()
    assert.equal(row?.expires_at, start + 30 * DAY, 'a use moves the idle end no further than the absolute one')
    assert.equal((await shown()).expires_at, first.ends_at)
    service.clock.now = start + 30 * DAY - 1
    assert.equal(await statusOf(browser), 200)
    service.clock.now = start + 30 * DAY
    assert.equal(await statusOf(browser), 401)
    service.clock.now = start
  })

  test('SESSION_DAYS moves the absolute end, at once and also of sessions that began before', async () => {
    const browser = await signedIn(service, person)
    const short = await startService(engine, { SESSION_DAYS: 2 })
    person = await personIn(short, await makeSite(short))
    const own = await signedIn(short, person)
    const { started_at, ends_at, expires_at } = (await own.call('GET', '/account/sessions.json')).body.data[0]
    assert.deepEqual([Date.parse(ends_at) - Date.parse(started_at), expires_at], [2 * DAY, ends_at])
    // As an installation kept it that had no such setting: idle for 30 days, and used until now.
    const old = short.clock.now - 3 * DAY
    const before = { created_at: old, expires_at: short.clock.now + 30 * DAY, last_used_at: short.clock.now }
    await short.store.write.updateTable('sessions').set(before).where('account_id', '=', person.accountId).execute()
    assert.equal(await statusOf(own), 401)
    await short.close()
    assert.equal(await statusOf(browser), 200)
  })

  test('a session is idle for 30 days at most, also where the absolute end is later', async () => {
    const long = await startService(engine, { SESSION_DAYS: 100 })
    person = await personIn(long, await makeSite(long))
    const browser = await signedIn(long, person)
    long.clock.now += 30 * DAY
    assert.equal(await statusOf(browser), 401)
    await long.close()
  })

  const device = softPasskey('http://footfall.test')
  async function makePasskey(browser: TestBrowser): Promise<number> {
    const { options } = (await browser.call('POST', '/account/passkeys/options.json', { current_password: password })).body.data
    const passkey = { id: device.id, rawId: device.id, type: 'public-key', response: device.create(options.challenge) }
    return (await browser.call('POST', '/account/passkeys.json', { passkey })).status
  }

  test('every change of a factor ends the other sessions, and leaves the own one', async () => {
    const browser = await signedIn(service, person)
    let secret = ''
    const changes: Record<string, () => Promise<number>> = {
      'a password': async () => (await browser.call('PATCH', '/account/password.json', { current_password: password, password })).status,
      'a second factor': async () => {
        secret = (await browser.call('POST', '/account/two_factor.json', { current_password: password })).body.data.secret
        const code = totpOf(secret).generate({ timestamp: service.clock.now })
        return (await browser.call('PATCH', '/account/two_factor.json', { code })).status
      },
      'recovery codes': async () => (await browser.call('POST', '/account/two_factor/codes.json', { current_password: password })).status,
      'no second factor': async () => (await browser.call('DELETE', '/account/two_factor.json', { current_password: password })).status,
      'a passkey': () => makePasskey(browser),
      'no passkey': async () => {
        const [{ id }] = (await browser.call('GET', '/account/passkeys.json')).body.data
        return (await browser.call('DELETE', `/account/passkeys/${id}.json`, { current_password: password })).status
      },
    }
    for (const [name, change] of Object.entries(changes)) {
      // Another browser, which is signed in already: most of these make that harder.
      const other = { hash: `${name} of ${person.accountId}`, id: `ses_${name.replaceAll(' ', '')}${person.accountId.slice(-8)}` }
      const [own] = await rows()
      assert.ok(own)
      await service.store.write
        .insertInto('sessions')
        .values({ ...own, ...other })
        .execute()
      assert.ok([200, 201].includes(await change()), name)
      const left = await rows()
      assert.deepEqual([left.map(({ id }) => id), left[0]?.created_at], [[own.id], own.created_at], name)
      assert.equal(await statusOf(browser), 200, name)
    }
  })

  test('signing in again, as a change of a factor asks for, gives the session another secret and another end', async () => {
    const browser = await signedIn(service, person)
    const before = browser.cookies.get('session')
    service.clock.now += DAY
    const late = await browser.submit('/account?_method=DELETE', { confirm: person.email })
    assert.equal(late.headers.get('location'), '/sign-in?again=1&next=%2Faccount')
    await browser.submit('/session', { email: person.email, password, _next: '/account' })
    assert.notEqual(browser.cookies.get('session'), before)
    const former = await request(service, 'GET', '/account/sessions.json', { headers: { Cookie: `session=${before}` } })
    assert.equal(former.status, 401)
    const { data } = (await browser.call('GET', '/account/sessions.json')).body
    assert.deepEqual([data.length, Date.parse(data[0].ends_at)], [1, service.clock.now + 30 * DAY])
    assert.equal((await browser.submit('/account/password?_method=PATCH', { current_password: password, password })).status, 303)
  })

  test('a change of a factor ends a sign-in that waits for its code, and links that set a password', async () => {
    const browser = await signedIn(service, person)
    const link = { hash: 'x', account_id: person.accountId, email: null, created_at: 0, expires_at: service.clock.now + DAY }
    for (const kind of ['reset', 'second_factor', 'set_up'])
      await service.store.write
        .insertInto('one_time_links')
        .values({ ...link, id: `otl_${kind}${person.accountId}`, kind, hash: `${kind}${person.accountId}` })
        .execute()
    assert.equal(await makePasskey(browser), 201)
    const left = await service.store.read.selectFrom('one_time_links').selectAll().where('account_id', '=', person.accountId).execute()
    assert.deepEqual(left, [])
  })

  test('one button ends all other sessions of the account, and no session of another account', async () => {
    const browser = await signedIn(service, person)
    const others = [await signedIn(service, person), await signedIn(service, person)]
    const foreign = await signedIn(service, await personIn(service, world))
    assert.match((await browser.open('/account')).text, /action="\/account\/sessions\?_method=DELETE"/)
    const answer = await browser.call('DELETE', '/account/sessions.json', {})
    assert.deepEqual([answer.status, answer.body.data], [200, { ended: 2 }])
    assert.deepEqual([await statusOf(browser), await statusOf(foreign)], [200, 200])
    for (const other of others) assert.equal(await statusOf(other), 401)
    assert.doesNotMatch((await browser.open('/account')).text, /action="\/account\/sessions\?_method=DELETE"/, 'there are no others')
    const form = await browser.submit('/account/sessions?_method=DELETE')
    assert.deepEqual([form.status, form.headers.get('location')?.split('?')[0]], [303, '/account'])
  })
})
