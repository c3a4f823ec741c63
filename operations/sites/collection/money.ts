import { LRUCache } from 'lru-cache'
import type { RevenueFault } from '../../../storage/hits/new-hit.ts'
import { MAX_REVENUE } from '../../../storage/hits/value-limits.ts'
import { minorUnits } from '../../../storage/values/minor-units.ts'
import { SITE_CURRENCY, type SentHit } from './hit.ts'

/** The currencies of a site. */
export interface Priced {
  readonly currency: string
  /** Default currencies of events, by name. */
  readonly currencies: ReadonlyMap<string, string>
}

/**
 * Returns the revenue of a hit in minor units of the site's currency, or the reason why it is not counted. An amount without a
 * currency uses the default currency of its event.
 */
export function worthOf({ name, revenue }: Pick<SentHit, 'name' | 'revenue'>, site: Priced): number | RevenueFault {
  if (!revenue) return 0
  if (revenue === 'invalid') return 'invalid_revenue'
  const currency = revenue.currency === SITE_CURRENCY ? site.currency : revenue.currency || site.currencies.get(name)
  if (currency === undefined) return 'invalid_revenue'
  if (currency !== site.currency) return 'other_currency'
  const worth = minorUnits(revenue.amount, decimals(currency))
  return Math.abs(worth) <= MAX_REVENUE ? worth : 'invalid_revenue'
}

/** Decimals of a currency in ISO 4217: 2 for most, 0 for JPY, 3 for KWD. Cached, because Intl takes tens of microseconds. */
const known = new LRUCache<string, number>({ max: 500 })
export function decimals(currency: string): number {
  let digits = known.get(currency)
  if (digits === undefined) {
    digits = /^[A-Z]{3}$/.test(currency)
      ? (new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2)
      : 2
    known.set(currency, digits)
  }
  return digits
}

/** Converts minor units back to major ones, for example 1250 to 12.5. */
export const majorUnits = (worth: number, currency: string): number => Number(`${worth}e-${decimals(currency)}`)
