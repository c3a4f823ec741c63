/**
 * Statistical tests for two proportions, and for an even split of visitors. The Cephes library computes the normal and the
 * chi-square distribution in WebAssembly: call nothing here before `compiled` is settled.
 */
import { chdtrc, ndtr, ndtri } from 'cephes'
import { ALPHA, FEWEST_EXPECTED } from './levels.ts'

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
  return Math.min(control.of, variant.of) * Math.min(pooled, 1 - pooled) >= FEWEST_EXPECTED
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
