/** Invitations, joining, leaving, being shut out, and what a workspace asks of its members. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { onAnyEngine } from '../support/engines.ts'
import { makeWorld, request, startService, type TestService, type World } from '../support/world.ts'
import { openBrowser } from './sign-in/browser.ts'
import { password, personIn, signedIn } from './sign-in/people.ts'

const DAY = 86_400_000

onAnyEngine('invitations', engine => {
  let service: TestService
  let world: World
  let path: string
  before(async () => {
    service = await startService(engine)
  })
  after(() => service.close())
  beforeEach(async () => {
    world = await makeWorld(service)
    path = `/workspaces/${world.ids.workspace}/invitations`
  })
  const call = (method: string, to: string, body?: object, token = world.token) => request(service, method, to, { token, body })
  const invite = async (email: string, role = 'editor') => {
    const { body } = await call('POST', path, { email, role })
    return { ...body.data, link: new URL(body.data.url).pathname as string }
  }
  const membersOf = async () =>
    (await call('GET', `/workspaces/${world.ids.workspace}/members?per_page=100`)).body.data as {
      email: string
      role: string
      name: string
    }[]

  test('a link makes an account and a member, once, and the event is written', async () => {
    const email = `Grace@${world.ids.domain}`
    const { link, mailed } = await invite(email)
    assert.equal(mailed, false)
    const browser = openBrowser(service)
    const page = await browser.open(link)
    assert.deepEqual([page.status, page.text.includes(email.toLowerCase()), /Join Acme/.test(page.text)], [200, true, true])
    const weak = await browser.submit(link, { name: 'Grace', password: 'password123' })
    assert.deepEqual([weak.status, weak.text.includes('value="Grace"')], [422, true])
    const joined = await browser.submit(link, { name: 'Grace', password })
    assert.deepEqual([joined.status, joined.headers.get('location')], [303, '/'])
    assert.match((await browser.open('/account')).text, /Acme/)
    const member = (await membersOf()).find(each => each.email === email.toLowerCase())
    assert.deepEqual([member?.role, member?.name], ['editor', 'Grace'])
    const events = await service.store.read
      .selectFrom('events')
      .select(['type', 'data'])
      .where('workspace_id', '=', world.ids.workspace ?? '')
      .execute()
    assert.deepEqual(
      events.map(({ type, data }) => [type, JSON.parse(data).via]),
      [['member.added', 'invite']],
    )
    const audit = (await call('GET', `/workspaces/${world.ids.workspace}/audit?operation=invitations_accept`)).body.data
    assert.deepEqual([audit.length, audit[0].actor, audit[0].door], [1, email.toLowerCase(), 'link'])
    assert.equal((await openBrowser(service).open(link)).status, 410)
    assert.equal((await openBrowser(service).call('POST', `${link}.json`, { password })).body.error.code, 'invalid_state')
    assert.equal((await call('GET', path)).body.meta.total, 1, 'the example’s alone')
    await signedIn(service, { email })
  })

  test('a person with an account signs in and joins; an invitation does not open another account', async () => {
    const ada = await personIn(service, await makeWorld(service))
    const { link } = await invite(ada.email, 'viewer')
    const stranger = await openBrowser(service).call('POST', `${link}.json`, { password: 'a password of mine' })
    assert.deepEqual([stranger.status, stranger.body.error.code], [422, 'invalid_state'])
    await assert.rejects(signedIn(service, ada, 'a password of mine'))
    const browser = await signedIn(service, ada)
    const own = (await browser.open(link)).text
    assert.match(own, new RegExp(`Join as ${ada.email}`))
    assert.doesNotMatch(own, /It was sent to/)
    const twice = await invite(`other@${world.ids.domain}`)
    assert.match((await browser.open(twice.link)).text, new RegExp(`It was sent to other@${world.ids.domain}[^]*Join as ${ada.email}`))
    const foreign = await browser.call('POST', `${link}.json`, {}, { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' })
    assert.equal(foreign.status, 403)
    assert.equal((await browser.submit(link)).status, 303)
    assert.equal((await membersOf()).find(({ email }) => email === ada.email)?.role, 'viewer')
    assert.match((await browser.open(twice.link)).text, new RegExp(`already a member[^]*/workspaces/${world.ids.workspace}/sites"`))
    assert.equal((await browser.submit(twice.link)).status, 422, 'a member already')
  })

  test('two who follow one link at once: one joins', async () => {
    const { link } = await invite(`both@${world.ids.domain}`)
    const answers = await Promise.all([1, 2].map(() => openBrowser(service).call('POST', `${link}.json`, { password })))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 422])
  })

  test('the link is shown once, ends after 7 days, and another ends it', async () => {
    const made = await invite(`late@${world.ids.domain}`)
    assert.equal((await call('GET', `${path}/${made.id}`)).body.data.url, null)
    const stored = JSON.stringify(await service.store.read.selectFrom('invitations').selectAll().execute())
    assert.ok(!stored.includes(made.link.slice('/invitations/'.length)))
    const again = await call('POST', `${path}/${made.id}/resend`, {})
    assert.equal((await openBrowser(service).open(made.link)).status, 410)
    const link = new URL(again.body.data.url).pathname
    assert.equal((await openBrowser(service).call('GET', `${link}.json`)).body.data.workspace, 'Acme')
    service.clock.now += 7 * DAY
    assert.equal((await openBrowser(service).call('GET', `${link}.json`)).status, 404)
    assert.equal((await call('GET', `${path}/${made.id}`)).body.data.status, 'expired')
    assert.equal((await call('POST', path, { email: `late@${world.ids.domain}`, role: 'viewer' })).status, 201, 'invited again')
  })

  test('only owners invite owners; an address is invited only once; at most 100 invitations are open', async () => {
    const admin = await world.tokenFor('admin')
    assert.equal((await call('POST', path, { email: 'x@example.com', role: 'owner' }, admin)).status, 403)
    const { id } = await invite('boss@example.com', 'owner')
    assert.equal((await call('POST', `${path}/${id}/resend`, {}, admin)).status, 403)
    assert.equal((await call('POST', path, { email: 'Boss@Example.com', role: 'viewer' })).body.error.code, 'already_exists')
    assert.equal((await call('POST', path, { email: world.owner.email, role: 'viewer' })).body.error.code, 'already_exists')
    const before = (await call('GET', path)).body.meta.total as number
    for (let i = before; i < 100; i++) await invite(`n${i}@example.com`)
    assert.equal((await call('POST', path, { email: 'one-more@example.com', role: 'viewer' })).body.error.code, 'limit_reached')
  })

  test('a member is deactivated and comes back; leaves; the last owner stays', async () => {
    const ada = await personIn(service, world)
    const browser = await signedIn(service, ada)
    const member = `/workspaces/${world.ids.workspace}/members/${ada.memberId}`
    assert.equal((await call('PATCH', member, { status: 'deactivated' })).body.data.status, 'deactivated')
    assert.equal((await browser.open('/account')).status, 303)
    assert.equal((await call('GET', '/account', undefined, ada.token)).body.error.code, 'account_deactivated')
    await call('PATCH', member, { status: 'active' })
    assert.equal((await browser.open('/account')).status, 200)
    const own = `/workspaces/${world.ids.workspace}/members/${world.owner.memberId}`
    assert.equal((await call('PATCH', own, { status: 'deactivated' })).body.error.code, 'invalid_state')
    assert.equal((await call('PATCH', own, { status: 'deactivated' }, await world.tokenFor('admin'))).status, 403)
    assert.equal((await call('POST', `/workspaces/${world.ids.workspace}/leave`, {})).body.error.code, 'invalid_state')
    assert.equal((await browser.submit(`/workspaces/${world.ids.workspace}/leave`)).status, 303)
    assert.ok(!(await membersOf()).some(({ email }) => email === ada.email))
    assert.match((await browser.open('/account')).text, /You are not a member of any workspace/, 'the account stays')
  })

  test('a workspace that asks for a second factor is not seen without one', async () => {
    const settings = `/workspaces/${world.ids.workspace}/settings`
    const defaults = (await call('GET', settings)).body.data
    assert.deepEqual([defaults.require_two_factor, defaults.default_timezone, defaults.week_start], [false, 'UTC', 1])
    assert.equal((await call('PATCH', settings, { require_two_factor: true })).body.error.code, 'invalid_state', 'who asks has one')
    await service.store.write.updateTable('accounts').set({ passkeys: 1 }).where('id', '=', world.owner.accountId).execute()
    assert.deepEqual(
      (await call('PATCH', settings, { require_two_factor: true, report_logo_url: 'https://example.com/logo.png' })).body.data,
      {
        ...defaults,
        require_two_factor: true,
        report_logo_url: 'https://example.com/logo.png',
      },
    )
    await call('PATCH', settings, { default_timezone: 'asia/tokyo', default_currency: 'JPY', week_start: 7 })
    const site = (await call('POST', `/workspaces/${world.ids.workspace}/sites`, { domain: `new.${world.ids.domain}` })).body.data
    assert.deepEqual([site.timezone, site.currency, site.week_start], ['Asia/Tokyo', 'JPY', 7])
    const ada = await personIn(service, world)
    const browser = await signedIn(service, ada)
    const seen = async () =>
      (
        await service.app.visitor({
          header: name => (name === 'cookie' ? `session=${browser.cookies.get('session')}` : undefined),
          ip: '::1',
          surface: 'pages',
        })
      )?.workspaceId
    assert.equal(await seen(), '')
    assert.match((await browser.open('/account')).text, /It requires a second factor/)
    await service.store.write.updateTable('accounts').set({ two_factor: 1 }).where('id', '=', ada.accountId).execute()
    assert.equal(await seen(), world.ids.workspace)
  })

  test('the page of members has one form of an invitation, and only for a member who may invite', async () => {
    const open = async (role: 'admin' | 'viewer') => {
      const browser = await signedIn(service, await personIn(service, world, role))
      return (await browser.open(`/workspaces/${world.ids.workspace}/members`)).text
    }
    const invites = (page: string) => page.split(`action="/workspaces/${world.ids.workspace}/invitations"`).length - 1
    const admins = await open('admin')
    assert.equal(invites(admins), 1)
    assert.ok(!admins.includes('do=invitations_create'))
    assert.equal(invites(await open('viewer')), 0)
  })
})
