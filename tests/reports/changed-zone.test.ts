/**
 * After a change of the time zone, every report has days of the present zone: at once, while days are open or sealed, and after
 * further changes. Brute force over the hits shares no code with the engine.
 */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { table } from '../../operations/index.ts'
import { apply } from '../../operations/reports/stats/applied.ts'
import { engine as analytics } from '../../operations/reports/stats/engine.ts'
import { contentOf } from '../../operations/exchange/email-reports/content.ts'
import { isLive } from '../../operations/sites/sites/records.ts'
import { withLinks } from '../../operations/exchange/email-reports/records.ts'
import { dateOf, dayStart, localDay } from '../../storage/calendar/zones.ts'
import { chanceOf } from '../support/chance.ts'
import { days_recut } from '../../operations/sites/sites/tasks.ts'
import { recutInSteps } from '../support/recut.ts'
import { taskContext } from '../support/task-context.ts'
import { isThorough, mostOn, onAnyEngine } from '../support/engines.ts'
import { isFull, someOf } from '../support/full.ts'
import { callHttp, makeSite, request, startService, type TestService, type World } from '../support/world.ts'
import { dateAt } from '../storage/engine/oracle/oracle/calendar.ts'
import { hit, store as keep } from '../storage/engine/traffic.ts'

const HOUR = 3_600_000
const MINUTE = 60_000

interface Sent {
  readonly who: string
  readonly at: number
  readonly page: string
  readonly event?: string
}

const dateIn = (zone: string, at: number): string => dateOf(dateAt(zone, at))
const daysBefore = (date: string, days: number): string => new Date(Date.parse(date) - days * 24 * HOUR).toISOString().slice(0, 10)

onAnyEngine('a site whose time zone changed', engine => {
  let service: TestService
  let world: World
  const hits: Sent[] = []
  const chance = chanceOf('changed zone')
  before(async () => {
    service = await startService(engine)
    service.clock.now = Date.parse('2026-03-10T03:20:00Z')
    world = await makeSite(service)
  })
  after(() => service.close())

  async function moveTo(timezone: string): Promise<void> {
    const { status } = await request(service, 'PATCH', `/sites/${world.ids.site}.json`, { token: world.token, body: { timezone } })
    assert.equal(status, 200)
  }
  async function send(zone: string, count: number, from: number, to: number): Promise<void> {
    const sent = Array.from({ length: count }, (): Sent => {
      const at = chance.int(from, to)
      const who = `visitor ${chance.int(0, 9)}`
      return { who, at, page: chance.pick(['/', '/docs']), ...(chance.int(0, 5) === 0 && { event: 'Signup' }) }
    }).sort((a, b) => a.at - b.at)
    hits.push(...sent)
    for (const one of sent) await keep(service.store, [hit({ number: world.siteNumber, timezone: zone }, one)])
  }
  async function ask(name: string, input: Record<string, unknown>) {
    const operation = table.operations.get(name) ?? assert.fail(name)
    const { status, body } = await callHttp(service, operation, { site_id: world.ids.site, ...input }, world.token)
    assert.equal(status, 200, JSON.stringify(body))
    return body
  }
  const seal = () =>
    service.app
      .use(analytics)
      .sealDays({ now: () => service.clock.now, signal: new AbortController().signal, failed: (_, error) => assert.fail(String(error)) })

  const sum = (points: readonly Record<string, number>[], name: string) => points.reduce((all, point) => all + (point[name] ?? 0), 0)

  /** @param step of a longer story: only two of the ranges */
  async function agrees(zone: string, { noted = null, step }: { noted?: boolean | null; step?: number } = {}): Promise<void> {
    const today = dateIn(zone, service.clock.now)
    const first = daysBefore(dateIn(zone, Math.min(...hits.map(({ at }) => at))), 1)
    const dates = Array.from({ length: 9 }, (_, i) => daysBefore(first, -i)).filter(date => date <= today)
    const views = (from: string, to: string) =>
      hits.filter(({ at, event }) => event === undefined && from <= dateIn(zone, at) && dateIn(zone, at) <= to).length
    const ranges: { input: Record<string, unknown>; from: string; to: string }[] = [
      { input: { period: 'today' }, from: today, to: today },
      { input: { period: 'yesterday' }, from: daysBefore(today, 1), to: daysBefore(today, 1) },
      { input: { period: '7d' }, from: daysBefore(today, 6), to: today },
      { input: { period: 'all' }, from: first, to: today },
      ...dates.map(date => ({ input: { from: date, to: date }, from: date, to: date })),
      { input: { from: dates[1], to: dates[4] }, from: dates[1] ?? '', to: dates[4] ?? '' },
    ]
    const asked =
      step === undefined
        ? someOf(ranges, isThorough(engine) ? 4 : 3)
        : [ranges[3] ?? assert.fail(), ranges[4 + (step % dates.length)] ?? assert.fail()]
    for (const { input, from, to } of asked) {
      const said = `${zone} ${JSON.stringify(input)}`
      const { data, meta } = await ask('stats_aggregate', input)
      assert.equal(data.metrics.pageviews, views(from, to), said)
      if (input.period !== 'all') assert.equal(dateIn(zone, Date.parse(data.period.from)), from, said)
      const isNoted = meta.notes.some(({ code }: { code: string }) => code === 'days_cut_anew')
      if (noted !== null) assert.equal(isNoted, noted, said)
      const days = (await ask('stats_timeseries', { ...input, interval: 'day' })).data.series
      for (const name of ['visitors', 'visits', 'pageviews']) assert.equal(sum(days, name), data.metrics[name], `${said} ${name}`)
      for (const point of days) assert.equal(point.pageviews, views(point.at.slice(0, 10), point.at.slice(0, 10)), `${said} ${point.at}`)
      const hours = (await ask('stats_timeseries', { ...input, interval: 'hour' })).data.series
      assert.equal(sum(hours, 'pageviews'), data.metrics.pageviews, said)
      const { rows } = (await ask('stats_breakdown', { ...input, dimension: 'page', limit: 100 })).data
      assert.equal(sum(rows, 'pageviews'), data.metrics.pageviews, said)
      const weekdays = (await ask('stats_breakdown', { ...input, dimension: 'weekday' })).data.rows
      for (const { value, pageviews, visits } of weekdays) {
        const ofDay = days.filter(({ at }: { at: string }) => String(((new Date(at.slice(0, 10)).getUTCDay() + 6) % 7) + 1) === value)
        assert.deepEqual([pageviews, visits], [sum(ofDay, 'pageviews'), sum(ofDay, 'visits')], said)
      }
      const kept = (await ask('stats_aggregate', { ...input, filters: [['page', 'is', '/docs']] })).data.metrics.pageviews
      assert.equal(
        kept,
        hits.filter(({ at, page, event }) => !event && page === '/docs' && from <= dateIn(zone, at) && dateIn(zone, at) <= to).length,
      )
      const overview = (await ask('stats_overview', { ...input, panels: [] })).data
      assert.deepEqual(overview.metrics, data.metrics, said)
    }
  }

  test('the headline, its points and hours, pages, weekdays and filters agree, open and sealed, after each change', async () => {
    const start = service.clock.now
    const zones = ['Asia/Kathmandu', 'America/New_York', 'Europe/Berlin', 'Pacific/Kiritimati'] as const
    const [first, ...others] = zones
    await moveTo(first)
    await send(first, 60, start - 4 * 24 * HOUR, start)
    for (const zone of mostOn(engine, others, 2)) {
      await moveTo(zone)
      await agrees(zone, { noted: true })
      await seal()
      const from = service.clock.now
      service.clock.now += 90 * MINUTE
      await send(zone, 12, from, service.clock.now)
      await agrees(zone)
    }
    assert.equal((await ask('stats_overview', { period: 'today', panels: [] })).data.live_visitors <= 9, true)
  })

  test('a range from 1970 on counts the same, and its calendar begins at the first visit', async () => {
    const site = await service.store.read.selectFrom('sites').selectAll().where('number', '=', world.siteNumber).executeTakeFirstOrThrow()
    if (!isLive(site)) assert.fail('the site is deleted')
    const today = dateIn(site.timezone, service.clock.now)
    const input = { from: '1970-01-01', to: today }
    const { calendar } = await apply(service.store.read, site, service.clock.now, { period: 'custom', ...input })
    assert.ok(calendar && calendar.starts.length > 0 && calendar.starts.length < 20, `${calendar?.starts.length} days`)
    const [whole, all] = [await ask('stats_aggregate', input), await ask('stats_aggregate', { period: 'all' })]
    assert.deepEqual(whole.data.metrics, all.data.metrics)
  })

  test('hits that arrive while the time zone changes are counted on a day of the new zone, once each', async () => {
    const [from, to] = ['Pacific/Kiritimati', 'America/Los_Angeles'] as const
    const start = service.clock.now
    service.clock.now += 2 * HOUR
    await Promise.all([send(from, 15, start, service.clock.now), moveTo(to), send(to, 15, start, service.clock.now)])
    await agrees(to)
    await Promise.all([seal(), send(to, 5, start, service.clock.now)])
    await agrees(to)
  })

  test('an e-mail report has the figures of the days of the new zone', async () => {
    const site = await service.store.read
      .selectFrom('sites')
      .selectAll()
      .where('id', '=', world.ids.site ?? '')
      .executeTakeFirstOrThrow()
    const last = localDay(site.timezone, service.clock.now).day - 1
    const period = { from: last - 2, to: last }
    const made = await callHttp(
      service,
      table.operations.get('email_reports_create') ?? assert.fail(),
      { workspace_id: world.ids.workspace, name: 'Days', site_ids: [site.id], recipients: ['ada@example.org'] },
      world.token,
    )
    const row = await service.store.read
      .selectFrom('email_reports')
      .selectAll()
      .where('id', '=', made.body.data.id)
      .executeTakeFirstOrThrow()
    const [report = assert.fail()] = await withLinks(service.store.read, [row])
    if (!isLive(site)) assert.fail()
    const { sections } = await contentOf({
      report,
      sites: [site],
      period,
      reading: {
        db: service.store.read,
        now: service.clock.now,
        engine: service.app.use(analytics),
        config: { BASE_URL: 'https://stats.example.org' },
      },
    })
    const shown = sections[0]?.figures.find(({ label }) => label === 'Pageviews')?.value
    const dates = [dateOf(period.from), dateOf(period.to)] as const
    const views = hits.filter(
      ({ at, event }) => event === undefined && dates[0] <= dateIn(site.timezone, at) && dateIn(site.timezone, at) <= dates[1],
    )
    assert.equal(shown, String(views.length))
  })

  test('days are cut in the background, and all reports agree in between; then there is no note any more', async () => {
    const zone = 'America/Los_Angeles'
    const site = async () => (await ask('sites_get', {})).data
    assert.equal((await site()).days_cut_anew.from, null)
    service.clock.now += 2 * 24 * HOUR
    await days_recut.run(taskContext(service.app))
    await agrees(zone, { step: 0 })
    const seen = new Set<string | null>()
    let steps = 0
    service.clock.now += 3 * 24 * HOUR
    const interrupted = await recutInSteps(service, { number: world.siteNumber }, async () => {
      seen.add((await site()).days_cut_anew?.from ?? null)
      if (seen.size % 2 === 0) await seal()
      if (++steps % 3 === 0 || isFull) await agrees(zone, { step: steps })
    })
    assert.ok(interrupted > 1 && seen.size > 1, `${interrupted} interruptions, ${seen.size} steps`)
    assert.equal((await site()).days_cut_anew, null)
    await agrees(zone, { noted: false })
    const stored = await service.store.read.selectFrom('site_days').selectAll().where('site_id', '=', world.siteNumber).execute()
    for (const { day, starts_at, ends_at } of stored) assert.deepEqual([starts_at, ends_at], [dayStart(zone, day), dayStart(zone, day + 1)])
  })

  test('a further change in the middle begins again, also across the date line', async () => {
    await moveTo('Pacific/Apia')
    service.clock.now += 5 * 24 * HOUR
    let steps = 0
    await recutInSteps(service, { number: world.siteNumber }, async () => {
      if (++steps === 3) {
        await moveTo('Pacific/Pago_Pago')
        service.clock.now += 5 * 24 * HOUR
      }
      if (steps < 4 || steps % 3 === 0) await agrees(steps < 3 ? 'Pacific/Apia' : 'Pacific/Pago_Pago', { step: steps })
    })
    assert.ok(steps > 4)
    await agrees('Pacific/Pago_Pago', { noted: false, step: 1 })
  })
})
