/** Conditions that reports, segments and exports are narrowed by, as people read them. */
import type { TSchema } from '@sinclair/typebox'
import { isObject } from '../values/json.ts'
import { valueIn } from '../texts/code-names.ts'
import { isDuration } from './filter-rows.ts'
import { duration } from './format.ts'
import { fieldWords, valueWords } from './words.ts'
import { ui } from './messages.ts'
import type { Reader } from '../texts/reader.ts'
import { say } from '../texts/say.ts'

/** Dimensions that people filter by most; forms and addresses take every dimension that reports know. */
export const commonDimensions: readonly string[] = [
  'page',
  'entry_page',
  'exit_page',
  'source',
  'channel',
  'referrer',
  'utm_campaign',
  'utm_source',
  'utm_medium',
  'country',
  'region',
  'city',
  'language',
  'browser',
  'os',
  'device',
  'goal',
  'event',
]

export const allOperators: readonly string[] = [
  'is',
  'is_not',
  'contains',
  'not_contains',
  'starts_with',
  'any_of',
  'none_of',
  'regex',
  'not_regex',
  'gt',
  'lt',
  'between',
]

/** A condition of a filter: three values in a row, `[dimension, operator, value]`. */
export function isCondition(schema: TSchema): boolean {
  const variants: readonly TSchema[] = schema.anyOf ?? [schema]
  return variants.some(({ type, minItems, maxItems }) => type === 'array' && minItems === 3 && maxItems === 3)
}

/** `Country is Germany or France`. For `{any: […]}` and `{all: […]}`, the words of each condition in it. */
export function conditionWords(condition: unknown, reader: Reader): string {
  if (isTriple(condition)) return tripleWords([condition], reader)
  if (isObject(condition) && Array.isArray(condition.any)) {
    const [first] = condition.any
    const areAlike = (each: unknown) => isTriple(each) && isTriple(first) && each[0] === first[0] && each[1] === first[1]
    if (condition.any.every(areAlike)) return tripleWords(condition.any, reader)
    return condition.any.map(each => conditionWords(each, reader)).join(` ${say(reader, ui.or)} `)
  }
  if (isObject(condition) && Array.isArray(condition.all))
    return say(reader, ui.by_one_hit({ conditions: condition.all.map(each => conditionWords(each, reader)) }))
  return isObject(condition) ? JSON.stringify(condition) : String(condition)
}

const isTriple = (condition: unknown): condition is readonly unknown[] => Array.isArray(condition) && condition.length === 3

/** Operators of several values, which have the words of an operator of one value: `Country is Germany or France`. */
const singular: Readonly<Record<string, string>> = { any_of: 'is', none_of: 'is_not' }

/** Words for conditions of which any may hold. All have the dimension and the operator of the first. */
function tripleWords(triples: readonly (readonly unknown[])[], reader: Reader): string {
  const dimension = String(triples[0]?.[0])
  const operator = triples[0]?.[1]
  const wordsOf = (value: unknown) =>
    isDuration(dimension) && Number.isFinite(Number(value))
      ? duration(Number(value), { ...reader, timezone: 'UTC', currency: 'USD' })
      : valueIn(dimension, String(value), reader) || say(reader, ui.unnamed)
  const values = triples.flatMap(([, , value]): unknown[] => (Array.isArray(value) ? value : [value])).map(wordsOf)
  const last = values.at(-1) ?? ''
  const separator = operator === 'between' ? ' – ' : ` ${say(reader, ui.or)} `
  const shown = values.length > 1 ? `${values.slice(0, -1).join(', ')}${separator}${last}` : last
  const [, property] = /^property:(.+)$/s.exec(dimension) ?? []
  return `${property ?? fieldWords(dimension, reader)} ${valueWords(singular[String(operator)] ?? operator, reader)} ${shown}`
}
