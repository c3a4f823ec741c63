/** A new address: asked for by a person who has just signed in, given up, mailed again, and undone from the former mailbox. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { softPasskey } from '../../../operations/people/passkeys/soft-passkey.ts'
import { totpOf } from '../../../operations/people/two-factor/totp-codes.ts'
import { mails_send } from '../../../operations/people/mail/tasks.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { taskContext } from '../../support/task-context.ts'
import { makeSite, request, startService, type TestService, type World } from '../../support/world.ts'
import { type MailServer, startMailServer } from '../../watch/channels/receivers.ts'
import { openBrowser, type TestBrowser } from '../sign-in/browser.ts'
import { linkFor, password, type Person, personIn, signedIn } from '../sign-in/people.ts'

const DAY = 86_400_000

onAnyEngine('a changed address', engine => {
  let service: TestService
  let world: World
  let person: Person
  let browser: TestBrowser
  let server: MailServer
  before(async () => {
    server = await startMailServer()
    service = await startService(engine, { SMTP_URL: server.url })
  })
  after(async () => {
    await service.close()
    await server.close()
  })
  beforeEach(async () => {
    world = await makeSite(service)
    person = await personIn(service, world)
    await verify(service.clock.now)
    browser = await signedIn(service, person)
    await deliver()
  })

  const verify = (at: number | null) =>
    service.store.write.updateTable('accounts').set({ email_verified_at: at }).where('id', '=', person.accountId).execute()

  /** The mails that wait, by their recipients. */
  async function deliver(): Promise<Map<string, string>> {
    await mails_send.run(taskContext(service.app))
    return new Map(server.mails.splice(0).map(({ to, text }) => [to[0] ?? '', text]))
  }
  const tokenIn = (mail: string | undefined) => /token=([\w-]{43})/.exec(mail ?? '')?.[1] ?? assert.fail(`no link in ${mail}`)
  const account = async () => (await request(service, 'GET', '/account.json', { token: person.token })).body.data
  const statusOf = async (of: TestBrowser) => (await of.call('GET', '/account/sessions.json')).status

  async function ask(email: string, by = browser): Promise<string> {
    assert.equal((await by.submit('/account?_method=PATCH', { email, current_password: password })).status, 303)
    return tokenIn((await deliver()).get(email))
  }
  /** @returns the token of the link that undoes it */
  async function change(from: string, to: string, by = browser): Promise<string> {
    const token = await ask(to, by)
    service.clock.now += 1_000 // later than what the person had set up
    assert.equal((await by.call('POST', '/account/email/confirm.json', { token })).status, 200)
    return tokenIn((await deliver()).get(from))
  }

  test('a session changes the address only with the current password; other changes do not need it', async () => {
    const attempts: readonly Record<string, string>[] = [{}, { current_password: '' }, { current_password: 'another sentence' }]
    for (const typed of attempts) {
      const refused = await browser.submit('/account?_method=PATCH', { name: 'Ada', email: `new-${person.email}`, ...typed })
      assert.deepEqual([refused.status, /id="you-current-password-fault"/.test(refused.text)], [422, true])
    }
    assert.equal((await browser.submit('/account?_method=PATCH', { name: 'Ada', email: person.email, current_password: '' })).status, 303)
    const { name, unconfirmed_email } = await account()
    assert.deepEqual([name, unconfirmed_email, (await deliver()).size], ['Ada', null, 0])
  })

  test('a confirmed address ends the other sessions, and those links that were mailed to the former one', async () => {
    const other = await signedIn(service, person)
    const reset = await linkFor(service, person.accountId, 'reset')
    await change(person.email, `new-${person.email}`)
    assert.deepEqual([await statusOf(browser), await statusOf(other)], [200, 401])
    assert.equal((await openBrowser(service).open(`/links/${reset}`)).status, 410)
  })

  test('an address that waits is mailed its link again, which ends the one before, and is given up', async () => {
    const email = `new-${person.email}`
    const first = await ask(email)
    const page = (await browser.open('/account')).text
    assert.match(page, /action="\/account\/email\/resend"/)
    assert.match(page, /action="\/account\/email\?_method=DELETE"/)
    assert.equal((await browser.submit('/account/email/resend')).status, 303)
    const mails = await deliver()
    assert.deepEqual([...mails.keys()], [email], 'the address in force was told before')
    const second = tokenIn(mails.get(email))
    assert.equal((await browser.call('POST', '/account/email/confirm.json', { token: first })).status, 422)
    const given = await browser.submit('/account/email?_method=DELETE')
    assert.deepEqual([given.status, (await account()).unconfirmed_email], [303, null])
    assert.equal((await browser.call('POST', '/account/email/confirm.json', { token: second })).status, 422)
    for (const [method, path] of [
      ['POST', '/account/email/resend.json'],
      ['DELETE', '/account/email.json'],
    ] as const) {
      const { status, body } = await request(service, method, path, { token: person.token })
      assert.deepEqual([status, body.error.code], [422, 'invalid_state'], path)
    }
    assert.doesNotMatch((await browser.open('/account')).text, /action="\/account\/email/)
  })

  test('one address gets few links, however often they are asked for', async () => {
    await ask(`new-${person.email}`)
    const statuses = []
    for (let i = 0; i < 6; i++)
      statuses.push((await request(service, 'POST', '/account/email/resend.json', { token: person.token })).status)
    assert.deepEqual(statuses, [200, 200, 200, 200, 429, 429])
    assert.match((await browser.submit('/account/email/resend')).text, /Too many|wait|again/i)
  })

  test('the former address undoes a change, once, without a sign-in, and leads to a new password', async () => {
    const email = `new-${person.email}`
    const token = await change(person.email, email)
    const thief = browser
    const owner = openBrowser(service)
    const page = await owner.open(`/account/email/undo?token=${token}`)
    assert.deepEqual([page.status, (await account()).email], [200, email], 'looking at it changes nothing')
    assert.match(page.text, new RegExp(`${email}.*${person.email}.*<form method="post" action="/account/email/undo"`, 's'))
    const undone = await owner.submit('/account/email/undo', { token })
    const next = undone.headers.get('location') ?? ''
    assert.deepEqual([undone.status, /^\/links\/[\w-]{43}$/.test(next)], [303, true])
    assert.deepEqual([(await account()).email, await statusOf(thief)], [person.email, 401])
    assert.match((await deliver()).get(email) ?? '', /was changed back/)
    assert.equal((await owner.submit(next, { password: 'another sentence' })).status, 303)
    await signedIn(service, person, 'another sentence')
    const again = await owner.submit('/account/email/undo', { token })
    assert.deepEqual([again.status, (await owner.open(`/account/email/undo?token=${token}`)).status], [422, 410])
    assert.equal((await owner.call('POST', '/account/email/undo.json', { token })).status, 422)
  })

  test('undoing a change removes the password and what was set up since; what is older stays', async () => {
    const addPasskey = async () => {
      const device = softPasskey('http://footfall.test')
      const { options } = (await browser.call('POST', '/account/passkeys/options.json', { current_password: password })).body.data
      const passkey = { id: device.id, rawId: device.id, type: 'public-key', response: device.create(options.challenge) }
      assert.equal((await browser.call('POST', '/account/passkeys.json', { passkey })).status, 201)
      return device
    }
    const enters = async (device: Awaited<ReturnType<typeof addPasskey>>) => {
      const at = openBrowser(service)
      const { challenge } = (await at.call('POST', '/session/options.json', {})).body.data.options
      const passkey = { id: device.id, rawId: device.id, type: 'public-key', response: device.get(challenge) }
      return (await at.call('POST', '/session.json', { passkey })).status
    }
    const makeToken = async () => {
      const path = `/workspaces/${world.ids.workspace}/api_tokens`
      const { body } = await request(service, 'POST', path, { token: person.token, body: { name: 'Mine' } })
      return body.data.token
    }
    const reads = async (token: string) => (await request(service, 'GET', '/account.json', { token })).status
    const [own, older] = [await addPasskey(), await makeToken()]
    service.clock.now += 60_000
    const undo = await change(person.email, `new-${person.email}`)
    service.clock.now += 60_000
    const [stolen, newer] = [await addPasskey(), await makeToken()]
    const { secret } = (await browser.call('POST', '/account/two_factor.json', { current_password: password })).body.data
    const code = totpOf(secret).generate({ timestamp: service.clock.now })
    assert.equal((await browser.call('PATCH', '/account/two_factor.json', { code })).status, 200)
    assert.deepEqual([await enters(stolen), await reads(newer)], [201, 200])

    assert.equal((await openBrowser(service).call('POST', '/account/email/undo.json', { token: undo })).status, 200)
    assert.deepEqual([await enters(stolen), await reads(newer)], [401, 401])
    const typed = { email: person.email, password }
    assert.equal((await openBrowser(service).call('POST', '/session.json', typed)).status, 401, 'the attacker knew the password')
    assert.deepEqual([await enters(own), await reads(older)], [201, 200])
    const { two_factor, passkeys } = await account()
    assert.deepEqual([two_factor, passkeys], [false, 1])
  })

  test('another account for a former address does not keep the address from its holder', async () => {
    const email = person.email
    const token = await change(email, `new-${email}`)
    const invitation = await request(service, 'POST', `/workspaces/${world.ids.workspace}/invitations`, {
      token: world.token,
      body: { email, role: 'viewer' },
    })
    const other = openBrowser(service)
    const { pathname } = new URL(invitation.body.data.url)
    assert.equal((await other.submit(pathname, { password: 'a sentence of a thief' })).status, 303)
    const undone = await openBrowser(service).call('POST', '/account/email/undo.json', { token })
    assert.equal(undone.status, 200, undone.text)
    assert.equal((await account()).email, email)
    assert.equal(await statusOf(other), 401)
    const typed = { email, password: 'a sentence of a thief' }
    assert.equal((await openBrowser(service).call('POST', '/session.json', typed)).status, 401)
  })

  test('the former address is not taken from who has proved it', async () => {
    const email = person.email
    const token = await change(email, `new-${email}`)
    const other = await personIn(service, world)
    await service.store.write.updateTable('accounts').set({ email, email_verified_at: 1 }).where('id', '=', other.accountId).execute()
    assert.equal((await openBrowser(service).call('POST', '/account/email/undo.json', { token })).status, 422)
    assert.equal((await account()).email, `new-${email}`)
    await signedIn(service, { email })
  })

  test('changing the address twice does not remove the first address, and the undo link of the attacker gives nothing back', async () => {
    const [second, third] = [`2-${person.email}`, `3-${person.email}`]
    const first = await change(person.email, second)
    service.clock.now += 1_000
    const later = await change(second, third)
    assert.equal((await openBrowser(service).call('POST', '/account/email/undo.json', { token: first })).status, 200)
    assert.equal((await account()).email, person.email)
    assert.equal((await openBrowser(service).call('POST', '/account/email/undo.json', { token: later })).status, 422)
  })

  test('an attacker who took the account cannot return once the holder has restored the former address', async () => {
    const [email, taken] = [person.email, `evil-${person.email}`]
    await change(email, taken)
    service.clock.now += 6 * DAY
    // They still have their password.
    const owner = await signedIn(service, { email: taken })
    await deliver()
    const token = await ask(email, owner)
    assert.equal((await owner.call('POST', '/account/email/confirm.json', { token })).status, 200)
    assert.doesNotMatch((await deliver()).get(taken) ?? assert.fail('no notice'), /token=/)
    const left = await service.store.read.selectFrom('one_time_links').selectAll().where('account_id', '=', person.accountId).execute()
    assert.deepEqual(left, [])
  })

  test('the undo link of an attacker gives nothing back once a link of the operator has given the account back', async () => {
    const [second, third] = [`2-${person.email}`, `3-${person.email}`]
    await change(person.email, second)
    service.clock.now += 1_000
    const later = await change(second, third)
    const link = await linkFor(service, person.accountId)
    const set = { password: 'another sentence of mine', email: person.email }
    assert.equal((await openBrowser(service).call('POST', `/links/${link}.json`, set)).status, 201)
    assert.equal((await openBrowser(service).call('POST', '/account/email/undo.json', { token: later })).status, 422)
    assert.equal((await account()).email, person.email)
  })

  test('the link is good for seven days, and survives a new password', async () => {
    const token = await change(person.email, `new-${person.email}`)
    assert.equal(
      (await browser.call('PATCH', '/account/password.json', { current_password: password, password: 'another sentence' })).status,
      200,
    )
    service.clock.now += 7 * DAY - 1
    assert.equal((await openBrowser(service).open(`/account/email/undo?token=${token}`)).status, 200)
    service.clock.now += 1
    assert.equal((await openBrowser(service).open(`/account/email/undo?token=${token}`)).status, 410)
    assert.equal((await openBrowser(service).call('POST', '/account/email/undo.json', { token })).status, 422)
  })

  test('the holder of an unverified address gets a notice, and no account that another person has set up', async () => {
    await verify(null)
    const email = `new-${person.email}`
    const token = await ask(email)
    assert.equal((await browser.call('POST', '/account/email/confirm.json', { token })).status, 200)
    const notice = (await deliver()).get(person.email) ?? ''
    assert.match(notice, /was changed/)
    assert.doesNotMatch(notice, /token=/)
  })

  test('only a page of ours undoes it', async () => {
    const token = await change(person.email, `new-${person.email}`)
    const foreign = await openBrowser(service).call(
      'POST',
      '/account/email/undo.json',
      { token },
      { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' },
    )
    assert.equal(foreign.status, 403)
    assert.equal((await account()).email, `new-${person.email}`)
  })

  test('the notice is in the language of the account', async () => {
    await browser.submit('/account?_method=PATCH', { locale: 'de' })
    const email = `new-${person.email}`
    const token = await ask(email)
    await browser.call('POST', '/account/email/confirm.json', { token })
    assert.match((await deliver()).get(person.email) ?? '', /Die E-Mail-Adresse deines Kontos wurde geändert.*öffne innerhalb von 7 Tagen/s)
  })
})
