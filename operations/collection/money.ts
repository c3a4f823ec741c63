/** An amount in major units, "12.50 EUR", as the integer of minor units the API counts in. */
export function minorUnits({ currency, amount }: { readonly currency: string; readonly amount: number }): number {
  return Math.round(amount * 10 ** decimals(currency))
}

const known = new Map<string, number>()
/** ISO 4217: 2 for most, 0 for JPY, 3 for KWD. */
function decimals(currency: string): number {
  let digits = known.get(currency)
  if (digits === undefined) {
    digits = /^[A-Z]{3}$/.test(currency) ? (new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2) : 2
    if (known.size < 500) known.set(currency, digits)
  }
  return digits
}
