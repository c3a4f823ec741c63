/** Attempts to enter an account, or to redirect other people. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { softPasskey } from '../../../operations/people/passkeys/soft-passkey.ts'
import { mails_send } from '../../../operations/people/mail/tasks.ts'
import { passwords_remind } from '../../../operations/people/sign-in/tasks.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { taskContext } from '../../support/task-context.ts'
import { makeSite, request, startService, type TestService, type World } from '../../support/world.ts'
import { type MailServer, startMailServer } from '../../watch/channels/receivers.ts'
import { openBrowser } from './browser.ts'
import { linkFor, password, type Person, personIn, signedIn } from './people.ts'

onAnyEngine('attacks on signing in', engine => {
  let service: TestService
  let world: World
  let person: Person
  let server: MailServer
  before(async () => {
    server = await startMailServer()
    service = await startService(engine, { SMTP_URL: server.url, SIGN_UP: 'open' })
  })
  after(async () => {
    await service.close()
    await server.close()
  })
  beforeEach(async () => {
    world = await makeSite(service)
    person = await personIn(service, world)
  })
  async function deliver() {
    const context = taskContext(service.app)
    await passwords_remind.run(context)
    for (let i = 0; i < 10 && (await mails_send.run(context))?.more; i++);
    return server.mails.splice(0)
  }

  test('every write that a cookie opens, or that signs in, is refused from another site', async () => {
    const browser = await signedIn(service, person)
    const asked = [...service.app.table.operations.values()].filter(
      ({ access, ownOrigin, effect, form }) =>
        effect !== 'read' && (access === 'session' || ownOrigin === true || (form !== undefined && access !== 'public')),
    )
    assert.ok(asked.length > 20, String(asked.length))
    const elsewhere: readonly Record<string, string>[] = [
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { 'Sec-Fetch-Site': 'cross-site', Origin: 'http://footfall.test' },
    ]
    for (const { id, method, path } of asked) {
      const url = path.replaceAll(/\{\w+\}/g, 'x'.repeat(43))
      for (const from of elsewhere) {
        const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
        const answer = await service.web.request(`${url}?_method=${method}`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html', Cookie: cookie, ...from },
          body: '',
        })
        assert.equal(answer.status, 403, `${id}: ${JSON.stringify(from)}`)
        assert.deepEqual(answer.headers.getSetCookie(), [], id)
      }
    }
  })

  test('a password is counted and compared in its composed form, whole, with its spaces', async () => {
    const choose = (typed: string) =>
      linkFor(service, person.accountId).then(link => openBrowser(service).call('POST', `/links/${link}.json`, { password: typed }))
    for (const [what, typed] of Object.entries({
      'five letters with accents apart': 'a\u0301b\u0302c\u0303d\u0304e\u0308',
      'five emoji': '🦀🐙🐠🐡🦑',
      'nine and a joiner of nothing': 'abcdwxyz9',
      'two hundred and one': 'so many w '.repeat(21),
    }))
      assert.equal((await choose(typed)).status, 422, what)
    const composed = ' Grüße aus Köln, é '
    assert.equal((await choose(composed.normalize('NFD'))).status, 201)
    const enter = async (typed: string) =>
      (await openBrowser(service).call('POST', '/session.json', { email: person.email, password: typed })).status
    assert.deepEqual([await enter(composed.normalize('NFC')), await enter(composed.normalize('NFD'))], [201, 201])
    assert.deepEqual([await enter(composed.trim()), await enter(composed.toLowerCase())], [401, 401])
    for (const typed of [`${composed}\0`, `${composed}\0more`, `\ud800${composed}`, 'x'.repeat(201)]) {
      assert.ok([401, 422].includes(await enter(typed)), JSON.stringify(typed.slice(0, 30)))
    }
    assert.equal(await enter('x'.repeat(2_000_000)), 413)
    assert.equal((await choose('so many w '.repeat(20))).status, 201)
    assert.equal(await enter('so many w '.repeat(20)), 201)
  })

  test('a link that was used, is over or never was is answered in the same bytes', async () => {
    const used = await linkFor(service, person.accountId, 'reset')
    await openBrowser(service).call('POST', `/links/${used}.json`, { password: 'a sentence of mine' })
    const late = await linkFor(service, person.accountId, 'reset')
    const replaced = await linkFor(service, person.accountId, 'reset')
    const last = await linkFor(service, person.accountId, 'reset')
    const answers = new Set<string>()
    const ask = async (link: string) => {
      const page = await openBrowser(service).open(`/links/${link}`)
      const { status, text } = await openBrowser(service).call('POST', `/links/${link}.json`, { password: 'a sentence of mine' })
      answers.add(JSON.stringify([page.status, page.text.replaceAll(link, ''), status, text]))
    }
    for (const link of [used, used, late, replaced, 'x'.repeat(43)]) await ask(link)
    service.clock.now += 3_599_999
    assert.equal((await openBrowser(service).open(`/links/${last}`)).status, 200, 'to the last millisecond')
    service.clock.now += 1
    for (const link of [last, last]) await ask(link)
    assert.equal(answers.size, 1)
  })

  test('links in mails and redirects name this service, whatever Host a request has; nothing in a mail becomes a header', async () => {
    const headers = {
      Host: 'evil.example',
      'X-Forwarded-Host': 'evil.example',
      Forwarded: 'host=evil.example',
      Origin: 'http://footfall.test',
      'Sec-Fetch-Site': 'same-origin',
    }
    for (const [path, body] of [
      ['/password/forgot.json', { email: person.email }],
      ['/sign_ups.json', { email: `new@${world.ids.domain}` }],
    ] as const)
      assert.ok((await request(service, 'POST', path, { body, headers })).status < 300, path)
    const name = 'Acme\r\nBcc: eve@evil.example\r\n\r\nhello'
    const renamed = await request(service, 'PATCH', `/workspaces/${world.ids.workspace}`, { token: world.token, body: { name } })
    await service.store.write
      .updateTable('workspaces')
      .set({ name })
      .where('id', '=', world.ids.workspace ?? '')
      .execute()
    const invited = await request(service, 'POST', `/workspaces/${world.ids.workspace}/invitations`, {
      token: world.token,
      body: { email: `grace@${world.ids.domain}`, role: 'viewer' },
      headers: { Host: 'evil.example' },
    })
    assert.ok([200, 422].includes(renamed.status))
    assert.match(invited.body.data.url, /^http:\/\/footfall\.test\//)
    const wanted = [person.email, `new@${world.ids.domain}`, `grace@${world.ids.domain}`]
    const mails = (await deliver()).filter(({ to }) => wanted.includes(to[0] ?? ''))
    assert.equal(mails.length, 3)
    for (const { to, text, headers: all } of mails) {
      assert.equal(to.length, 1)
      assert.equal(all.bcc, undefined)
      assert.doesNotMatch(text, /https?:\/\/evil/)
    }
    const { location } = Object.fromEntries(
      (await request(service, 'GET', '/account', { headers: { Host: 'evil.example', Accept: 'text/html' } })).headers,
    )
    assert.doesNotMatch(location ?? '', /evil/)
  })

  test('only known parts of a page address are used', async () => {
    for (const out of ['constructor', '__proto__', 'toString', '<b>x</b>', '']) {
      const { status, text } = await openBrowser(service).open(`/sign-in?${new URLSearchParams({ signed_out: out, error: out })}`)
      assert.deepEqual([status, /class="notice"|<b>x/.test(text)], [200, false], out)
    }
  })

  test('repeated requests for an address do not mail it repeatedly', async () => {
    const victim = `victim@${world.ids.domain}`
    const statuses: number[] = []
    for (let i = 0; i < 7; i++) {
      const { status } = await request(service, 'PATCH', '/account.json', { token: person.token, body: { email: victim } })
      await request(service, 'PATCH', '/account.json', { token: person.token, body: { email: `other-${i}@${world.ids.domain}` } })
      statuses.push(status)
    }
    assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429, 429])
    const path = `/workspaces/${world.ids.workspace}/invitations`
    const invite = async (email: string) => {
      const { status, body } = await request(service, 'POST', path, { token: world.token, body: { email, role: 'viewer' } })
      if (status === 201) await request(service, 'DELETE', `${path}/${body.data.id}`, { token: world.token })
      return status
    }
    assert.equal(await invite(victim), 429, 'wherever from')
    const invited: number[] = []
    for (let i = 0; i < 6; i++) invited.push(await invite(`grace@${world.ids.domain}`))
    assert.deepEqual(invited, [201, 201, 201, 201, 201, 429])
    service.clock.now += 15 * 60_000
    assert.equal(await invite(victim), 201)
    const mails = await deliver()
    assert.equal(mails.filter(({ to }) => to[0] === victim).length, 6)
  })

  test('a copy of a passkey that counts behind the device is refused, and the device goes on', async () => {
    const browser = await signedIn(service, person)
    const device = softPasskey('http://footfall.test')
    const { options } = (await browser.call('POST', '/account/passkeys/options.json', { current_password: password })).body.data
    const made = { id: device.id, rawId: device.id, type: 'public-key', response: device.create(options.challenge) }
    assert.equal((await browser.call('POST', '/account/passkeys.json', { passkey: made })).status, 201)
    const enter = async () => {
      const at = openBrowser(service)
      const { challenge } = (await at.call('POST', '/session/options.json', {})).body.data.options
      const passkey = { id: device.id, rawId: device.id, type: 'public-key', response: device.get(challenge) }
      return (await at.call('POST', '/session.json', { passkey })).status
    }
    assert.equal(await enter(), 201)
    const row = () =>
      service.store.read.selectFrom('passkeys').select('counter').where('credential_id', '=', device.id).executeTakeFirstOrThrow()
    const { counter } = await row()
    await service.store.write
      .updateTable('passkeys')
      .set({ counter: counter + 10 })
      .where('credential_id', '=', device.id)
      .execute()
    assert.equal(await enter(), 401, 'the device itself has been used ten times more')
    assert.equal((await row()).counter, counter + 10)
    await service.store.write.updateTable('passkeys').set({ counter }).where('credential_id', '=', device.id).execute()
    assert.equal(await enter(), 201)
  })
})
