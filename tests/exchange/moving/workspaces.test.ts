/** A workspace is exported by one installation and imported by another: their reports are the same. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onAnyEngine, onSharedEngine, sqlite } from '../../support/engines.ts'
import { isFull } from '../../support/full.ts'
import { packAll } from '../../support/packed.ts'
import { makeSite, type World } from '../../support/world.ts'
import { type Importing, siteIn, startImporting } from '../imports/site.ts'
import { traffic } from '../traffic.ts'
import { asker, type Caller, caller, exportedFrom, importedInto, uploadedTo } from './moves.ts'

const dimensions = ['page', 'entry_page', 'source', 'channel', 'country', 'browser', 'device', 'event', 'goal', 'property:plan', 'hostname']

async function reportsOf(call: Caller, site: string): Promise<unknown> {
  const reports: Record<string, unknown> = {}
  for (const period of isFull ? ['90d', '30d'] : ['90d']) {
    reports[`totals ${period}`] = (await call('stats_aggregate', { site_id: site, period })).metrics
    reports[`series ${period}`] = await call('stats_timeseries', { site_id: site, period, interval: 'day' })
    for (const dimension of dimensions) {
      const { rows } = await call('stats_breakdown', { site_id: site, period, dimension, limit: 200 })
      reports[`${dimension} ${period}`] = rows.map((row: any) => JSON.stringify({ ...row, goal_id: undefined, id: undefined })).sort()
    }
  }
  return reports
}

// Postgres is the second installation of the test below.
onAnyEngine('the file of a workspace', engine => {
  let source: Importing
  let target: Importing
  let [from, into]: Caller[] = []
  let world: World
  let targetWorld: World
  let content: Buffer
  before(async () => {
    source = await startImporting(engine)
    target = await startImporting(engine)
    const site = await siteIn(source)
    world = site.world
    from = caller(source, world)
    targetWorld = await makeSite(target)
    into = caller(target, targetWorld)
    const loaded = await site.load('footfall', 'hits.ndjson', traffic(isFull ? 800 : 200, source.clock.now))
    assert.equal(loaded.status, 'completed')
    await packAll(source.app)
    content = (await exportedFrom(source, from)).content
  })
  after(async () => {
    await source.close()
    await target.close()
  })

  test('becomes sites of another installation with the same reports, goals, segments, funnels and dashboards', async () => {
    target.clock.now = source.clock.now
    const done = await importedInto(target, into!, content)
    assert.equal(done.status, 'completed', JSON.stringify(done))
    assert.equal(done.renumbered, false)
    const own = world.ids.site ?? ''
    assert.ok(done.site_ids.includes(own))
    target.clock.now = source.clock.now
    assert.deepEqual(await reportsOf(into!, own), await reportsOf(from!, own))
    for (const name of ['goals_list', 'segments_list', 'funnels_list', 'notes_list', 'traffic_rules_list', 'channel_rules_list'])
      assert.deepEqual(await into!(name, { site_id: own }), await from!(name, { site_id: own }), name)
  })

  test('is refused a second time, by the names of its sites, and one import at a time is started', async () => {
    const ask = asker(target, targetWorld)
    const [first, second] = [await uploadedTo(target, into!, content), await uploadedTo(target, into!, content)]
    const again = await ask('workspace_imports_start', { id: first })
    assert.equal(again.body.error?.code, 'already_exists')
    const site = (await into!('sites_list')).find(({ id }: any) => id === world.ids.site)
    assert.match(again.body.error.message, new RegExp(site.domain.replaceAll('.', '\\.')))
    await target.store.write.updateTable('imports').set({ status: 'pending' }).where('id', '=', first).execute()
    const other = await ask('workspace_imports_start', { id: second })
    assert.equal(other.body.error?.code, 'already_exists', other.text)
    const third = await ask('workspaces_import', { filename: 'workspace.zip' })
    assert.equal(third.body.error?.code, 'limit_reached', third.text)
    for (const id of [first, second]) await into!('workspace_imports_cancel', { id })
    assert.equal((await into!('sites_list')).length, 2)
  })

  test('gets new ids in the installation that has its own', async () => {
    const [own] = (await from!('sites_list')).filter(({ kind }: any) => kind === 'site')
    const before = (await from!('stats_aggregate', { site_id: own.id, period: '90d' })).metrics
    const lists = ['goals_list', 'segments_list', 'funnels_list']
    const names = (rows: any[]) => rows.map(({ name }) => name)
    const named = await Promise.all(lists.map(async list => names(await from!(list, { site_id: own.id }))))
    await from!('sites_delete', { site_id: own.id, confirm: own.domain })
    const third = await makeSite(source)
    const call = caller(source, third)
    const done = await importedInto(source, call, content)
    assert.equal(done.status, 'completed', JSON.stringify(done))
    assert.equal(done.renumbered, true)
    const [site] = done.site_ids
    assert.notEqual(site, own.id)
    assert.deepEqual((await call('stats_aggregate', { site_id: site, period: '90d' })).metrics, before)
    assert.deepEqual(await Promise.all(lists.map(async list => names(await call(list, { site_id: site })))), named)
  })
})

onSharedEngine('a workspace of SQLite in Postgres', engine => {
  test('has the same reports, and again when it goes back', async () => {
    const file = await startImporting(sqlite)
    const shared = await startImporting(engine)
    const back = await startImporting(sqlite)
    try {
      const site = await siteIn(file)
      const id = site.world.ids.site ?? ''
      await site.load('footfall', 'hits.ndjson', traffic(isFull ? 300 : 100, file.clock.now))
      const calls = [caller(file, site.world), caller(shared, await makeSite(shared)), caller(back, await makeSite(back))] as const
      const at = file.clock.now
      await importedInto(shared, calls[1], (await exportedFrom(file, calls[0])).content)
      await importedInto(back, calls[2], (await exportedFrom(shared, calls[1])).content)
      for (const service of [file, shared, back]) service.clock.now = at
      const own = await reportsOf(calls[0], id)
      assert.deepEqual(await reportsOf(calls[1], id), own)
      assert.deepEqual(await reportsOf(calls[2], id), own)
      const [imported] = await calls[1]('imports_list', { site_id: id })
      assert.equal(imported.undoable, false, 'its days hold other rows of the file too')
    } finally {
      for (const service of [file, shared, back]) await service.close()
    }
  })
})
