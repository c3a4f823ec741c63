/** Repeated kill -9 during the import of a workspace, and its workspace deleted in the middle. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { siteIn, startImporting } from '../exchange/imports/site.ts'
import { caller, exportedFrom, uploadedTo } from '../exchange/moving/moves.ts'
import { traffic } from '../exchange/traffic.ts'
import { chanceOf } from '../support/chance.ts'
import { onSharedEngine } from '../support/engines.ts'
import { isFull } from '../support/full.ts'
import { makeSite } from '../support/world.ts'
import { runWorkers, sideBySide } from './workers.ts'

const chance = chanceOf('workspace-imports')
const MAX_KILLS = isFull ? 3 : 1

onSharedEngine('the import of a workspace that is killed', engine => {
  test('continues, and has everything once; if the workspace is deleted meanwhile, nothing stays', async () => {
    const source = await startImporting(engine)
    const site = await siteIn(source)
    const own = site.world.ids.site ?? ''
    assert.equal((await site.load('footfall', 'hits.ndjson', traffic(400, source.clock.now))).status, 'completed')
    const from = caller(source, site.world)
    const { content } = await exportedFrom(source, from)
    const target = await startImporting(engine)
    target.clock.now = source.clock.now
    const env = { DATABASE_URL: target.url, TASKS: 'imports_run', FILES_URL: `file:${target.folder}` }

    // Deleted in the middle.
    const leaving = await makeSite(target)
    const left = caller(target, leaving)
    const first = await uploadedTo(target, left, content)
    await left('workspace_imports_start', { id: first })
    // Before the first row it sends some 250 statements. A process that is killed earlier stores nothing, and the next one begins again.
    for (let at = 250, rows = 0; rows === 0; at += 15) {
      await runWorkers(env, 1, at)
      const { status, rows: stored } = await left('workspace_imports_get', { id: first })
      assert.ok(['pending', 'running'].includes(status), `${status}: it was killed too late`)
      rows = stored
    }
    const hidden = () => target.store.read.selectFrom('sites').select('number').where('id', '=', own).execute()
    const numbers = (await hidden()).map(({ number }) => number)
    assert.equal(numbers.length, 1)
    const { name } = await left('workspaces_get')
    await left('workspaces_delete', { confirm: name })
    await runWorkers(env, 1)
    target.clock.now += 120_000
    await target.run(['sites_purge'])
    assert.deepEqual(await hidden(), [])
    for (const table of ['visits', 'hits', 'dict', 'site_days'] as const) {
      const rows = await target.store.read.selectFrom(table).select('site_id').where('site_id', 'in', numbers).limit(1).execute()
      assert.deepEqual(rows, [], table)
    }

    // Killed again and again.
    const into = caller(target, await makeSite(target))
    const id = await uploadedTo(target, into, content)
    await into('workspace_imports_start', { id })
    let kills = 0
    for (;;) {
      // One process while it is killed, because another would complete the import; then as many as usual.
      const isKilled = kills < MAX_KILLS
      await runWorkers(env, isKilled ? 1 : sideBySide(engine), isKilled ? chance.int(10, 120) : undefined)
      const { status, error } = await into('workspace_imports_get', { id })
      if (status === 'completed') break
      assert.ok(['pending', 'running'].includes(status), JSON.stringify(error))
      kills++
    }
    assert.ok(kills > 0, 'it was killed in the middle')
    target.clock.now = source.clock.now
    for (const period of ['30d', '90d']) {
      const query = { site_id: own, period }
      assert.deepEqual((await into('stats_aggregate', query)).metrics, (await from('stats_aggregate', query)).metrics)
      const pages = { ...query, dimension: 'page', limit: 200 }
      assert.deepEqual(await into('stats_breakdown', pages), await from('stats_breakdown', pages))
    }
    await source.close()
    await target.close()
  })
})
