/** Memory that reports reuse contains no earlier results. And a long report yields to the event loop. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openCounterPool } from '../../../storage/engine/columns/buffers.ts'
import { openLocal } from '../../../storage/engine/local.ts'
import type { Span } from '../../../operations/reports/stats/index.ts'
import { openYielder } from '../../../storage/engine/threads/yielder.ts'
import { onEachEngine } from '../../support/engines.ts'
import { addSite, hit, store as keep } from './traffic.ts'
import { DAY_MS } from '../../../storage/values/durations.ts'

test('a buffer from the pool is zeroed, and not shared until it is released', () => {
  const pool = openCounterPool()
  const [one, other] = [pool.take(), pool.take()]
  const first = one.zeros(1_000).fill(7)
  const second = other.zeros(1_000)
  second.fill(8)
  assert.ok(first.every(number => number === 7))
  one.release()
  const third = other.zeros(900)
  assert.equal(third.length, 900)
  assert.equal(third.buffer, first.buffer, 'it is used again')
  assert.ok(third.every(number => number === 0))
  assert.ok(second.every(number => number === 8))
  other.release()
})

test('a long question gives up the core now and then, but not at every step', () => {
  let now = 0
  const pause = openYielder(1, () => now)
  const took = (step: number): number => {
    const began = performance.now()
    for (let i = 0; i < 100; i++, now += step) pause()
    return performance.now() - began
  }
  const pausing = took(1)
  assert.ok(pausing >= 100 * 0.02)
  now += 0.5
  const within = Math.min(...Array.from({ length: 5 }, () => took(0)))
  assert.ok(within < pausing / 4, `a hundred steps without a pause took ${within} ms, with them ${pausing} ms`)
})

onEachEngine('reports one after another', engine => {
  const PAGES = 120
  const DAYS = 3
  const first = Date.parse('2026-05-04') / DAY_MS
  const span = (from: number, to: number): Span => ({
    fromDay: first + from,
    toDay: first + to,
    from: (first + from) * DAY_MS,
    to: (first + to + 1) * DAY_MS,
    whole: true,
  })

  test('count in the same memory, each for itself', async () => {
    const { store, drop } = await engine.create()
    const site = await addSite(store, 'UTC')
    // Page p is seen by p % 5 + 1 visitors a day, from day p % 3 on.
    const hits = Array.from({ length: DAYS }, (_, day) =>
      Array.from({ length: PAGES }, (_, page) =>
        Array.from({ length: page % DAYS <= day ? (page % 5) + 1 : 0 }, (_, i) =>
          hit(site, { at: (first + day) * DAY_MS + page * 1_000, who: `${page} ${i}`, page: `/${page}` }),
        ),
      ),
    ).flat(2)
    assert.equal((await keep(store, hits)).length, hits.length)

    const expected = (from: number, to: number) =>
      Object.fromEntries(
        Array.from({ length: PAGES }, (_, page) => {
          const days = Math.max(0, to - Math.max(from, page % DAYS) + 1)
          return [`/${page}`, days * ((page % 5) + 1)]
        }).filter(([, views]) => views !== 0),
      )
    const ranges = [
      [0, 2],
      [1, 1],
      [0, 0],
      [2, 2],
      [0, 1],
      [1, 2],
    ] as const
    let pauses = 0
    const engines = [0, 1, 2].map(() =>
      openLocal(store, {
        cacheBytes: 1_000_000,
        clock: () => 0,
        pause: () => {
          pauses++
        },
      }),
    )
    const ask = async (engine: number, [from, to]: readonly [number, number]) => {
      const asked = {
        report: 'breakdown',
        dimension: 'page',
        span: span(from, to),
        compared: null,
        sort: 'visitors',
        offset: 0,
        limit: 1_000,
      } as const
      const found = await engines[engine]?.query({ site: site.number, where: [], goals: [], asked })
      assert.ok(found?.report === 'breakdown')
      assert.deepEqual(Object.fromEntries(found.rows.map(row => [row.value, row.sums.pageviews])), expected(from, to))
    }
    for (const range of [...ranges, ...ranges]) await Promise.all([0, 1, 2].map(engine => ask(engine, range)))
    await Promise.all([0, 1, 2].flatMap(engine => ranges.map((_, i) => ask(engine, ranges[(i + engine) % ranges.length] ?? ranges[0]))))
    assert.ok(pauses >= 3 * ranges.length, 'between days others have their turn')
    await drop()
  })
})
