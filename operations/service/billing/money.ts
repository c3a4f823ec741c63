/** Shares of amounts, in whole minor units: exact, whatever the size. */

/**
 * `amount × part / whole`, rounded to the nearest unit, half away from zero; 0 of a whole of 0.
 * @param amount any integer @param part not negative @param whole not negative
 */
export function shareOf(amount: number, part: number, whole: number): number {
  if (whole === 0) return 0
  const size = BigInt(Math.abs(amount)) * BigInt(part)
  const rounded = Number((2n * size + BigInt(whole)) / (2n * BigInt(whole)))
  return amount < 0 && rounded !== 0 ? -rounded : rounded
}
