/** Subscribers: confirm by a link, get one mail for an update, can unsubscribe, and cannot be listed by others. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { createScheduler } from '../../../runtime/tasks/scheduler.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { request, startService } from '../../support/world.ts'
import { turnsDuring } from '../../support/event-loop-turns.ts'
import { startMailbox } from '../../crash/mailbox.ts'
import { startWatching } from '../alerts/watching.ts'
import { HOUR, makePage, MINUTE, type Shown, startTelling, subscribed, type Telling } from './telling.ts'

onAnyEngine('subscribers of a status page', engine => {
  let telling: Telling
  before(async () => {
    telling = await startTelling(engine)
  })
  after(() => telling.close())
  beforeEach(() => {
    telling.mail.mails.length = 0
    telling.mail.refusing = {}
    telling.watching.service.clock.now += 2 * 24 * HOUR
  })
  const call = (...given: Parameters<Telling['watching']['call']>) => telling.watching.call(...given)
  const service = () => telling.watching.service
  const clock = () => service().clock
  const subscribe = ({ slug }: Pick<Shown, 'slug'>, email: string, ip = '192.0.2.1') =>
    request(service(), 'POST', `/status/${slug}/subscribe.json`, { body: { email }, headers: { 'X-Forwarded-For': ip } })
  const sent = () => telling.watching.run(['mails_send'])
  const linkIn = (text: string) => /\/status\/subscriptions\/\S+/.exec(text)?.[0] ?? ''
  const send = async () => {
    await telling.watching.run(['status_messages_make'])
    await telling.watching.run(['status_messages_send'])
  }
  const list = async ({ world, page }: Shown) => (await call(world, 'GET', `/status_pages/${page}/subscribers`)).body.data

  test('nothing is subscribed before the link in the mail is followed and its button pressed', async () => {
    const shown = await makePage(telling)
    const answer = await subscribe(shown, 'Reader@Example.org')
    assert.deepEqual([answer.status, answer.body.data], [201, { status: 'pending', email: 'reader@example.org' }])
    await sent()
    assert.deepEqual(
      telling.mail.mails.map(({ to }) => to),
      [['reader@example.org']],
    )
    const link = linkIn(telling.mail.mails[0]?.text ?? '')
    await call(shown.world, 'POST', `/status_pages/${shown.page}/incidents`, { title: 'A' })
    const opened = await request(service(), 'GET', link, { headers: { Accept: 'text/html' } })
    assert.match(opened.text, /Confirm your subscription/)
    assert.equal((await list(shown))[0].status, 'pending', 'scanners follow links')
    await send()
    assert.equal(telling.mail.mails.length, 1)
    const form = { body: '', headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html' } }
    const pressed = await request(service(), 'POST', `${link}/confirm`, { ...form, body: `_token=${link.split('/').at(-1)}` })
    assert.deepEqual([pressed.status, pressed.headers.get('location')], [303, `${link}?done=1`])
    assert.equal((await list(shown))[0].status, 'confirmed')
    assert.equal((await request(service(), 'POST', `${link}/confirm.json`, { body: {} })).status, 200, 'twice is once')
    await call(shown.world, 'POST', `/status_pages/${shown.page}/incidents`, {
      title: 'Payments\r\nBcc: evil@example.org',
      body: '**Down**',
    })
    await send()
    const mail = telling.mail.mails[1]
    assert.deepEqual(mail?.to, ['reader@example.org'])
    assert.equal(mail?.headers.subject, '[Acme] Investigating: Payments Bcc: evil@example.org')
    assert.equal(mail?.headers.bcc, undefined)
    assert.equal(mail?.headers['list-unsubscribe'], `<http://footfall.test${link}>`)
    assert.equal(mail?.headers['list-unsubscribe-post'], 'List-Unsubscribe=One-Click')
    assert.match(mail?.headers['list-id'] ?? '', /^<stp-\w+\.status\.footfall\.test>$/)
    assert.equal(mail?.headers['auto-submitted'], 'auto-generated')
    assert.match(mail?.text ?? '', /\*\*Down\*\*[^]*\/incidents\/sti_[^]*Unsubscribe: http:\/\/footfall\.test\/status\/subscriptions\//)
  })

  test('an update during the mail about the previous update is mailed as well', async () => {
    const mailbox = await startMailbox(400)
    const watching = await startWatching(engine, { SMTP_URL: mailbox.url })
    const slow: Telling = { ...telling, watching }
    const shown = await makePage(slow)
    await subscribed(slow, shown, 'reader@example.org')
    const incidents = `/status_pages/${shown.page}/incidents`
    const incident = (await watching.call(shown.world, 'POST', incidents, { title: 'Down', body: 'First' })).body.data
    await watching.run(['status_messages_make'])
    const sending = watching.run(['status_messages_send'])
    while (mailbox.got.length === 0) await wait(5)
    watching.service.clock.now += 1_000
    const update = await watching.call(shown.world, 'POST', `${incidents}/${incident.id}/updates`, { status: 'identified', body: 'Second' })
    assert.equal(update.status, 201, update.text)
    await watching.run(['status_messages_make'])
    await sending
    assert.equal(mailbox.got.length, 1, 'not before five minutes are over')
    watching.service.clock.now += 6 * MINUTE
    await watching.run(['status_messages_send'])
    assert.equal(mailbox.got.length, 2)
    watching.service.clock.now += HOUR
    await watching.run(['status_messages_send'])
    assert.equal(mailbox.got.length, 2)
    await watching.close()
    await mailbox.close()
  })

  test('a mail program ends it by one post, in either form, without a redirect, as often as it likes', async () => {
    const shown = await makePage(telling)
    await subscribe(shown, 'reader@example.org')
    await sent()
    const link = linkIn(telling.mail.mails[0]?.text ?? '')
    const bodies: [string, string][] = [
      ['application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
      ['multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n'],
    ]
    for (const [type, body] of bodies) {
      const { status, text } = await request(service(), 'POST', link, { body, headers: { 'Content-Type': type } })
      assert.deepEqual([status, text], [200, 'Unsubscribed.\n'])
      assert.deepEqual(await list(shown), [])
    }
    const opened = await request(service(), 'GET', link, { headers: { Accept: 'text/html' } })
    assert.equal(opened.status, 404)
    assert.match(opened.text, /This link has ended/)
  })

  test('a link that is late, foreign or invented does nothing', async () => {
    const shown = await makePage(telling)
    await subscribe(shown, 'late@example.org')
    await subscribe(shown, 'other@example.org')
    await sent()
    const [late = '', other = ''] = telling.mail.mails.map(({ text }) => linkIn(text))
    const [id] = late.split('/').at(-1)?.split('.') ?? []
    const [, digest] = other.split('/').at(-1)?.split('.') ?? []
    clock().now += 48 * HOUR
    const forged = [
      late,
      `/status/subscriptions/${id}.${digest}`,
      `/status/subscriptions/${id}.${'0'.repeat(64)}`,
      '/status/subscriptions/x',
    ]
    const answers = await Promise.all(forged.map(link => request(service(), 'POST', `${link}/confirm.json`, { body: {} })))
    assert.deepEqual([...new Set(answers.map(({ status, text }) => `${status} ${text}`))].length, 1)
    assert.equal(answers[0]?.status, 404)
    assert.deepEqual(await list(shown), [], 'what was not confirmed in time is gone')
  })

  test('the form does not reveal subscribers, and no mailbox is flooded', async () => {
    const shown = await makePage(telling)
    await subscribed(telling, shown, 'known@example.org')
    const [known, unknown] = [await subscribe(shown, 'known@example.org'), await subscribe(shown, 'new@example.org')]
    assert.equal(known.text.replace('known', 'new'), unknown.text)
    assert.deepEqual(
      [...known.headers.keys()].filter(name => name !== 'x-request-id'),
      [...unknown.headers.keys()].filter(name => name !== 'x-request-id'),
    )
    for (let i = 0; i < 4; i++) assert.equal((await subscribe(shown, 'new@example.org')).status, 201)
    for (let i = 0; i < 3; i++) await sent()
    const counts = new Map<string, number>()
    for (const { to } of telling.mail.mails) counts.set(String(to), (counts.get(String(to)) ?? 0) + 1)
    assert.deepEqual(Object.fromEntries(counts), { 'known@example.org': 1, 'new@example.org': 3 })
    const statuses = []
    for (let i = 0; i < 12; i++) statuses.push((await subscribe(shown, `many-${i}@example.org`)).status)
    assert.ok(statuses.includes(429), String(statuses))
    assert.ok((await list(shown)).every((row: any) => row.email !== 'known@example.org' || row.status === 'confirmed'))
  })

  test('addresses that are none are refused, and the form says so', async () => {
    const shown = await makePage(telling)
    for (const email of ['x', 'a@b', 'a@b.c\r\nBcc: d@e.f', `${'x'.repeat(250)}@example.org`, 'a@example.org,b@example.org']) {
      const { status, body } = await subscribe(shown, email, '198.51.100.7')
      assert.deepEqual([status, body.error.details[0].pointer], [422, '/email'], email)
    }
    const { status, text } = await request(service(), 'POST', `/status/${shown.slug}/subscribe`, {
      body: `_slug=${shown.slug}&email=%3Cscript%3E`,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html' },
    })
    assert.equal(status, 422)
    assert.match(text, /value="&lt;script&gt;"/)
    assert.match(text, /class="fault"/)
  })

  test('several updates within 5 minutes are one more mail with all of them', async () => {
    const shown = await makePage(telling)
    await subscribed(telling, shown, 'reader@example.org')
    const { body } = await call(shown.world, 'POST', `/status_pages/${shown.page}/incidents`, { title: 'A', body: 'First.' })
    const tell = (fields: object) => call(shown.world, 'POST', `/status_pages/${shown.page}/incidents/${body.data.id}/updates`, fields)
    await send()
    assert.equal(telling.mail.mails.length, 1)
    for (const text of ['Second.', 'Third.']) await tell({ body: text })
    await tell({ body: 'Quiet.', notify: false })
    clock().now += 4 * MINUTE
    await send()
    assert.equal(telling.mail.mails.length, 1)
    clock().now += MINUTE
    await send()
    clock().now += MINUTE
    await send()
    assert.equal(telling.mail.mails.length, 2)
    assert.match(telling.mail.mails[1]?.text ?? '', /Third\.[^]*Second\./)
    assert.doesNotMatch(telling.mail.mails[1]?.text ?? '', /First|Quiet/)
    clock().now += HOUR
    await tell({ status: 'resolved' })
    await send()
    assert.equal(telling.mail.mails[2]?.headers.subject, '[Acme] Resolved: A')
    await subscribed(telling, shown, 'late@example.org')
    clock().now += HOUR
    await tell({ body: 'What we learnt.' })
    await send()
    assert.deepEqual(
      telling.mail.mails
        .slice(3)
        .map(({ to, text }) => `${to} ${/Resolved – [^]*What we learnt/.test(text)} ${text.includes('First')}`)
        .sort(),
      ['late@example.org true false', 'reader@example.org true false'],
    )
  })

  test('a mailbox that refuses three mails in a row gets no more until it subscribes again', async () => {
    const shown = await makePage(telling)
    await subscribed(telling, shown, 'gone@example.org')
    telling.mail.refusing = { mailbox: 'gone@' }
    const states: unknown[] = []
    for (const title of ['A', 'B', 'C', 'D']) {
      await call(shown.world, 'POST', `/status_pages/${shown.page}/incidents`, { title })
      await send()
      states.push((await list(shown))[0].status)
      clock().now += 10 * MINUTE
    }
    assert.deepEqual(states, ['confirmed', 'confirmed', 'failing', 'failing'])
    const sent = await service()
      .store.read.selectFrom('status_messages as m')
      .innerJoin('status_incidents as i', 'i.id', 'm.incident_id')
      .select('m.id')
      .where('i.page_id', '=', shown.page)
      .execute()
    assert.equal(sent.length, 3, 'the fourth is not tried')
    telling.mail.refusing = {}
    assert.equal(
      (await request(service(), 'POST', `/status/${shown.slug}/subscribe.json`, { body: { email: 'gone@example.org' } })).status,
      201,
    )
    assert.equal((await list(shown))[0].status, 'pending')
  })

  test('a page and its mails use the page’s language and time zone', async () => {
    const shown = await makePage(telling, 1, { language: 'de', timezone: 'Asia/Tokyo' })
    await subscribed(telling, shown, 'reader@example.org')
    await call(shown.world, 'POST', `/status_pages/${shown.page}/incidents`, { title: 'Zahlungen haken' })
    await send()
    const [mail] = telling.mail.mails
    assert.match(mail?.text ?? '', /Wird untersucht – [^]*GMT\+9[^]*Abbestellen: /)
    const page = await request(service(), 'GET', `/status/${shown.slug}`, { headers: { Accept: 'text/html', 'Accept-Language': 'fr' } })
    assert.match(page.text, /<html lang="de"[^]*Offene Störungen|<html lang="de"[^]*Auf dem Laufenden bleiben/)
    assert.match(page.text, /Zone Asia\/Tokyo/)
    assert.doesNotMatch(page.text, /Stay informed|Operational/)
    const feed = await request(service(), 'GET', `/status/${shown.slug}/feed.atom`)
    assert.match(feed.text, /xml:lang="de"[^]*Wird untersucht: Zahlungen haken/)
    assert.equal((await call(shown.world, 'PATCH', `/workspaces/{{workspace}}/status_pages/${shown.page}`, { language: 'xx' })).status, 422)
  })

  test('a mail that was not sent is sent again as the same mail, and no longer to who has left', async () => {
    const shown = await makePage(telling)
    await subscribed(telling, shown, 'reader@example.org')
    await subscribed(telling, shown, 'leaving@example.org')
    telling.mail.refusing = { mail: { code: 451, times: 2 } }
    await call(shown.world, 'POST', `/status_pages/${shown.page}/incidents`, { title: 'A' })
    await send()
    assert.equal(telling.mail.mails.length, 0)
    const leaving = (await list(shown)).find((row: any) => row.email === 'leaving@example.org')
    assert.equal((await call(shown.world, 'DELETE', `/status_pages/${shown.page}/subscribers/${leaving.id}`)).status, 200)
    const [{ id: reader }] = await list(shown)
    const message = () =>
      service().store.read.selectFrom('status_messages').selectAll().where('subscriber_id', '=', reader).executeTakeFirstOrThrow()
    const { id, told_until } = await message()
    clock().now += MINUTE
    await send()
    assert.deepEqual(
      telling.mail.mails.map(({ to }) => String(to)),
      ['reader@example.org'],
    )
    assert.ok((await message()).told_until > told_until)
    // Killed between the mail and its note: the row is as it was, and claimed again once the lease has ended.
    await service()
      .store.write.updateTable('status_messages')
      .set({ due_at: clock().now, sent_at: null, told_until })
      .where('id', '=', id)
      .execute()
    clock().now += MINUTE
    await send()
    const [first, second] = telling.mail.mails.map(({ headers }) => headers['message-id'])
    assert.ok(first)
    assert.equal(first, second)
  })

  test('the workspace sees subscribers, viewers and other workspaces do not', async () => {
    const shown = await makePage(telling)
    const foreign = await makePage(telling)
    const viewer = await shown.world.join('viewer')
    const path = `/status_pages/${shown.page}/subscribers`
    assert.equal((await request(service(), 'GET', path, { token: viewer.token })).status, 403)
    assert.equal((await request(service(), 'GET', path, { token: foreign.world.token })).status, 404)
    assert.equal(
      (await request(service(), 'GET', path, { token: await shown.world.tokenFor('owner', { siteIds: [shown.world.ids.site ?? ''] }) }))
        .status,
      403,
    )
  })

  test('without a mail server, the page offers only the feed, and subscribing is refused', async () => {
    const bare = await startService(engine)
    try {
      const shown = await makePage({ ...telling, watching: { ...telling.watching, service: bare, call: bareCall } })
      async function bareCall(world: any, method: string, path: string, body?: unknown) {
        return request(bare, method, path.replace('{{workspace}}', world.ids.workspace), { token: world.token, body })
      }
      const answer = await request(bare, 'POST', `/status/${shown.slug}/subscribe.json`, { body: { email: 'a@example.org' } })
      assert.deepEqual([answer.status, answer.body.error.code], [422, 'invalid_state'])
      assert.match(answer.body.error.message, /SMTP_URL/)
      const { text } = await request(bare, 'GET', `/status/${shown.slug}`, { headers: { Accept: 'text/html' } })
      assert.doesNotMatch(text, /type="email"/)
      assert.match(text, /feed\.atom/)
    } finally {
      await bare.close()
    }
  })

  test('10,000 of them hold the event loop nowhere, and each gets one message', async () => {
    const shown = await makePage(telling)
    const at = clock().now
    const rows = Array.from({ length: 10_000 }, (_, i) => ({
      id: `sub_${shown.page.slice(4)}${String(i).padStart(5, '0')}`,
      page_id: shown.page,
      email: `reader-${i}@example.org`,
      pending_until: null,
      confirmed_at: at,
      refused: 0,
      created_at: at,
    }))
    for (let i = 0; i < rows.length; i += 1_000)
      await service()
        .store.write.insertInto('status_subscribers')
        .values(rows.slice(i, i + 1_000))
        .execute()
    await call(shown.world, 'POST', `/status_pages/${shown.page}/incidents`, { title: 'A' })
    const { longest } = await turnsDuring(() => telling.watching.run(['status_messages_make']))
    assert.ok(longest < 0.5, `${longest} of the work in one turn`)
    const { count } = await service()
      .store.read.selectFrom('status_messages as m')
      .innerJoin('status_subscribers as s', 's.id', 'm.subscriber_id')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('s.page_id', '=', shown.page)
      .where('m.due_at', 'is not', null)
      .executeTakeFirstOrThrow()
    assert.equal(count, 10_000)
    const again = createScheduler(service().app)
    await again.runDue(['status_messages_make'])
    await wait(0)
    const page = await call(shown.world, 'GET', `/workspaces/{{workspace}}/status_pages/${shown.page}`)
    assert.equal(page.body.data.subscribers, 10_000)
    await service().store.write.deleteFrom('status_subscribers').where('page_id', '=', shown.page).execute()
  })
})
