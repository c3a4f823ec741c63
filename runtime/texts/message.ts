/**
 * A message is a sentence that the service says to people: a code and its parameters. It is stored as these, never as a
 * sentence, and it becomes a text where it is read: pages and mails format it in the language of the reader (`say`), and
 * JSON, CSV and logs have its English (`String(message)`).
 */
import { formatText } from './format.ts'
import { valueText, wordsOfField } from './names.ts'

/**
 * A value of a parameter. A message or a term among them is said in the language of the whole, a list is joined with
 * commas, and a text stays as it is: it is what a person or a visitor wrote.
 */
export type MessageValue = string | number | Message | Term | readonly MessageValue[]
export type MessageParams = Readonly<Record<string, MessageValue>>

/** The value of a `Sentence` field: a message, or a text that an older version stored. */
export type Sentence = string | Message

export class Message {
  readonly code: string
  readonly params: MessageParams
  constructor(code: string, params: MessageParams = {}) {
    this.code = code
    this.params = params
  }
  /** The English text, in which fields and operations have the names that programs use. */
  toString(): string {
    return formatText('en', englishOf(this.code), mapped(this.params, String))
  }
  /** Answers in JSON have the English text. `storedMessage` keeps code and parameters. */
  toJSON(): string {
    return this.toString()
  }
}

/** Names of the table, days and times, which programs and people write differently. */
export type TermKind = 'field' | 'value' | 'operation' | 'day' | 'time'

/** A field, a value of an enumeration, an operation, a day or a time in a message: programs read its name, people its label. */
export class Term {
  readonly kind: TermKind
  readonly name: string
  constructor(kind: TermKind, name: string) {
    this.kind = kind
    this.name = name
  }
  toString(): string {
    return this.name
  }
  toJSON(): string {
    return this.name
  }
}
export const fieldTerm = (name: string): Term => new Term('field', name)
export const valueTerm = (name: string): Term => new Term('value', name)
export const operationTerm = (id: string): Term => new Term('operation', id)
/** @param date `2026-03-01`, which people read as `Mar 1, 2026` */
export const dayTerm = (date: string): Term => new Term('day', date)
/** @param ms since 1970, which programs read as `2026-03-01T12:00:00.000Z` */
export const timeTerm = (ms: number): Term => new Term('time', new Date(ms).toISOString())

/** Whether a field is named by its place: `steps.1.path`, or `/filters/0` as programs read it. */
export const isPlace = (name: string): boolean => /[./]/.test(name)
/** English of a term's label: `bounce_rate` → `Bounce rate`, `goal_id` → `Goal`. A field inside of another keeps its path. */
export const labelOfTerm = ({ kind, name }: Term): string =>
  kind === 'value' ? valueText(name) : isPlace(name) ? name : wordsOfField(name)

type Letter =
  | 'a'
  | 'b'
  | 'c'
  | 'd'
  | 'e'
  | 'f'
  | 'g'
  | 'h'
  | 'i'
  | 'j'
  | 'k'
  | 'l'
  | 'm'
  | 'n'
  | 'o'
  | 'p'
  | 'q'
  | 'r'
  | 's'
  | 't'
  | 'u'
  | 'v'
  | 'w'
  | 'x'
  | 'y'
  | 'z'
/** Names begin with a small letter and have no spaces, which words of a plural have: `one {# visit} other {# visits}`. */
type IsName<N extends string> = N extends `${string} ${string}` | `${string}#${string}`
  ? false
  : N extends `${Letter}${string}`
    ? true
    : false
type Trimmed<N extends string> = N extends ` ${infer Rest}` ? Trimmed<Rest> : N extends `${infer Rest} ` ? Trimmed<Rest> : N
type Before<T extends string, S extends string> = T extends `${infer Head}${S}${string}` ? Head : T
type WithName<N extends string, V> =
  IsName<Trimmed<Before<N, ','>>> extends true
    ? { readonly [K in Trimmed<Before<N, ','>>]: N extends `${string}, ${'plural' | 'number' | 'selectordinal'}${string}` ? number : V }
    : unknown

/** The parameters of an ICU text: `{name}`, `{count, number}`, `{count, plural, one {…} other {…}}`. */
export type ParamsOf<T extends string, V = MessageValue> = T extends `${string}{${infer Rest}`
  ? WithName<Before<Before<Rest, '{'>, '}'>, V> & ParamsOf<Rest, V>
  : unknown

/** Makes a message of its parameters. */
export interface MessageOf<T extends string> {
  (...params: unknown extends ParamsOf<T> ? [] : [params: ParamsOf<T>]): Message
  readonly code: string
  readonly english: T
}

/** A message without parameters. */
export type PlainMessage = MessageOf<string>

const declared = new Map<string, string>()
const spoken = new Map<string, string>()

/** Every message of every area: English texts by code, as people read them. */
export const declaredMessages = (): ReadonlyMap<string, string> => new Map([...declared, ...spoken])

/** The English text of a code as people read it; the code itself, if no area declares it any more. */
export const spokenOf = (code: string): string => spoken.get(code) ?? englishOf(code)

/** The English text of a code as programs read it; the code itself, if no area declares it any more. */
const englishOf = (code: string): string => declared.get(code) ?? code

/**
 * Declares messages of an area, with their English as ICU MessageFormat. Translations are in the `texts/` folder of the
 * area, by `scope.id`.
 *
 * @param scope the name of the area's folder; the codes are `scope.id`
 * @throws Error, which stops the start, if the codes are declared twice
 *
 * @example
 * const m = messages('alerts', {
 *   not_paused: 'The alert is not paused. Its state is {state}.',
 *   incidents: '{count, plural, one {# incident} other {# incidents}}',
 * })
 * assert.equal(String(m.not_paused({ state: 'triggered' })), 'The alert is not paused. Its state is triggered.')
 * assert.equal(String(m.incidents({ count: 2 })), '2 incidents')
 */
export function messages<const T extends Readonly<Record<string, string>>>(
  scope: string,
  texts: T,
): { readonly [K in keyof T]: MessageOf<T[K]> } {
  const made: Record<string, unknown> = {}
  for (const [id, english] of Object.entries(texts)) {
    const code = `${scope}.${id}`
    if (declared.has(code)) throw new Error(`Two messages have the code ${code}. Rename one of them.`)
    declared.set(code, english)
    made[id] = Object.assign((params?: MessageParams) => new Message(code, params), { code, english })
  }
  return made as { readonly [K in keyof T]: MessageOf<T[K]> } // each key has the function of its text
}

/** Gives messages another English for people, with the same parameters or fewer, where their own speaks to programs. */
export function forPeople<
  const M extends Readonly<Record<string, { readonly code: string; readonly english: string }>>,
  const T extends { readonly [K in keyof M]?: string },
>(of: M, texts: T & { readonly [K in keyof T]: K extends keyof M ? Fitting<M[K]['english'], T[K]> : never }): void {
  for (const [id, { code }] of Object.entries(of)) {
    const text = texts[id]
    if (text !== undefined) spoken.set(code, text)
  }
}
/** The text, if it has no other parameters than the English. */
type Fitting<E extends string, T> = T extends string ? (keyof ParamsOf<T> extends keyof ParamsOf<E> ? T : never) : never

const mapped = (
  params: MessageParams,
  textOf: (value: Exclude<MessageValue, readonly MessageValue[]>) => string | number,
): Record<string, string | number> => {
  const values: Record<string, string | number> = {}
  const one = (value: MessageValue): string | number =>
    typeof value === 'number' || typeof value === 'string' ? value : isList(value) ? value.map(one).join(', ') : textOf(value)
  for (const name of Object.keys(params)) values[name] = one(params[name] ?? '')
  return values
}
const isList = (value: MessageValue): value is readonly MessageValue[] => Array.isArray(value)

/** The parameters as texts of a language. @param textOf a message or a term among them in that language */
export const paramsIn = (params: MessageParams, textOf: (value: Message | Term) => string): Record<string, string | number> =>
  mapped(params, value => (typeof value === 'object' ? textOf(value) : value))

interface Stored {
  readonly code: string
  readonly params?: Readonly<Record<string, unknown>>
}

function stored(value: MessageValue): unknown {
  if (value instanceof Message)
    return { code: value.code, params: Object.fromEntries(Object.entries(value.params).map(([name, each]) => [name, stored(each)])) }
  if (value instanceof Term) return { [value.kind]: value.name }
  return isList(value) ? value.map(stored) : value
}

function restored(value: unknown): MessageValue {
  if (Array.isArray(value)) return value.map(restored)
  if (typeof value !== 'object' || value === null) return typeof value === 'number' ? value : String(value)
  if (isStored(value))
    return new Message(value.code, Object.fromEntries(Object.entries(value.params ?? {}).map(([name, each]) => [name, restored(each)])))
  for (const kind of ['field', 'value', 'operation', 'day', 'time'] as const) {
    const name: unknown = (value as Readonly<Record<string, unknown>>)[kind]
    if (typeof name === 'string') return new Term(kind, name)
  }
  return ''
}
const isStored = (value: object): value is Stored => 'code' in value && typeof value.code === 'string'

/** A sentence as a column of text keeps it: a message as JSON, a text as it is. */
export const storedSentence = (sentence: Sentence): string => (sentence instanceof Message ? JSON.stringify(stored(sentence)) : sentence)

/** The value of a text column: a message, or a sentence that an older version stored. */
export function sentenceOf(text: string): Sentence {
  if (!text.startsWith('{"code":')) return text
  try {
    const value = restored(JSON.parse(text))
    return value instanceof Message ? value : text
  } catch {
    return text // clipped by an older version
  }
}

const key = '$message'
/** For `JSON.stringify`: keeps messages as code and parameters, where their English would be written. */
export function keepMessages(this: unknown, name: string, value: unknown): unknown {
  const original: unknown = (this as Readonly<Record<string, unknown>>)[name]
  return original instanceof Message ? { [key]: stored(original) } : value
}
/** For `JSON.parse` of what was written with `keepMessages`. */
export function restoreMessages(_name: string, value: unknown): unknown {
  return typeof value === 'object' && value !== null && key in value ? restored((value as { readonly [key]: unknown })[key]) : value
}
