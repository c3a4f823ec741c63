/** Converts major units, 12.50, to an integer of minor units, in decimal (1.005 is less in binary), half away from zero. */
export function minorUnits(amount: number, digits: number): number {
  const [mantissa = '', exponent = '0'] = String(Math.abs(amount)).split('e')
  return Math.sign(amount) * Math.round(Number(`${mantissa}e${Number(exponent) + digits}`))
}
