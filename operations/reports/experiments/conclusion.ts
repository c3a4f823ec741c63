/** Draws conclusions from an experiment's counts: each variant against the control, whether the split was even, and how long to wait. */
import type { Static } from '../../../runtime/table/schema.ts'
import type { Arm } from '../../../storage/engine/index.ts'
import { percentOf } from '../../../storage/engine/vocabulary/metrics.ts'
import { ALPHA, UNEVEN_BELOW } from './levels.ts'
import type { Experiment, RESULTS } from './records.ts'
import {
  differenceInterval,
  equalShares,
  fisherTest,
  holm,
  type Interval,
  isEnough,
  type Proportion,
  ratioInterval,
  sequentialP,
  visitorsNeeded,
  zTest,
} from './significance.ts'
import { controlWords, resultWords, splitWords } from './wording.ts'
import { DAY_MS } from '../../../storage/values/durations.ts'

/** Await this before the first conclusion. */
export { compiled } from './significance.ts'

const proportionOf = ({ converters, visitors }: Arm): Proportion => ({ count: converters, of: visitors })

/** A variant, or the control itself. */
interface Shown {
  readonly value: string
  readonly now: Arm
}

/**
 * Compares every variant with the control. Their p-values are corrected for the number of comparisons, and decide the result.
 * If counts are small, Fisher's exact test replaces the z-test: it may find a large difference, but never shows that none exists.
 * @param control null if there is none yet
 */
export function conclude<Variant extends Shown>(control: Shown | null, variants: readonly Variant[]) {
  const base = control ? proportionOf(control.now) : null
  const tests = variants.map(({ value, now }) => (base && value !== control?.value ? testOf(base, proportionOf(now)) : null))
  const corrected = holm(tests.map(test => test && (test.exact ?? test.z?.p ?? null)))
  return variants.map((variant, at) => {
    const { now } = variant
    const test = tests[at]
    if (control && test) {
      const figures = against(control, now)
      return { ...variant, conclusion: { ...figures, ...decided(control, { arm: now, figures, test, p: corrected[at] ?? null }) } }
    }
    const rate = percentOf(now.converters, now.visitors)
    return { ...variant, conclusion: { ...untested, result: 'control' as const, message: controlWords(rate, now.visitors) } }
  })
}

interface Test {
  readonly z: ReturnType<typeof zTest>
  /** p-value of the exact test, if counts are too small for the z-test. */
  readonly exact: number | null
}

function testOf(control: Proportion, variant: Proportion): Test {
  const z = zTest(control, variant)
  return { z, exact: z && !isEnough(control, variant) ? fisherTest(control, variant) : null }
}

function against(control: Shown, arm: Arm) {
  const [base, own] = [proportionOf(control.now), proportionOf(arm)]
  const ratio = base.count > 0 && own.of > 0 ? own.count / own.of / (base.count / base.of) : null
  const ratios = ratioInterval(base, own)
  const differences = differenceInterval(base, own)
  return {
    uplift: ratio === null ? null : rounded(100 * (ratio - 1), 1),
    uplift_interval: ratios && scaled({ from: ratios.from - 1, to: ratios.to - 1 }, 1),
    difference: differences && rounded(100 * (own.count / own.of - base.count / base.of), 2),
    difference_interval: differences && scaled(differences, 2),
  }
}

interface Decided {
  readonly arm: Arm
  readonly figures: ReturnType<typeof against>
  readonly test: Test
  /** Corrected; null if there is no test. */
  readonly p: number | null
}

function decided(control: Shown, { arm, figures, test: { z, exact }, p }: Decided) {
  const result = resultOf({ z, exact }, p)
  const { uplift, uplift_interval: upliftInterval } = figures
  const words = {
    rate: percentOf(arm.converters, arm.visitors),
    controlRate: percentOf(control.now.converters, control.now.visitors),
    control: control.value,
    uplift,
    upliftInterval,
    p: p ?? 1,
  }
  const visitors = control.now.visitors + arm.visitors
  return {
    z: z && rounded(z.z, 4),
    p_value: z && shortened(z.p),
    exact_p_value: exact === null ? null : shortened(exact),
    corrected_p_value: p === null ? null : shortened(p),
    sequential_p_value: z && exact === null ? shortened(sequentialP(z.z, visitors)) : null,
    result,
    message: resultWords[result](words),
  }
}

const untested = Object.freeze({
  uplift: null,
  uplift_interval: null,
  difference: null,
  difference_interval: null,
  z: null,
  p_value: null,
  exact_p_value: null,
  corrected_p_value: null,
  sequential_p_value: null,
})

function resultOf({ z, exact }: Test, p: number | null): Exclude<(typeof RESULTS)[number], 'control'> {
  if (!z || p === null) return 'too_little_data'
  if (p >= ALPHA) return exact === null ? 'undecided' : 'too_little_data'
  return z.z > 0 ? 'better' : 'worse'
}

interface Planned {
  readonly control: Arm
  /** Visitors of each variant. */
  readonly visitors: readonly number[]
  /** Percent. */
  readonly uplift: number
  /** Time since the first visitor was shown a variant, ms. */
  readonly since: number
}

/** How long an experiment has to run to find an uplift. Null without conversions of the control, or if the rate would exceed 100 %. */
export function durationOf({ control, visitors, uplift, since }: Planned): Static<typeof Experiment>['duration'] {
  const rate = control.visitors === 0 ? 0 : control.converters / control.visitors
  const expected = rate * (1 + uplift / 100)
  const comparisons = visitors.length - 1
  if (rate === 0 || expected > 1 || expected < 0 || comparisons < 1) return null
  const needed = visitorsNeeded(rate, expected, ALPHA / comparisons)
  const fewest = Math.min(...visitors)
  const days = Math.max(1, since / DAY_MS)
  const whole = fewest === 0 ? null : Math.ceil((needed * days) / fewest)
  return { uplift, visitors_needed: needed, days: whole, days_left: whole === null ? null : Math.max(0, Math.ceil(whole - days)) }
}

/** @param visitors for each variant */
export function splitOf(visitors: readonly number[]): Static<typeof Experiment>['sample_ratio'] {
  const test = equalShares(visitors)
  const result = !test ? 'too_little_data' : test.p < UNEVEN_BELOW ? 'uneven' : 'even'
  return {
    chi_square: test && rounded(test.chiSquare, 4),
    p_value: test && shortened(test.p),
    result,
    message: splitWords[result],
  }
}

const scaled = ({ from, to }: Interval, decimals: number): Interval => ({
  from: rounded(100 * from, decimals),
  to: rounded(100 * to, decimals),
})

const shortened = (p: number): number => Number(p.toPrecision(4))
const rounded = (value: number, decimals: number): number => Math.round(value * 10 ** decimals) / 10 ** decimals
