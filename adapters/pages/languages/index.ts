/**
 * Texts of pages, in the language of the account. Their own words have keys; what the table declares and areas say is
 * looked up by its English text (`runtime/languages`). What a language lacks is said in English.
 */
import { filledIn, loadTexts, type Reader, wordsOf } from '../../../runtime/texts/index.ts'
import { withSpaces } from '../../../runtime/texts/spaces.ts'
import { en } from './en.ts'
import type { Key, Language } from './language.ts'

export { inLanguage, type Reader, readerBy, told, toldError } from '../../../runtime/texts/index.ts'

export type { Key }

const sources: Readonly<Record<string, () => Promise<Language>>> = {
  de: async () => (await import('./de.ts')).de,
  es: async () => (await import('./es.ts')).es,
  fr: async () => ({ own: withSpaces((await import('./fr.ts')).fr.own) }),
}
/** Constant, so that one copy serves all. */
const loaded = new Map<string, Language>([['en', { own: en }]])

/** Makes sure that what this reader is told is there. */
export async function loadLanguage(reader: Reader): Promise<void> {
  const { locale } = reader
  const source = Object.hasOwn(sources, locale) ? sources[locale] : undefined
  if (source && !loaded.has(locale)) loaded.set(locale, await source())
  await loadTexts(reader)
}

/** @param values for what stands in braces */
export function say({ locale }: Reader, key: Key, values: Readonly<Record<string, string | number>> = {}): string {
  return filledIn((loaded.get(locale)?.own ?? en)[key], values)
}

/** Whether there is such a key: `period_7d`. */
export const isKey = (key: string): key is Key => Object.hasOwn(en, key)

/** The language of the page, for `lang`. */
export const languageTag = ({ locale }: Reader): string => wordsOf(locale)
