/** Signing in with a password, its failures, and what a session opens. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { hashCredential } from '../../../runtime/call/credentials.ts'
import { randomBytes } from '../../support/chance.ts'
import { startCpuTimer } from '../../support/cpu.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { callTool } from '../../support/mcp.ts'
import { makeSite, makeWorld, request, startService, type TestService, type World } from '../../support/world.ts'
import { until } from '../../runtime/tasks/tasks.ts'
import { openBrowser } from './browser.ts'
import { linkFor, password, type Person, personIn, signedIn } from './people.ts'

const DAY = 86_400_000

onAnyEngine('signing in', engine => {
  let service: TestService
  let world: World
  let person: Person
  before(async () => {
    service = await startService(engine, { TRUSTED_PROXIES: '127.0.0.1', SESSION_DAYS: 100 })
  })
  after(() => service.close())
  beforeEach(async () => {
    world = await makeSite(service)
    person = await personIn(service, world)
  })

  test('a form signs in without scripts, comes to the page that was asked for, and out again', async () => {
    const browser = openBrowser(service)
    const sent = await browser.open('/account')
    assert.deepEqual([sent.status, sent.headers.get('location')], [303, '/sign-in?next=%2Faccount'])
    const page = await browser.open('/sign-in?next=%2Faccount')
    assert.match(page.text, /<form method="post" action="\/session">.*name="_next" value="\/account"/)
    assert.match(page.headers.get('content-security-policy') ?? '', /script-src 'self'; style-src 'self'.*frame-ancestors 'none'/)
    const entered = await browser.submit('/session', { email: person.email.toUpperCase(), password, _next: '/account' })
    assert.deepEqual([entered.status, entered.headers.get('location')], [303, '/account'])
    const [line = ''] = entered.headers.getSetCookie().filter(each => each.startsWith('session='))
    assert.match(line, /^session=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/)
    assert.match((await browser.open('/account')).text, new RegExp(`this browser.*${person.email}|${person.email}.*this browser`, 's'))
    const left = await browser.submit('/session?_method=DELETE')
    assert.deepEqual([left.status, left.headers.get('location'), browser.cookies.has('session')], [303, '/sign-in', false])
    assert.equal((await browser.open('/account')).status, 303)
  })

  test('on https the cookie is __Host-, Secure, and no other is read', async () => {
    const secure = await startService(engine, { BASE_URL: 'https://footfall.test' })
    const ada = await personIn(secure, await makeSite(secure))
    const browser = openBrowser(secure, { origin: 'https://footfall.test' })
    const { headers } = await browser.call('POST', '/session.json', { email: ada.email, password })
    const secret = browser.cookies.get('__Host-session') ?? ''
    assert.match(headers.getSetCookie()[0] ?? '', /^__Host-session=[\w-]{43}; Path=\/; .*; Secure$/)
    assert.equal((await browser.call('GET', '/account/sessions.json')).status, 200)
    assert.equal((await request(secure, 'GET', '/account/sessions.json', { headers: { Cookie: `session=${secret}` } })).status, 401)
    await secure.close()
  })

  test('every failure is answered in the same bytes', async () => {
    const none = await personIn(service, world)
    await service.store.write.deleteFrom('passwords').where('account_id', '=', none.accountId).execute()
    const out = await personIn(service, world)
    await service.store.write.updateTable('members').set({ active: 0 }).where('id', '=', out.memberId).execute()
    const tries = [
      { email: person.email, password: 'wrong' },
      { email: 'nobody@example.com', password },
      { email: none.email, password },
      { email: out.email, password },
      { code: '123456' },
      { recovery_code: 'abcd-efgh' },
    ]
    const answers = new Set<string>()
    for (const body of tries) {
      const { status, text, headers } = await openBrowser(service).call('POST', '/session.json', body)
      answers.add(JSON.stringify([status, text, headers.getSetCookie()]))
    }
    assert.equal(answers.size, 1)
    assert.match([...answers].join(), /^\[401,.*sign_in_failed/)
    const form = await openBrowser(service).submit('/session', { email: person.email, password: 'wrong-secret' })
    assert.equal(form.status, 401)
    assert.ok(form.text.includes(person.email) && !form.text.includes('wrong-secret'), 'what was typed is kept, the password not')
  })

  test('failed sign-ins take the same time for unknown and known accounts', async () => {
    const real = await personIn(service, world)
    const link = await linkFor(service, real.accountId)
    await openBrowser(service).call('POST', `/links/${link}.json`, { password }) // hashed at its full cost
    const once = async (email: string) => {
      const cpu = startCpuTimer() // hashing is all in this process
      await openBrowser(service).call('POST', '/session.json', { email, password: 'wrong one' })
      return cpu.taken()
    }
    await once('nobody@example.com')
    const times: Record<'somebody' | 'nobody', number[]> = { somebody: [], nobody: [] }
    for (let i = 0; i < 12; i++) {
      times.somebody.push(await once(real.email))
      times.nobody.push(await once(`nobody${i}@example.com`))
    }
    const [somebody, nobody] = [times.somebody, times.nobody].map(all => all.sort((a, b) => a - b)[3] ?? 0) as [number, number]
    assert.ok(Math.abs(somebody - nobody) < Math.max(8, 0.3 * somebody), `${somebody} ms and ${nobody} ms`)
  })

  test('only pages of our own sign in, sign out and change anything', async () => {
    const fields = { email: person.email, password }
    const browser = await signedIn(service, person)
    const elsewhere: readonly Record<string, string>[] = [
      { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
      { Origin: 'null' },
    ]
    for (const headers of elsewhere) {
      const all = [
        await browser.call('POST', '/session.json', fields, headers),
        await browser.call('DELETE', '/session.json', {}, headers),
        await browser.call('PATCH', '/account/password.json', { current_password: password, password: 'another sentence' }, headers),
      ]
      assert.deepEqual(
        all.map(({ status }) => status),
        [403, 403, 403],
        JSON.stringify(headers),
      )
    }
    const bare = await request(service, 'POST', '/session.json', { body: fields })
    assert.equal(bare.status, 403, 'nobody says where it is from')
  })

  test('a session is refused by .json of other operations and by /mcp; an API token by operations of sessions', async () => {
    const browser = await signedIn(service, person)
    const Cookie = `session=${browser.cookies.get('session')}`
    for (const path of ['/account.json', `/workspaces/${world.ids.workspace}.json`, `/sites/${world.ids.site}.json`]) {
      assert.equal((await request(service, 'GET', path, { headers: { Cookie } })).status, 401, path)
    }
    assert.equal(
      (await request(service, 'POST', '/mcp', { headers: { Cookie }, body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } })).status,
      401,
    )
    const operations = [...service.app.table.operations.values()].filter(({ access }) => access === 'session')
    assert.ok(operations.length >= 10)
    for (const { id } of operations) assert.match((await callTool(service, id, {}, person.token)).fault?.message ?? '', /Unknown tool/)
  })

  test('a session is stored as a hash, ends 30 days after its last use, and is replaced by another sign-in', async () => {
    const browser = await signedIn(service, person)
    const secret = browser.cookies.get('session') ?? ''
    const rows = await service.store.read.selectFrom('sessions').selectAll().where('account_id', '=', person.accountId).execute()
    assert.deepEqual(
      rows.map(({ hash }) => hash),
      [hashCredential(secret)],
    )
    await browser.call('POST', '/session.json', { email: person.email, password })
    assert.notEqual(browser.cookies.get('session'), secret)
    assert.equal((await request(service, 'GET', '/account/sessions.json', { headers: { Cookie: `session=${secret}` } })).status, 401)
    const ask = async () => (await browser.call('GET', '/account/sessions.json')).status
    /** A use is recorded concurrently with the call. */
    const isNoted = () =>
      until(async () => {
        const uses = await service.store.read
          .selectFrom('sessions')
          .select('last_used_at')
          .where('account_id', '=', person.accountId)
          .execute()
        return uses.some(({ last_used_at }) => last_used_at === service.clock.now)
      })
    const start = service.clock.now
    service.clock.now = start + 29 * DAY
    assert.equal(await ask(), 200)
    await isNoted()
    service.clock.now = start + 50 * DAY
    assert.equal(await ask(), 200)
    await isNoted()
    service.clock.now = start + 81 * DAY
    assert.equal(await ask(), 401)
    service.clock.now = start
  })

  test('only a person’s own sessions are listed and ended; a deactivated member is out at once', async () => {
    const [here, there, foreign] = [
      await signedIn(service, person),
      await signedIn(service, person),
      await signedIn(service, await personIn(service, world)),
    ]
    const list = async () => (await here.call('GET', '/account/sessions.json')).body.data
    const other = (await list()).find((each: { current: boolean }) => !each.current)
    assert.deepEqual([(await list()).length, other.browser, other.method], [2, 'Firefox on Linux', 'password'])
    const unknown = await foreign.call('DELETE', '/account/sessions/ses_0000000000000000000000.json', {})
    const refused = await foreign.call('DELETE', `/account/sessions/${other.id}.json`, {})
    assert.deepEqual([refused.status, refused.text], [404, unknown.text])
    assert.equal((await here.call('DELETE', `/account/sessions/${other.id}.json`, {})).status, 200)
    assert.equal((await there.call('GET', '/account/sessions.json')).status, 401)
    await service.store.write.updateTable('members').set({ active: 0 }).where('id', '=', person.memberId).execute()
    assert.equal((await here.call('GET', '/account/sessions.json')).status, 401)
  })

  test('tries are counted over all processes: for the account and the address, before they are made', async () => {
    const limited = await startService(engine, {
      SIGN_IN_TRIES: 3,
      SIGN_IN_TRIES_ACCOUNT: 5,
      SIGN_IN_TRIES_ADDRESS: 0,
      TRUSTED_PROXIES: '127.0.0.1',
    })
    const ada = await personIn(limited, await makeSite(limited))
    const guess = (email: string, ip: string, typed = 'wrong') =>
      openBrowser(limited, { ip }).call('POST', '/session.json', { email, password: typed })
    const statuses = async (...all: Promise<{ status: number }>[]) => (await Promise.all(all)).map(({ status }) => status).sort()
    const many = await statuses(...Array.from({ length: 6 }, () => guess(ada.email, '203.0.113.1')))
    assert.deepEqual(many, [401, 401, 401, 429, 429, 429], 'at once as one by one')
    assert.equal((await guess('nobody@example.com', '203.0.113.1')).status, 401, 'another account is heard')
    assert.equal((await guess(ada.email, '203.0.113.2', password)).status, 201, 'the person, from elsewhere')
    assert.deepEqual(await statuses(guess(ada.email, '203.0.113.3'), guess(ada.email, '203.0.113.4')), [401, 401])
    const locked = await guess(ada.email, '203.0.113.5', password)
    assert.deepEqual([locked.status, Number(locked.headers.get('retry-after')) > 600], [429, true])
    for (const email of ['none@example.com']) for (let i = 0; i < 3; i++) await guess(email, '203.0.113.9')
    assert.equal((await guess('none@example.com', '203.0.113.9')).status, 429, 'nobody’s account waits as well')
    limited.clock.now += 16 * 60_000
    assert.equal((await guess(ada.email, '203.0.113.1', password)).status, 201)
    await limited.close()
  })

  test('a link of the machine sets address and password once, within 15 minutes, and ends other sessions', async () => {
    const before = await signedIn(service, person)
    const link = await linkFor(service, person.accountId)
    const browser = openBrowser(service)
    assert.equal((await browser.open(`/links/${link}`)).status, 200)
    const weak = { short: 'too short', common: 'password123', sequence: 'abcdefghijkl', address: `${person.email}1` }
    for (const [why, typed] of Object.entries(weak)) {
      const { status, text } = await browser.submit(`/links/${link}`, { password: typed })
      assert.deepEqual([status, /class="fault" id="password-fault"/.test(text), text.includes(typed)], [422, true, false], why)
    }
    const email = `new-${randomBytes(4).toString('hex')}@example.com`
    const set = await browser.submit(`/links/${link}`, { email, password: 'another sentence' })
    assert.deepEqual([set.status, set.headers.get('location')], [303, '/'])
    assert.equal((await browser.open('/account')).status, 200)
    assert.equal((await before.call('GET', '/account/sessions.json')).status, 401)
    assert.equal((await openBrowser(service).open(`/links/${link}`)).status, 410)
    assert.equal(
      (await openBrowser(service).call('POST', `/links/${link}.json`, { password: 'a third sentence' })).body.error.code,
      'invalid_state',
    )
    await signedIn(service, { email }, 'another sentence')
    const late = await linkFor(service, person.accountId)
    service.clock.now += 15 * 60_000
    assert.equal((await openBrowser(service).open(`/links/${late}`)).status, 410)
  })

  test('the audit log says who signed in or failed to, from where and by which door', async () => {
    await openBrowser(service, { ip: '203.0.113.77' }).call('POST', '/session.json', { email: person.email, password: 'wrong' })
    const browser = await signedIn(service, person)
    await browser.submit('/session?_method=DELETE')
    const audit = () => request(service, 'GET', `/workspaces/${world.ids.workspace}/audit.json`, { token: world.token })
    await until(async () => (await audit()).body.data.length >= 3) // a failure is recorded concurrently with the call
    const { body } = await audit()
    const told = body.data.map(({ operation, actor, door, outcome, surface, ip }: Record<string, string>) => [
      operation,
      actor,
      door,
      outcome,
      surface,
      ip,
    ])
    assert.deepEqual(told.sort(), [
      ['sessions_create', person.email, 'password', 'done', 'http', '127.0.0.1'],
      ['sessions_create', person.email, 'password', 'refused', 'http', '203.0.113.77'],
      ['sessions_end', person.email, 'session', 'done', 'pages', '127.0.0.1'],
    ])
  })

  test('a page to go on to is one of ours', async () => {
    for (const next of ['https://evil.example/', '//evil.example', '/\\evil.example', '/%09/evil.example\t', 'javascript:alert(1)', '']) {
      const { headers } = await openBrowser(service).submit('/session', { email: person.email, password, _next: next })
      const location = headers.get('location') ?? ''
      assert.equal(new URL(location, 'http://footfall.test').origin, 'http://footfall.test', next)
    }
  })

  test('a person of two workspaces works in both with one session, and the audit log of each hears of it', async () => {
    const other = await makeWorld(service)
    await service.store.write
      .insertInto('members')
      .values({
        id: `mem_${randomBytes(12).toString('hex')}`,
        workspace_id: other.ids.workspace ?? '',
        account_id: person.accountId,
        role: 'viewer',
        active: 1,
        created_at: service.clock.now + 1, // the first workspace comes first
      })
      .execute()
    const browser = await signedIn(service, person)
    const caller = await service.app.visitor({
      header: name => (name === 'cookie' ? `session=${browser.cookies.get('session')}` : undefined),
      ip: '::1',
      surface: 'pages',
    })
    assert.deepEqual(
      [caller?.workspaceId, [...(caller?.elsewhere?.keys() ?? [])]],
      [world.ids.workspace, [world.ids.workspace, other.ids.workspace]],
    )
    const operation = service.app.table.operations.get('members_update') ?? assert.fail()
    const change = (workspace_id = '', id = '') =>
      service.app.call({
        operation,
        surface: 'pages',
        id: 'r',
        ip: '::1',
        path: { workspace_id, id },
        header: name => ({ cookie: `session=${browser.cookies.get('session')}`, origin: 'http://footfall.test' })[name],
        input: async () => ({ role: 'viewer' }),
      })
    assert.equal((await change(world.ids.workspace, world.ids.member)).status, 200, 'an admin here')
    assert.equal((await change(other.ids.workspace, other.ids.member)).status, 403, 'a viewer there')
    await browser.call('DELETE', '/session.json', {})
    for (const each of [world, other]) {
      const { body } = await request(service, 'GET', `/workspaces/${each.ids.workspace}/audit.json?operation=sessions_end`, {
        token: each.token,
      })
      assert.equal(body.meta.total, 1)
    }
  })
})
