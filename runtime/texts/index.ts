/**
 * Texts in the language of who reads. They are looked up by their English: what the table declares, what pages of areas
 * and mails say, and errors. What a language lacks is said in English. A catalogue is loaded when its language is first
 * asked for: most installations read one or two. English has words of its own for what is declared for programs.
 */
import { declaredText, loadTexts as loadById } from './catalogues.ts'
import { en } from './en.ts'
import { Message, type MessageOf, type MessageParams, type Sentence, type Term } from './message.ts'
import { type Language, languages, type Reader, readerBy, wordsOf } from './reader.ts'
import { type Say as SayById, say as sayById } from './say.ts'
import { withSpaces } from './spaces.ts'
import type { Texts } from './texts.ts'

export { languages, readerBy, wordsOf }
export type { Language, Reader, Say, Sentence }

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
  await loadById({ locale })
  const source = Object.hasOwn(sources, locale) ? sources[locale] : undefined
  if (source && !loaded.has(locale)) loaded.set(locale, { texts: await source() })
}

/** A text in the reader's language; blanks stay. */
export function inLanguage({ locale }: Reader, text: string | { readonly code: string }): string {
  if (typeof text !== 'string') return sayById({ locale }, text as MessageOf<'x'>)
  const byId = declaredText({ locale }, text)
  if (byId !== text) return byId
  for (const texts of [loaded.get(locale)?.texts, en]) if (texts && Object.hasOwn(texts, text)) return texts[text] ?? text
  return text
}

/** Puts values into the blanks of a text; blanks without a value stay. */
export const filledIn = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.includes('{')
    ? text.replace(/\{(\w+)\}/g, (blank, name: string) => (Object.hasOwn(values, name) ? String(values[name]) : blank))
    : text

/** Transition: English texts are looked up by themselves, messages by their code. */
interface Say extends SayById {
  (text: string, values?: Readonly<Record<string, string | number>>): string
}

/** @param locale of an account, a page or a browser; one without a catalogue says it in English */
export async function sayIn(locale: string): Promise<Say> {
  const reader = { locale: wordsOf(locale) }
  await loadTexts(reader)
  const say = (text: Sentence | Term | { readonly code: string }, values: MessageParams = {}) =>
    typeof text === 'string'
      ? filledIn(inLanguage(reader, text), values as Readonly<Record<string, string | number>>)
      : sayById(reader, text as MessageOf<`${string}{params}`>, values as never)
  return Object.assign(say, reader) as Say
}

/** Texts that are said by a value, `phrases({ up: 'It is up' })[state]`: marks them, so that catalogues are checked for them. */
export const phrases = <const T extends Readonly<Record<string, string>>>(texts: T): T => texts

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
export function told(reader: Reader, message: Sentence, level = 0): string {
  if (message instanceof Message) return sayById(reader, message)
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
export const toldError = <D extends { message: Sentence }, E extends { message: Sentence; details: D[] }>(reader: Reader, error: E): E => ({
  ...error,
  message: told(reader, error.message),
  details: error.details.map(fault => ({ ...fault, message: told(reader, fault.message) })),
})
