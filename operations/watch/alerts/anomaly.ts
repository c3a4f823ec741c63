/**
 * Scores how unusual a value is compared with the same hour in earlier weeks (docs/decisions.md §4): its distance from
 * their median, in robust standard deviations, on a scale where random variation has the same size at every level.
 */
import type { AlertRow } from '../../../storage/tables/index.ts'

/** Scores beyond this are unusual. */
export const limits: Readonly<Record<AlertRow['sensitivity'], number>> = { high: 3.5, medium: 4.5, low: 6 }

/** A normal distribution's standard deviation, in units of its median absolute deviation (Rousseeuw, Croux 1993). */
const SPREAD_OF_MAD = 1.4826

/** A count, or a share: `count` out of `of`. */
export type Sample = { readonly count: number } | { readonly count: number; readonly of: number }

export interface Score {
  /** Robust standard deviations from the median; negative below it. */
  readonly z: number
  /** The median of the samples in the measured unit: a count, or a share from 0 to 1. */
  readonly usual: number
}

/**
 * Scores a count against counts, or a share against shares (shares of nothing are left out).
 * @returns null for a share of nothing, and when there are no samples
 */
export function score(now: Sample, before: readonly Sample[]): Score | null {
  const scale = 'of' in now ? shares : counts
  const samples = before.filter(isMeasured).map(scale.stabilised)
  if (!isMeasured(now) || samples.length === 0) return null
  const middle = median(samples)
  const spread = SPREAD_OF_MAD * median(samples.map(sample => Math.abs(sample - middle)))
  const z = (scale.stabilised(now) - middle) / Math.max(scale.chance(now), spread)
  return { z, usual: scale.measured(middle) }
}

const isMeasured = (sample: Sample): boolean => !('of' in sample) || sample.of > 0

interface Scale {
  /** Maps a sample to a scale where its variance does not depend on its level. */
  stabilised(sample: Sample): number
  /** The inverse of `stabilised`. */
  measured(stabilised: number): number
  /** The standard deviation of random variation on that scale. */
  chance(sample: Sample): number
}

/** Anscombe's transform of a Poisson count (Biometrika 35, 1948): its standard deviation is about 1. */
const counts: Scale = {
  stabilised: ({ count }) => 2 * Math.sqrt(count + 3 / 8),
  measured: y => Math.max(0, (y / 2) ** 2 - 3 / 8),
  chance: () => 1,
}

const wholeOf = (sample: Sample): number => ('of' in sample ? sample.of : 1)

/** The angle of a binomial share, in Anscombe's form (ibid.): its standard deviation is 1/√n. */
const shares: Scale = {
  stabilised: sample => 2 * Math.asin(Math.sqrt((sample.count + 3 / 8) / (wholeOf(sample) + 3 / 4))),
  measured: y => Math.sin(y / 2) ** 2,
  chance: sample => 1 / Math.sqrt(wholeOf(sample)),
}

/** @param numbers at least one */
export function median(numbers: readonly number[]): number {
  const sorted = Float64Array.from(numbers).sort()
  const half = sorted.length >> 1
  const upper = sorted[half] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? Number.NaN) + upper) / 2
}

/** Whether a score is unusual in the direction that the alert watches: `gt` above, `lt` below, null both. */
export function isUnusual({ z }: Score, { sensitivity, operator }: Pick<AlertRow, 'sensitivity' | 'operator'>): boolean {
  const limit = limits[sensitivity]
  return (operator !== 'lt' && z > limit) || (operator !== 'gt' && z < -limit)
}
