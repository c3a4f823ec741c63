/** Amounts as other products’ APIs have them. */
import { minorDigits } from '../../../runtime/ui/format.ts'

export interface Money {
  readonly value: number
  readonly currency: string
  readonly short: string
  readonly long: string
}

interface Formats {
  readonly long: Intl.NumberFormat
  readonly short: Intl.NumberFormat
}
const known = new Map<string, Formats>()

/** @param minor in minor units; null without one currency */
export function moneyOf(minor: number | null | undefined, currency: string): Money | null {
  if (minor === null || minor === undefined) return null
  const { long, short } = known.get(currency) ?? formatsOf(currency)
  const value = minor / 10 ** minorDigits(currency)
  return { value, currency, short: short.format(value), long: long.format(value) }
}

/** A formatter takes as long as thousands of amounts. */
function formatsOf(currency: string): Formats {
  const formats = {
    long: new Intl.NumberFormat('en', { style: 'currency', currency }),
    short: new Intl.NumberFormat('en', { style: 'currency', currency, notation: 'compact', maximumFractionDigits: 1 }),
  }
  known.set(currency, formats)
  return formats
}
