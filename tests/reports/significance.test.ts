/** The statistics of experiments, against published values. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import fc from '../support/properties.ts'
import {
  compiled,
  differenceInterval,
  equalShares,
  isEnough,
  type Proportion,
  ratioInterval,
  zTest,
} from '../../operations/reports/experiments/significance.ts'

const close = (actual: number | null | undefined, expected: number, digits: number) =>
  assert.equal(actual?.toFixed(digits), expected.toFixed(digits))

describe('significance', () => {
  before(() => compiled)

  // InfluentialPoints, "Two-sample test for independent proportions - using R", influentialpoints.com/notes/n9rmf3.htm:
  // prop.test(correct = FALSE) of 94/214 (0.4392523) and 39/128 (0.3046875).
  test('the z-test and the interval of the difference equal the results of R', () => {
    const [a, b] = [
      { count: 39, of: 128 },
      { count: 94, of: 214 },
    ]
    const found = zTest(a, b)
    close(found && found.z ** 2, 6.1026, 4)
    close(found?.p, 0.0135, 5)
    assert.ok(found && found.z > 0)
    const interval = differenceInterval(a, b)
    close(interval?.from, 0.03074072, 8)
    close(interval?.to, 0.23838896, 8)
  })

  // Moore, McCabe, Craig, Introduction to the Practice of Statistics, 9th edition, example 8.18: major vascular events
  // of 45 of 411 on aspirin and 73 of 411 on placebo; 95% interval of the relative risk 0.4364 to 0.8707.
  test('the interval of the ratio equals a textbook example', () => {
    const interval = ratioInterval({ count: 73, of: 411 }, { count: 45, of: 411 })
    close(interval?.from, 0.4364, 4)
    close(interval?.to, 0.8707, 4)
  })

  // R, ?chisq.test: chisq.test(c(A = 20, B = 15, C = 25)) gives X-squared = 2.5, df = 2, p-value = 0.2865.
  test('the test for equal shares equals the result of R', () => {
    const found = equalShares([20, 15, 25])
    close(found?.chiSquare, 2.5, 10)
    close(found?.p, 0.2865, 4)
  })

  // NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.4: 3.841 is critical at 5 % with one degree of freedom;
  // with two, the area right of x is exp(-x/2).
  test('a statistic at a critical value has its p-value', () => {
    const shift = Math.sqrt((3.841 * 500) / 2) // two counts around 500 with that chi-square
    close(equalShares([500 + shift, 500 - shift])?.p, 0.05, 4)
    const three = equalShares([64, 50, 36])
    close(three?.p, Math.exp(-(three?.chiSquare ?? 0) / 2), 12)
  })

  test('far in the tail p is small, not zero', () => {
    const p = zTest({ count: 100, of: 10_000 }, { count: 500, of: 10_000 })?.p ?? 0
    assert.ok(p > 0 && p < 1e-50, String(p))
  })

  test('every split has a p: 0 where it is less than a number can hold', () => {
    for (const counts of [[2_070, 230], [1_000_000, 0], [2_300, 1, 2_300], Array.from({ length: 21 }, (_, i) => (i === 0 ? 1e12 : 0))]) {
      assert.equal(equalShares(counts)?.p, 0, String(counts))
    }
    for (let uneven = 0; uneven <= 1_000; uneven++) {
      const p = equalShares([1_000 + uneven, 1_000 - uneven])?.p ?? Number.NaN
      assert.ok(p >= 0 && p <= 1, `${uneven}: ${p}`)
    }
    for (const size of [1e3, 1e6, 1e9, 1e15]) {
      const p = zTest({ count: size / 10, of: size }, { count: size / 5, of: size })?.p ?? Number.NaN
      assert.ok(p >= 0 && p <= 1, `${size}: ${p}`)
    }
    const counts = fc.array(fc.nat(1e9), { minLength: 2, maxLength: 21 })
    fc.assert(
      fc.property(counts, shares => {
        const p = equalShares(shares)?.p ?? 1
        assert.ok(p >= 0 && p <= 1, String(p))
      }),
    )
  })

  const proportion = fc.nat(2_000).chain(of => fc.nat(of).map((count): Proportion => ({ count, of })))
  test('turned round, z changes its sign and p stays; whatever comes in, nothing is NaN', () => {
    fc.assert(
      fc.property(proportion, proportion, (a, b) => {
        const [one, other] = [zTest(a, b), zTest(b, a)]
        assert.equal(one === null, other === null)
        if (one && other) {
          assert.ok(Math.abs(one.z + other.z) < 1e-9 && Math.abs(one.p - other.p) < 1e-12)
          assert.ok(one.p >= 0 && one.p <= 1)
        }
        for (const interval of [differenceInterval(a, b), ratioInterval(a, b)]) {
          if (interval) assert.ok(interval.from <= interval.to)
        }
        assert.equal(typeof isEnough(a, b), 'boolean')
      }),
    )
  })

  test('nothing is concluded from nothing', () => {
    const [nobody, none, all] = [
      { count: 0, of: 0 },
      { count: 0, of: 50 },
      { count: 50, of: 50 },
    ]
    assert.deepEqual([zTest(nobody, none), zTest(none, none), zTest(all, all)], [null, null, null])
    assert.deepEqual([differenceInterval(nobody, all), ratioInterval(none, all), equalShares([90])], [null, null, null])
    assert.equal(isEnough(none, all), true)
    assert.equal(isEnough({ count: 9, of: 100 }, { count: 9, of: 100 }), false)
    assert.equal(isEnough({ count: 10, of: 100 }, { count: 10, of: 100 }), true)
  })
})
