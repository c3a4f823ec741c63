/** Alerts show what they watch: also certificates, and the use of the plan. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onAnyEngine } from '../../support/engines.ts'
import { makeWorld, ownPage, request, startService, type TestService, type World } from '../../support/world.ts'

const DAY = 86_400_000

onAnyEngine('pages of alerts', engine => {
  let service: TestService
  let world: World
  before(async () => {
    service = await startService(engine, { USAGE_LIMIT: 100 })
    world = await makeWorld(service)
  })
  after(() => service.close())

  async function pageOf(fields: object): Promise<string> {
    const made = await request(service, 'POST', `/workspaces/${world.ids.workspace}/alerts.json`, {
      token: world.token,
      body: { name: 'Watches', ...fields },
    })
    assert.equal(made.status, 201, made.text)
    const { status, text } = await request(service, 'GET', `/alerts/${made.body.data.id}`, {
      token: world.shown.session,
      headers: { Accept: 'text/html,*/*' },
    })
    assert.equal(status, 200)
    return text
  }
  const figures = (html: string): string[] => [...html.matchAll(/<td class="number">([^<]*)<\/td>/g)].map(([, figure = '']) => figure)

  test('the use of the plan is drawn day by day, against the threshold', async () => {
    const today = Math.floor(service.clock.now / DAY)
    const site_id = world.siteNumber
    await service.store.write
      .insertInto('usage_days')
      .values([
        { site_id, day: today - 2, rev: 1, hits: 20 },
        { site_id, day: today, rev: 1, hits: 30 },
      ])
      .execute()
    const html = await pageOf({ kind: 'usage', threshold: 80 })
    assert.match(html, /Used of the limit, This month/)
    assert.match(html, /Threshold 80%|80%/)
    const shown = figures(html)
    assert.equal(shown.length, new Date(service.clock.now).getUTCDate(), 'every day of the month so far')
    assert.deepEqual(shown.slice(-3), ['20%', '20%', '50%'])
  })

  test('an acknowledged incident cannot be acknowledged again', async () => {
    const address = `/alerts/${world.ids.alert}`
    const page = async () =>
      (await request(service, 'GET', address, { token: world.shown.session, headers: { Accept: 'text/html,*/*' } })).text
    assert.match(await page(), /do=alerts_acknowledge/)
    const done = await request(service, 'POST', `${address}/acknowledge.json`, { token: world.token, body: {} })
    assert.deepEqual([done.status, done.body.data.state], [200, 'triggered'])
    assert.doesNotMatch(await page(), /do=alerts_acknowledge/)
  })

  test('an alert on a goal names it, on its page and in the list', async () => {
    const goal = await request(service, 'POST', `/sites/${world.ids.site}/goals.json`, {
      token: world.token,
      body: { name: 'Booked', kind: 'event', event: 'Booking' },
    })
    const fields = { kind: 'goal', site_id: world.ids.site, goal_id: goal.body.data.id, operator: 'gte', threshold: 1 }
    assert.match(await pageOf(fields), /Completions of “Booked” at least 1/)
    const list = await request(service, 'GET', `/workspaces/${world.ids.workspace}/alerts`, {
      token: world.shown.session,
      headers: { Accept: 'text/html,*/*' },
    })
    assert.match(list.text, /Completions of “Booked” at least 1/)
  })

  test('an alert without a channel says that it sends no notifications, and leads to its channels', async () => {
    const fields = { kind: 'threshold', metric: 'visitors', operator: 'lt', threshold: 10, site_id: world.ids.site }
    const html = await pageOf(fields)
    assert.match(html, /This alert has no channel, so it sends no notifications\. <a href="[^"]*do=alerts_update">Choose a channel</)
    assert.doesNotMatch(await pageOf({ ...fields, channel_ids: [world.ids.channel] }), /sends no notifications/)
    const list = await request(service, 'GET', `/workspaces/${world.ids.workspace}/alerts`, {
      token: world.shown.session,
      headers: { Accept: 'text/html,*/*' },
    })
    assert.match(list.text, /Visitors below 10, within [^<]* · No notifications/)
  })

  test('the days that certificates are left are drawn until the first of them ends', async () => {
    const { now } = service.clock
    const none = await pageOf({ kind: 'ssl', site_id: world.ids.site })
    assert.doesNotMatch(none, /class="plot"/)
    await service.store.write
      .updateTable('uptime_checks')
      .set({ ssl_expires_at: now + 20.5 * DAY })
      .where('site_id', '=', world.ids.site ?? '')
      .execute()
    const html = await pageOf({ kind: 'ssl', site_id: world.ids.site, threshold: 14 })
    assert.match(html, /Days until the first certificate ends, unless it is renewed/)
    assert.match(html, /Threshold 14 days/)
    const shown = figures(html)
    assert.deepEqual([shown.length, shown[0], shown.at(-1)], [22, '20.5 days', '0 days'])
  })

  test('the condition is a sentence in the language of the reader', async () => {
    const kinds = [
      {
        fields: { kind: 'threshold', metric: 'visitors', operator: 'lt', threshold: 10 },
        en: /Visitors below 10, within/,
        de: /Besucher unter 10 \(Zeitraum:/,
      },
      { fields: { kind: 'no_data', threshold: 24 }, en: /No hits for \d/, de: /\d+ .* lang keine Treffer/ },
      {
        fields: { kind: 'anomaly', metric: 'visitors', sensitivity: 'low' },
        en: /other than usual, low sensitivity/,
        de: /anders als sonst, Empfindlichkeit niedrig/,
      },
      {
        fields: { kind: 'anomaly', metric: 'visits', operator: 'lt' },
        en: /Visits: fewer than usual, medium/,
        de: /: weniger als sonst, Empfindlichkeit mittel/,
      },
      {
        fields: { kind: 'anomaly', metric: 'bounce_rate', operator: 'gt' },
        en: /Bounce rate: higher than usual, medium/,
        de: /: höher als sonst, Empfindlichkeit mittel/,
      },
      {
        fields: { kind: 'ssl', threshold: 14 },
        en: /Certificate valid for at most 14 days/,
        de: /Zertifikat noch gültig: höchstens 14 Tage/,
      },
    ]
    for (const locale of ['en', 'de'] as const) {
      const saved = await request(service, 'POST', '/account?_method=PATCH', {
        token: world.shown.session,
        body: `locale=${locale}`,
        headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html', ...ownPage },
      })
      assert.equal(saved.status, 303, saved.text)
      for (const { fields, ...told } of kinds) assert.match(await pageOf({ site_id: world.ids.site, ...fields }), told[locale])
    }
  })
})
