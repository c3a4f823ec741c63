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

/** Operators of one value; forms that take several know the others as well. */
export const oneValue: readonly string[] = ['is', 'is_not', 'contains', 'not_contains']
export const allOperators: readonly string[] = [
  ...oneValue,
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

/** `Country is Germany or France`; of `{any: […]}` and `{all: […]}` each of them. */
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

/** Operators that say the same of several values as another of one. */
const alike: Readonly<Record<string, string>> = { any_of: 'is', none_of: 'is_not' }

/** Conditions on one dimension with one operator, of which one is enough. */
function tripleWords(triples: readonly (readonly unknown[])[], reader: Reader): string {
  const [[dimension, operator] = []] = triples
  const named = (each: unknown) =>
    isDuration(String(dimension)) && Number.isFinite(Number(each))
      ? duration(Number(each), { ...reader, timezone: 'UTC', currency: 'USD' })
      : valueIn(String(dimension), String(each), reader) || say(reader, ui.unnamed)
  const values = triples.flatMap(([, , value]): unknown[] => (Array.isArray(value) ? value : [value])).map(named)
  const [last = '', ...others] = values.toReversed()
  const between = operator === 'between' ? ' – ' : ` ${say(reader, ui.or)} `
  const shown = others.length === 0 ? last : `${others.toReversed().join(', ')}${between}${last}`
  const [, key] = /^property:(.+)$/s.exec(String(dimension)) ?? []
  return `${key ?? fieldWords(String(dimension), reader)} ${valueWords(alike[String(operator)] ?? operator, reader)} ${shown}`
}
