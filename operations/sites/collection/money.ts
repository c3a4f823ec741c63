import { LRUCache } from 'lru-cache'
import type { SentHit } from './hit.ts'

/** In what a site counts money. */
export interface Priced {
  readonly currency: string
  /** Of events whose amounts may come without one, by their names. */
  readonly currencies: ReadonlyMap<string, string>
}

/**
 * What a hit is worth in minor units of the site's currency; null where its currency is another, which cannot be added
 * to the site's. An amount without a currency is in the one of its event, and nothing where that has none.
 */
export function worthOf({ name, revenue }: Pick<SentHit, 'name' | 'revenue'>, site: Priced): number | null {
  if (!revenue) return 0
  const currency = revenue.currency || site.currencies.get(name)
  if (currency === undefined) return 0
  return currency === site.currency ? minorUnits(revenue.amount, currency) : null
}

/** An amount in major units, 12.50, as the integer of minor units the API counts in. */
function minorUnits(amount: number, currency: string): number {
  return Math.round(amount * 10 ** decimals(currency))
}

/** ISO 4217: 2 for most, 0 for JPY, 3 for KWD. Asking Intl takes tens of microseconds. */
const known = new LRUCache<string, number>({ max: 500 })
function decimals(currency: string): number {
  let digits = known.get(currency)
  if (digits === undefined) {
    digits = /^[A-Z]{3}$/.test(currency)
      ? (new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2)
      : 2
    known.set(currency, digits)
  }
  return digits
}
