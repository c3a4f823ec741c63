/**
 * Texts of pages, in the language of the account. Their own words have keys; what the table declares and areas say is
 * looked up by its English text (`runtime/languages`). What a language lacks is said in English.
 */
import { filledIn, loadTexts, type Reader, wordsOf } from '../../texts/index.ts'
import { withSpaces } from '../../texts/spaces.ts'
import type { MessageOf, MessageParams, Sentence, Term } from '../../texts/message.ts'
import { type Given, say as sayById } from '../../texts/say.ts'
import { en } from './en.ts'
import type { Key, Language } from './language.ts'

export { inLanguage, type Reader, readerBy, told, toldError } from '../../texts/index.ts'

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

/** Transition: texts of pages by key, messages by their code. @param values for the parameters */
export function say(reader: Reader, said: Sentence | Term): string
export function say<T extends string>(reader: Reader, message: MessageOf<T>, ...params: Given<T>): string
export function say(reader: Reader, key: Key, values?: Readonly<Record<string, string | number>>): string
export function say(reader: Reader, key: Key | Sentence | Term | { readonly code: string }, values: MessageParams = {}): string {
  if (typeof key === 'string' && !isKey(key)) return key
  if (typeof key !== 'string') return sayById(reader, key as MessageOf<`${string}{params}`>, values as never)
  return filledIn((loaded.get(reader.locale)?.own ?? en)[key], values as Readonly<Record<string, string | number>>)
}

/** Whether there is such a key: `period_7d`. */
export const isKey = (key: string): key is Key => Object.hasOwn(en, key)

/** The language of the page, for `lang`. */
export const languageTag = ({ locale }: Reader): string => wordsOf(locale)
