interface ImpactOf {
  readonly to: number
  readonly from: number
  readonly visitors: number
  readonly isCount?: boolean | undefined
}

/**
 * The impact of a change: its size in percent times the square root of its visitors, in the period with more of them.
 * Growth of a count from zero counts as growth from one; of another metric, as doubling.
 */
export function impactOf({ to, from, visitors, isCount = true }: ImpactOf): number {
  const base = Math.abs(from) || (isCount ? 1 : Math.abs(to))
  return base === 0 ? 0 : ((100 * Math.abs(to - from)) / base) * Math.sqrt(visitors)
}
