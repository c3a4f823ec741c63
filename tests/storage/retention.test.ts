import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openBulk } from '../../storage/hits/bulk-hits.ts'
import { openHitStore } from '../../storage/hits/hit-store.ts'
import { forgetVisitors, purgeSite } from '../../storage/hits/retention.ts'
import type { Store } from '../../storage/store.ts'
import { randomBytes } from '../support/chance.ts'
import { onEachEngine } from '../support/engines.ts'
import { overtaken } from '../support/overtaken.ts'
import { DAY, event, hit, HOUR, MIDNIGHT, MINUTE } from './new-hits.ts'
import { storedVisits } from './stored-hits.ts'

const tables = ['dict', 'salts', 'site_days', 'visitors', 'visits', 'hits', 'hit_props', 'vitals', 'clicks', 'drops'] as const

const count = async (store: Store, table: (typeof tables)[number], site: number): Promise<number> => {
  const row = await store.read
    .selectFrom(table as 'hits')
    .select(db => db.fn.countAll<number>().as('rows'))
    .where('site_id', '=', site)
    .executeTakeFirstOrThrow()
  return row.rows
}

onEachEngine('retention', engine => {
  test('identities go 48 hours after their day closed; the visits stay', async () => {
    const { store, drop } = await engine.create()
    let now = MIDNIGHT + 12 * HOUR
    const hits = openHitStore(store, { now: () => now, randomBytes })
    const closed = MIDNIGHT + DAY
    await hits.append([hit({ at: MIDNIGHT + HOUR }), hit({ at: MIDNIGHT + 2 * HOUR, visitor: 'bert' })])
    now = closed + HOUR
    await hits.append([hit({ at: now })])

    assert.equal(await forgetVisitors(store, closed + 48 * HOUR - 1), 0)
    assert.deepEqual([await count(store, 'salts', 1), await count(store, 'visitors', 1)], [2, 3])
    assert.equal(await forgetVisitors(store, closed + 48 * HOUR), 1)
    assert.deepEqual([await count(store, 'salts', 1), await count(store, 'visitors', 1)], [1, 1])
    assert.deepEqual([await count(store, 'visits', 1), await count(store, 'hits', 1)], [3, 3])

    now = closed + 48 * HOUR
    assert.deepEqual(await hits.append([hit({ at: MIDNIGHT + 3 * HOUR })]), [{ stored: false, reason: 'too_old' }])
    assert.equal(await count(store, 'salts', 1), 1)
    await hits.close()
    await drop()
  })

  test('identities are deleted in pieces that let other work run, and a stopped task leaves the others', async () => {
    const { store, drop } = await engine.create()
    const hits = openHitStore(store, { now: () => MIDNIGHT + 12 * HOUR, randomBytes })
    await hits.append([hit({ at: MIDNIGHT + HOUR })])
    await hits.close()
    const { day, site_id } = await store.read.selectFrom('visitors').select(['day', 'site_id']).executeTakeFirstOrThrow()
    await store.write
      .insertInto('visitors')
      .values(Array.from({ length: 2_500 }, (_, i) => ({ site_id, day, hash: `h${i}`, visitor: i + 2 })))
      .execute()
    const later = MIDNIGHT + 4 * DAY
    const stop = new AbortController()
    setImmediate(() => stop.abort())
    assert.equal(await forgetVisitors(store, later, stop.signal), 0)
    assert.ok((await count(store, 'visitors', site_id)) > 1_000, 'nobody had a turn')
    assert.equal(await count(store, 'salts', site_id), 1)
    assert.equal(await forgetVisitors(store, later), 1)
    assert.deepEqual([await count(store, 'visitors', site_id), await count(store, 'salts', site_id)], [0, 0])
    await drop()
  })

  test('identities stay as long as an import needs them that begins while they are deleted', async () => {
    const { store, drop } = await engine.create()
    const now = MIDNIGHT + 4 * DAY
    let site = 0
    await overtaken(store, async slowly => {
      site++
      // Each writer is new, as after an interruption of the import.
      const put = (at: number) => openBulk(store, { now: () => now, randomBytes })([hit({ site, at })], async () => {})
      const key = { site_id: site, fingerprint: 'file' }
      const counts = { records: 1, hits: 1, refused: 0, moneyless: 0 }
      await put(MIDNIGHT + HOUR)
      const begins = async () => {
        await store.write
          .insertInto('hit_imports')
          .values({ ...key, ...counts, options: '', started_at: now, updated_at: now, finished_at: null })
          .execute()
        await put(MIDNIGHT + 5 * HOUR)
      }
      const slow = slowly(begins)
      await forgetVisitors(slow, now)
      const isBegun = (await store.read.selectFrom('hit_imports').select('site_id').where('site_id', '=', site).execute()).length > 0
      if (!isBegun) return
      await put(MIDNIGHT + 5 * HOUR + MINUTE)
      assert.deepEqual((await storedVisits(store, site)).flatMap(visits => visits.map(({ pageviews }) => pageviews)).sort(), [1, 2])
      await store.write.updateTable('hit_imports').set({ finished_at: now }).where('site_id', '=', site).execute()
      assert.equal(await forgetVisitors(store, now), 1)
      assert.deepEqual([await count(store, 'visitors', site), await count(store, 'salts', site)], [0, 0])
    })
    assert.ok(site > 1)
    await drop()
  })

  test('a deleted site goes a piece at a time, and its neighbour stays', async () => {
    const { store, drop } = await engine.create()
    const hits = openHitStore(store, { now: () => MIDNIGHT + DAY, randomBytes })
    const traffic = (site: number) => [
      ...Array.from({ length: 30 }, (_, i) =>
        event('e', { site, at: MIDNIGHT + i * MINUTE, visitor: `v${i}`, props: [['k', `v${i}`, i]] }),
      ),
      hit({ site, kind: 'vitals', vitals: { lcp: 1 } }),
      hit({ site, kind: 'clicks', clicks: [{ selector: 'a', x: 1, y: 1 }] }),
      hit({ site, kind: 'engagement', visitor: 'nobody' }),
    ]
    await hits.append([...traffic(1), ...traffic(2)])
    for (const table of tables) assert.ok((await count(store, table, 1)) > 0, table)

    let calls = 1
    while (!(await purgeSite(store, { site: 1, limit: 25 }))) calls++
    assert.ok(calls >= 150 / 25 && calls < 20)
    for (const table of tables) {
      assert.equal(await count(store, table, 1), 0, table)
      assert.ok((await count(store, table, 2)) > 0, table)
    }
    assert.equal(await purgeSite(store, { site: 1, limit: 25 }), true)
    await hits.close()
    await drop()
  })
})
