/** Numbers of units of time, as short as each language writes them. */
import { memoized } from '../values/memoize.ts'

export type TimeUnit = 'day' | 'hour' | 'minute' | 'second'

/** Where units are written with a space, as their standard has them, they are in pages; elsewhere only days have another letter. */
const spaced = new Set(['es', 'fr'])
const letters: Readonly<Record<string, string>> = { hour: 'h', minute: 'm', second: 's' }

/** The text after a number of units. @param key locale and unit */
const endingOf = memoized((key: string): string => {
  const [locale = 'en', unit = ''] = key.split(' ')
  const letter = spaced.has(locale) ? undefined : letters[unit]
  if (letter !== undefined) return letter
  const unitDisplay = spaced.has(locale) ? 'short' : 'narrow'
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay }).format(2).replace('2', '')
})

/** `6s`, `6 s`. @param count as it is written in the text */
export const inUnits = (count: number | string, unit: TimeUnit, locale: string): string => `${count}${endingOf(`${locale} ${unit}`)}`
