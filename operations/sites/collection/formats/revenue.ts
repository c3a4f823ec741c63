import type { SentHit } from '../hit.ts'
import { objectOf } from './json-object.ts'

const CURRENCIES = new Set(Intl.supportedValuesOf('currency'))
const AMOUNT = /^-?\d{1,12}(\.\d+)?$/
/** Its minor units are still exact integers. */
const MOST = 1e12

/**
 * `{currency, amount}` in major units; the amount may be a string. Null if either is invalid: the event is stored
 * without revenue (as Plausible does). A missing currency is '', as the event may have a default. A negative amount is
 * a refund.
 */
export function revenueOf(sent: unknown): SentHit['revenue'] {
  const revenue = objectOf(sent)
  if (!revenue || typeof (revenue.currency ?? '') !== 'string') return null
  const currency = String(revenue.currency ?? '')
    .trim()
    .toUpperCase()
  const amount = amountOf(revenue.amount)
  return amount !== null && (currency === '' || CURRENCIES.has(currency)) ? { currency, amount } : null
}

function amountOf(sent: unknown): number | null {
  const amount = typeof sent === 'string' && AMOUNT.test(sent.trim()) ? Number(sent) : sent
  return typeof amount === 'number' && Math.abs(amount) <= MOST ? amount : null
}
