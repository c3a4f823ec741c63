/**
 * The impact of a change: its size in percent times the square root of its visitors, in the period with more of them.
 * Growth of a count from zero counts as growth from one; of another metric, as doubling.
 */
export function impactOf(to: number, from: number, visitors: number, isCount = true): number {
  const base = Math.abs(from) || (isCount ? 1 : Math.abs(to))
  return base === 0 ? 0 : ((100 * Math.abs(to - from)) / base) * Math.sqrt(visitors)
}
