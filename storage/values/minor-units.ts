/**
 * Converts an amount, such as 12.50, to an integer of minor units, such as 1250. Rounds half away from zero, and in decimal:
 * as a binary number, 1.005 is a little less and would be rounded down.
 */
export function minorUnits(amount: number, digits: number): number {
  const [mantissa = '', exponent = '0'] = String(Math.abs(amount)).split('e')
  return Math.sign(amount) * Math.round(Number(`${mantissa}e${Number(exponent) + digits}`))
}
