/** Every kind of alert, from traffic to the message. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Type } from '@sinclair/typebox'
import { event } from '../../../runtime/events/event.ts'
import type { UptimeCheckRow } from '../../../storage/tables/index.ts'
import { type MailServer, startMailServer, startWebServer, type WebServer } from '../channels/receivers.ts'
import { onAnyEngine } from '../../support/engines.ts'
import type { World } from '../../support/world.ts'
import { DAY, HOUR, MINUTE, startWatching, watch, type Watching } from './watching.ts'

const site_id = '{{site}}'
const START = Date.parse('2026-03-10T12:00:00Z') // a Tuesday, 13:00 in Berlin

onAnyEngine('a kind of alert', engine => {
  let watching: Watching
  let mail: MailServer
  let web: WebServer
  before(async () => {
    ;[mail, web] = [await startMailServer(), await startWebServer()]
    watching = await startWatching(engine, {
      SMTP_URL: mail.url,
      MAIL_FROM: 'Footfall <alerts@footfall.test>',
      OUTBOUND_ALLOW_CIDRS: ['127.0.0.1/32'],
      USAGE_LIMIT: 200,
    })
  })
  after(async () => {
    await watching.close()
    await Promise.all([mail.close(), web.close()])
  })

  interface Case {
    readonly says: string
    readonly alert: { readonly kind: string; readonly metric?: string; readonly [field: string]: unknown }
    /** Makes the condition true; called at START. */
    happens(world: World): Promise<void>
    /** Number of evaluations until it triggers. */
    readonly evaluations: number
    readonly value: number
    /** The sentence in the incident and in messages. */
    readonly message: RegExp
    /** Makes the condition false again, if possible. */
    ends?(world: World): Promise<void>
    readonly events?: readonly string[]
  }
  const people = (count: number, at: number, more: object = {}) =>
    Array.from({ length: count }, (_, i) => ({ at, who: `${at} ${i}`, ...more }))
  const check = (world: World, more: Partial<UptimeCheckRow>) =>
    watching.service.store.write
      .insertInto('uptime_checks')
      .values({
        id: `upc_${world.siteNumber}_${more.name}`,
        workspace_id: world.ids.workspace ?? '',
        site_id: world.ids.site ?? '',
        name: null,
        kind: 'http',
        url: 'https://example.com/',
        host: null,
        port: null,
        keyword: null,
        expected_status: 200,
        http_method: 'GET',
        interval_seconds: 300,
        timeout_seconds: 20,
        public: 0,
        status: 'up',
        status_since: 0,
        watched_since: 0,
        last_checked_at: null,
        next_check_at: null,
        leased_until: null,
        last_response_ms: null,
        ssl_expires_at: null,
        ssl_issuer: null,
        domain: null,
        domain_expires_at: null,
        created_at: 0,
        ...more,
      })
      .execute()
  const setStatus = (world: World, name: string, status: UptimeCheckRow['status']) =>
    watching.service.store.write.updateTable('uptime_checks').set({ status }).where('id', '=', `upc_${world.siteNumber}_${name}`).execute()

  const cases: readonly Case[] = [
    {
      says: 'threshold: visitors of an hour',
      alert: { kind: 'threshold', site_id, metric: 'visitors', operator: 'gte', threshold: 12 },
      happens: world => watching.send(world, people(12, START - 20 * MINUTE)),
      evaluations: 2,
      value: 12,
      message: /^12 visitors in 1 hour; alerts at 12 or more$/,
      ends: async () => {
        watching.service.clock.now += HOUR
      },
    },
    {
      says: 'threshold: pageviews of visits that go on',
      alert: { kind: 'threshold', site_id, metric: 'pageviews', operator: 'gt', threshold: 5.5 },
      happens: world =>
        watching.send(
          world,
          [1, 2, 3].flatMap(i => people(2, START - 30 * MINUTE + i, { page: `/${i}` })),
        ),
      evaluations: 2,
      value: 6,
      message: /^6 pageviews in 1 hour; alerts above 5\.5$/,
    },
    {
      says: 'threshold: nobody at all is a value',
      alert: { kind: 'threshold', site_id, metric: 'visits', operator: 'lt', threshold: 1 },
      happens: async () => {},
      evaluations: 2,
      value: 0,
      message: /^0 visits in 1 hour; alerts below 1$/,
    },
    {
      says: 'threshold: a conversion rate that is low',
      alert: { kind: 'threshold', site_id, metric: 'conversion', goal_id: '{{goal}}', operator: 'lte', threshold: 10 },
      happens: async world => {
        await watching.send(world, people(40, START - 30 * MINUTE))
        await watching.send(world, [
          { at: START - 29 * MINUTE, who: `${START - 30 * MINUTE} 1`, event: 'Signup' },
          { at: START - 29 * MINUTE, who: `${START - 30 * MINUTE} 2`, event: 'Signup' },
        ])
      },
      evaluations: 2,
      value: 5,
      message: /^A conversion rate of 5 % in 1 hour; alerts at 10 % or less$/,
    },
    {
      says: 'anomaly: a tenth of what is usual on a Tuesday at noon',
      alert: { kind: 'anomaly', site_id, metric: 'visitors', operator: 'lt', sensitivity: 'high' },
      async happens(world) {
        for (let week = 9; week >= 1; week--) {
          watching.service.clock.now = START - week * 7 * DAY + 3 * HOUR
          for (let hour = -2; hour <= 2; hour++) await watching.send(world, people(60 + (week % 3), START - week * 7 * DAY + hour * HOUR))
        }
        watching.service.clock.now = START
        await watching.send(world, people(6, START - 30 * MINUTE))
      },
      evaluations: 2,
      value: 6,
      message: /^6 visitors in 1 hour; usual at this time of the week is about 61$/,
    },
    {
      says: 'goal: the third completion',
      alert: { kind: 'goal', site_id, goal_id: '{{goal}}', threshold: 3, window_minutes: 30 },
      happens: world => watching.send(world, people(3, START - 10 * MINUTE, { event: 'Signup' })),
      evaluations: 1,
      value: 3,
      message: /^3 completions of "Signup" in 30 minutes; alerts at 3 or more$/,
      events: ['alert.triggered', 'goal.completed_threshold'],
      ends: async () => {
        watching.service.clock.now += HOUR
      },
    },
    {
      says: 'no_data: six hours of silence',
      alert: { kind: 'no_data', site_id, threshold: 6 },
      async happens(world) {
        await watching.send(world, people(2, START - MINUTE))
        watching.service.clock.now += 6 * HOUR
      },
      evaluations: 1,
      value: 6,
      message: /^No hits for 6 hours; alerts after 6 hours$/,
      ends: world => watching.send(world, people(1, watching.service.clock.now)),
    },
    {
      says: 'usage: nine tenths of the month',
      alert: { kind: 'usage', threshold: 90 },
      async happens(world) {
        await watching.send(world, people(185, START - 10 * MINUTE))
        await watching.pass(5 * MINUTE, ['usage_count'])
      },
      evaluations: 1,
      value: 92.5,
      message: /^185 of 200 hits this month, 92\.5 %; alerts at 90 % or more$/,
      events: ['usage.threshold', 'usage.threshold', 'alert.triggered'],
    },
    {
      says: 'uptime: one of two checks is down',
      alert: { kind: 'uptime', site_id },
      async happens(world) {
        await check(world, { name: 'Homepage' })
        await check(world, { name: 'Shop', status: 'down' })
        await check(world, { name: 'New', status: 'pending' })
      },
      evaluations: 1,
      value: 1,
      message: /^1 check down: Shop; 2 checks watched$/,
      ends: async world => {
        await setStatus(world, 'Shop', 'up')
      },
    },
    {
      says: 'ssl: a certificate with six days left',
      alert: { kind: 'ssl', site_id },
      async happens(world) {
        await check(world, { name: 'Homepage', ssl_expires_at: START + 6 * DAY })
        await check(world, { name: 'Shop', ssl_expires_at: START + 60 * DAY })
      },
      evaluations: 1,
      value: 6,
      message: /^The certificate of Homepage expires in 6 days; alerts at 14 days or less$/,
    },
    {
      says: 'vitals: slow for one in four',
      alert: { kind: 'vitals', site_id, metric: 'lcp', threshold: 2500 },
      async happens(world) {
        await watching.send(world, people(20, START - 10 * MINUTE))
        await watching.send(
          world,
          people(20, START - 10 * MINUTE, { kind: 'vitals' }).map((hit, i) => ({
            ...hit,
            at: hit.at + 1000,
            vitals: { lcp: i < 15 ? 1800 + i : 4000, cls: 0.05 },
          })),
        )
        await watching.send(world, people(1, START - 11 * MINUTE))
        await watching.send(world, people(1, START - 11 * MINUTE, { kind: 'vitals', vitals: { lcp: 4100 } }))
      },
      evaluations: 2,
      value: 4000,
      message: /^LCP of 4,000 ms at the 75th percentile of 21 samples in 1 hour; alerts above 2,500 ms$/,
    },
    {
      says: 'vitals: a score of cls',
      alert: { kind: 'vitals', site_id, metric: 'cls', threshold: 0.1, window_minutes: 1440 },
      async happens(world) {
        await watching.send(world, people(20, START - 3 * HOUR))
        await watching.send(world, people(20, START - 3 * HOUR, { kind: 'vitals', vitals: { cls: 0.251 } }))
      },
      evaluations: 2,
      value: 0.251,
      message: /^CLS of 0\.251 at the 75th percentile of 20 samples in 1 day; alerts above 0\.1$/,
    },
  ]

  const label: Readonly<Record<string, string>> = {
    visitors: 'Visitors: ',
    visits: 'Visits: ',
    pageviews: 'Pageviews: ',
    conversion: 'Conversion rate: ',
    goal: 'Completions: ',
    no_data: 'Without hits: ',
    usage: 'Used: ',
    uptime: 'Checks down: ',
    ssl: 'Certificate valid for: ',
    lcp: 'LCP: ',
    cls: 'CLS: ',
  }
  const fact = ({ metric, kind }: { metric?: string; kind: string }, value: number) =>
    `\n${label[metric ?? kind]}${value.toLocaleString('en')}${kind === 'usage' || metric === 'conversion' ? ' %' : ''}`

  for (const { says, alert, happens, evaluations, value, message, ends, events = ['alert.triggered'] } of cases) {
    test(says, async () => {
      const { clock } = watching.service
      clock.now = START
      const { world, id } = await watch(watching, alert)
      const hook = await watching.call(world, 'POST', '/workspaces/{{workspace}}/channels', {
        name: 'Hook',
        kind: 'webhook',
        url: `${web.url}/${id}`,
      })
      assert.equal(hook.status, 201, hook.text)
      await watching.call(world, 'PATCH', `/alerts/${id}`, { channel_ids: ['{{channel}}', hook.body.data.id] })
      await happens(world)
      await watching.announcements(world)
      const before = clock.now
      await watching.run()
      for (let i = 1; i < evaluations; i++) {
        assert.equal((await incidents(world, id)).length, 0, 'too early')
        await watching.pass(15 * MINUTE)
      }
      const [incident, ...more] = await incidents(world, id)
      assert.ok(incident, 'no incident')
      assert.deepEqual(more, [])
      assert.equal(incident.value, value)
      assert.match(incident.message, message)
      assert.equal(incident.triggered_at, new Date(clock.now).toISOString())

      const mails = mailsTo(world)
      assert.equal(mails.length, 1)
      assert.equal(mails[0]?.headers.subject, 'Triggered: Watched')
      for (const part of [incident.message, `http://footfall.test/alerts/${id}`, 'Since: 2026-03-10 ', fact(alert, value)])
        assert.ok(mails[0]?.text.includes(part), mails[0]?.text)
      const [post, ...others] = web.posts.filter(({ path }) => path === `/${id}`)
      assert.deepEqual(
        [others, post?.body.type, post?.body.alert.state, post?.body.incident.value],
        [[], 'alert.triggered', 'triggered', value],
      )
      const told = await events_(world, before)
      assert.deepEqual(told.toSorted(), [...events].toSorted())

      await watching.pass(15 * MINUTE)
      assert.equal((await incidents(world, id)).length, 1, 'what is open opens once')
      if (!ends) return
      await ends(world)
      for (let i = 0; i < (evaluations === 1 ? 1 : 3); i++) await watching.pass(15 * MINUTE)
      assert.equal((await incidents(world, id))[0]?.resolved_at, new Date(clock.now).toISOString())
      assert.deepEqual(
        mailsTo(world).map(({ headers }) => headers.subject),
        ['Triggered: Watched', 'Resolved: Watched'],
      )
      const [first, last] = mailsTo(world)
      assert.equal(first?.headers.references, last?.headers.references)
    })
  }

  const silent: readonly Pick<Case, 'says' | 'alert' | 'happens'>[] = [
    {
      says: 'a rate of nobody',
      alert: { kind: 'threshold', site_id, metric: 'bounce_rate', operator: 'lte', threshold: 100 },
      happens: async () => {},
    },
    {
      says: 'an anomaly with less than four weeks of data',
      alert: { kind: 'anomaly', site_id, metric: 'visitors', operator: 'lt', sensitivity: 'high' },
      async happens(world) {
        for (let week = 4; week >= 1; week--) {
          watching.service.clock.now = START - week * 7 * DAY
          await watching.send(world, people(60, START - week * 7 * DAY - 10 * MINUTE))
        }
        watching.service.clock.now = START
      },
    },
    {
      says: 'vitals of nineteen visits',
      alert: { kind: 'vitals', site_id, metric: 'lcp', threshold: 1 },
      async happens(world) {
        await watching.send(world, people(19, START - 10 * MINUTE))
        await watching.send(world, people(19, START - 10 * MINUTE, { kind: 'vitals', vitals: { lcp: 4000 } }))
      },
    },
    {
      says: 'checks that are pending or paused',
      alert: { kind: 'uptime', site_id },
      async happens(world) {
        await check(world, { name: 'A', status: 'pending' })
        await check(world, { name: 'B', status: 'paused' })
      },
    },
    {
      says: 'certificates that were not seen',
      alert: { kind: 'ssl', site_id },
      async happens(world) {
        await check(world, { name: 'A' })
      },
    },
    { says: 'a site that is younger than the silence', alert: { kind: 'no_data', site_id, threshold: 1 }, happens: async () => {} },
  ]
  for (const { says, alert, happens } of silent) {
    test(`${says} say nothing`, async () => {
      const { clock, store } = watching.service
      clock.now = START
      const { world, id } = await watch(watching, alert)
      await happens(world)
      for (let i = 0; i < 2; i++) await watching.pass(15 * MINUTE)
      assert.deepEqual(await incidents(world, id), [])
      const row = await store.read.selectFrom('alerts').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
      assert.equal(row.last_evaluated_at, clock.now)
      assert.equal(row.streak, alert && 'kind' in alert && alert.kind === 'no_data' ? -2 : 0)
    })
  }

  test('a window ends 60 seconds ago and starts its length before; hits outside it do not count', async () => {
    const { clock } = watching.service
    clock.now = START
    const { world, id } = await watch(watching, { kind: 'goal', site_id, goal_id: '{{goal}}', threshold: 1, window_minutes: 5 })
    await watching.send(world, people(1, START - 6 * MINUTE - 1, { event: 'Signup' }))
    await watching.send(world, people(1, START - MINUTE, { event: 'Signup' }))
    await watching.run()
    assert.deepEqual(await incidents(world, id), [])
    await watching.pass(MINUTE)
    assert.deepEqual(
      (await incidents(world, id)).map(({ value, resolved_at }) => [value, resolved_at]),
      [[1, null]],
    )
  })

  test('incidents of a check resolve when the check is deleted', async () => {
    const { clock, store } = watching.service
    clock.now = START
    const { world, id } = await watch(watching, { kind: 'uptime', site_id })
    await check(world, { name: 'Homepage', status: 'down' })
    await watching.run()
    assert.equal((await incidents(world, id)).length, 1)
    await store.write
      .deleteFrom('uptime_checks')
      .where('site_id', '=', world.ids.site ?? '')
      .execute()
    await watching.pass(15 * MINUTE)
    assert.equal((await incidents(world, id))[0]?.resolved_at, new Date(clock.now).toISOString())
  })

  test('a check that goes down is heard at once, not when the alert is next due', async () => {
    const { clock, store, app } = watching.service
    clock.now = START
    const { world, id } = await watch(watching, { kind: 'uptime', site_id })
    await check(world, { name: 'Homepage' })
    await watching.run()
    clock.now += MINUTE
    const down = event({ type: 'uptime.down', summary: 'As checks tell it.', data: Type.Object({}) })
    await store.transaction(async trx => {
      await trx
        .updateTable('uptime_checks')
        .set({ status: 'down' })
        .where('site_id', '=', world.ids.site ?? '')
        .execute()
      await app.emitIn(trx, clock.now)(down, { workspaceId: world.ids.workspace ?? '', siteId: world.ids.site ?? '', data: {} })
    })
    clock.now += 10_000
    await watching.run()
    assert.equal((await incidents(world, id)).length, 1)
  })

  const incidents = async (world: World, id: string): Promise<any[]> =>
    (await watching.call(world, 'GET', `/alerts/${id}/history`)).body.data // any, so that tests can read any field
  const mailsTo = (world: World) => mail.mails.filter(({ to }) => to.includes(`on-call@${world.ids.domain}`))
  const events_ = async (world: World, since: number) =>
    (
      await watching.service.store.read
        .selectFrom('events')
        .select('type')
        .where('workspace_id', '=', world.ids.workspace ?? '')
        .where('created_at', '>=', Math.min(since, START))
        .execute()
    ).map(({ type }) => type)
})
