/** Visits of the past that meet conditions are erased, and nothing else. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { createScheduler } from '../../runtime/tasks/scheduler.ts'
import { emptiedTable, placesOfTexts, sampleValues } from '../support/bytes.ts'
import { onEachEngine } from '../support/engines.ts'
import { rowsBack } from '../support/packed.ts'
import { startService, type TestService } from '../support/world.ts'
import { type Asking, at, newSite } from '../reports/events/asking.ts'

onEachEngine('erasures of visits', engine => {
  let service: TestService
  let site: Omit<Asking, 'service'>
  before(async () => {
    service = await startService(engine)
  })
  beforeEach(async () => {
    site = await newSite(service)
  })
  after(() => service.close())

  const domain = async (): Promise<string> => (await site.get('sites_get')).data.domain
  const erase = async (input: object) => (await site.get('visits_erase', { ...input, confirm: await domain() })).data
  async function run(): Promise<void> {
    service.clock.now += 5 * 60_000
    await createScheduler(service.app).runDue(['visits_erasing'])
  }
  const metrics = async (input: object = {}) => {
    const { data } = await site.get('stats_aggregate', { period: 'all', ...input })
    const { visitors, visits, pageviews, revenue } = data.metrics
    return [visitors, visits, pageviews, revenue]
  }
  /** All rows of the site in the tables of hits, in the form of exports: without ids. */
  async function rows(): Promise<unknown[]> {
    const { number } = await service.store.read
      .selectFrom('sites')
      .select('number')
      .where('id', '=', site.world.ids.site ?? '')
      .executeTakeFirstOrThrow()
    await rowsBack(service.app, number)
    const all: unknown[] = []
    for (const table of ['visits', 'hits', 'hit_props', 'vitals', 'clicks'] as const) {
      const found = await service.store.read.selectFrom(table).selectAll().where('site_id', '=', number).execute()
      all.push(...found.map(row => JSON.stringify({ table, ...row, rev: 0 })))
    }
    return all.sort()
  }

  test('deletes the visits that the preview counted, with all of their rows, and leaves every other row as it was', async () => {
    await site.send({ who: 'a', at: at('10:00'), page: '/', visit: { country: 'DE' } })
    await site.send({ who: 'c', at: at('10:00'), page: '/', visit: { country: 'FR' } })
    const kept = await rows()
    await site.send(
      { who: 'b', at: at('11:00'), page: '/x', visit: { country: 'US' } },
      { who: 'b', at: at('11:01'), event: 'Buy', revenue: 500, props: { size: 'L' } },
      { who: 'b', at: at('11:01'), page: '/x', kind: 'vitals', vitals: { lcp: 1200 } },
      { who: 'b', at: at('12:00'), page: '/y', visit: { country: 'US' } },
      { who: 'b', at: at('10:30', '2026-03-08'), page: '/z', visit: { country: 'US' } },
    )
    const filters = [['country', 'is', 'US']]
    const { data: preview } = await site.get('visits_erase_preview', { period: '7d', filters })
    assert.deepEqual(
      [preview.visits, preview.whole_visits, preview.pageviews, preview.events, preview.revenue, preview.days, preview.share],
      [3, 3, 3, 1, 500, 2, 60],
    )
    const asked = await erase({ period: '7d', filters })
    assert.deepEqual([asked.state, asked.filters, asked.from, asked.to], ['running', filters, '2026-03-04', '2026-03-10'])
    await run()
    const { data: done } = await site.get('visits_erasures_get', { id: asked.id })
    assert.deepEqual([done.state, done.progress, done.visits, done.pageviews, done.events, done.revenue], ['finished', 100, 3, 3, 1, 500])
    assert.deepEqual(await rows(), kept)
    assert.deepEqual(await metrics(), [2, 2, 2, 0])
    assert.deepEqual((await site.get('visits_erase_preview', { period: '7d', filters })).data.visits, 0)

    const { input } = await service.store.read
      .selectFrom('audit_entries')
      .select('input')
      .where('operation', '=', 'visits_erase')
      .where('site_id', '=', site.world.ids.site ?? '')
      .executeTakeFirstOrThrow()
    assert.deepEqual(JSON.parse(input).filters, filters)
  })

  const hashOf = (name: string, text: string) => createHash(name).update(text).digest('hex')

  test('erases visits by a value of any property, or a hash of it, and keeps the value nowhere', async () => {
    const address = `Ann.${site.world.siteNumber}@Example.com`
    const others = [{ who: 'd', at: at('10:00'), event: 'Login', props: { email: 'bob@example.com' } }]
    await site.send(...others)
    const kept = await rows()
    const low = address.toLowerCase()
    await site.send(
      { who: 'a', at: at('10:00'), event: 'Login', props: { email: address } },
      { who: 'a', at: at('10:05'), page: '/account' },
      { who: 'b', at: at('11:00'), event: 'Pay', props: { customer: hashOf('sha256', low) } },
      { who: 'c', at: at('12:00', '2026-03-08'), event: 'Pay', props: { 'sha 1': hashOf('sha1', low), n: 1 } },
      { who: 'e', at: at('13:00'), event: 'Pay', props: { md5: hashOf('md5', address) } },
    )
    await sampleValues(service)
    const input = { period: 'all', value: address }
    const { data: preview } = await site.get('visits_erase_preview', input)
    assert.deepEqual([preview.visits, preview.events, preview.by_value, preview.filters], [4, 4, true, []])
    const narrower = { ...input, filters: [['property:email', 'is', address]] }
    assert.equal((await site.get('visits_erase_preview', narrower)).data.visits, 1)
    const erasure = await erase(input)
    assert.deepEqual([erasure.by_value, erasure.filters], [true, []])
    await run()
    const { data: done } = await site.get('visits_erasures_get', { id: erasure.id })
    assert.deepEqual([done.state, done.visits, done.by_value], ['finished', 4, true])
    assert.deepEqual(await rows(), kept)
    const placesOf = await placesOfTexts(service)
    for (const text of [address, low, hashOf('sha256', low), hashOf('sha1', low), hashOf('md5', address)])
      assert.deepEqual(placesOf(text), [], text)
    assert.equal((await site.get('visits_erase_preview', input)).data.visits, 0)
    const again = await site.call('visits_erase', { ...input, confirm: await domain() })
    assert.deepEqual([again.status, again.body.error.details[0].pointer, again.body.error.details[0].code], [422, '/value', 'not_found'])
    assert.deepEqual(await rows(), kept)
  })

  for (const name of ['Dora_', 'ÉVA "the first" \\'])
    test(`deletes the refused lines of imports that have the value, and others stay: ${name}`, async () => {
      const address = `${name}${site.world.siteNumber}@example.com`
      await site.send({ who: 'a', at: at('10:00'), event: 'Login', props: { email: address } })
      const { data: made } = await site.get('imports_create', { source: 'footfall', filename: 'hits.ndjson' })
      const lines = [JSON.stringify({ mail: address.toLowerCase() }), '{"mail":"eve@example.com"}'].map((text, seq) => ({
        import_id: made.id as string,
        seq,
        file: 'hits.ndjson',
        line: seq + 1,
        reason: 'no time',
        text,
      }))
      await service.store.write.insertInto('import_refusals').values(lines).execute()
      await sampleValues(service)
      await erase({ period: 'all', value: address })
      await run()
      const { data } = await site.get('imports_refused_list', { id: made.id })
      assert.deepEqual(
        data.map(({ text }: { text: string }) => text),
        [lines[1]?.text],
      )
      const placesOf = await placesOfTexts(service)
      assert.deepEqual([...placesOf(address), ...placesOf(address.toLowerCase())], [])
    })

  test('is not finished as long as statistics have samples that cannot be deleted', async () => {
    if (!service.store.isShared) return
    const { text, whileInUse } = await emptiedTable(service.store)
    await site.send({ who: 'a', at: at('10:00'), event: 'Login', props: { email: 'carol@example.com' } })
    const { id } = await erase({ period: 'all', value: 'carol@example.com' })
    await whileInUse(run)
    assert.equal((await site.get('visits_erasures_get', { id })).data.state, 'running')
    await run()
    assert.equal((await site.get('visits_erasures_get', { id })).data.state, 'finished')
    assert.deepEqual((await placesOfTexts(service))(text), [])
  })

  test('needs the domain of the site and the permission, and refuses periods of hours', async () => {
    assert.equal((await site.call('visits_erase', { period: 'all', confirm: 'wrong.example' })).status, 422)
    const viewer = await site.world.tokenFor('viewer')
    assert.equal((await site.call('visits_erase', { period: 'all', confirm: await domain() }, viewer)).status, 403)
    const refused = await site.call('visits_erase', { period: '24h', confirm: await domain() })
    assert.deepEqual([refused.status, refused.body.error.details[0].pointer], [422, '/period'])
    assert.equal((await site.get('visits_erasures_list')).data.length, 0)
  })

  test('a visit that runs is deleted with the hits so far, and visits that begin after the request stay', async () => {
    const { now } = service.clock
    await site.send({ who: 'a', at: now - 60_000, page: '/secret' }, { who: 'a', at: now - 30_000, page: '/' })
    await erase({ period: 'today', filters: [['page', 'is', '/secret']] })
    await site.send({ who: 'b', at: now + 1_000, page: '/secret' })
    await run()
    await site.send({ who: 'a', at: now + 2_000, page: '/later' })
    const { data } = await site.get('stats_breakdown', { period: 'today', dimension: 'page' })
    assert.deepEqual(data.rows.map(({ value }: any) => value).sort(), ['/later', '/secret'])
    assert.deepEqual((await metrics()).slice(0, 3), [2, 2, 2])
  })

  test('a rule applied to the past deletes the hits that it would have dropped, and repairs their visits', async () => {
    await site.send(
      { who: 'a', at: at('10:00'), page: '/admin/x' },
      { who: 'a', at: at('10:01'), page: '/shop' },
      { who: 'a', at: at('10:02'), event: 'Save', props: { id: '7' }, page: '/admin/x' },
      { who: 'b', at: at('10:00'), page: '/admin/y' },
      { who: 'c', at: at('10:00'), page: '/shop' },
    )
    const { data: rule } = await site.get('traffic_rules_create', { kind: 'page', value: '/admin/*' })
    const { data: preview } = await site.get('visits_erase_preview', { period: '7d', traffic_rule_id: rule.id })
    assert.deepEqual([preview.visits, preview.whole_visits, preview.pageviews, preview.events], [2, 1, 2, 1])
    const tested = (await site.get('traffic_rules_test', { kind: 'page', value: '/admin/*' })).data
    assert.deepEqual([tested.counted, tested.dropped_30d, tested.dropped_30d_unknown], [true, 3, null])
    assert.equal((await site.get('traffic_rules_test', { url: '/admin/x' })).data.dropped_30d, 3)
    await site.get('traffic_rules_apply', { id: rule.id, period: '7d', confirm: await domain() })
    await run()
    assert.deepEqual((await metrics()).slice(0, 3), [2, 2, 2])
    for (const dimension of ['page', 'entry_page', 'exit_page']) {
      const { data } = await site.get('stats_breakdown', { period: '7d', dimension, metrics: ['visits'] })
      assert.deepEqual(
        data.rows.map(({ value, visits }: any) => [value, visits]),
        [['/shop', 2]],
        dimension,
      )
    }
    const { visit_duration, bounce_rate } = (await site.get('stats_aggregate', { period: '7d' })).data.metrics
    assert.deepEqual([visit_duration, bounce_rate], [0, 100])
  })

  test('a rule that tests what no stored hit has is refused with what to do instead', async () => {
    const { data: rule } = await site.get('traffic_rules_create', { kind: 'ip', value: '203.0.113.0/24' })
    const refused = await site.call('traffic_rules_apply', { id: rule.id, period: '7d', confirm: await domain() })
    assert.equal(refused.status, 422)
    assert.match(refused.text, /have no address/)
  })
})
