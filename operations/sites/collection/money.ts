import { LRUCache } from 'lru-cache'
import type { SentHit } from './hit.ts'

/** The currencies of a site. */
export interface Priced {
  readonly currency: string
  /** Default currencies of events, by name. */
  readonly currencies: ReadonlyMap<string, string>
}

/**
 * The revenue of a hit in minor units of the site's currency; null if it is in another currency, which cannot be added.
 * An amount without a currency has its event's default; without that it is ignored.
 */
export function worthOf({ name, revenue }: Pick<SentHit, 'name' | 'revenue'>, site: Priced): number | null {
  if (!revenue) return 0
  const currency = revenue.currency || site.currencies.get(name)
  if (currency === undefined) return 0
  return currency === site.currency ? minorUnits(revenue.amount, currency) : null
}

/** Converts major units, 12.50, to an integer of minor units. */
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
