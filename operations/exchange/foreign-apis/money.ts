/** Amounts as other products’ APIs have them. */
export interface Money {
  readonly value: number
  readonly currency: string
  readonly short: string
  readonly long: string
}

interface Formats {
  readonly long: Intl.NumberFormat
  readonly short: Intl.NumberFormat
  /** Minor units of a major one. */
  readonly minor: number
}
const known = new Map<string, Formats>()

/** @param minor in minor units; null without one currency */
export function moneyOf(minor: number | null | undefined, currency: string): Money | null {
  if (minor === null || minor === undefined) return null
  const formats = known.get(currency) ?? formatsOf(currency)
  const { long, short } = formats
  const value = minor / formats.minor
  return { value, currency, short: short.format(value), long: long.format(value) }
}

/** A formatter takes as long as thousands of amounts. */
function formatsOf(currency: string): Formats {
  const long = new Intl.NumberFormat('en', { style: 'currency', currency })
  const formats = {
    long,
    minor: 10 ** (long.resolvedOptions().maximumFractionDigits ?? 2),
    short: new Intl.NumberFormat('en', { style: 'currency', currency, notation: 'compact', maximumFractionDigits: 1 }),
  }
  known.set(currency, formats)
  return formats
}
