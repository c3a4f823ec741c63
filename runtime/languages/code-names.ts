/** Countries and languages by their names, in the language of who reads. */
import type { Reader } from './index.ts'

/** Dimensions whose values are codes that the language itself has names for. */
const codes: Readonly<Record<string, 'region' | 'language'>> = { country: 'region', language: 'language' }

const known = new Map<string, Intl.DisplayNames>()
/** One of each is kept: to make one takes 15 ms. */
function namesIn(locale: string, type: 'region' | 'language'): Intl.DisplayNames {
  const key = `${locale} ${type}`
  const names = known.get(key) ?? new Intl.DisplayNames(locale, { type, fallback: 'none' })
  known.set(key, names)
  return names
}

/** What a code stands for: `Germany`, of the country `DE`; undefined where the dimension has none, or it is no code. */
export function nameOfCode(dimension: string, code: string, { locale }: Reader): string | undefined {
  const type = Object.hasOwn(codes, dimension) ? codes[dimension] : undefined
  if (!type || code === '') return undefined
  try {
    return namesIn(locale, type).of(code)
  } catch {
    return undefined // what a visitor's browser sent, or somebody typed
  }
}
