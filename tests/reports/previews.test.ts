/** Previews of goals and segments agree with the reports on the real ones. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { table } from '../../operations/index.ts'
import { onEachEngine } from '../support/engines.ts'
import { callHttp, makeSite, startService, type TestService, type World } from '../support/world.ts'
import { hit, store as keep } from '../storage/engine/traffic.ts'

onEachEngine('previews', engine => {
  let service: TestService
  let world: World
  before(async () => {
    service = await startService(engine)
    world = await makeSite(service)
    const site = { number: world.siteNumber, timezone: 'Europe/Berlin' }
    const hits = Array.from({ length: 60 }, (_, i) =>
      hit(site, {
        who: `${i % 7}`,
        at: service.clock.now - i * 16 * 3_600_000,
        ...(i % 3 === 0 ? { event: 'Signup', props: { plan: i % 2 === 0 ? 'pro' : 'free' } } : { page: `/p/${i % 4}` }),
        visit: { country: i % 5 === 0 ? 'DE' : 'FR' },
      }),
    )
    await keep(service.store, hits, hits.length)
  })
  after(() => service.close())

  async function call(name: string, input: Record<string, unknown>): Promise<any> {
    const operation = table.operations.get(name)
    assert.ok(operation)
    const { status, body, text } = await callHttp(service, operation, { site_id: world.ids.site, ...input }, world.token)
    assert.ok(status < 300, text)
    return body.data
  }

  test('a preview of a goal counts what reports count once it exists, and stores nothing', async () => {
    for (const input of [
      { kind: 'page', path: '/p/*' },
      { kind: 'page', path: '/p/1' },
      { kind: 'event', event: 'Signup', property: 'plan', value: 'pro' },
    ]) {
      const before = await call('goals_preview', input)
      assert.deepEqual((await call('goals_list', {})).length, 0)
      const goal = await call('goals_create', input)
      const breakdown = await call('stats_breakdown', { dimension: 'goal' })
      const row = breakdown.rows.find(({ value }: { value: string }) => value === goal.id)
      assert.ok(before.completions > 0)
      assert.deepEqual(
        [before.completions, before.visits, before.visitors, before.conversion_rate],
        [row.conversions, row.visits, row.visitors, row.conversion_rate],
      )
      assert.equal(before.series.length, 30)
      const sum = (name: string) => before.series.reduce((all: number, point: Record<string, number>) => all + (point[name] ?? 0), 0)
      assert.deepEqual([sum('completions'), sum('visits')], [before.completions, before.visits])
      await call('goals_delete', { id: goal.id })
    }
  })

  test('a preview of a goal without completions has zeros for every day, and a note', async () => {
    const { completions, conversion_rate, series } = await call('goals_preview', { kind: 'event', event: 'Never' })
    assert.deepEqual([completions, conversion_rate, series.length], [0, 0, 30])
    assert.ok(series.every((point: { visits: number }) => point.visits === 0))
  })

  test('a preview of a segment counts what reports count with it', async () => {
    const filters = [['country', 'is', 'Germany']]
    const preview = await call('segments_preview', { filters })
    const segment = await call('segments_create', { name: 'Germans', filters })
    const { metrics } = await call('stats_aggregate', { segment_id: segment.id })
    const all = (await call('stats_aggregate', {})).metrics
    assert.deepEqual([preview.visitors, preview.visits, preview.pageviews], [metrics.visitors, metrics.visits, metrics.pageviews])
    assert.equal(preview.share, Math.round((1_000 * metrics.visitors) / all.visitors) / 10)
    const nobody = await call('segments_preview', { name: 'x', filters: [['page', 'is', '/nowhere']] })
    assert.deepEqual([nobody.visitors, nobody.share, nobody.notes[0].code], [0, 0, 'no_such_value'])
  })

  test('previews have the faults of the create, and write no audit entry', async () => {
    const refused = async (name: string, input: Record<string, unknown>) => {
      const operation = table.operations.get(name)
      assert.ok(operation)
      const { status, body } = await callHttp(service, operation, { site_id: world.ids.site, ...input }, world.token)
      return [status, body.error.details.map(({ pointer }: { pointer: string }) => pointer)]
    }
    assert.deepEqual(await refused('goals_preview', { kind: 'page' }), await refused('goals_create', { kind: 'page' }))
    const filters = [['colour', 'is', 'x']]
    assert.deepEqual(await refused('segments_preview', { filters }), await refused('segments_create', { name: 'x', filters }))
    const entries = await service.store.read
      .selectFrom('audit_entries')
      .select('operation')
      .where('operation', 'like', '%preview')
      .execute()
    assert.deepEqual(entries, [])
  })
})
