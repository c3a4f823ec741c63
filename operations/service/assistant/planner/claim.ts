/**
 * Every word of a question is claimed by something that has a meaning: a date, a phrase, a name, a number. A word
 * that nothing claims is not understood, and its question is not answered: the word could be a condition.
 */
import { dateAt, dateWords, numberIn } from './dates.ts'
import type { Days, Today } from './days.ts'
import { knownWords, longestPhrase, type Meaning, phrases } from './lexicon.ts'
import { type Named, type Names, readWhenCalled } from './names.ts'
import { nearestWord, preferred } from './typos.ts'
import { folded, stem, stemsOf, type Word, wordsOf } from './words.ts'
import type { Message } from '../../../../runtime/texts/message.ts'
import { addTo } from '../../../../storage/values/grouped.ts'

export type Item = { readonly at: number; readonly length: number; readonly after: Word['after']; readonly text: string } & (
  | Meaning
  | { readonly kind: 'date'; readonly days: Days; readonly since?: Days }
  | { readonly kind: 'wrong'; readonly message: Message }
  | {
      readonly kind: 'value'
      readonly named: readonly Named[]
      /** Also a word for reaching any goal: `signups`. */
      readonly isWord?: true
    }
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'number'; readonly number: number }
  | { readonly kind: 'unknown'; readonly raw: string }
)

export interface Read {
  readonly items: readonly Item[]
  /** Slips of typing, as written and as read. */
  readonly corrected: readonly (readonly [written: string, read: string])[]
}

/** `more visitors then last week` */
const comparatives: ReadonlySet<string> = new Set(['more', 'less', 'fewer', 'better', 'worse', 'higher', 'lower', 'longer'])

/** Unknown words of one question that are looked at. */
const maxSlips = 12

interface Known {
  readonly names: Names
  readonly today: Today
  /** Values of properties and of dimensions that the question names, by their words. */
  readonly called: ReadonlyMap<string, readonly Named[]>
}

export async function readWords(question: string, names: Names, today: Today): Promise<Read> {
  const corrected: [string, string][] = []
  const written = wordsOf(question).map((word, i, all) => {
    if (word.text !== 'then' || word.after !== '' || !all.slice(0, i).some(({ text }) => comparatives.has(text))) return word
    corrected.push([word.raw, 'than'])
    return { ...word, text: 'than' }
  })
  const first = await claimed(written, names, today)
  // When hardly any word is known, the others are not typing errors.
  if (first.filter(({ kind }) => kind === 'unknown').length > maxSlips) return { items: first, corrected }
  // A word that is taken for one without a meaning is left out, and could have been a condition.
  const vocabulary = new Set([...[...knownWords].filter(word => phrases.get(word)?.kind !== 'filler' || preferred.has(word)), ...dateWords])
  const ofNames = new Set([...names.byWords].flatMap(([words, named]) => (named.every(({ isCalled }) => isCalled) ? [] : words.split(' '))))
  const inPaths = new Set([...names.pages].flatMap(page => folded(page).match(/[\p{L}\p{N}]+/gu) ?? []))
  const words = written.map((word, i) => {
    if (!first.some(item => item.kind === 'unknown' && item.at === i)) return word
    // A known word without a meaning at its position is not a misspelling of another word, nor is a word of a page's path.
    const read =
      vocabulary.has(word.text) || inPaths.has(word.text) ? undefined : nearestWord(word.text, new Set([...vocabulary, ...ofNames]))
    if (read === undefined) return word
    corrected.push([word.raw, read])
    return { ...word, text: read }
  })
  if (corrected.length === 0) return { items: first, corrected }
  return { items: await claimed(words, names, today), corrected }
}

async function claimed(words: readonly Word[], names: Names, today: Today): Promise<Item[]> {
  const called = await calledValues(words, names)
  const items: Item[] = []
  for (let i = 0; i < words.length; ) {
    const item = itemAt({ words, at: i, before: items, known: { names, today, called } })
    items.push(item)
    i += item.length
  }
  return items
}

interface ItemAt {
  readonly words: readonly Word[]
  readonly at: number
  readonly before: readonly Item[]
  readonly known: Known
}

function itemAt({ words, at, before, known }: ItemAt): Item {
  const word = words[at]
  if (!word) throw new Error('there is no such word')
  const { after, text, raw } = word
  const rest = words.slice(at, at + 12)
  // The end of a sentence separates the words on both sides of it.
  const end = rest.findIndex((each, i) => i > 0 && each.after === '.')
  const within = end < 0 ? rest : rest.slice(0, end)
  const base = { at, after, text }
  if (text.startsWith('/')) return { ...base, length: 1, kind: 'path', path: raw }
  const date = dateAt(
    within,
    known.today,
    words.some(each => /^(compare|compared|versus|vs|comparison)$/.test(each.text)),
  )
  const phrase = phraseAt(within, known.names)
  const name = nameAt({ within, words, at, before }, known)
  const longest = Math.max(date?.length ?? 0, phrase?.length ?? 0, name?.length ?? 0)
  if (date && date.length === longest && !(phrase?.length === longest && phrase.meaning.kind === 'against'))
    return 'message' in date
      ? { ...base, length: date.length, kind: 'wrong', message: date.message }
      : { ...base, length: date.length, kind: 'date', days: date.days, ...(date.since && { since: date.since }) }
  const isName = name !== undefined && name.length === longest
  const isWord = phrase?.length === longest && phrase.meaning.kind === 'done'
  const ofGoals = name?.named.filter(({ dimension }) => dimension === 'goal' || dimension === 'event') ?? []
  const isWeaker = isName && (phrase?.meaning.kind === 'filler' || (isWord && ofGoals.length > 0))
  if (phrase && phrase.length === longest && !isWeaker)
    return { ...base, text: textOf(within, phrase.length), length: phrase.length, ...phrase.meaning }
  if (name && isName) {
    const value = { ...base, text: textOf(within, name.length), length: name.length, kind: 'value' as const }
    return isWord ? { ...value, named: ofGoals, isWord } : { ...value, named: name.named }
  }
  const number = numberIn(text)
  return number === undefined ? { ...base, length: 1, kind: 'unknown', raw } : { ...base, length: 1, kind: 'number', number }
}

const textOf = (words: readonly Word[], length: number): string =>
  words
    .slice(0, length)
    .map(({ raw }) => raw)
    .join(' ')

/** The longest phrase; a property of events is called by its key. */
function phraseAt(words: readonly Word[], { properties }: Names): { length: number; meaning: Meaning } | undefined {
  const texts = words.map(({ text }) => text)
  for (let length = Math.min(longestPhrase, words.length); length > 0; length--) {
    const meaning = phrases.get(texts.slice(0, length).join(' '))
    if (meaning) return { length, meaning }
    const key = properties.get(texts.slice(0, length).map(stem).join(' '))
    if (key !== undefined) return { length, meaning: { kind: 'dimension', dimension: `property:${key}` } }
  }
  return undefined
}

interface NameAt {
  readonly within: readonly Word[]
  readonly words: readonly Word[]
  readonly at: number
  readonly before: readonly Item[]
}

function nameAt({ within, words, at, before }: NameAt, { names, called }: Known): { length: number; named: readonly Named[] } | undefined {
  for (let length = Math.min(names.longest, within.length); length > 0; length--) {
    const text = within
      .slice(0, length)
      .map(each => stem(each.text))
      .join(' ')
    const beside = [dimensionBefore(before), dimensionAfter(words, at + length, names)]
    const named = [...(called.get(text) ?? []), ...(names.byWords.get(text) ?? [])]
    const fitting = named.filter(({ dimension, isCalled }) => !isCalled || beside.includes(dimension))
    if (fitting.length > 0) return { length, named: fitting }
  }
  return undefined
}

/** The words that introduce a value: `campaign spring-tools`, `language is german`. */
function dimensionBefore(items: readonly Item[]): string | undefined {
  const last = items.findLast(
    ({ kind, text }) => !(kind === 'filler' && /^(is|are|was|called|named|the|of|about|with|on|for|a|like)$/.test(text)),
  )
  return last?.kind === 'dimension' ? last.dimension : undefined
}
/** … and after it: `the sale page`. */
function dimensionAfter(words: readonly Word[], at: number, names: Names): string | undefined {
  if (words[at]?.after) return undefined
  const phrase = phraseAt(words.slice(at, at + longestPhrase), names)
  return phrase?.meaning.kind === 'dimension' ? phrase.meaning.dimension : undefined
}

/** Values of properties, and of dimensions that are rarely meant, that the question names. */
async function calledValues(words: readonly Word[], names: Names): Promise<ReadonlyMap<string, readonly Named[]>> {
  const found = new Map<string, Named[]>()
  const text = ` ${words.map(each => stem(each.text)).join(' ')} `
  const keys = [...names.properties].filter(([called]) => text.includes(` ${called} `) && !phrases.has(called)).slice(0, 3)
  const plain = ` ${words.map(each => each.text).join(' ')} `
  const rare = readWhenCalled.filter(dimension =>
    [...phrases].some(
      ([phrase, meaning]) => meaning.kind === 'dimension' && meaning.dimension === dimension && plain.includes(` ${phrase} `),
    ),
  )
  const asked = [
    ...keys.map(([, key]) => [`property:${key}`, `property:${key}`] as const),
    ...rare.map(dimension => [dimension, dimension] as const),
  ]
  for (const [dimension, of] of asked)
    for (const value of await names.valuesOf(of)) {
      const called = stemsOf(value).join(' ')
      if (called !== '') addTo(found, called, { dimension, value, label: value, isCalled: true })
    }
  return found
}
