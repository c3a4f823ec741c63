/** Several processes on one database: simulated by two hit stores with their own connections and caches. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { openHitStore } from '../../storage/hits/hit-store.ts'
import { openStore } from '../../storage/store.ts'
import { onEachEngine } from '../support/engines.ts'
import { hit, HOUR, MIDNIGHT, MINUTE } from './new-hits.ts'
import { groupBy, storedVisits } from './stored.ts'

onEachEngine('two processes', engine => {
  test('store hits of the same visitors at once: none is lost, none is there twice', async () => {
    const { store, url, drop } = await engine.create()
    const other = openStore(url, { connections: 2 })
    const options = { now: () => MIDNIGHT + 20 * HOUR, randomBytes, maxBatch: 20 }
    const processes = [openHitStore(store, options), openHitStore(other, options)]
    const sent = Array.from({ length: 600 }, (_, i) =>
      hit({
        site: 1 + (i % 3),
        visitor: `visitor ${i % 17}`,
        at: MIDNIGHT + HOUR + i * MINUTE,
        page: `/${i % 40}`,
        visit: { source: `s${i % 11}`, city: `c${i}` },
        props: [[`key ${i % 5}`, `value ${i}`, null]],
      }),
    )
    const outcomes = await Promise.all(sent.map((one, i) => processes[i % 2]?.append([one])))
    assert.ok(outcomes.every(answers => answers?.every(outcome => outcome.stored)))

    for (const site of [1, 2, 3]) {
      const hits = (await storedVisits(store, site)).flat().flatMap(visit => visit.hits)
      const expected = sent.filter(one => one.site === site)
      assert.deepEqual(hits.map(({ at }) => at).sort(), expected.map(({ at }) => at).sort())
      assert.deepEqual(hits.flatMap(({ props }) => Object.values(props)).sort(), expected.map(({ props }) => props[0]?.[1]).sort())
      const visitors = await store.read.selectFrom('visitors').select('visitor').where('site_id', '=', site).orderBy('visitor').execute()
      assert.deepEqual(
        visitors.map(({ visitor }) => visitor),
        Array.from({ length: 17 }, (_, i) => i + 1),
      )
    }
    const words = await store.read.selectFrom('dict').selectAll().orderBy('site_id').orderBy('dim').orderBy('id').execute()
    for (const [dictionary, rows] of groupBy(words, ({ site_id, dim }) => `${site_id} ${dim}`)) {
      assert.deepEqual(
        rows.map(({ id }) => id),
        rows.map((_, i) => i + 1),
        dictionary,
      )
      assert.equal(new Set(rows.map(({ value }) => value)).size, rows.length, dictionary)
    }
    const salts = await store.read.selectFrom('salts').selectAll().execute()
    assert.equal(salts.length, 3)

    for (const process of processes) await process.close()
    await other.close()
    await drop()
  })
})
