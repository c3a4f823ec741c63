/** Thousands of hits that waited, behind a lock of another process say, are stored with turns for others in between. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type HitStore, openHitStore } from '../../storage/hits/hit-store.ts'
import { randomBytes } from '../support/chance.ts'
import { onEachEngine } from '../support/engines.ts'
import { lockElsewhere } from '../support/lock.ts'
import { turnsDuring } from '../support/event-loop-turns.ts'
import { hit, HOUR, MIDNIGHT } from './new-hits.ts'

const BATCH = 512
const options = { now: () => MIDNIGHT + 20 * HOUR, randomBytes, maxBatch: BATCH }

const send = (hits: HitStore, i: number) =>
  hits.append([
    hit({
      visitor: `visitor ${i}`,
      at: MIDNIGHT + HOUR + i * 100,
      page: `/${i % 1_000}`,
      visit: { source: `s${i % 300}`, city: `c${i % 500}` },
      props: [['author', `a${i % 2_000}`, null]],
    }),
  ])

onEachEngine('a backlog of hits', engine => {
  test('leaves the event loop a turn after each batch and more, none of them long', async t => {
    const { store, url, drop } = await engine.create()
    const hits = openHitStore(store, options)
    await Promise.all(Array.from({ length: BATCH }, (_, i) => send(hits, i)))
    const lock = engine.name === 'sqlite' ? await lockElsewhere(url) : undefined
    const waiting = Array.from({ length: 5_000 }, (_, i) => send(hits, BATCH + i))
    const turns = await turnsDuring(async () => {
      await lock?.release()
      const outcomes = await Promise.all(waiting)
      assert.ok(outcomes.every(([outcome]) => outcome?.stored))
    })
    t.diagnostic(`${turns.count} turns, ${turns.longest.toFixed(2)} of the work in the longest`)
    assert.ok(turns.count > 5_000 / BATCH, `${turns.count} turns`)
    assert.ok(turns.longest < 0.4, `${turns.longest} of the work in one turn`)
    await hits.close()
    await drop()
  })

  test('is answered in turns, however long an answer takes', async () => {
    const { store, drop } = await engine.create()
    const hits = openHitStore(store, options)
    await send(hits, 0)
    const answered = Array.from({ length: 200 }, async (_, i) => {
      await send(hits, i)
      for (const end = performance.now() + 1; performance.now() < end; ); // such as writing a response
    })
    const { longest } = await turnsDuring(() => Promise.all(answered))
    assert.ok(longest < 0.4, `${longest} of the work in one turn`)
    await hits.close()
    await drop()
  })
})
