/** Feeds and calendars of a site, read by programs that know only an address. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { hit, store as keep } from '../../storage/engine/traffic.ts'
import { onEachEngine } from '../../support/engines.ts'
import { makeSite, request, startService, type TestService, type World } from '../../support/world.ts'

const DAY = 86_400_000

onEachEngine('Feeds of a site', engine => {
  let service: TestService
  let world: World
  let site: string
  let key: string
  before(async () => {
    service = await startService(engine)
    world = await makeSite(service)
    site = `/sites/${world.ids.site}`
    const body = { name: 'Feeds', allow_export: true, show_revenue: true, reports: ['insights', 'incidents', 'notes'] }
    const link = (await as('POST', `${site}/shared_links`, body)).body.data.id
    key = (await as('POST', `${site}/shared_links/${link}/key`)).body.data.key
  })
  after(() => service.close())

  const as = (method: string, path: string, body?: object) => request(service, method, path, { token: world.token, ...(body && { body }) })
  const read = async (path: string) => {
    const { status, text, headers } = await request(service, 'GET', `${site}/feeds/${path}`)
    assert.equal(status, 200, text)
    return { text, type: headers.get('content-type') }
  }

  test('insights of the last week are entries that stay the same within the week', async () => {
    const zone = { number: world.siteNumber, timezone: 'Europe/Berlin' }
    const at = service.clock.now - 7 * DAY
    const hits = Array.from({ length: 40 }, (_, i) => hit(zone, { who: `v${i}`, at: at + i, page: '/a<b>&"' }))
    await keep(service.store, hits, 40)
    const { text, type } = await read(`insights?key=${key}`)
    assert.match(type ?? '', /^application\/atom\+xml/)
    assert.match(text, /^<\?xml version="1\.0" encoding="utf-8"\?>\n<feed xmlns="http:\/\/www\.w3\.org\/2005\/Atom" xml:lang="en">/)
    assert.match(text, /<title>Visitors rose[^<]+<\/title>/)
    assert.match(text, /a&lt;b&gt;&amp;&quot;/)
    assert.equal((await read(`insights?key=${key}`)).text, text)
    assert.match((await read(`insights?language=de&key=${key}`)).text, /Auffälligkeiten/)
  })

  test('incidents of the alerts of this site are entries; a resolved one is updated', async () => {
    const alert = { kind: 'no_data', name: 'Quiet & "still"', threshold: 6, site_id: world.ids.site }
    const { id } = (await as('POST', `/workspaces/${world.ids.workspace}/alerts`, alert)).body.data
    const incident = {
      alert_id: id,
      resolution: null,
      value: 1,
      message: 'No hits.',
      acknowledged_at: null,
      acknowledged_by: null,
      announced_at: null,
    }
    const { write } = service.store
    const times = { triggered_at: service.clock.now - DAY, resolved_at: service.clock.now - DAY / 2 }
    await write
      .insertInto('alert_incidents')
      .values({ id: 'inc_1', ...incident, ...times, resolution: 'recovered' })
      .execute()
    await write
      .insertInto('alert_incidents')
      .values({ id: 'inc_2', ...incident, triggered_at: service.clock.now, resolved_at: null })
      .execute()
    const { text } = await read(`incidents?key=${key}`)
    assert.deepEqual(
      [...text.matchAll(/<id>urn:footfall:pa_\w+:incidents:(\w+)<\/id>/g)].map(([, of]) => of),
      ['inc_2', 'inc_1'],
    )
    assert.match(text, /<title>Quiet &amp; &quot;still&quot;: No hits\.<\/title>/)
    assert.equal((text.match(/<updated>([^<]+)<\/updated>/g) ?? [])[2], `<updated>${new Date(times.resolved_at).toISOString()}</updated>`)
    const other = await makeSite(service)
    assert.doesNotMatch((await request(service, 'GET', `/sites/${other.ids.site}/feeds/incidents`, { token: other.token })).text, /<entry>/)
  })

  test('notes and maintenance are a calendar, in lines of at most 75 octets', async () => {
    await as('POST', `${site}/notes`, { text: `Übergabe; Teil 1, mit \\ und\n${'ü'.repeat(80)}`, at: '2026-03-01T09:30:00Z' })
    const checked = await as('POST', `${site}/uptime`, { url: 'https://example.com/', public: true })
    assert.equal(checked.status, 201, checked.text)
    const groups = [{ name: 'Website', checks: [{ check_id: checked.body.data.id }] }]
    const page = await as('POST', `/workspaces/${world.ids.workspace}/status_pages`, { name: 'Acme', groups })
    assert.equal(page.status, 201, page.text)
    const from = new Date(service.clock.now + DAY).toISOString()
    const to = new Date(service.clock.now + DAY + 3_600_000).toISOString()
    const planned = {
      kind: 'maintenance',
      title: 'Disks',
      starts_at: from,
      ends_at: to,
      check_ids: [checked.body.data.id],
      body: 'New disks.',
    }
    const made = await as('POST', `/status_pages/${page.body.data.id}/incidents`, planned)
    assert.equal(made.status, 201, made.text)
    const { text, type } = await read(`calendar?key=${key}`)
    assert.match(type ?? '', /^text\/calendar/)
    const lines = text.split('\r\n')
    assert.deepEqual([lines[0], lines.at(-2), lines.at(-1)], ['BEGIN:VCALENDAR', 'END:VCALENDAR', ''])
    for (const line of lines) assert.ok(Buffer.byteLength(line) <= 75, line)
    const unfolded = text.replaceAll('\r\n ', '')
    assert.match(unfolded, /\r\nDTSTART:20260301T093000Z\r\nSUMMARY:Übergabe\\; Teil 1\\, mit \\\\ und(\\n| )ü{80}\r\n/)
    const stamp = (time: string) => time.replace(/[-:]|\.\d+/g, '')
    assert.ok(unfolded.includes(`DTSTART:${stamp(from)}\r\nDTEND:${stamp(to)}\r\nSUMMARY:Disks\r\n`), unfolded)
  })

  test('a calendar of many notes has each of them once, between one head and one end', async () => {
    const before = (await read(`calendar?key=${key}`)).text.split('BEGIN:VEVENT').length
    for (let i = 0; i < 60; i++)
      await as('POST', `${site}/notes`, { text: `Note ${i} BEGIN:VEVENT END:VCALENDAR`, at: '2026-03-02T09:30:00Z' })
    const lines = (await read(`calendar?key=${key}`)).text.split('\r\n')
    const countOf = (line: string) => lines.filter(each => each === line).length
    assert.deepEqual(['BEGIN:VCALENDAR', 'END:VCALENDAR', 'BEGIN:VEVENT', 'END:VEVENT'].map(countOf), [1, 1, before + 59, before + 59])
    assert.equal(new Set(lines.filter(line => line.startsWith('SUMMARY:Note '))).size, 60)
  })

  test('a key reads only the feeds of its link, and only if the link may export', async () => {
    const { id } = (await as('POST', `${site}/shared_links`, { name: 'Notes', allow_export: true, reports: ['notes'] })).body.data
    const { key: other } = (await as('POST', `${site}/shared_links/${id}/key`)).body.data
    const statusOf = async (feed: string, of: string) => (await request(service, 'GET', `${site}/feeds/${feed}?key=${of}`)).status
    assert.deepEqual(
      [
        await statusOf('calendar', other),
        await statusOf('insights', other),
        await statusOf('incidents', other),
        await statusOf('calendar', 'x'),
      ],
      [200, 403, 403, 401],
    )
    await as('PATCH', `${site}/shared_links/${id}`, { allow_export: false })
    assert.equal(await statusOf('calendar', other), 403)
    const refused = { name: 'Days', max_days: 30, reports: ['incidents', 'notes'] }
    assert.equal((await as('POST', `${site}/shared_links`, refused)).status, 422)
  })
})
