/**
 * Texts in the language of who reads. They are looked up by their English: what the table declares, what pages of areas
 * and mails say, and errors. What a language lacks is said in English. A catalogue is loaded when its language is first
 * asked for: most installations read one or two. English has words of its own for what is declared for programs.
 */
import type { ErrorBody } from '../table/errors.ts'
import { en } from './en.ts'
import { withSpaces } from './spaces.ts'
import type { Texts } from './texts.ts'

/** The words there are; numbers and dates are shown in all languages of an account. */
export const languages = ['en', 'de', 'es', 'fr'] as const
export type Language = (typeof languages)[number]

/** The locale of who reads: of a viewer, a form, a frame. */
export interface Reader {
  readonly locale: string
}

const sources: Readonly<Record<string, () => Promise<Texts>>> = {
  de: async () => (await import('./de.ts')).de,
  es: async () => (await import('./es.ts')).es,
  fr: async () => withSpaces((await import('./fr.ts')).fr),
}

interface Catalogue {
  readonly texts: Texts
  /** Texts with blanks, made when a message is first looked for among them. */
  patterns?: readonly Pattern[]
}
/** Constant, so that one copy serves all. */
const loaded = new Map<string, Catalogue>()

/** Makes sure that this reader's texts are there. What is looked up without it is English. */
export async function loadTexts({ locale }: Reader): Promise<void> {
  const source = Object.hasOwn(sources, locale) ? sources[locale] : undefined
  if (source && !loaded.has(locale)) loaded.set(locale, { texts: await source() })
}

/** A text in the reader's language; blanks stay. */
export function inLanguage({ locale }: Reader, text: string): string {
  for (const texts of [loaded.get(locale)?.texts, en]) if (texts && Object.hasOwn(texts, text)) return texts[text] ?? text
  return text
}

/** Puts values into the blanks of a text; blanks without a value stay. */
export const filledIn = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.includes('{')
    ? text.replace(/\{(\w+)\}/g, (blank, name: string) => (Object.hasOwn(values, name) ? String(values[name]) : blank))
    : text

/** Says English texts in one language; the tests hold that every catalogue has those that stand in its calls. */
export interface Say {
  (text: string, values?: Readonly<Record<string, string | number>>): string
  readonly locale: Language
}

/** @param locale of an account, a page or a browser; one without a catalogue says it in English */
export async function sayIn(locale: string): Promise<Say> {
  const reader = { locale: wordsOf(locale) }
  await loadTexts(reader)
  const say = (text: string, values: Readonly<Record<string, string | number>> = {}) => filledIn(inLanguage(reader, text), values)
  return Object.assign(say, reader)
}

/** Texts that are said by a value, `phrases({ up: 'It is up' })[state]`: marks them, so that catalogues are checked for them. */
export const phrases = <const T extends Readonly<Record<string, string>>>(texts: T): T => texts

/** The language of which the words are, for `lang`. */
export const wordsOf = (locale: string): Language => languages.find(each => each === locale) ?? 'en'

/** For who is not signed in: the first language of the browser that there is. @param header `Accept-Language` */
export function readerBy(header: string | undefined): { readonly locale: Language } {
  const wanted = (header ?? '')
    .slice(0, 200)
    .split(',')
    .map(part => part.trim().slice(0, 2).toLowerCase())
  return { locale: wanted.map(tag => languages.find(each => each === tag)).find(each => each !== undefined) ?? 'en' }
}

interface Pattern {
  readonly shape: RegExp
  readonly names: readonly string[]
  /** Blanks for what somebody named: in quotation marks, or `{name}`. They are not told in turn. */
  readonly own: ReadonlySet<string>
  readonly text: string
}

const blank = /\{(\d|name)\}/g

/** Those that begin with words first, then those of the most words: a text that is all blanks fits everything. */
const patternsOf = (texts: Texts): Pattern[] =>
  Object.entries(texts)
    .filter(([english]) => /\{(\d|name)\}/.test(english))
    .sort(([a], [b]) => Number(a.startsWith('{')) - Number(b.startsWith('{')) || b.replace(blank, '').length - a.replace(blank, '').length)
    .map(([english, text]) => ({
      shape: new RegExp(`^${english.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(blank, '([^]*?)')}$`),
      names: [...english.matchAll(blank)].map(([, name = '']) => name),
      own: new Set(['name', ...[...english.matchAll(/["“]\{(\d)\}["”]/g)].map(([, name = '']) => name)]),
      text,
    }))

const mostLevels = 4

/** `1,250`, `0.5` and `+12.5%` as the language writes them; years, ports and ids have none of these signs. */
function numberIn(locale: string, text: string): string {
  const [, plus = '', digits = '', percent = ''] = /^(\+?)(-?\d{1,3}(?:,\d{3})*(?:\.\d+)?)(%?)$/.exec(text) ?? []
  if (digits === '' || !/[,.%]/.test(text)) return text
  return `${plus}${Number(digits.replaceAll(',', '')).toLocaleString(locale, { maximumFractionDigits: 3 })}${percent && '\u00a0%'}`
}

/** A sentence that values stand in already, such as an error: the catalogue has it with `{1}`, `{2}` or `{name}` in their places. */
export function told(reader: Reader, message: string, level = 0): string {
  const catalogue = loaded.get(reader.locale)
  if (!catalogue) return message
  if (Object.hasOwn(catalogue.texts, message)) return catalogue.texts[message] ?? message
  if (level === mostLevels || !message.includes(' ')) return numberIn(reader.locale, message)
  catalogue.patterns ??= patternsOf(catalogue.texts)
  for (const { shape, names, own, text } of catalogue.patterns) {
    const [, ...values] = shape.exec(message) ?? []
    if (values.length === 0) continue
    const toldIn = (name: string, value: string) => (own.has(name) ? value : told(reader, value, level + 1))
    return filledIn(text, Object.fromEntries(names.map((name, i) => [name, toldIn(name, values[i] ?? '')])))
  }
  return message
}

/** An error as people read it; its codes and pointers stay. */
export const toldError = (reader: Reader, { code, message, details }: ErrorBody['error']): ErrorBody['error'] => ({
  code,
  message: told(reader, message),
  details: details.map(fault => ({ ...fault, message: told(reader, fault.message) })),
})
