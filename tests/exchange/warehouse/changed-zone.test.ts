/** After a change of the time zone, a warehouse has the days of the present zone, as reports do, and nothing of other days. */
import assert from 'node:assert/strict'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { onAnyEngine } from '../../support/engines.ts'
import { someOf } from '../../support/full.ts'
import { type BucketServer, keys, startBuckets } from './buckets.ts'
import { filesIn, startSyncing, type Syncing } from './syncing.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

onAnyEngine('a warehouse sync of a site whose time zone changes', engine => {
  let world: Syncing
  let buckets: BucketServer
  before(async () => {
    ;[world, buckets] = await Promise.all([startSyncing(engine, 300), startBuckets()])
  })
  after(async () => {
    await world.close()
    await buckets.close()
  })

  /** Pageviews and visits by the date of the rows, in the files that the last manifests name. */
  function sent(): { pageviews: Map<string, number>; visits: Map<string, number> } {
    const files = filesIn(path.join(buckets.folder, 'lake', 'z'))
    const [pageviews, visits] = [new Map<string, number>(), new Map<string, number>()]
    const seen = new Set<string>()
    for (const [name, content] of files) {
      if (!name.endsWith('.ndjson')) continue
      const [, date = ''] = /date=([\d-]+)/.exec(name) ?? []
      for (const line of content.toString().split('\n').filter(Boolean)) {
        const row = JSON.parse(line)
        if (name.startsWith('hits')) {
          if (row.name !== 'pageview') continue
          pageviews.set(date, (pageviews.get(date) ?? 0) + 1)
        } else {
          assert.ok(!seen.has(`${date} ${line}`), 'a visit is sent once a day')
          seen.add(`${date} ${line}`)
          visits.set(date, (visits.get(date) ?? 0) + 1)
        }
      }
    }
    return { pageviews, visits }
  }
  const dateIn = (zone: string, at: number) => new Date(at).toLocaleDateString('sv-SE', { timeZone: zone })

  async function agrees(zone: string): Promise<void> {
    const now = world.service.clock.now
    // A day that has a part of a stored day that has not ended yet waits for it.
    const [from, to] = [dateIn(zone, now - 80 * DAY), dateIn(zone, now - 3 * DAY)]
    const { data } = await world.site.get('stats_timeseries', { period: 'custom', from, to, interval: 'day' })
    const { pageviews, visits } = sent()
    let max = 0
    for (const point of data.series) {
      const date = point.at.slice(0, 10)
      assert.equal(pageviews.get(date) ?? 0, point.pageviews, `${zone} ${date}`)
      assert.equal(visits.get(date) ?? 0, point.visits, `${zone} ${date}`)
      max = Math.max(max, point.pageviews)
    }
    assert.ok(max > 0)
  }

  test('sends the days that changed again, also with rows at the edge of the earlier days', async () => {
    const { id } = await world.get('warehouse_syncs_create', {
      destination: 's3',
      endpoint: buckets.endpoint,
      bucket: 'lake',
      site_ids: [world.site.id],
      format: 'ndjson',
      prefix: 'z',
      ...keys,
    })
    await world.sync()
    await agrees('Europe/Berlin')
    for (const timezone of someOf(['Pacific/Kiritimati', 'America/Los_Angeles', 'Europe/Berlin'], 1)) {
      const changed = await world.site.ask('sites_update', { timezone })
      assert.equal(changed.status, 200, changed.text)
      await world.later(2 * HOUR)
      await world.sync()
      const sync = await world.get('warehouse_syncs_get', { id })
      assert.equal(sync.last_error, null)
      await agrees(timezone)
      const runs = (await world.get('warehouse_sync_runs_list', { warehouse_sync_id: id })).length
      await world.later(2 * HOUR)
      await world.sync()
      assert.equal((await world.get('warehouse_sync_runs_list', { warehouse_sync_id: id })).length, runs, 'nothing is sent twice')
    }
  })
})
