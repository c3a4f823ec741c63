/** Sending messages to real servers, with refusals, timeouts and crashes. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { claimDue } from '../../../runtime/tasks/lease.ts'
import { createScheduler } from '../../../runtime/tasks/scheduler.ts'
import { gate, later, until } from '../../runtime/tasks/tasks.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { makeWorld, type World } from '../../support/world.ts'
import { MINUTE, startWatching, type Watching } from '../alerts/watching.ts'
import { type MailServer, startMailServer, startWebServer, type WebServer } from './receivers.ts'

onAnyEngine('sending to channels', engine => {
  let watching: Watching
  let unmailed: Watching
  let mail: MailServer
  let web: WebServer
  let world: World
  before(async () => {
    ;[mail, web] = [await startMailServer(), await startWebServer()]
    watching = await startWatching(engine, { SMTP_URL: mail.url, OUTBOUND_ALLOW_CIDRS: ['127.0.0.1/32'] })
    unmailed = await startWatching(engine)
  })
  after(async () => {
    await Promise.all([watching.close(), unmailed.close()])
    await Promise.all([mail.close(), web.close()])
  })
  beforeEach(async () => {
    world = await makeWorld(watching.service)
    mail.refusing = {}
  })

  const all = '/workspaces/{{workspace}}/channels'
  const run = (by: Watching, pass = 0) => by.pass(pass, ['notifications_send'])
  async function channel(by: Watching, of: World, body: object): Promise<string> {
    const {
      status,
      text,
      body: { data },
    } = await by.call(of, 'POST', all, { name: 'A', ...body })
    assert.equal(status, 201, text)
    return data.id
  }
  async function tested(by: Watching, of: World, id: string): Promise<void> {
    assert.equal((await by.call(of, 'POST', `${all}/${id}/test`, {})).status, 200)
    await run(by)
  }
  const last = async (by: Watching, of: World, id: string) => (await by.call(of, 'GET', `${all}/${id}/notifications`)).body.data[0]
  const state = async (by: Watching, of: World, id: string) => (await by.call(of, 'GET', `${all}/${id}`)).body.data

  test('each kind arrives in its form', async () => {
    const looks: Record<string, (body: any) => unknown> = {
      // any, so that tests can read any field
      webhook: body => body.type,
      slack: body => body.blocks[0].text.text,
      discord: body => body.embeds[0].title,
      teams: body => body.attachments[0].content.type,
    }
    for (const [kind, look] of Object.entries(looks)) {
      const id = await channel(watching, world, { kind, url: `${web.url}/${kind}` })
      await tested(watching, world, id)
      const post = web.posts.find(({ path }) => path === `/${kind}`)
      assert.ok(look(post?.body), JSON.stringify(post?.body))
      assert.equal(post?.headers['content-type'], 'application/json')
      const { status, error, sent_at } = await last(watching, world, id)
      assert.deepEqual([status, error, sent_at], ['sent', null, new Date(watching.service.clock.now).toISOString()])
      assert.equal((await state(watching, world, id)).last_sent_at, sent_at)
    }
  })

  test('one e-mail goes to everyone on the list', async () => {
    const emails = [`a@${world.ids.domain}`, `b@${world.ids.domain}`]
    const id = await channel(watching, world, { kind: 'email', emails: ['a@example.com', 'b@example.com'] })
    await tested(watching, world, id)
    const mails = mail.mails.filter(({ to }) => to.includes(emails[0] ?? ''))
    assert.deepEqual(
      mails.map(({ to }) => to),
      [emails],
    )
    assert.equal(mails[0]?.headers.from, 'Footfall <footfall@footfall.test>')
    assert.equal(mails[0]?.headers['message-id'], `<${(await last(watching, world, id)).id}@footfall.test>`)
  })

  test('a mail is in the language of who gets it, and in English where they read several', async () => {
    const people = { de: (await makeWorld(watching.service)).owner, en: world.owner }
    const { write } = watching.service.store
    for (const [locale, { accountId }] of Object.entries(people)) {
      const email = `${locale}@${world.ids.domain}`
      await write.updateTable('accounts').set({ locale, email }).where('id', '=', accountId).execute()
    }
    const subjectTo = async (...emails: string[]): Promise<string | undefined> => {
      await tested(watching, world, await channel(watching, world, { kind: 'email', emails }))
      return mail.mails.at(-1)?.headers.subject
    }
    assert.equal(await subjectTo('de@example.com'), 'Test: Dieser Kanal funktioniert')
    assert.equal(await subjectTo('de@example.com', 'en@example.com'), 'Test: this channel works')
  })

  test('a refused mailbox is reported, although the other recipients got the mail', async () => {
    mail.refusing.mailbox = 'gone'
    const id = await channel(watching, world, { kind: 'email', emails: ['here@example.com', 'gone@example.com'] })
    await tested(watching, world, id)
    const { status, error } = await last(watching, world, id)
    assert.deepEqual([status, error], ['sent', `The mail server refused gone@${world.ids.domain}.`])
    assert.equal((await state(watching, world, id)).last_error, error)
  })

  test('without a mail server e-mail fails at once, and says why', async () => {
    const other = await makeWorld(unmailed.service)
    const id = other.ids.channel ?? ''
    await tested(unmailed, other, id)
    const { status, error, attempt, next_attempt_at } = await last(unmailed, other, id)
    assert.deepEqual(
      [status, error, attempt, next_attempt_at],
      ['failed', 'E-mail is not set up: this installation has no SMTP_URL.', 1, null],
    )
    const { last_error, last_sent_at } = await state(unmailed, other, id)
    assert.deepEqual([last_error, last_sent_at], [error, null])
  })

  test('an address that was opted in is not called once it no longer is', async () => {
    const id = await channel(watching, world, { kind: 'webhook', url: `${web.url}/inside` })
    const {
      service: { app },
    } = watching
    const closed = createScheduler({ ...app, config: { ...app.config, OUTBOUND_ALLOW_CIDRS: [] } })
    assert.equal((await watching.call(world, 'POST', `${all}/${id}/test`, {})).status, 200)
    await closed.runDue(['notifications_send'])
    const { status, error } = await last(watching, world, id)
    assert.deepEqual([status, error], ['failed', 'blocked: the target is not a public address'])
    assert.ok(!web.posts.some(({ path }) => path === '/inside'))
  })

  test('a URL that cannot be read any more says so', async () => {
    const { store } = watching.service
    const [one, other] = [
      await channel(watching, world, { kind: 'webhook', url: `${web.url}/one` }),
      await channel(watching, world, { kind: 'webhook', url: `${web.url}/other` }),
    ]
    const { target } = await store.read.selectFrom('channels').select('target').where('id', '=', other).executeTakeFirstOrThrow()
    await store.write.updateTable('channels').set({ target }).where('id', '=', one).execute() // sealed for another channel
    await tested(watching, world, one)
    assert.match((await last(watching, world, one)).error, /encrypted with a different SECRET_KEY/)
    assert.ok(!web.posts.some(({ path }) => path === '/other'))
  })

  test('a temporary failure is tried five times, at the documented times', async () => {
    const { clock } = watching.service
    web.answers['/busy'] = { status: 503, body: 'try later' }
    const id = await channel(watching, world, { kind: 'slack', url: `${web.url}/busy` })
    await tested(watching, world, id)
    const waited: number[] = []
    for (;;) {
      const { next_attempt_at, status, error } = await last(watching, world, id)
      assert.equal(error, 'The answer was 503: try later')
      if (next_attempt_at === null) {
        assert.equal(status, 'failed')
        break
      }
      const wait = Date.parse(next_attempt_at) - clock.now
      waited.push(wait / MINUTE)
      await run(watching, wait - 2_500)
      await run(watching, 2_500)
    }
    assert.deepEqual(waited, [0.5, 2, 10, 30])
    assert.equal(web.posts.filter(({ path }) => path === '/busy').length, 5)
  })

  test('a success on the second attempt clears the error', async () => {
    mail.refusing.mail = { code: 451, times: 1 }
    const id = world.ids.channel ?? ''
    await tested(watching, world, id)
    assert.equal((await last(watching, world, id)).status, 'pending')
    assert.match((await state(watching, world, id)).last_error, /451/)
    await run(watching, MINUTE)
    const { status, attempt, error } = await last(watching, world, id)
    assert.deepEqual([status, attempt, error], ['sent', 2, null])
    assert.equal((await state(watching, world, id)).last_error, null)
  })

  test('a permanent refusal is not retried: 404, 550, a redirect', async () => {
    web.answers['/gone'] = { status: 404, body: 'no_service' }
    web.answers['/moved'] = { status: 302, body: '', headers: { Location: `${web.url}/elsewhere` } }
    for (const path of ['/gone', '/moved']) {
      const id = await channel(watching, world, { kind: 'slack', url: web.url + path })
      await tested(watching, world, id)
      assert.deepEqual([(await last(watching, world, id)).status, (await last(watching, world, id)).attempt], ['failed', 1])
    }
    assert.ok(!web.posts.some(({ path }) => path === '/elsewhere'))
    mail.refusing.mail = { code: 554, times: 9 }
    await tested(watching, world, world.ids.channel ?? '')
    assert.equal((await last(watching, world, world.ids.channel ?? '')).status, 'failed')
  })

  test('one that answers slowly holds up no other', async () => {
    const { opened, open } = gate()
    web.answers['/slow'] = { status: 200, once: opened }
    const slow = await channel(watching, world, { kind: 'webhook', url: `${web.url}/slow` })
    const quick = await channel(watching, world, { kind: 'webhook', url: `${web.url}/quick` })
    await watching.call(world, 'POST', `${all}/${slow}/test`, {})
    const running = run(watching)
    const isPosted = (to: string) => web.posts.some(({ path }) => path === to)
    await until(() => isPosted('/slow'))
    await watching.call(world, 'POST', `${all}/${quick}/test`, {})
    await until(() => isPosted('/quick')).finally(open) // before the slow one is answered
    await running
    assert.equal((await last(watching, world, slow)).status, 'sent')
  })

  test('a channel that hangs holds up its own messages only, however many there are', async () => {
    web.answers['/hanging'] = { status: 200, once: later(400) }
    const [hanging, quick] = [
      await channel(watching, world, { kind: 'webhook', url: `${web.url}/hanging` }),
      await channel(watching, world, { kind: 'webhook', url: `${web.url}/passing` }),
    ]
    for (let i = 0; i < 5; i++) await watching.call(world, 'POST', `${all}/${hanging}/test`, {})
    await tested(watching, world, quick)
    const order = web.posts.map(({ path }) => path).filter(path => path === '/hanging' || path === '/passing')
    assert.equal(order.filter(path => path === '/hanging').length, 5)
    assert.ok(order.indexOf('/passing') <= 2, order.join())
  })

  test('two workers send what waits for a channel one after the other', async () => {
    const { app } = watching.service
    const [one, other] = [createScheduler(app), createScheduler(app)]
    web.answers['/in-turn'] = { status: 200, delay: 60 }
    const id = await channel(watching, world, { kind: 'webhook', url: `${web.url}/in-turn` })
    const asked: string[] = []
    for (let i = 0; i < 8; i++) {
      watching.service.clock.now++
      asked.push((await watching.call(world, 'POST', `${all}/${id}/test`, {})).body.data.id)
    }
    const sent = () => web.posts.flatMap(({ path, body }) => (path === '/in-turn' ? [body.id] : []))
    while (sent().length < asked.length) {
      watching.service.clock.now += 2_000
      await Promise.all([one, other].map(each => each.runDue(['notifications_send'])))
    }
    assert.deepEqual(sent(), asked)
    assert.equal(web.max('/in-turn'), 1, 'never two at once')
    await Promise.all([one.stop(), other.stop()])
  })

  test('a message of a killed worker is sent when its lease ends, with the same id', async () => {
    const { clock, store } = watching.service
    const id = await channel(watching, world, { kind: 'webhook', url: `${web.url}/taken-over` })
    const {
      body: { data: message },
    } = await watching.call(world, 'POST', `${all}/${id}/test`, {})
    await claimDue(store, { table: 'notifications', due: 'due_at', limit: 10, leaseMs: 2 * MINUTE, now: clock.now })
    await run(watching, MINUTE)
    assert.equal((await last(watching, world, id)).status, 'pending')
    await run(watching, 2 * MINUTE)
    assert.equal((await last(watching, world, id)).status, 'sent')
    assert.deepEqual(
      web.posts.filter(({ path }) => path === '/taken-over').map(({ body }) => body.id),
      [message.id],
    )
  })

  test('old messages are deleted, pending messages are not', async () => {
    const id = world.ids.channel ?? ''
    await tested(watching, world, id)
    await watching.call(world, 'POST', `${all}/${id}/test`, {})
    watching.service.clock.now += 91 * 24 * 60 * MINUTE
    await watching.run(['notifications_forget'])
    const {
      body: { data },
    } = await watching.call(world, 'GET', `${all}/${id}/notifications`)
    assert.deepEqual(
      data.map(({ status }: { status: string }) => status),
      ['pending'],
    )
  })
})
