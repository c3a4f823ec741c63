/** The statistics of experiments, against published values. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { chanceOf } from '../support/chance.ts'
import fc from '../support/properties.ts'
import {
  compiled,
  differenceInterval,
  equalShares,
  fisherTest,
  holm,
  isEnough,
  type Proportion,
  ratioInterval,
  sequentialP,
  visitorsNeeded,
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

  // R, ?fisher.test: Job satisfaction aside, the tea tasting (p = 0.4857) and the convictions of twins (p = 0.0005367).
  test("the exact test equals R's", () => {
    close(fisherTest({ count: 1, of: 4 }, { count: 3, of: 4 }), 0.4857, 4)
    close(fisherTest({ count: 2, of: 17 }, { count: 10, of: 13 }), 0.0005367, 7)
  })

  test('the exact test equals the sum over all outcomes, and its length does not depend on the visitors', () => {
    const choose = (n: number, k: number): number => (k === 0 ? 1 : (choose(n, k - 1) * (n - k + 1)) / k)
    const small = fc.nat(30).chain(of => fc.nat(of).map((count): Proportion => ({ count, of })))
    fc.assert(
      fc.property(small, small, (a, b) => {
        const converted = a.count + b.count
        const ways = (x: number) => (x < 0 || x > b.of || converted - x > a.of ? 0 : choose(b.of, x) * choose(a.of, converted - x))
        const all = Array.from({ length: converted + 1 }, (_, x) => ways(x))
        const rare = all.filter(one => one <= ways(b.count) * (1 + 1e-7)).reduce((sum, one) => sum + one, 0)
        const expected = a.of === 0 || b.of === 0 ? null : rare / all.reduce((sum, one) => sum + one, 0)
        const found = fisherTest(a, b)
        assert.equal(found === null, expected === null)
        assert.ok(Math.abs((found ?? 0) - (expected ?? 0)) < 1e-9, `${found} ${expected}`)
      }),
    )
    assert.ok((fisherTest({ count: 3, of: 5e8 }, { count: 9, of: 5e8 }) ?? 0) > 0.1)
    assert.ok((fisherTest({ count: 5, of: 3e6 }, { count: 5, of: 200 }) ?? 1) < 1e-18)
  })

  // R: p.adjust(c(0.01, 0.02, 0.03, 0.005), "holm")
  test("several p-values are corrected as R's p.adjust does", () => {
    assert.deepEqual(holm([0.01, 0.02, 0.03, 0.005, null]), [0.03, 0.04, 0.04, 0.02, null])
    assert.deepEqual(holm([0.9, 0.8]), [1, 1])
    assert.deepEqual(holm([]), [])
  })

  // R, ?power.prop.test: power.prop.test(p1 = .50, p2 = .75, power = .90) needs n = 76.7; with a power of 0.8, 57.67.
  test("the visitors needed equal R's power.prop.test", () => {
    assert.equal(visitorsNeeded(0.5, 0.75, 0.05), 58)
    assert.equal(visitorsNeeded(0.75, 0.5, 0.05), 58)
  })

  test('looking at every hundred visitors and stopping at the first success: 5 % of even experiments at most seem decided', () => {
    const chance = chanceOf('looks')
    const [experiments, looks, step] = [400, 100, 100]
    const decided = { once: 0, everyLook: 0 }
    for (let experiment = 0; experiment < experiments; experiment++) {
      const groups = [
        { count: 0, of: 0 },
        { count: 0, of: 0 },
      ]
      const seen = { once: false, everyLook: false }
      for (let look = 0; look < looks; look++) {
        for (const group of groups) {
          for (let visitor = 0; visitor < step; visitor++) group.count += chance.int(0, 10) < 2 ? 1 : 0
          group.of += step
        }
        const found = zTest(groups[0] as Proportion, groups[1] as Proportion)
        if (!found) continue
        seen.once ||= found.p < 0.05
        seen.everyLook ||= sequentialP(found.z, 2 * step * (look + 1)) < 0.05
      }
      decided.once += Number(seen.once)
      decided.everyLook += Number(seen.everyLook)
    }
    assert.ok(decided.everyLook <= 0.05 * experiments, `${decided.everyLook}`)
    assert.ok(decided.once > 0.25 * experiments, `the p-value of a single look: ${decided.once}`)
  })

  test('the p-value for repeated looks is above the one of a single look, and finds a large difference', () => {
    for (const z of [0, 1, 2, 3, 5, 50]) {
      const p = sequentialP(z, 10_000)
      const once = zTest({ count: 2_500, of: 5_000 }, { count: 2_500 + z * 50, of: 5_000 })
      assert.ok(p <= 1 && p >= 0 && (z > 5 || p >= (once?.p ?? 1)), `${z}: ${p}`)
    }
    assert.ok(sequentialP(5, 10_000) < 0.001)
    assert.equal(sequentialP(0, 0), 1)
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
