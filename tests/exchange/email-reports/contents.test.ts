/** Contents of the mails: the same in all mail programs, in four languages, and safe from texts of visitors. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { onAnyEngine } from '../../support/engines.ts'
import { request } from '../../support/world.ts'
import { addSite, hit, store } from '../../storage/engine/traffic.ts'
import { type Mailing, startMailing } from './mailing.ts'
import { languages } from '../../../runtime/texts/reader.ts'

const tags = new Set('html head meta title style body table tr td th p h1 h2 a b br span img'.split(' '))

/** Only what mail programs show alike; nothing that runs or is fetched. */
function assertMailable(html: string): void {
  for (const [, tag = '', attributes = ''] of html.matchAll(/<([a-z][a-z0-9]*)\b([^>]*)>/gi)) {
    assert.ok(tags.has(tag), `<${tag}>`)
    assert.doesNotMatch(attributes, /\son\w+=/i)
    for (const [, name, value = ''] of attributes.matchAll(/\b(href|src|background)="([^"]*)"/g)) {
      assert.match(value, name === 'src' ? /^cid:logo$/ : /^https:\/\/stats\.example\.org\//)
    }
  }
  assert.doesNotMatch(html, /url\(|@import|<script|javascript:/i)
  assert.equal(html.match(/<table/g)?.length, html.match(/<\/table>/g)?.length)
}

onAnyEngine('mails of reports', engine => {
  let mailing: Mailing & { close(): Promise<void> }
  before(async () => {
    mailing = await startMailing(engine, { OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8' })
    mailing.service.clock.now = Date.parse('2026-03-16T12:00:00Z')
  })
  after(() => mailing.close())

  async function mailOf(input: Readonly<Record<string, unknown>>) {
    const id = await mailing.report(input)
    const tested = await mailing.call('POST', `/${id}/test`)
    assert.equal(tested.status, 200, tested.text)
    const [mail] = mailing.server.mails.splice(0)
    await mailing.call('DELETE', `/${id}`)
    const { text, html, types } = mail ?? assert.fail('no mail')
    return { mail: mail ?? assert.fail(), text, html, types }
  }

  test('visitors and members cannot put markup, links or headers into a mail', async () => {
    const { visit, world, service } = mailing
    const evil = '/<script>alert(1)</script>"onmouseover="x'
    await visit('2026-03-11T10:00:00Z', 3, { page: evil, source: 'https://evil.example/?a=1', country: 'DE' })
    await visit('2026-03-11T10:00:00Z', 2, { page: '/\u202egnp.exe', source: '<img src=x onerror=alert(1)>' })
    await visit('2026-03-11T11:00:00Z', 1, { page: `/${'long'.repeat(400)}`, source: 'www.spam.example' })
    const site = `/sites/${world.ids.site}`
    await request(service, 'PATCH', site, { token: world.token, body: { name: 'Shop <b>&"\u{1f600}' } })
    const { mail, html, text } = await mailOf({ name: 'Sales\r\nBcc: all@example.org <b>' })
    assertMailable(html)
    assert.equal(mail.headers.bcc, undefined)
    assert.deepEqual(mail.to, [world.owner.email])
    assert.match(mail.headers.subject ?? '', /^Sales Bcc: all@example\.org <b>: 6 visitors/)
    assert.match(html, /&lt;script&gt;alert\(1\)/)
    assert.match(html, /Shop &lt;b&gt;&amp;&quot;😀/)
    for (const part of [html, text]) {
      assert.doesNotMatch(part, /https:\/\/evil|www\.spam|\u202e/, 'nothing that mail programs make links of, or that turns a text round')
      assert.match(part, /evil\.\u200bexample/)
      assert.ok(!part.includes('long'.repeat(30)))
    }
  })

  test('the text part says all that the HTML does', async () => {
    const { visit, service, world } = mailing
    await visit('2026-03-12T10:00:00Z', 4, { page: '/thanks', source: 'News' })
    const goal = (
      await request(service, 'POST', `/sites/${world.ids.site}/goals`, {
        token: world.token,
        body: { name: 'Thanked', kind: 'page', path: '/thanks' },
      })
    ).body.data.id
    const { html, text } = await mailOf({ goal_ids: [goal], panels: ['page', 'source', 'weekday'] })
    assertMailable(html)
    assert.match(text, /Goals \(Conversions\)\n {9}4 {2}Thanked/)
    assert.match(text, /Weekdays \(Visitors\)/)
    const words = html
      .replace(/<(style|title)>.*?<\/\1>/gs, '')
      .replaceAll(/<[^>]+>/g, '\n')
      .split('\n')
      .map(each => each.trim().replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&'))
      .filter(each => each !== '' && each !== '&nbsp;' && each !== 'Unsubscribe')
    const said = text.replaceAll(/\s+/g, ' ')
    // The heading of a list and what it counts are two cells there.
    for (const each of words) for (const part of each.split(' – ')) assert.ok(said.includes(part.replaceAll(/\s+/g, ' ')), `"${part}"`)
  })

  test('every language says everything, and numbers and dates as it writes them', async () => {
    const expected = {
      en: [/Mar 9\s–\s15, 2026/, /\bGermany\b/, /Visitors/],
      de: [/09\.–15\.03\.2026|9\.–15\. März 2026/, /Deutschland/, /Besucher/],
      fr: [/9[–-]15 mars 2026|9–15 mars 2026/, /Allemagne/, /Visiteurs/, /\d\ss\b/],
      es: [/9[–-]15 mar 2026|9–15 mar 2026/, /Alemania/, /Visitantes/, /\d\ss\b/],
    } as const
    for (const locale of languages) {
      const { html, text } = await mailOf({ locale, panels: ['country'] })
      assert.match(html, new RegExp(`<html lang="${locale}">`))
      for (const pattern of expected[locale]) for (const part of [html, text]) assert.match(part, pattern, locale)
    }
  })

  test('a report uses the language of the account that creates it, unless the report sets another', async () => {
    const { service, world, call } = mailing
    await request(service, 'PATCH', '/account', { token: world.token, body: { locale: 'de' } })
    const id = await mailing.report()
    assert.equal((await mailing.get(id)).locale, 'de')
    await call('DELETE', `/${id}`)
    await request(service, 'PATCH', '/account', { token: world.token, body: { locale: 'ja' } })
    const other = await mailing.report()
    assert.equal((await mailing.get(other)).locale, 'en')
    await call('DELETE', `/${other}`)
  })

  test('with twenty sites and eight panels a mail is below what Gmail cuts', async t => {
    const { service, world } = mailing
    const sites = [world.ids.site]
    for (let i = 1; i < 20; i++) {
      const made = await request(service, 'POST', `/workspaces/${world.ids.workspace}/sites`, {
        token: world.token,
        body: { domain: `s${i}.${world.ids.domain}`, name: `Site ${i} & "friends" ${'of ours '.repeat(8)}`, timezone: 'Europe/Berlin' },
      })
      assert.equal(made.status, 201, made.text)
      sites.push(made.body.data.id)
      const { number } = await service.store.read
        .selectFrom('sites')
        .select('number')
        .where('id', '=', made.body.data.id)
        .executeTakeFirstOrThrow()
      const hits = Array.from({ length: 12 }, (_, k) =>
        hit(
          { number, timezone: 'Europe/Berlin' },
          {
            who: `${i}-${k}`,
            at: Date.parse('2026-03-11T10:00:00Z') + k * 86_400_000 * 0.3,
            page: `/"${'é<'.repeat(60)}${k}`,
            revenue: 1_000,
            visit: {
              country: ['DE', 'FR', 'IT'][k % 3] ?? '',
              source: `source-${k}`,
              browser: `B${k}`,
              os: `OS ${k}`,
              device: 'mobile',
              language: 'de',
            },
          },
        ),
      )
      await store(service.store, hits, hits.length)
    }
    const panels = ['page', 'source', 'country', 'device', 'browser', 'os', 'entry_page', 'language']
    for (const count of [1, 3, 6, 20]) {
      const { html, text } = await mailOf({ site_ids: sites.slice(-count), panels, locale: 'fr' })
      assertMailable(html)
      const size = Buffer.byteLength(html)
      t.diagnostic(`${count} sites: ${size} bytes, ${text.split('\n').length} lines`)
      assert.ok(size < 100_000, `${count} sites: ${size} bytes`)
      assert.match(html, /Site 19/)
    }
  })

  test('the picture of the workspace goes along in the mail, and a mail goes without it where it cannot be had', async () => {
    const { service, world } = mailing
    const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
    let asked = 0
    const server = http.createServer((request, response) => {
      asked++
      if (request.url === '/logo.png') response.writeHead(200, { 'Content-Type': 'text/html' }).end(png)
      else response.writeHead(200, { 'Content-Type': 'image/png' }).end('<svg onload="x()">')
    })
    await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
    const { port } = server.address() as AddressInfo
    const set = (url: string) =>
      service.store.write
        .insertInto('workspace_settings')
        .values({
          workspace_id: world.ids.workspace ?? '',
          default_timezone: 'UTC',
          default_currency: 'USD',
          week_start: 1,
          require_two_factor: 0,
          assistant_enabled: 1,
          report_logo_url: url,
        })
        .onConflict(conflict => conflict.column('workspace_id').doUpdateSet({ report_logo_url: url }))
        .execute()
    try {
      await set(`http://127.0.0.1:${port}/logo.png`)
      const first = await mailOf({})
      assert.ok(first.types.includes('image/png'))
      assert.match(first.html, /<img src="cid:logo" alt=""/)
      assertMailable(first.html)
      const id = await mailing.report()
      const preview = await mailing.call('GET', `/${id}/preview`)
      assert.match(preview.text, /<img src="data:image\/png;base64,iVBOR/)
      assert.equal(asked, 1, 'it is asked for once, not for every mail')
      assert.match(preview.headers.get('content-security-policy') ?? '', /default-src 'none'.*sandbox/)
      await mailing.call('DELETE', `/${id}`)
      for (const other of [`http://127.0.0.1:${port}/svg.png`, 'http://127.0.0.1:1/none.png', 'http://169.254.169.254/latest']) {
        await set(other)
        const { html, types } = await mailOf({})
        assert.ok(!html.includes('<img') && !types.includes('image/png'))
      }
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })

  test('a mail about a group has the sums of its sites', async () => {
    const { service, world } = mailing
    const zone = 'America/New_York'
    const other = await addSite(service.store, zone, { id: 'pa_other', domain: 'other.test', workspace_id: world.ids.workspace ?? '' })
    mailing.service.clock.now = Date.parse('2026-05-18T12:00:00Z')
    await mailing.visit('2026-05-13T10:00:00Z', 3, { page: '/of-the-first' })
    const at = Date.parse('2026-05-14T10:00:00Z')
    await store(
      service.store,
      [0, 1].map(i => hit(other, { who: `other${i}`, at, page: '/of-the-other' })),
    )
    const path = `/workspaces/${world.ids.workspace}/site_groups.json`
    const made = await request(service, 'POST', path, {
      token: world.token,
      body: { name: 'Both shops', site_ids: [world.ids.site, other.id] },
    })
    assert.equal(made.status, 201, made.text)
    const { mail, text, html } = await mailOf({ name: 'Weekly', site_ids: [made.body.data.id] })
    assert.match(mail.headers.subject ?? '', /^Weekly: 5 visitors/)
    for (const part of [text, html])
      for (const page of ['/of-the-first', '/of-the-other', 'Both shops']) assert.ok(part.includes(page), page)
    await service.store.write.updateTable('sites').set({ deleted_at: 1 }).where('id', '=', other.id).execute()
  })
})
