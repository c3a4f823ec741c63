import { LRUCache } from 'lru-cache'
import type { RevenueFault } from '../../../storage/hits/new-hit.ts'
import { MOST_REVENUE } from '../../../storage/hits/storable.ts'
import type { SentHit } from './hit.ts'

/** In what a site counts money. */
export interface Priced {
  readonly currency: string
  /** Of events whose amounts may come without one, by their names. */
  readonly currencies: ReadonlyMap<string, string>
}

/**
 * What a hit is worth in minor units of the site's currency, or why that cannot be said: amounts in another currency
 * cannot be added to the site's. An amount without a currency is in the one of its event; where that has none either,
 * it says nothing.
 */
export function worthOf({ name, revenue }: Pick<SentHit, 'name' | 'revenue'>, site: Priced): number | RevenueFault {
  if (!revenue) return 0
  if (revenue === 'invalid') return 'invalid_revenue'
  const currency = revenue.currency || site.currencies.get(name)
  if (currency === undefined) return 'invalid_revenue'
  if (currency !== site.currency) return 'other_currency'
  const worth = minorUnits(revenue.amount, decimals(currency))
  return Math.abs(worth) <= MOST_REVENUE ? worth : 'invalid_revenue'
}

/**
 * An amount in major units, 12.50, as the integer of minor units the API counts in: its decimal digits as they were
 * written (1.005 is a little less in binary), half away from zero.
 */
function minorUnits(amount: number, digits: number): number {
  const [digitsWritten = '', exponent = '0'] = String(Math.abs(amount)).split('e')
  return Math.sign(amount) * Math.round(Number(`${digitsWritten}e${Number(exponent) + digits}`))
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
