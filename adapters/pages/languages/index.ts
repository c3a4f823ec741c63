/**
 * What pages say, in the language of the account. The app's own words have keys; what the table declares (titles, names
 * of fields and metrics) is looked up by its English text. What a language lacks is said in English.
 */
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'

export type Key = keyof typeof en
export interface Language {
  readonly own: Readonly<Record<Key, string>>
  /** Declared words by their English text. */
  readonly declared: Readonly<Record<string, string>>
}

export const languages: Readonly<Record<string, Language>> = { en: { own: en, declared: {} }, de, es, fr }

/** Whoever reads: a viewer, a form, a frame. */
export interface Reader {
  readonly locale: string
}
const languageOf = ({ locale }: Reader): Language | undefined => (Object.hasOwn(languages, locale) ? languages[locale] : undefined)

/** @param values for what stands in braces */
export function say(reader: Reader, key: Key, values: Readonly<Record<string, string | number>> = {}): string {
  const text = (languageOf(reader)?.own ?? en)[key]
  return text.includes('{') ? text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? '')) : text
}

/** Whether there is such a key: `period_7d`. */
export const isKey = (key: string): key is Key => Object.hasOwn(en, key)

/** A declared text in the reader's language. */
export function inLanguage(reader: Reader, text: string): string {
  const declared = languageOf(reader)?.declared
  return declared && Object.hasOwn(declared, text) ? (declared[text] ?? text) : text
}

/** The language of the page, for `lang`. */
export const languageTag = ({ locale }: Reader): string => (Object.hasOwn(languages, locale) ? locale : 'en')

/** For who is not signed in: the first language of the browser that there is. @param header `Accept-Language` */
export function readerBy(header: string | undefined): Reader {
  const wanted = (header ?? '')
    .slice(0, 200)
    .split(',')
    .map(part => part.trim().slice(0, 2).toLowerCase())
  return { locale: wanted.find(tag => Object.hasOwn(languages, tag)) ?? 'en' }
}
