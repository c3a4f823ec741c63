/** Draws conclusions from an experiment's counts: each variant against the control, and whether the split was even. */
import type { Static } from '../../../runtime/table/schema.ts'
import type { Arm } from '../../../storage/engine/index.ts'
import { percentOf } from '../../../storage/engine/vocabulary/metrics.ts'
import { ALPHA, UNEVEN_BELOW } from './levels.ts'
import type { Experiment, RESULTS } from './records.ts'
import { differenceInterval, equalShares, type Interval, isEnough, type Proportion, ratioInterval, zTest } from './significance.ts'
import { isBetter, isControl, isUndecided, isWorse, splitWords, tooLittle } from './wording.ts'

/** Await this before the first conclusion. */
export { compiled } from './significance.ts'

const proportionOf = ({ converters, visitors }: Arm): Proportion => ({ count: converters, of: visitors })

/** @param control null for the control itself */
export function against(control: { readonly value: string; readonly now: Arm } | null, arm: Arm) {
  const rate = percentOf(arm.converters, arm.visitors)
  if (!control) return { ...untested, result: 'control' as const, message: isControl(rate, arm.visitors) }

  const [base, own] = [proportionOf(control.now), proportionOf(arm)]
  const test = zTest(base, own)
  const ratio = base.count > 0 && own.of > 0 ? own.count / own.of / (base.count / base.of) : null
  const ratios = ratioInterval(base, own)
  const uplift = ratio === null ? null : rounded(100 * (ratio - 1), 1)
  const upliftInterval = ratios && scaled({ from: ratios.from - 1, to: ratios.to - 1 }, 1)
  const differences = differenceInterval(base, own)
  const result = resultOf(base, own, test)
  const controlRate = percentOf(base.count, base.of)
  const words = { rate, controlRate, control: control.value, uplift, upliftInterval, p: test?.p ?? 1 }
  return {
    uplift,
    uplift_interval: upliftInterval,
    difference: differences && rounded(100 * (own.count / own.of - base.count / base.of), 2),
    difference_interval: differences && scaled(differences, 2),
    z: test && rounded(test.z, 4),
    p_value: test && Number(test.p.toPrecision(4)),
    result,
    message: wording[result](words),
  }
}

const untested = Object.freeze({
  uplift: null,
  uplift_interval: null,
  difference: null,
  difference_interval: null,
  z: null,
  p_value: null,
})

const wording = Object.freeze({
  better: isBetter,
  worse: isWorse,
  undecided: isUndecided,
  too_little_data: tooLittle,
})

function resultOf(control: Proportion, variant: Proportion, test: ReturnType<typeof zTest>): Exclude<(typeof RESULTS)[number], 'control'> {
  if (!test || !isEnough(control, variant)) return 'too_little_data'
  if (test.p >= ALPHA) return 'undecided'
  return test.z > 0 ? 'better' : 'worse'
}

/** @param visitors for each variant */
export function splitOf(visitors: readonly number[]): Static<typeof Experiment>['sample_ratio'] {
  const test = equalShares(visitors)
  const result = !test ? 'too_little_data' : test.p < UNEVEN_BELOW ? 'uneven' : 'even'
  return {
    chi_square: test && rounded(test.chiSquare, 4),
    p_value: test && Number(test.p.toPrecision(4)),
    result,
    message: splitWords[result],
  }
}

const scaled = ({ from, to }: Interval, decimals: number): Interval => ({
  from: rounded(100 * from, decimals),
  to: rounded(100 * to, decimals),
})

const rounded = (value: number, decimals: number): number => Math.round(value * 10 ** decimals) / 10 ** decimals
