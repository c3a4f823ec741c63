/** The detection of anomalies: its scale, its samples, and the figures in the documentation. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import fc from '../../support/properties.ts'
import { isUnusual, median, type Sample, score } from '../../../operations/watch/alerts/anomaly.ts'
import { baseline } from '../../../operations/watch/alerts/measures/spans.ts'
import { falseAlarms, sensitivities } from '../../../scripts/anomalies/simulate.ts'
import { kinds } from '../../../scripts/anomalies/traffic.ts'
import { testIfFull } from '../../support/full.ts'

const counts = (...numbers: number[]): Sample[] => numbers.map(count => ({ count }))
const rounded = (value: number | undefined) => Math.round((value ?? Number.NaN) * 1000) / 1000

describe('the score', () => {
  test('of counts is the distance of Anscombe transforms, at least in units of chance', () => {
    const z = 2 * Math.sqrt(50.375) - 2 * Math.sqrt(100.375)
    assert.equal(rounded(score({ count: 50 }, counts(...Array(24).fill(100)))?.z), rounded(z))
    assert.equal(score({ count: 100 }, counts(100, 100, 100))?.z, 0)
  })

  test('takes the spread of the samples where that is wider than chance', () => {
    const samples = counts(50, 100, 150, 100, 60, 140, 100)
    const transformed = samples.map(({ count }) => 2 * Math.sqrt(count + 3 / 8))
    const middle = median(transformed)
    const mad = median(transformed.map(y => Math.abs(y - middle)))
    assert.ok(1.4826 * mad > 1)
    assert.equal(rounded(score({ count: 400 }, samples)?.z), rounded((2 * Math.sqrt(400.375) - middle) / (1.4826 * mad)))
  })

  test('says what is usual as it was measured', () => {
    assert.equal(rounded(score({ count: 1 }, counts(90, 100, 110))?.usual), 100)
    assert.equal(
      rounded(
        score({ count: 1, of: 10 }, [
          { count: 40, of: 100 },
          { count: 4000, of: 10_000 },
          { count: 39_999, of: 100_000 },
        ])?.usual,
      ),
      0.4,
    )
    assert.equal(score({ count: 5 }, counts(0, 0, 0))?.usual, 0)
  })

  test('one wild week among eight changes little', () => {
    const usual = Array(23).fill(100)
    assert.ok(Math.abs(score({ count: 100 }, counts(...usual, 100_000))?.z ?? 9) < 0.1)
  })

  test('of shares knows how much chance there is in few visits', () => {
    const before = Array.from({ length: 24 }, () => ({ count: 500, of: 1000 }))
    const [few, many] = [score({ count: 2, of: 10 }, before), score({ count: 200, of: 1000 }, before)]
    assert.ok(Math.abs(few?.z ?? 9) < 3.5, 'two of ten may be chance')
    assert.ok((many?.z ?? 0) < -6, 'two hundred of a thousand are not')
  })

  test('the score is null without a sample to compare', () => {
    assert.equal(score({ count: 0, of: 0 }, [{ count: 1, of: 2 }]), null)
    assert.equal(score({ count: 1, of: 2 }, [{ count: 0, of: 0 }]), null)
    assert.equal(score({ count: 1 }, []), null)
  })

  test('is a number, and rises with the value', () => {
    const count = fc.nat({ max: 1_000_000 })
    fc.assert(
      fc.property(count, count, fc.array(count, { minLength: 1, maxLength: 24 }), (a, b, before) => {
        const [one, other] = [score({ count: a }, counts(...before))?.z, score({ count: b }, counts(...before))?.z]
        assert.ok(Number.isFinite(one) && Number.isFinite(other))
        if (a < b) assert.ok(Number(one) < Number(other))
      }),
    )
  })

  test('is unusual by sensitivity, on the side asked for', () => {
    const unusual = (z: number, operator: 'lt' | 'gt' | null) =>
      sensitivities.map(sensitivity => (isUnusual({ z, usual: 0 }, { sensitivity, operator }) ? 1 : 0)).join('')
    assert.deepEqual(
      [3.5, 3.6, 4.6, 6.1].map(z => unusual(z, null)),
      ['000', '100', '110', '111'],
    )
    assert.deepEqual([unusual(-9, 'gt'), unusual(9, 'gt'), unusual(-9, 'lt'), unusual(9, 'lt')], ['000', '111', '111', '000'])
  })
})

describe('the samples', () => {
  const [zone, HOUR, WEEK] = ['Europe/Berlin', 3_600_000, 7 * 24 * 3_600_000]
  const to = Date.parse('2026-07-15T12:00:00Z')
  const series = (hours: number, since = 0, at = to, of = zone) => baseline(of, { from: at - hours * HOUR, to: at }, since)

  test('are the same window of the 8 weeks before, and the windows on either side', () => {
    const found = series(1)?.map(spans => spans.map(span => (to - span.to) / HOUR))
    const weeks = [8, 7, 6, 5, 4, 3, 2, 1].map(week => week * 168)
    assert.deepEqual(found, [weeks.map(h => h + 1), weeks, weeks.map(h => h - 1)])
  })

  test('keep the time on the wall over a change to summer time', () => {
    const after = Date.parse('2026-04-01T10:00:00Z') // 12:00 in Berlin; the clock changed on 29 March
    assert.deepEqual(
      series(1, 0, after)?.[1]
        ?.map(({ to }) => new Date(to).toISOString())
        .slice(-2),
      ['2026-03-18T11:00:00.000Z', '2026-03-25T11:00:00.000Z'],
    )
  })

  test('need four weeks of data, and use no window from before it', () => {
    assert.equal(series(1, to - 4 * WEEK), null)
    assert.deepEqual(
      series(1, to - 4 * WEEK - HOUR)?.map(spans => spans.length),
      [3, 4, 4],
    )
    assert.deepEqual(
      series(1, to - 9 * WEEK)?.map(spans => spans.length),
      [8, 8, 8],
    )
  })

  test('of a whole week are the weeks before, each once, none of them the week itself', () => {
    const found = series(168)
      ?.flat()
      .map(span => (to - span.to) / WEEK)
      .toSorted((a, b) => a - b)
    assert.deepEqual(found, [1, 2, 3, 4, 5, 6, 7, 8, 9])
  })

  test('never touch the window, share no instant within a series, and are in order', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 5, max: 10_080 }),
        fc.date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true }),
        fc.constantFrom('Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'Pacific/Apia', 'UTC'),
        (minutes, date, of) => {
          const window = { from: date.getTime() - minutes * 60_000, to: date.getTime() }
          for (const spans of baseline(of, window, 0) ?? []) {
            for (const [i, span] of spans.entries()) {
              assert.ok(span.from < span.to && span.to <= window.from)
              assert.ok(i === 0 || (spans[i - 1]?.to ?? 0) <= span.from)
            }
          }
        },
      ),
    )
  })
})

testIfFull('the figures in the documentation equal the simulation', () => {
  const docs = readFileSync('docs/alerts.md', 'utf8')
  for (const [name, level] of [
    ['Poisson', 20],
    ['days ±10 %, hours ±10 %', 100],
  ] as const) {
    const kind = kinds.find(kind => kind.name === name)
    const [, figures = ''] =
      docs
        .split('\n')
        .find(line => line.startsWith(`| ${name} | ${level} |`))
        ?.split(`| ${level} | `) ?? []
    const simulated = kind && falseAlarms(kind, level, { weeks: 200, seed: 20_261_120 })
    assert.equal(figures.replace(/ \|$/, ''), sensitivities.map(sensitivity => simulated?.[sensitivity].toFixed(2)).join(' | '))
  }
})
