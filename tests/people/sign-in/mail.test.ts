/** Mails: a link to a new password, a new address, notices. No secret is stored anywhere else. */
import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { after, before, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { mails_send } from '../../../operations/people/mail/tasks.ts'
import { passwords_remind } from '../../../operations/people/sign-in/tasks.ts'
import { totpOf } from '../../../operations/people/two-factor/totp-codes.ts'
import { pino } from 'pino'
import { createWeb } from '../../../adapters/http/http.ts'
import { mounts } from '../../../adapters/index.ts'
import { createApp } from '../../../runtime/create-app.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { taskContext } from '../../support/task-context.ts'
import { makeSite, request, startService, type TestService, type World } from '../../support/world.ts'
import { type MailServer, startMailServer } from '../../watch/channels/receivers.ts'
import { openBrowser } from './browser.ts'
import { password, type Person, personIn, signedIn } from './people.ts'

const HOUR = 3_600_000

onAnyEngine('mails to people', engine => {
  let service: TestService
  let world: World
  let person: Person
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
    await deliver() // of the test before
  })

  /** Runs the tasks that send mails, as a worker does. */
  async function deliver() {
    const context = taskContext(service.app)
    await passwords_remind.run(context)
    await mails_send.run(context)
    return server.mails.splice(0)
  }
  const linkIn = (text = '') => /http:\/\/footfall\.test(\/\S+)/.exec(text.slice(text.indexOf('\n\n')))?.[1] ?? ''

  test('a forgotten password returns the same answer for any address, mails only existing accounts, and its link works once', async () => {
    const browser = openBrowser(service)
    const old = await signedIn(service, person)
    const [known, unknown] = [person.email.toUpperCase(), 'nobody@example.com'].map(email =>
      browser.call('POST', '/password/forgot.json', { email }),
    )
    assert.deepEqual([(await known)?.status, (await known)?.text], [200, (await unknown)?.text])
    const mails = await deliver()
    assert.deepEqual(
      mails.map(({ to }) => to),
      [[person.email]],
    )
    const link = linkIn(mails[0]?.text)
    assert.match(link, /^\/links\/[\w-]{43}$/)
    assert.match(mails[0]?.html ?? '', new RegExp(`href="http://footfall.test${link}" class="button"[^>]*>Choose a new password<`))
    assert.match((await browser.open(link)).text, /Choose a new password/)
    assert.equal((await browser.call('POST', `${link}.json`, { email: 'mine@example.com', password: 'another sentence' })).status, 422)
    const set = await browser.submit(link, { password: 'another sentence' })
    assert.deepEqual([set.status, browser.cookies.has('session')], [303, false], 'it is no sign-in')
    assert.equal((await old.open('/account')).status, 303, 'others are signed out')
    assert.equal((await browser.submit(link, { password: 'a third sentence' })).status, 422)
    assert.deepEqual(
      (await deliver()).map(({ headers }) => headers.subject),
      ['Your password was changed'],
    )
    await signedIn(service, person, 'another sentence')
    await browser.call('POST', '/password/forgot.json', { email: person.email })
    const late = linkIn((await deliver()).find(({ text }) => text.includes('/links/'))?.text)
    service.clock.now += HOUR
    assert.equal((await browser.open(late)).status, 410)
  })

  test('without a mail server it says so, and how to go on', async () => {
    const plain = await startService(engine)
    const browser = openBrowser(plain)
    assert.match((await browser.open('/password/forgot')).text, /sends no mails.*npm run -s sign-in-link/s)
    const { status, body } = await browser.call('POST', '/password/forgot.json', { email: person.email })
    assert.deepEqual([status, body.error.code, /SMTP_URL/.test(body.error.message)], [422, 'invalid_state', true])
    await plain.close()
  })

  test('few mails go to one address, and from one', async () => {
    const limited = await startService(engine, { SMTP_URL: server.url, SIGN_IN_TRIES: 3, TRUSTED_PROXIES: '127.0.0.1' })
    const ask = async (email: string, ip: string) =>
      (await openBrowser(limited, { ip }).call('POST', '/password/forgot.json', { email })).status
    assert.deepEqual([await ask('a@example.com', '203.0.113.1'), await ask('a@example.com', '203.0.113.2')], [200, 429])
    const statuses = []
    for (let i = 0; i < 7; i++) statuses.push(await ask(`b${i}@example.com`, '203.0.113.3'))
    assert.deepEqual(statuses, [200, 200, 200, 200, 200, 200, 429])
    await limited.close()
  })

  test('a sign-in from a new browser is mailed, from a known browser it is not', async () => {
    const browser = await signedIn(service, person)
    await browser.call('POST', '/session.json', { email: person.email, password })
    assert.deepEqual(await deliver(), [], 'the first, and the same again')
    await signedIn(service, person)
    const [mail] = await deliver()
    assert.match(mail?.headers.subject ?? '', /A new browser signed in to your account/)
    assert.match(mail?.text ?? '', /127\.0\.0\.1, Firefox on Linux/)
  })

  test('the use of a recovery code is mailed with the number left', async () => {
    const browser = await signedIn(service, person)
    const { secret } = (await browser.call('POST', '/account/two_factor.json', { current_password: password })).body.data
    const { recovery_codes } = (
      await browser.call('PATCH', '/account/two_factor.json', { code: totpOf(secret).generate({ timestamp: service.clock.now }) })
    ).body.data
    await deliver()
    for (const [recovery_code, left] of [
      [recovery_codes[0], '9'],
      [recovery_codes[1], '8'],
    ] as const) {
      await browser.call('POST', '/session.json', { email: person.email, password })
      assert.equal((await browser.call('POST', '/session.json', { recovery_code })).status, 201)
      const [mail] = await deliver()
      assert.equal(mail?.headers.subject, 'A recovery code was used to sign in to your account')
      assert.match(mail?.text ?? '', new RegExp(`Number of codes left: ${left}\\.`))
    }
  })

  test('a new address counts once the signed-in person opens its link; the old address gets a notice', async () => {
    const browser = await signedIn(service, person)
    const address = `new-${person.email}`
    await browser.submit('/account?_method=PATCH', { name: 'Ada', email: address, current_password: password })
    assert.match((await browser.open('/account')).text, /waits for its confirmation/)
    const mails = await deliver()
    assert.deepEqual(mails.map(({ to }) => to[0]).sort(), [address, person.email].sort())
    const link = linkIn(mails.find(({ to }) => to[0] === address)?.text)
    assert.equal((await openBrowser(service).open(link)).headers.get('location')?.startsWith('/sign-in?next='), true)
    const token = new URL(link, 'http://footfall.test').searchParams.get('token') ?? ''
    const thief = await signedIn(service, await personIn(service, world))
    assert.equal((await thief.call('POST', '/account/email/confirm.json', { token })).status, 422, 'for its own account alone')
    assert.equal((await browser.open(link)).status, 200)
    assert.equal((await browser.submit('/account/email/confirm', { token })).status, 303)
    assert.equal(
      (await deliver()).some(({ to, text }) => to[0] === person.email && /was changed/.test(text)),
      true,
    )
    await signedIn(service, { email: address })
    assert.equal((await browser.call('POST', '/account/email/confirm.json', { token })).status, 422, 'once')
  })

  test('an API token may ask for another address, which changes nothing until its person confirms it signed in', async () => {
    const { status, body } = await request(service, 'PATCH', '/account.json', { token: person.token, body: { email: 'thief@example.com' } })
    assert.deepEqual([status, body.data.email, body.data.unconfirmed_email], [200, person.email, 'thief@example.com'])
    assert.deepEqual((await deliver()).map(({ to }) => to[0]).sort(), [person.email, 'thief@example.com'].sort())
  })

  test('an account is deleted by its person, but not the only owner’s', async () => {
    const browser = await signedIn(service, person)
    assert.equal((await browser.call('DELETE', '/account.json', { confirm: 'x' })).body.error.code, 'confirmation_mismatch')
    const gone = await browser.submit('/account?_method=DELETE', { confirm: person.email.toUpperCase() })
    assert.deepEqual([gone.status, gone.headers.get('location'), browser.cookies.has('session')], [303, '/sign-in', false])
    assert.equal((await request(service, 'GET', '/account.json', { token: person.token })).status, 401)
    const owner = await personIn(service, world, 'owner')
    await service.store.write.updateTable('members').set({ role: 'admin' }).where('id', '=', world.owner.memberId).execute()
    const kept = await (await signedIn(service, owner)).call('DELETE', '/account.json', { confirm: owner.email })
    assert.deepEqual([kept.status, kept.body.error.code], [422, 'invalid_state'])
  })

  test('no password, code, link, cookie or secret is in the database, the log or an answer', async () => {
    const lines: string[] = []
    const log = pino(
      { level: 'trace' },
      new Writable({
        write(chunk, _, done) {
          lines.push(String(chunk))
          done()
        },
      }),
    )
    const loud = { ...service, app: createApp({ ...service.app, log }) }
    const web = createWeb(loud.app, mounts)
    const browser = openBrowser({ web })
    const secrets = ['S3cret-passphrase-one', 'S3cret-passphrase-two', 'S3cret-wrong-one']
    const said: string[] = []
    const call = async (method: string, path: string, body: object) => {
      const answer = await browser.call(method, path, body)
      said.push(answer.text)
      return answer
    }
    await browser.call('POST', '/session.json', { email: person.email, password: secrets[2] ?? '' })
    await browser.submit('/session', { email: person.email, password: secrets[2] ?? '' })
    await call('POST', '/session.json', { email: person.email, password: { deep: secrets[0] } })
    await call('POST', '/session.json', { email: person.email, password })
    await call('PATCH', '/account/password.json', { current_password: password, password: secrets[0] ?? '' })
    const { secret } = (await browser.call('POST', '/account/two_factor.json', { current_password: secrets[0] })).body.data
    const { recovery_codes } = (
      await browser.call('PATCH', '/account/two_factor.json', { code: totpOf(secret).generate({ timestamp: service.clock.now }) })
    ).body.data
    await call('POST', '/password/forgot.json', { email: person.email })
    const queued = await dump()
    const link = linkIn((await deliver()).find(({ text }) => text.includes('/links/'))?.text)
    await call('POST', '/session.json', { email: person.email, password: secrets[0] ?? '', recovery_code: recovery_codes[0] })
    await call('POST', `${link}.json`, { password: secrets[1] ?? '' })
    const token = link.slice('/links/'.length)
    const all = [
      ...secrets,
      password,
      secret,
      ...recovery_codes,
      ...recovery_codes.map((code: string) => code.replaceAll('-', '')),
      token,
      ...browser.cookies.values(),
    ]
    assert.ok(all.every(each => each.length >= 10) && all.length > 24)
    const places = { database: await dump(), queue: queued, log: lines.join(''), answers: said.join('') }
    for (const [place, text] of Object.entries(places)) {
      assert.deepEqual(
        all.filter(each => text.includes(each)),
        [],
        place,
      )
    }
    assert.ok(places.database.includes(person.email), 'what is looked through is the database')
  })

  async function dump(): Promise<string> {
    const tables = await service.store.read.introspection.getTables()
    const rows = []
    for (const { name } of tables)
      rows.push(name, JSON.stringify((await sql`select * from ${sql.table(name)}`.execute(service.store.read)).rows))
    return rows.join('\n')
  }
})
