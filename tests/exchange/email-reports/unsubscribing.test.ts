/** How a recipient ends the mails: by the button of the page or of the mail program. Only the recipient can resubscribe. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { onAnyEngine } from '../../support/engines.ts'
import { openBrowser } from '../../people/sign-in/browser.ts'
import { type Mailing, startMailing } from './mailing.ts'

onAnyEngine('unsubscribing from a report', engine => {
  let mailing: Mailing & { close(): Promise<void> }
  let id: string
  /** Path of the link of each recipient. */
  let links: Map<string, string>
  before(async () => {
    mailing = await startMailing(engine)
  })
  after(() => mailing.close())
  beforeEach(async () => {
    const { service, report, deliver } = mailing
    service.clock.now += 60_000
    id = await report({ name: 'Numbers', frequency: 'daily', recipients: ['ada@example.org', 'bob@example.org'], locale: 'de' })
    service.clock.now += 86_400_000
    links = linksIn(await deliver())
  })
  const linksIn = (mails: Awaited<ReturnType<Mailing['deliver']>>) =>
    new Map(
      // Reports of the tests before are mailed too.
      mails
        .filter(({ headers }) => headers['list-id']?.includes(id))
        .map(({ to: [to = ''], headers }) => [to, (headers['list-unsubscribe'] ?? '').slice('<https://stats.example.org'.length, -1)]),
    )
  const browser = () => openBrowser(mailing.service, { origin: 'https://stats.example.org' })
  const unsubscribed = async () => (await mailing.get(id)).unsubscribed
  const link = (email = 'ada@example.org') => links.get(email) ?? assert.fail(`no mail to ${email}`)
  const oneClick = (path: string) =>
    mailing.service.web.request(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    })

  test('opening the link, as scanners do, changes nothing', async () => {
    for (const method of ['GET', 'HEAD']) assert.equal((await mailing.service.web.request(link(), { method })).status < 500, true)
    const page = await browser().open(link())
    assert.deepEqual([page.status, page.headers.getSetCookie().length], [200, 0])
    assert.match(page.text, /„Numbers“ geht an ada@example\.org/)
    assert.match(page.text, /<button[^>]*>\s*Abbestellen/)
    assert.equal(page.headers.get('set-cookie'), null)
    assert.match(page.headers.get('cache-control') ?? '', /no-store/)
    assert.deepEqual(await unsubscribed(), [])
  })

  test('one click of a mail program ends it, without a redirect, again and again', async () => {
    for (const _ of [1, 2]) {
      const answer = await oneClick(link())
      assert.equal(answer.status, 200)
    }
    assert.deepEqual(await unsubscribed(), ['ada@example.org'])
    mailing.service.clock.now += 86_400_000
    assert.deepEqual(
      (await mailing.deliver()).filter(({ headers }) => headers['list-id']?.includes(id)).map(({ to }) => to),
      [['bob@example.org']],
    )
  })

  test('the button ends it, and the same person takes it back', async () => {
    const person = browser()
    const done = await person.submit(link(), { do: 'unsubscribe' })
    assert.deepEqual([done.status, done.headers.get('location')], [303, link()])
    assert.match((await person.open(link())).text, /Du hast abbestellt/)
    assert.deepEqual(await unsubscribed(), ['ada@example.org'])
    await person.submit(link(), { do: 'subscribe' })
    assert.deepEqual(await unsubscribed(), [])
  })

  test('only the recipient can resubscribe: adding the address again, even after removing it, does not', async () => {
    await oneClick(link())
    const change = (recipients: readonly string[]) => mailing.call('PATCH', `/${id}`, { recipients })
    await change(['ada@example.org', 'bob@example.org', 'carl@example.org'])
    assert.deepEqual(await unsubscribed(), ['ada@example.org'])
    await change(['bob@example.org'])
    assert.deepEqual(await unsubscribed(), [], 'she is no recipient')
    const { data } = (await change(['ADA@example.org', 'bob@example.org'])).body
    assert.deepEqual(data.unsubscribed, ['ada@example.org'])
  })

  test('a recipient who was removed and added again has their earlier link, or a new one', async () => {
    await mailing.call('PATCH', `/${id}`, { recipients: ['bob@example.org'] })
    assert.equal((await browser().open(link())).status, 404)
    assert.equal((await oneClick(link())).status, 404)
    await mailing.call('PATCH', `/${id}`, { recipients: ['ada@example.org', 'bob@example.org'] })
    mailing.service.clock.now += 86_400_000
    const again = linksIn(await mailing.deliver())
    assert.equal((await browser().open(again.get('ada@example.org') ?? '')).status, 200)
  })

  test('foreign, made-up and missing tokens answer alike and change nothing', async () => {
    const real = link().replace(/.*token=/, '')
    const tokens = [
      real.slice(0, -1),
      `${real}x`,
      'a'.repeat(43),
      '',
      '%00',
      "' or 1=1 --",
      `${real.slice(0, 42)}${real.endsWith('A') ? 'B' : 'A'}`,
    ]
    for (const token of tokens) {
      const path = `/email/unsubscribe?token=${encodeURIComponent(token)}`
      assert.equal((await browser().open(path)).status, 404, token)
      assert.equal((await oneClick(path)).status, 404, token)
    }
    const big = await mailing.service.web.request(link(), { method: 'POST', body: 'x'.repeat(20_000) })
    assert.equal(big.status, 413)
    assert.deepEqual(await unsubscribed(), [])
    // One report’s link ends no other.
    const other = await mailing.report({ name: 'Other', recipients: ['ada@example.org'] })
    await oneClick(link())
    assert.deepEqual((await mailing.get(other)).unsubscribed, [])
    await mailing.call('DELETE', `/${id}`)
    assert.equal((await browser().open(link())).status, 404, 'of a report that is gone')
  })

  test('secrets of links are stored sealed, and in no answer or audit entry', async () => {
    const secret = link().replace(/.*token=/, '')
    const { store } = mailing.service
    const rows = await store.read.selectFrom('email_report_recipients').selectAll().execute()
    const audit = await store.read.selectFrom('audit_entries').selectAll().execute()
    assert.ok(!JSON.stringify([rows, audit]).includes(secret))
    assert.ok(!(await mailing.call('GET', `/${id}`)).text.includes(secret))
  })
})
