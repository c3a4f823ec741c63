import type { SentHit } from './hit.ts'

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

/** Whether its revenue cannot be added to the site's. */
export function isOtherCurrency(sent: Pick<SentHit, 'revenue'> | undefined, site: { readonly currency: string }): boolean {
  return !!sent?.revenue && sent.revenue.currency !== site.currency
}

/** The hit with its amount in the currency of its event, where it came without one; without money where that has none. */
export function priced(sent: SentHit, currencies: ReadonlyMap<string, string>): SentHit {
  if (sent.revenue?.currency !== '') return sent
  const currency = currencies.get(sent.name)
  return { ...sent, revenue: currency === undefined ? null : { ...sent.revenue, currency } }
}
