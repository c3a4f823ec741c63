/** Messages and labels in the language of the person who reads them. */
import { declaredText, loadTexts, textOf } from './catalogues.ts'
import { common } from './common.ts'
import { formatParts, formatText } from './format.ts'
import {
  isPlace,
  labelOfTerm,
  Message,
  type MessageOf,
  type MessageParams,
  type ParamsOf,
  type PlainMessage,
  paramsIn,
  type Sentence,
  spokenOf,
  Term,
} from './message.ts'
import { singular } from './names.ts'
import { type Language, type Reader, wordsOf } from './reader.ts'

/** The parameters of a message as an argument: none, if its text has none. */
export type Given<T extends string, V = never> =
  unknown extends ParamsOf<T> ? readonly [] : readonly [params: ParamsOf<T, V | Exclude<MessageParams[string], never>>]

/**
 * A message with its parameters, or what was made before: a message, a term, or a sentence that an older version stored.
 *
 * @example
 * import { messages } from './message.ts'
 *
 * const m = messages('colours', { count: '{count, plural, one {# colour} other {# colours}}' })
 * assert.equal(say({ locale: 'en' }, m.count, { count: 2 }), '2 colours')
 * assert.equal(say({ locale: 'en' }, m.count({ count: 1 })), '1 colour')
 */
export function say(reader: Reader, sentence: Sentence | Term | PlainMessage): string
export function say<T extends string>(reader: Reader, message: MessageOf<T>, ...params: Given<T>): string
export function say(reader: Reader, sentence: Sentence | Term | { readonly code: string }, params: MessageParams = {}): string {
  return saidWith(sayTerm, reader, sentence, params)
}

/** A fault of a form, as `say`, with fields in quotes: their labels may be half sentences, such as “Send events to”. */
export const sayFault = (reader: Reader, fault: Sentence): string => saidWith(quotedField, reader, fault)

const quotedField = (reader: Reader, term: Term): string => {
  const text = sayTerm(reader, term)
  return term.kind === 'field' ? say(reader, common.quoted, { text }) : text
}

function saidWith(
  termText: typeof sayTerm,
  reader: Reader,
  sentence: Sentence | Term | { readonly code: string },
  params: MessageParams = {},
): string {
  if (typeof sentence === 'string') return sentence
  if (sentence instanceof Term) return termText(reader, sentence)
  const { locale, text } = templateOf(reader, sentence.code)
  const given = sentence instanceof Message ? sentence.params : params
  return formatText(
    locale,
    text,
    paramsIn(given, value => saidWith(termText, reader, value)),
  )
}

/** A message with elements of a page as parameters: texts and elements in turn. */
export function sayParts<V, T extends string>(reader: Reader, message: MessageOf<T>, ...[params]: Given<T, V>): (V | string)[] {
  const { locale, text } = templateOf(reader, message.code)
  const values: Record<string, V | string | number> = {}
  for (const [name, value] of Object.entries((params ?? {}) as Readonly<Record<string, V | string | number>>))
    values[name] = value instanceof Message || value instanceof Term ? say(reader, value) : value
  return formatParts<V>(locale, text, values)
}

/** The translation of a code, or its English. */
function templateOf(reader: Reader, code: string): { locale: string; text: string } {
  const text = textOf(reader, code)
  return text === undefined ? { locale: 'en', text: spokenOf(code) } : { locale: reader.locale, text }
}

function sayTerm(reader: Reader, term: Term): string {
  if (term.kind === 'day') return sayDay(reader, term.name)
  if (term.kind === 'time') return sayTime(reader, term.name)
  if (term.kind === 'field' && isPlace(term.name)) return sayPlace(reader, term.name.split(/[./]/).filter(Boolean))
  if (term.kind !== 'operation') return textOf(reader, `${term.kind}.${term.name}`) ?? declaredText(reader, labelOfTerm(term))
  const title = titleOfOperation(term.name)
  return title === undefined ? term.name : declaredText(reader, title)
}

/** A day as people write it; in English, as in the United States. */
function sayDay({ locale }: Reader, date: string): string {
  const at = Date.parse(`${date}T00:00:00Z`)
  return Number.isNaN(at) ? date : new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(at)
}

/** A time with its zone: `Mar 1, 2026, 1:00 PM GMT+1`. */
function sayTime({ locale, timezone = 'UTC' }: Reader, iso: string): string {
  const at = Date.parse(iso)
  const parts = { year: 'numeric', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const
  return Number.isNaN(at) ? iso : new Intl.DateTimeFormat(locale, { ...parts, timeZone: timezone }).format(at)
}

const isIndex = (part: string | undefined): boolean => part !== undefined && /^\d+$/.test(part)
/** The parts of a condition, which is a list of three. */
const conditionParts = ['dimension', 'operator', 'value']

/** A field inside of another: `steps.1.path` → `Path (Step 2)`, `recipients.0` → `Recipient 1`, `/filters/0` → `Filter 1`, `params.metric` → `Metric`. */
function sayPlace(reader: Reader, path: readonly string[]): string {
  const label = (name: string): string => sayTerm(reader, new Term('field', name))
  const item = (at: number): string =>
    say(reader, common.item_number, { item: label(singular(path[at - 1] ?? '')), number: Number(path[at]) + 1 })
  const last = path.length - 1
  const inList = path.findLastIndex((part, at) => at > 0 && at < last && isIndex(part) && !isIndex(path[at - 1]))
  if (isIndex(path[last]) && !isIndex(path[last - 1])) return item(last)
  const field = isIndex(path[last]) ? label(conditionParts[Number(path[last])] ?? 'value') : label(path[last] ?? '')
  return inList < 0 ? field : say(reader, common.field_of_item, { field, item: item(inList) })
}

/** How pages call an operation. The table, which is in a room above this one, sets it. */
let titleOfOperation: (id: string) => string | undefined = () => undefined
export function nameOperations(titleOf: (id: string) => string | undefined): void {
  titleOfOperation = titleOf
}

/** `say` for one reader. */
export interface Say {
  (sentence: Sentence | Term | PlainMessage): string
  <T extends string>(message: MessageOf<T>, ...params: Given<T>): string
  readonly locale: Language
}

/** Loads a language. @param locale of an account, a page or a browser; one without translations says English */
export async function sayIn(locale: string): Promise<Say> {
  const reader = { locale: wordsOf(locale) }
  await loadTexts(reader)
  return sayFor(reader)
}

function sayFor(reader: { readonly locale: Language }): Say {
  const sayIt = (sentence: Sentence | Term | { readonly code: string }, params: MessageParams = {}) =>
    say(reader, sentence as MessageOf<`${string}{params}`>, params as never) // `Say` has checked them
  return Object.assign(sayIt as (sentence: Sentence | Term) => string, reader) as Say
}

export const sayEnglish: Say = sayFor({ locale: 'en' })
