/** Currencies to choose from, by their names in a language. */
import { LRUCache } from 'lru-cache'
import type { ChoiceOption } from './fields/select.tsx'

const known = new LRUCache<string, readonly ChoiceOption[]>({ max: 20 })

/** Whether a field has an ISO 4217 code, by its name: `default_currency`. */
export const isCurrency = (field: string): boolean => /(^|_)currency$/.test(field)

/** All currencies, ordered by name: `Euro (EUR)`. The same list for each call, so that it is drawn once. */
export function currencies(locale: string): readonly ChoiceOption[] {
  const found = known.get(locale)
  if (found) return found
  const names = new Intl.DisplayNames(locale, { type: 'currency' })
  const { compare } = new Intl.Collator(locale)
  const named = Intl.supportedValuesOf('currency').map(code => [code, names.of(code) ?? code] as const)
  const list = named
    .toSorted(([, a], [, b]) => compare(a, b))
    .map(([code, name]): ChoiceOption => [code, name === code ? code : `${name} (${code})`])
  known.set(locale, list)
  return list
}
