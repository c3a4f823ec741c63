/**
 * Statistical tests for two proportions, and for an even split of visitors. The Cephes library computes the normal and the
 * chi-square distribution in WebAssembly: call nothing here before `compiled` is settled.
 */
import { chdtrc, ndtr, ndtri } from 'cephes'
import { ALPHA, EXPECTED_VISITORS, MIN_EXPECTED, POWER } from './levels.ts'

export { compiled } from 'cephes'

/** `count` out of `of`. */
export interface Proportion {
  readonly count: number
  readonly of: number
}
export interface Interval {
  readonly from: number
  readonly to: number
}

/** Beyond this value, the area under the normal distribution underflows to 0; much farther out, Cephes returns NaN. */
const FARTHEST = 40

const quantile = (): number => ndtri(1 - ALPHA / 2)
const rateOf = ({ count, of }: Proportion): number => count / of

/**
 * Two-proportion z-test: pooled, two-sided, without continuity correction; z² is the X-squared of R's
 * `prop.test(correct = FALSE)`. Null if a group is empty, or if all or none of both converted.
 */
export function zTest(control: Proportion, variant: Proportion): { z: number; p: number } | null {
  if (control.of === 0 || variant.of === 0) return null
  const pooled = pooledRate(control, variant)
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / control.of + 1 / variant.of))
  if (error === 0) return null
  const z = (rateOf(variant) - rateOf(control)) / error
  return { z, p: 2 * ndtr(-Math.min(Math.abs(z), FARTHEST)) }
}

/** Interval of variant − control: Wald, unpooled, as R's `prop.test(correct = FALSE)`. Null if a group is empty. */
export function differenceInterval(control: Proportion, variant: Proportion): Interval | null {
  if (control.of === 0 || variant.of === 0) return null
  const [a, b] = [rateOf(control), rateOf(variant)]
  const margin = quantile() * Math.sqrt((a * (1 - a)) / control.of + (b * (1 - b)) / variant.of)
  return { from: Math.max(-1, b - a - margin), to: Math.min(1, b - a + margin) }
}

/** Interval of variant / control, through its logarithm (Katz et al., Biometrics 1978). Null if either has no conversions. */
export function ratioInterval(control: Proportion, variant: Proportion): Interval | null {
  if (control.count === 0 || variant.count === 0) return null
  const error = Math.sqrt(1 / control.count - 1 / control.of + 1 / variant.count - 1 / variant.of)
  const middle = Math.log(rateOf(variant) / rateOf(control))
  return { from: Math.exp(middle - quantile() * error), to: Math.exp(middle + quantile() * error) }
}

/** Whether the data is sufficient for the normal approximation. */
export function isEnough(control: Proportion, variant: Proportion): boolean {
  const pooled = pooledRate(control, variant)
  return Math.min(control.of, variant.of) * Math.min(pooled, 1 - pooled) >= MIN_EXPECTED
}

/**
 * Fisher's exact test, two-sided: the probability, with all margins given, of every outcome that is at most as likely as the
 * one seen (as R's `fisher.test`). Walks outward from the most likely outcome and weighs each by its ratio to that, until the
 * weights no longer change the sum. Null if a group is empty. Call it only where the normal approximation does not hold: the
 * walk is as long as the smaller group or its rarer outcome.
 */
export function fisherTest(control: Proportion, variant: Proportion): number | null {
  if (control.of === 0 || variant.of === 0) return null
  const total = control.of + variant.of
  const converted = control.count + variant.count
  const min = Math.max(0, converted - control.of)
  const max = Math.min(converted, variant.of)
  const likeliest = Math.min(max, Math.max(min, Math.floor(((variant.of + 1) * (converted + 1)) / (total + 2))))
  // P(x + 1) / P(x) of the hypergeometric distribution of conversions of the variant
  const rise = (x: number) => ((converted - x) * (variant.of - x)) / ((x + 1) * (control.of - converted + x + 1))

  const weights = new Map([[likeliest, 1]])
  for (let x = likeliest, weight = 1; x < max && (weight > NEGLIGIBLE || x < variant.count); x++) weights.set(x + 1, (weight *= rise(x)))
  for (let x = likeliest, weight = 1; x > min && (weight > NEGLIGIBLE || x > variant.count); x--)
    weights.set(x - 1, (weight /= rise(x - 1)))
  // Outcomes that are equally likely may differ by rounding, as in R.
  const seen = (weights.get(variant.count) ?? 0) * (1 + 1e-7)
  let [all, asRare] = [0, 0]
  for (const weight of weights.values()) {
    all += weight
    if (weight <= seen) asRare += weight
  }
  return Math.min(1, asRare / all)
}

/** Share of the likeliest outcome below which an outcome no longer changes a sum. */
const NEGLIGIBLE = 1e-18

/**
 * p-value that stays valid however often, and whenever, one looks: the chance that it ever falls below 0.05 without a
 * difference is below 5 % (the confidence sequence of Waudby-Smith et al., Annals of Statistics 2024, solved for its level).
 * Tightest at `EXPECTED_VISITORS`. Above the p-value of a single look.
 * @param z of the z-test
 * @param visitors of both groups
 */
export function sequentialP(z: number, visitors: number): number {
  const spread = visitors * ((-2 * Math.log(ALPHA) + Math.log(-2 * Math.log(ALPHA) + 1)) / EXPECTED_VISITORS)
  const logarithm = ((spread / (1 + spread)) * z ** 2) / 2 - Math.log(1 + spread) / 2
  return Math.min(1, Math.exp(-logarithm))
}

/** Corrects p-values for several comparisons, so that the chance of any false one stays at its level (Holm 1979). Null stays null. */
export function holm(values: readonly (number | null)[]): (number | null)[] {
  const corrected = [...values]
  const ranked = values.flatMap((p, at) => (p === null ? [] : [{ p, at }])).toSorted((a, b) => a.p - b.p)
  let min = 0
  for (const [rank, { p, at }] of ranked.entries()) {
    min = Math.max(min, Math.min(1, p * (ranked.length - rank)))
    corrected[at] = min
  }
  return corrected
}

/**
 * Visitors that each group needs so that a z-test finds the difference between two rates with probability `POWER` (as R's
 * `power.prop.test`).
 * @param alpha two-sided
 */
export function visitorsNeeded(rate: number, wished: number, alpha: number): number {
  const middle = (rate + wished) / 2
  const chance = ndtri(1 - alpha / 2) * Math.sqrt(2 * middle * (1 - middle))
  const found = ndtri(POWER) * Math.sqrt(rate * (1 - rate) + wished * (1 - wished))
  return Math.ceil(((chance + found) / (wished - rate)) ** 2)
}

/** Chi-square test of counts against equal shares. Null for fewer than two, or if fewer than 5 each are expected. */
export function equalShares(counts: readonly number[]): { chiSquare: number; p: number } | null {
  const expected = counts.reduce((sum, count) => sum + count, 0) / counts.length
  if (counts.length < 2 || expected < 5) return null
  const chiSquare = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
  return { chiSquare, p: chiSquareTail(counts.length - 1, chiSquare) }
}

/** Returns the area right of x, and 0 on underflow, for which Cephes throws. */
function chiSquareTail(degreesOfFreedom: number, x: number): number {
  try {
    return chdtrc(degreesOfFreedom, x)
  } catch {
    return 0
  }
}

/** 0 for empty groups. */
function pooledRate(a: Proportion, b: Proportion): number {
  return a.of + b.of === 0 ? 0 : (a.count + b.count) / (a.of + b.of)
}
