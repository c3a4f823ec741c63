/** Values of dimensions as people call them, in the language of the reader. Names given by sites and visitors stay unchanged. */
import { dimensions } from '../../storage/engine/vocabulary/dimensions.ts'
import { regionName } from '../../storage/engine/vocabulary/regions.ts'
import { memoized } from '../values/memoize.ts'
import { textOf } from './catalogues.ts'
import { type Reader, wordsOf } from './reader.ts'
import { regionIn } from './region-names.ts'

/** Dimensions whose values are codes that the language itself has names for. */
const codes: Readonly<Record<string, 'region' | 'language'>> = { country: 'region', language: 'language' }

const known = new Map<string, (code: string) => string>()
/** One of each is kept, with what it was asked: to make one takes 15 ms, and to ask it as long as several cells. */
function namesIn(locale: string, type: 'region' | 'language'): (code: string) => string {
  const key = `${locale} ${type}`
  const found = known.get(key)
  if (found) return found
  const names = new Intl.DisplayNames(locale, { type, fallback: 'none' })
  const nameOf = memoized((code: string) => {
    try {
      return names.of(code) ?? ''
    } catch {
      return '' // what a visitor's browser sent, or a user typed
    }
  })
  known.set(key, nameOf)
  return nameOf
}

/** The name of a code: `Germany` for the country `DE`; undefined if the dimension has no codes, or the value is none. */
export function nameOfCode(dimension: string, code: string, { locale }: Reader): string | undefined {
  if (dimension === 'region') return regionOf(code, locale)
  const type = Object.hasOwn(codes, dimension) ? codes[dimension] : undefined
  if (!type || code === '') return undefined
  return namesIn(locale, type)(code) || undefined
}

/** In English where the language has no other name for it (region-names.ts). */
function regionOf(code: string, locale: string): string | undefined {
  const language = wordsOf(locale)
  return (language === 'en' ? undefined : regionIn(language, code)) ?? regionName(code)
}

/** Dimensions whose values are words of the service itself. */
const ours: ReadonlySet<string> = new Set(['channel', 'device', 'weekday', 'network_kind', 'bounce', 'new_person'])

/** Whether people know the values by names that differ from language to language. */
export const isNamedInWords = (dimension: string): boolean =>
  dimension === 'region' || Object.hasOwn(codes, dimension) || ours.has(dimension)

/** Dimensions whose values are ids of records. */
export const withIds: ReadonlySet<string> = new Set(['goal', 'site'])

/** For what is shown where there is no value. */
const NONE = 'none'

/** The id of a word of the service: `value.channel.organic_search`, `value.none.other`. The areas that own them declare them. */
export const idOfValue = (dimension: string, word: string): string =>
  `value.${dimension}.${word
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '_')
    .replace(/^_|_$/g, '')}`

const wordIn = (dimension: string, word: string, reader: Reader): string => textOf(reader, idOfValue(dimension, word)) ?? word
const wordOfOurs = (dimension: string, label: string, reader: Reader): string =>
  ours.has(dimension) ? wordIn(dimension, label, reader) : label

/** Values of the service, and hosts, which people read in letters. */
const isLabelled = (dimension: string): boolean => ours.has(dimension) || dimensions.get(dimension)?.isHost === true

/** The value of a condition as people read it. */
export const valueIn = (dimension: string, value: string, reader: Reader): string =>
  nameOfCode(dimension, value, reader) ??
  (withIds.has(dimension) ? reader.names?.get(value) : undefined) ??
  wordOfOurs(dimension, isLabelled(dimension) ? (dimensions.get(dimension)?.label?.(value) ?? value) : value, reader)

interface LabelSaid {
  readonly dimension: string
  readonly value: string
  readonly label: string
  readonly reader: Reader
}

/** The label of a value of a report. @param label what the service calls it in English */
export function labelSaid({ dimension, value, label, reader }: LabelSaid): string {
  const name = label !== value && wordsOf(reader.locale) !== 'en' ? nameOfCode(dimension, value, reader) : undefined
  if (name !== undefined) return name
  return value === '' ? wordIn(NONE, label, reader) : unnamedIn(wordOfOurs(dimension, label, reader), reader)
}

/** `(other)`, `(entrance)`: what the service puts where there is no value, also as steps of a path. */
export const unnamedIn = (label: string, reader: Reader): string =>
  label
    .split(' → ')
    .map(part => (/^\(.*\)$/.test(part) ? wordIn(NONE, part, reader) : part))
    .join(' → ')
