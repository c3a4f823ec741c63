import { SITE_CURRENCY, type SentHit } from '../hit.ts'
import { objectOf } from './json-object.ts'

const CURRENCIES = new Set([...Intl.supportedValuesOf('currency'), SITE_CURRENCY])
const AMOUNT = /^-?\d{1,30}(\.\d{1,30})?$/

/**
 * Reads `{currency, amount}` in major units; the amount may be a string. Null without an amount; `invalid` if the amount or its
 * currency is invalid: the event is stored without revenue (as in Plausible). A missing currency is '', because the event may have a
 * default. A negative amount is a refund.
 */
export function revenueOf(sent: unknown): SentHit['revenue'] {
  if (sent === undefined || sent === null || sent === '') return null
  const revenue = objectOf(sent)
  if (!revenue) return 'invalid'
  if ((revenue.amount ?? '') === '') return null
  const [amount, currency] = [amountOf(revenue.amount), currencyOf(revenue.currency ?? '')]
  return amount === null || currency === null ? 'invalid' : { currency, amount }
}

function amountOf(sent: unknown): number | null {
  const amount = typeof sent === 'string' && AMOUNT.test(sent.trim()) ? Number(sent) : sent
  return typeof amount === 'number' && Number.isFinite(amount) ? amount : null
}

function currencyOf(sent: unknown): string | null {
  if (typeof sent !== 'string') return null
  const currency = sent.trim().toUpperCase()
  return currency === '' || CURRENCIES.has(currency) ? currency : null
}
