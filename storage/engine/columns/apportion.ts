/** Rounds shares of a whole so that they add up to it exactly. (Every `!` is inside bounds.) */

/**
 * Largest remainders: each share is rounded down or up to a whole number, those with the largest remainder up.
 * @param shares which add up to about `total`; may be negative
 * @param total a whole number
 */
export function apportioned(shares: Float64Array, total: number): Float64Array {
  const whole = shares.map(Math.floor)
  const missing = total - whole.reduce((sum, one) => sum + one, 0)
  if (missing === 0) return whole
  // Without a fraction there is nothing to round; a share of 0 stays 0.
  const fractional = Uint32Array.from(shares.keys()).filter(i => shares[i]! !== whole[i]!)
  const byRemainder = (fractional.length === 0 ? Uint32Array.from(shares.keys()) : fractional).sort(
    (a, b) => shares[b]! - whole[b]! - (shares[a]! - whole[a]!) || a - b,
  )
  // One each is enough if the shares add up to the total; errors of floating point may ask for more or for less.
  const step = Math.sign(missing)
  if (step < 0) byRemainder.reverse()
  for (let left = Math.abs(missing), i = 0; left > 0 && byRemainder.length > 0; left--, i++) {
    whole[byRemainder[i % byRemainder.length]!]! += step
  }
  return whole
}
