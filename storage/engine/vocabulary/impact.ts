/**
 * How much a change matters: its size in percent times the root of how many visitors it is about, in the period
 * where they were more. What grew from nothing counts as grown from one, where that is a number of something;
 * otherwise as doubled.
 */
export function impactOf(to: number, from: number, visitors: number, isCount = true): number {
  const base = Math.abs(from) || (isCount ? 1 : Math.abs(to))
  return base === 0 ? 0 : ((100 * Math.abs(to - from)) / base) * Math.sqrt(visitors)
}
