/** Thousands of hits that waited, behind a lock of another process say, are stored with turns for others in between. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { openHitStore } from '../../storage/hits/hit-store.ts'
import { onEachEngine } from '../support/engines.ts'
import { hit, HOUR, MIDNIGHT } from './new-hits.ts'

const HITS = 5_000
const BATCH = 512

onEachEngine('a backlog of hits', engine => {
  test('leaves the event loop several turns in each batch', async t => {
    const { store, drop } = await engine.create()
    const hits = openHitStore(store, { now: () => MIDNIGHT + 20 * HOUR, randomBytes, maxBatch: BATCH })
    await hits.append([hit({})])
    const waiting = Array.from({ length: HITS }, (_, i) =>
      hits.append([
        hit({
          visitor: `visitor ${i}`,
          at: MIDNIGHT + HOUR + i * 100,
          page: `/${i % 1_000}`,
          visit: { source: `s${i % 300}`, city: `c${i % 500}` },
          props: [['author', `a${i % 2_000}`, null]],
        }),
      ]),
    )
    let [turns, longest, isDone] = [0, 0, false]
    let last = performance.now()
    const turn = () => {
      turns++
      longest = Math.max(longest, performance.now() - last)
      last = performance.now()
      if (!isDone) setImmediate(turn)
    }
    setImmediate(turn)
    const outcomes = await Promise.all(waiting)
    isDone = true
    t.diagnostic(`${turns} turns for ${Math.ceil(HITS / BATCH)} batches, ${longest.toFixed(0)} ms the longest`)
    assert.ok(outcomes.every(([outcome]) => outcome?.stored))
    assert.ok(turns > 4 * (HITS / BATCH), `${turns}`)
    await hits.close()
    await drop()
  })
})
