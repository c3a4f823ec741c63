/** When reports are sent, to whom, how often, and what becomes of those that the mail server does not take. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onAnyEngine } from '../../support/engines.ts'
import { removeSite, request } from '../../support/world.ts'
import { type Mailing, runAll, startMailing } from './mailing.ts'
import { email_reports_plan, email_reports_send } from '../../../operations/exchange/email-reports/tasks.ts'

const HOUR = 3_600_000

onAnyEngine('reports by mail', engine => {
  let mailing: Mailing & { close(): Promise<void> }
  before(async () => {
    mailing = await startMailing(engine)
  })
  after(() => mailing.close())
  const at = (time: string) => {
    mailing.service.clock.now = Date.parse(time)
  }

  test('a weekly report is sent after the week, at the hour of the site, compared with the previous week', async () => {
    const { report, deliver, visit, get } = mailing
    at('2026-03-10T12:00:00Z')
    await visit('2026-03-04T10:00:00Z', 3, { page: '/before' })
    const id = await report({ recipients: ['Ada@Example.org', 'bob@example.org', 'ada@example.org'], hour: 8 })
    assert.deepEqual(
      [(await get(id)).next_at, (await get(id)).recipients],
      ['2026-03-16T07:00:00.000Z', ['ada@example.org', 'bob@example.org']],
      'Monday at 8 in Berlin',
    )
    await visit('2026-03-11T10:00:00Z', 6, { page: '/news', country: 'DE' })
    await visit('2026-03-16T06:00:00Z', 9, { page: '/later' })
    at('2026-03-16T06:59:59Z')
    assert.deepEqual(await deliver(), [])
    at('2026-03-16T07:00:00Z')
    const mails = await deliver()
    assert.deepEqual(mails.map(({ to }) => to).sort(), [['ada@example.org'], ['bob@example.org']])
    const { text, html, types } = mails[0] ?? assert.fail()
    assert.deepEqual(types, ['text/plain', 'text/html'])
    for (const part of [text, html]) {
      assert.match(part, /Mar 9\s–\s15, 2026/)
      assert.match(part, /\/news/)
      assert.match(part, /Germany/)
      assert.match(part, /\+100%/)
      assert.doesNotMatch(part, /\/later|\/before/)
    }
    assert.match(text, /Visitors \(daily, added up\): 6 \(\+100%, before: 3\)/)
    assert.deepEqual(await deliver(), [], 'not again')
    const { last_sent_at, next_at, last_error } = await get(id)
    assert.deepEqual([last_sent_at, next_at, last_error], ['2026-03-16T07:00:00.000Z', '2026-03-23T07:00:00.000Z', null])
    await mailing.call('DELETE', `/${id}`)
  })

  test('mails are of the kind that mailboxes ask for, each with a link of its own to unsubscribe', async () => {
    const { report, deliver } = mailing
    at('2026-03-22T12:00:00Z')
    const id = await report({ recipients: ['ada@example.org', 'bob@example.org'], frequency: 'daily' })
    at('2026-03-23T08:00:00Z')
    const [one, two] = await deliver()
    const { headers } = one ?? assert.fail()
    assert.equal(headers['auto-submitted'], 'auto-generated')
    assert.equal(headers['list-id'], `<${id}.stats.example.org>`)
    assert.equal(headers['list-unsubscribe-post'], 'List-Unsubscribe=One-Click')
    assert.match(headers['list-unsubscribe'] ?? '', /^<https:\/\/stats\.example\.org\/email\/unsubscribe\?token=[\w-]{43}>$/)
    assert.notEqual(headers['list-unsubscribe'], two?.headers['list-unsubscribe'])
    assert.match(headers['message-id'] ?? '', /^<repm_\w+@stats\.example\.org>$/)
    assert.notEqual(headers['message-id'], two?.headers['message-id'])
    const address = (headers['list-unsubscribe'] ?? '').slice(1, -1)
    const { text, html } = one ?? assert.fail()
    assert.ok(text.includes(address) && html.includes(address))
    assert.ok(!text.includes('bob@') && !html.includes('bob@'), 'nobody is told of the others')
    await mailing.call('DELETE', `/${id}`)
  })

  test('a mail server that is busy is asked again, with the same Message-ID; one that refuses for good is not', async () => {
    const { report, deliver, get, server, service } = mailing
    at('2026-03-24T06:00:00Z')
    const id = await report({ recipients: ['ada@example.org', 'no@example.org'], frequency: 'daily' })
    at('2026-03-24T08:00:00Z')
    server.refusing = { mailbox: 'no@', mail: { code: 451, times: 1 } }
    const told = () => deliver().then(mails => mails.map(({ to }) => to[0]))
    assert.deepEqual(await told(), [mailing.world.owner.email])
    const rows = () =>
      service.store.read.selectFrom('email_report_mails').selectAll().where('report_id', '=', id).orderBy('email').execute()
    assert.deepEqual(
      (await rows()).map(({ status, attempt }) => [status, attempt]),
      [
        ['pending', 1],
        ['failed', 1],
      ],
    )
    assert.match((await get(id)).last_error, /no@example\.org|will be retried/)
    at('2026-03-24T08:03:00Z')
    const [again, ...more] = await deliver()
    assert.deepEqual([again?.to, more.length], [['ada@example.org'], 0])
    assert.equal(again?.headers['message-id'], `<${(await rows())[0]?.id}@stats.example.org>`)
    at('2026-03-25T08:00:00Z')
    assert.deepEqual(await told(), ['ada@example.org'], 'who made it is told when it begins, not each time')
    server.refusing = {}
    at('2026-03-26T08:00:00Z')
    await deliver()
    assert.equal((await get(id)).last_error, null)
    server.refusing = { mailbox: 'no@' }
    at('2026-03-27T08:00:00Z')
    assert.deepEqual((await told()).sort(), ['ada@example.org', mailing.world.owner.email], 'and again after it went well')
    server.refusing = {}
    await mailing.call('DELETE', `/${id}`)
  })

  test('the creator of a report gets one mail when the report has a problem', async () => {
    const { report, deliver, server, world } = mailing
    at('2026-03-28T06:00:00Z')
    const id = await report({ recipients: ['no@example.org'], frequency: 'daily' })
    server.refusing = { mailbox: 'no@' }
    at('2026-03-28T08:00:00Z')
    const [notice, ...others] = await deliver()
    assert.deepEqual([notice?.to, others.length], [[world.owner.email], 0])
    assert.match(notice?.headers.subject ?? '', /"Our week" has a problem/)
    assert.match(notice?.text ?? '', /refused the mail to no@example\.org/)
    server.refusing = {}
    await mailing.call('DELETE', `/${id}`)
  })

  test('a mailbox that refuses three mails in a row gets no more until the recipients are set again', async () => {
    const { report, deliver, get, server } = mailing
    at('2026-04-01T06:00:00Z')
    const id = await report({ recipients: ['no@example.org', 'ada@example.org'], frequency: 'daily' })
    server.refusing = { mailbox: 'no@' }
    const tried: unknown[] = []
    for (const day of ['01', '02', '03', '04']) {
      at(`2026-04-${day}T08:00:00Z`)
      await deliver()
      tried.push((await get(id)).failing)
    }
    assert.deepEqual(tried, [[], [], ['no@example.org'], ['no@example.org']])
    assert.equal((await get(id)).last_error, null, 'it is not tried any more')
    server.refusing = {}
    assert.equal((await mailing.call('PATCH', `/${id}`, { recipients: ['no@example.org', 'ada@example.org'] })).status, 200)
    assert.deepEqual((await get(id)).failing, [])
    at('2026-04-05T08:00:00Z')
    assert.deepEqual((await deliver()).map(({ to }) => to[0]).sort(), ['ada@example.org', 'no@example.org'])
    await mailing.call('DELETE', `/${id}`)
  })

  test('a report that could not be sent for 48 hours is skipped, and the next period is sent', async () => {
    const { report, deliver, get, server, service } = mailing
    at('2026-04-01T06:00:00Z')
    const id = await report({ recipients: ['ada@example.org'], frequency: 'daily' })
    server.refusing = { mail: { code: 451, times: 1_000 } }
    for (let hours = 1; hours < 60; hours++) {
      at(new Date(Date.parse('2026-04-01T07:00:00Z') + hours * HOUR).toISOString())
      await runAll(service, [email_reports_plan, email_reports_send])
    }
    const statuses = () =>
      service.store.read.selectFrom('email_report_mails').select('status').where('report_id', '=', id).orderBy('from_day').execute()
    assert.deepEqual(
      (await statuses()).map(({ status }) => status),
      ['failed', 'pending', 'pending'],
    )
    assert.match((await get(id)).last_error, /ada@example\.org/)
    server.refusing = {}
    at('2026-04-04T06:00:00Z')
    assert.deepEqual((await deliver()).filter(({ to }) => to[0] === 'ada@example.org').length, 2)
    // Nothing ran for five days: of those that were due, two days are sent.
    at('2026-04-09T08:00:00Z')
    assert.deepEqual((await deliver()).length, 2)
    assert.equal((await get(id)).next_at, '2026-04-10T07:00:00.000Z')
    await mailing.call('DELETE', `/${id}`)
  })

  test('a period without a visit is skipped with skip_empty, and reported without it', async () => {
    const { report, deliver } = mailing
    at('2026-05-01T06:00:00Z')
    const ids = [
      await report({ name: 'Quiet', frequency: 'daily', skip_empty: true }),
      await report({ name: 'Always', frequency: 'daily' }),
    ]
    at('2026-05-01T08:00:00Z')
    const [mail, ...others] = await deliver()
    assert.deepEqual([mail?.headers.subject, others.length], ['Always: Thursday, April 30, 2026', 0])
    assert.match((mail ?? assert.fail()).text, /No visitors\./)
    for (const id of ids) await mailing.call('DELETE', `/${id}`)
  })

  test('a disabled report is planned no more; without a mail server nothing is, and the record says so', async () => {
    const { report, get, deliver, call } = mailing
    at('2026-05-04T06:00:00Z')
    const id = await report({ frequency: 'daily' })
    const { data } = (await call('PATCH', `/${id}`, { enabled: false })).body
    assert.deepEqual([data.next_at, data.enabled], [null, false])
    at('2026-05-06T08:00:00Z')
    assert.deepEqual(await deliver(), [])
    await call('PATCH', `/${id}`, { enabled: true })
    assert.equal((await get(id)).next_at, '2026-05-07T07:00:00.000Z')
    await call('DELETE', `/${id}`)

    const mute = await startMailing(engine, { SMTP_URL: '' })
    try {
      const made = await mute.get(await mute.report())
      assert.deepEqual([made.next_at, made.last_error], [null, 'No mail can be sent: this installation has no mail server (SMTP_URL).'])
      const tested = await mute.call('POST', `/${made.id}/test`)
      assert.deepEqual([tested.status, tested.body.error.code], [422, 'invalid_state'])
      assert.match(tested.body.error.message, /SMTP_URL/)
      mute.service.clock.now += 8 * 24 * HOUR
      await mute.deliver()
      const { count } = await mute.service.store.read
        .selectFrom('email_report_mails')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      assert.equal(count, 0)
    } finally {
      await mute.close()
    }
  })

  test('a test goes to who asks for it, and says what the mail server says', async () => {
    const { report, call, server, world } = mailing
    const id = await report()
    const tested = await call('POST', `/${id}/test`)
    assert.deepEqual([tested.status, tested.body.data.to], [200, world.owner.email])
    const [mail] = server.mails.splice(0)
    assert.deepEqual(mail?.to, [world.owner.email])
    assert.equal(mail?.headers.subject, tested.body.data.subject)
    assert.equal(mail?.headers['list-unsubscribe'], undefined)
    assert.match((mail ?? assert.fail()).text, /This is a test/)
    server.refusing = { mail: { code: 554, times: 1 } }
    const refused = await call('POST', `/${id}/test`)
    assert.deepEqual([refused.status, refused.body.error.code], [422, 'invalid_state'])
    server.refusing = {}
    await call('DELETE', `/${id}`)
  })

  test('two workers send each mail once', async () => {
    const { report, service, server, call } = mailing
    at('2026-06-01T06:00:00Z')
    const recipients = Array.from({ length: 30 }, (_, i) => `person-${i}@example.org`)
    const id = await report({ recipients, frequency: 'daily' })
    at('2026-06-01T08:00:00Z')
    const both = () => runAll(service, [email_reports_plan, email_reports_send])
    await Promise.all([both(), both(), both()])
    const got = server.mails.splice(0).map(({ to }) => to[0])
    assert.deepEqual(got.sort(), recipients.toSorted())
    await call('DELETE', `/${id}`)
  })

  test('a recipient who is removed before a mail is sent gets none', async () => {
    const { report, service, server, call, deliver } = mailing
    at('2026-06-02T06:00:00Z')
    const id = await report({ recipients: ['ada@example.org', 'bob@example.org'], frequency: 'daily' })
    at('2026-06-02T08:00:00Z')
    await runAll(service, [email_reports_plan])
    await call('PATCH', `/${id}`, { recipients: ['bob@example.org'] })
    assert.deepEqual(
      (await deliver()).map(({ to }) => to),
      [['bob@example.org']],
    )
    assert.equal(server.mails.length, 0)
    await call('DELETE', `/${id}`)
  })

  test('a member who leaves gets no more, and the report goes on', async () => {
    const { report, service, world, deliver, get, call } = mailing
    at('2026-06-03T06:00:00Z')
    const leaver = await world.join('analyst')
    const id = await report({ recipients: [leaver.email, 'client@example.org'], frequency: 'daily' })
    const made = await request(service, 'POST', `/workspaces/${world.ids.workspace}/email_reports`, {
      token: leaver.token,
      body: { name: 'Of the leaver', site_ids: [world.ids.site], recipients: ['client@example.org'], frequency: 'daily' },
    })
    assert.equal(made.status, 201)
    const removed = await request(service, 'DELETE', `/workspaces/${world.ids.workspace}/members/${leaver.memberId}`, {
      token: world.token,
    })
    assert.equal(removed.status, 200, removed.text)
    assert.deepEqual((await get(id)).recipients, ['client@example.org'])
    at('2026-06-03T08:00:00Z')
    assert.deepEqual(
      (await deliver()).map(({ to }) => to),
      [['client@example.org'], ['client@example.org']],
    )
    for (const each of [id, made.body.data.id]) await call('DELETE', `/${each}`)
  })

  test('a deleted goal goes from a report, a deleted segment stops it and says so', async () => {
    const { report, service, world, deliver, get, call } = mailing
    at('2026-06-04T06:00:00Z')
    const of = `/sites/${world.ids.site}`
    const make = (path: string, body: object) => request(service, 'POST', `${of}/${path}`, { token: world.token, body })
    const goal = (await make('goals', { name: 'Thanks', kind: 'page', path: '/thanks' })).body.data.id
    const segment = (await make('segments', { name: 'Phones', filters: [['device', 'is', 'mobile']] })).body.data.id
    const id = await report({ frequency: 'daily', goal_ids: [goal], segment_id: segment })
    assert.match((await call('GET', `/${id}/preview`)).text, /Only the segment “Phones”/)
    await request(service, 'DELETE', `${of}/goals/${goal}`, { token: world.token })
    assert.deepEqual((await get(id)).goal_ids, [])
    await request(service, 'DELETE', `${of}/segments/${segment}`, { token: world.token })
    at('2026-06-04T08:00:00Z')
    assert.deepEqual(
      (await deliver()).map(({ to }) => to),
      [[world.owner.email]],
    )
    assert.equal((await get(id)).last_error, 'Its segment was deleted: choose another segment, or none.')
    assert.equal((await call('GET', `/${id}/preview`)).status, 422)
    assert.equal((await call('PATCH', `/${id}`, { segment_id: '' })).body.data.last_error, null)
    at('2026-06-05T08:00:00Z')
    assert.equal((await deliver()).length, 1)
    await call('DELETE', `/${id}`)
  })

  test('a report whose site is deleted says so', async () => {
    const { report, service, deliver, get } = mailing
    at('2026-06-08T06:00:00Z')
    const id = await report({ frequency: 'daily' })
    await removeSite(service, mailing.world)
    at('2026-06-08T08:00:00Z')
    await deliver()
    const { site_ids, next_at, last_error } = await get(id)
    assert.deepEqual([site_ids, next_at], [[], null])
    assert.match(last_error, /All of its sites were deleted/)
  })
})
