import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from '../../support/properties.ts'
import { freshMs, nextProbe, tickAfter } from '../../../operations/watch/uptime/schedule.ts'

const check = (interval_seconds: number, id = 'upc_a') => ({ id, interval_seconds })
const ids = fc.string({ minLength: 1, maxLength: 40 })
const intervals = fc.integer({ min: 30, max: 86_400 })
const times = fc.integer({ min: 0, max: 4e12 })

describe('ticks', () => {
  test('come at a fixed rate, always after the given time, at most an interval later', () => {
    fc.assert(
      fc.property(ids, intervals, times, (id, interval, at) => {
        const tick = tickAfter(check(interval, id), at)
        assert.ok(tick > at && tick <= at + interval * 1000)
        assert.equal(tickAfter(check(interval, id), tick), tick + interval * 1000)
        assert.equal(tickAfter(check(interval, id), tick - 1), tick)
      }),
    )
  })

  test('keep their phase over a gap, however long', () => {
    const first = tickAfter(check(60), 0)
    assert.equal((tickAfter(check(60), 1e12 + 123) - first) % 60_000, 0)
  })

  test('of checks made together spread over the interval', () => {
    const phases = Array.from({ length: 6_000 }, (_, i) => tickAfter(check(60, `upc_01jc9zq${i}`), 0) / 1000)
    for (let second = 0; second < 60; second++) {
      const here = phases.filter(phase => phase > second && phase <= second + 1).length
      assert.ok(here > 60 && here < 140, `${here} of 6,000 in second ${second}`)
    }
  })
})

describe('the next probe', () => {
  const tick = tickAfter(check(300), 1e12)
  const rows: [says: string, interval: number, unconfirmed: boolean, took: number, after: number][] = [
    ['is the next tick', 300, false, 100, 300_000],
    ['comes 30 s later to confirm', 300, true, 100, 30_000],
    ['comes half an interval later to confirm where that is less', 40, true, 100, 20_000],
    ['to confirm is not before now, however long the probe took', 40, true, 25_000, 25_000],
    ['is a tick that is still to come where the probe took longer than the interval', 30, false, 31_000, 60_000],
  ]
  for (const [says, interval, unconfirmed, took, after] of rows) {
    test(says, () => {
      const due = tickAfter(check(interval), tick)
      assert.equal(nextProbe({ check: check(interval), due, unconfirmed, now: due + took }) - due, after)
    })
  }

  test('to confirm never pushes the tick away', () => {
    const due = tickAfter(check(300), tick)
    assert.equal(nextProbe({ check: check(300), due: due + 280_000, unconfirmed: true, now: due + 280_100 }), due + 300_000)
  })
})

test('a result is fresh for two intervals and a timeout', () => {
  assert.equal(freshMs({ interval_seconds: 60, timeout_seconds: 20 }), 140_000)
})
